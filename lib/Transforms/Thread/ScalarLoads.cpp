//===- ScalarLoads.cpp - Scalars that kernels read themselves -------------===//

#include "rooftile/Transforms/Thread/ScalarLoads.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace rooftile;

/// Operations that a scalar is computed by: more than any factor of a product needs.
static constexpr size_t kMostOperations = 32;

/// The memref that `memref` is a view of.
static Value baseOf(Value memref) {
  while (true) {
    Operation *maker = memref.getDefiningOp();
    if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(maker))
      memref = view.getViewSource();
    else if (auto metadata = dyn_cast_or_null<memref::ExtractStridedMetadataOp>(maker))
      memref = metadata.getSource();
    else
      return memref;
  }
}

/// Kernels mark the arguments that they only read.
static bool mayWrite(gpu::LaunchFuncOp launch, Value base) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    bool isRead = kernel && kernel.getArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName());
    if (isa<MemRefType>(operand.getType()) && baseOf(operand) == base && !isRead)
      return true;
  }
  return false;
}

/// Functions of the runtime that earlier passes call check sizes and describe matrices.
static bool isOfRuntime(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && call.getCallee().starts_with("rooftile") &&
         llvm::none_of(call.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

/// Operands of products do not overlap; other memory is distinguished by its memref.
static bool mayWrite(Operation *op, Value base) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return mayWrite(launch, base);
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false; // what is in it is looked at
  if (isOfRuntime(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  if (!effects)
    return !op->hasTrait<OpTrait::IsTerminator>();
  return llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &effect) {
    bool isWrite = isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
    return isWrite && (!effect.getValue() || baseOf(effect.getValue()) == base);
  });
}

static bool isLoadOfScalar(Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  return load && load.getMemRefType().getRank() == 0 &&
         load.getMemRefType().getLayout().isIdentity();
}

/// Whether nothing after `load` in its function writes what it reads.
static bool staysAsRead(memref::LoadOp load) {
  auto function = load->getParentOfType<FunctionOpInterface>();
  if (!function)
    return false;
  Value base = baseOf(load.getMemRef());
  WalkResult found = function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isBefore = op->getBlock() == load->getBlock() && op->isBeforeInBlock(load);
    if (isBefore)
      return WalkResult::skip();
    return mayWrite(op, base) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

/// Appends what computes `value`; false where a kernel cannot.
static bool collect(Value value, llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || slice.size() >= kMostOperations)
    return false;
  if (slice.contains(op))
    return true;
  bool isLoad = isLoadOfScalar(op);
  if (isLoad ? !staysAsRead(cast<memref::LoadOp>(op)) : !isPure(op) || op->getNumRegions() > 0)
    return false;
  for (Value operand : op->getOperands())
    if (!isLoad && !collect(operand, slice))
      return false;
  slice.insert(op);
  return true;
}

SmallVector<Operation *> rooftile::scalarLoads(Value scalar) {
  llvm::SetVector<Operation *> slice;
  if (!collect(scalar, slice) || llvm::none_of(slice, isLoadOfScalar))
    return {};
  return slice.takeVector();
}

SmallVector<Value> rooftile::memrefsOf(ArrayRef<Operation *> loads) {
  llvm::SetVector<Value> memrefs;
  for (Operation *op : loads)
    if (auto load = dyn_cast<memref::LoadOp>(op))
      memrefs.insert(load.getMemRef());
  return memrefs.takeVector();
}

Value rooftile::repeatLoads(OpBuilder &builder, Value scalar, ArrayRef<Operation *> loads,
                            IRMapping &mapping) {
  for (Operation *op : loads)
    builder.clone(*op, mapping);
  return mapping.lookup(scalar);
}
