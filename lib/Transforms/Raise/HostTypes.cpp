//===- HostTypes.cpp - What host code can hold ----------------------------===//
//
// A tensor with an encoding is stored in its own way, and memory of a workgroup or a thread is that
// of somebody's kernel. Bufferization drops the one, and lowering passes the other to kernels as if
// it were global; either way results are wrong without an error. So both are found before
// anything is lowered. Global memory, by whatever name, is where operands lie anyway: its name is
// left out.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/HostTypes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr int64_t kGlobalSpace = 1; // of NVIDIA and AMD GPUs

bool rooftile::isGlobalMemory(Attribute space) {
  if (auto named = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return named.getValue() == gpu::AddressSpace::Global;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return !space || (number && number.getInt() == kGlobalSpace);
}

std::string rooftile::whyForeign(Type type) {
  std::string why;
  llvm::raw_string_ostream out(why);
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (tensor && tensor.getEncoding())
    out << "has the encoding " << tensor.getEncoding() << ": it is no dense matrix";
  else if (memref && !isGlobalMemory(memref.getMemorySpace()))
    out << "is in memory space " << memref.getMemorySpace() << ", which is not global memory";
  return why;
}

/// The type of the memory that bufferization gives a tensor, where the operation specifies it.
static Type memoryOf(bufferization::AllocTensorOp alloc) {
  return UnrankedMemRefType::get(alloc.getType().getElementType(),
                                 alloc.getMemorySpace().value_or(Attribute()));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The foreign value of `op`, as a sentence; empty where there is none.
static std::string foreignValueOf(Operation *op) {
  auto name = [&](StringRef what, unsigned index, const std::string &why) {
    return ("'" + op->getName().getStringRef() + "': " + what + " " + Twine(index) + " " + why)
        .str();
  };
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (std::string why = rooftile::whyForeign(type); !why.empty())
      return name("operand", index, why);
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    if (std::string why = rooftile::whyForeign(memoryOf(alloc)); !why.empty())
      return name("result", 0, why);
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (std::string why = rooftile::whyForeign(type); !why.empty())
      return name("result", index, why);
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      if (std::string why = rooftile::whyForeign(type); !why.empty())
        return name("argument", index, why);
  return "";
}

void rooftile::forEachForeign(
    ModuleOp module,
    llvm::function_ref<void(Operation *, Operation *, const std::string &)> found) {
  for (Operation &part : module.getOps()) {
    if (isa<ModuleOp>(part)) {
      found(&part, &part, "a module inside the module is another program");
      continue;
    }
    auto function = dyn_cast<FunctionOpInterface>(part);
    if (!function || function.isExternal())
      continue;
    // Kernels of the user's have memory of all kinds.
    part.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      std::string why = foreignValueOf(op);
      if (!why.empty())
        found(&part, op, why);
      return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
    });
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace rooftile {
#define GEN_PASS_DEF_HOSTTYPES
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

/// Leaves the name of global memory out of all types of `root`.
static void dropGlobalSpace(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](BaseMemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace() || !rooftile::isGlobalMemory(type.getMemorySpace()))
      return std::nullopt;
    if (auto ranked = dyn_cast<MemRefType>(type))
      return MemRefType::Builder(ranked).setMemorySpace(Attribute());
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  root->walk([](bufferization::AllocTensorOp alloc) { alloc.removeMemorySpaceAttr(); });
}

namespace {
struct HostTypesPass : rooftile::impl::HostTypesBase<HostTypesPass> {
  void runOnOperation() override {
    bool failed = false;
    rooftile::forEachForeign(getOperation(), [&](Operation *, Operation *at,
                                                 const std::string &why) {
      emitError(at->getLoc()) << why << "; host code has dense tensors, and memory that is global";
      failed = true;
    });
    if (failed)
      return signalPassFailure();
    for (Operation &part : getOperation().getOps())
      if (!isa<gpu::GPUModuleOp>(part))
        dropGlobalSpace(&part);
  }
};
} // namespace
