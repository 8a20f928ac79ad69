//===- Coroutine.cpp - Kernels as coroutines of the host ------------------===//
//
// LLVM's switched-resume coroutines keep what is live across a barrier in a heap frame; a
// resume costs a few nanoseconds and needs no stack. As LLVM's documentation has it:
//   entry:    id, size, malloc, begin, suspend -> body | cleanup | end
//   body:     the kernel; where it waits it writes the number of that and suspends
//   finish:   write -1, final suspend
//   cleanup:  free the frame
//   end:      coro.end, return the handle
//
//===----------------------------------------------------------------------===//

#include "Coroutine.h"
#include "Copies.h"
#include "MatrixUnits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/LaneToCpu/LaneToCpu.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;

namespace {
class Coroutine {
public:
  Coroutine(OpBuilder &builder, gpu::GPUFuncOp kernel, StringRef name);
  HostKernel build(bool record);

private:
  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, value);
  }
  Value field(int64_t offset) {
    return LLVM::GEPOp::create(builder, loc, pointer, i8, thread,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  }
  Value insert(Value aggregate, Value part, ArrayRef<int64_t> position) {
    return LLVM::InsertValueOp::create(builder, loc, aggregate, part, position);
  }
  void begin();
  void suspend(Block *resumed, bool final);
  void loadArguments();
  Value fromBits(Value bits, Type type);
  Value sharedMemory();
  void replaceIds();
  void replaceBarriers();
  void finish();
  void dropMemorySpaces();

  OpBuilder &builder;
  gpu::GPUFuncOp kernel;
  Location loc;
  Type pointer, i8, i32, i64;
  LLVM::LLVMFuncOp function;
  Value thread, id, handle;
  Block *entry = nullptr, *body = nullptr, *cleanup = nullptr, *end = nullptr;
};
} // namespace

Coroutine::Coroutine(OpBuilder &builder, gpu::GPUFuncOp kernel, StringRef name)
    : builder(builder), kernel(kernel), loc(kernel.getLoc()),
      pointer(LLVM::LLVMPointerType::get(builder.getContext())), i8(builder.getI8Type()),
      i32(builder.getI32Type()), i64(builder.getI64Type()) {
  auto type = LLVM::LLVMFunctionType::get(pointer, {pointer, pointer});
  // Modules of one program may have kernels of one name.
  function = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
  function.setPassthroughAttr(builder.getArrayAttr(builder.getStringAttr("presplitcoroutine")));
  if (Attribute contract = kernel->getAttr(blas::BlasDialect::kContractName))
    function->setAttr(blas::BlasDialect::kContractName, contract);
}

/// coro.suspend and its three ways on; the builder's block ends here.
void Coroutine::suspend(Block *resumed, bool final) {
  Value none = LLVM::NoneTokenOp::create(builder, loc);
  Value flag =
      LLVM::ConstantOp::create(builder, loc, builder.getI1Type(), builder.getBoolAttr(final));
  Value state = LLVM::CoroSuspendOp::create(builder, loc, i8, none, flag);
  Value wide = LLVM::SExtOp::create(builder, loc, i32, state);
  LLVM::SwitchOp::create(builder, loc, wide, end, ValueRange(), ArrayRef<int32_t>{0, 1},
                         BlockRange{resumed, cleanup}, ArrayRef<ValueRange>{{}, {}});
}

void Coroutine::begin() {
  builder.setInsertionPointToEnd(entry);
  auto module = function->getParentOfType<ModuleOp>();
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  id = LLVM::CoroIdOp::create(builder, loc, LLVM::LLVMTokenType::get(builder.getContext()),
                              constant(i32, 0), null, null, null);
  Value size = LLVM::CoroSizeOp::create(builder, loc, i64);
  auto allocate = module.lookupSymbol<LLVM::LLVMFuncOp>("malloc");
  Value memory = LLVM::CallOp::create(builder, loc, allocate, ValueRange{size}).getResult();
  handle = LLVM::CoroBeginOp::create(builder, loc, pointer, id, memory);
  suspend(body, /*final=*/false);

  builder.setInsertionPointToEnd(cleanup);
  Value frame = LLVM::CoroFreeOp::create(builder, loc, pointer, id, handle);
  LLVM::CallOp::create(builder, loc, module.lookupSymbol<LLVM::LLVMFuncOp>("free"),
                       ValueRange{frame});
  LLVM::BrOp::create(builder, loc, end);

  builder.setInsertionPointToEnd(end);
  Value unwind =
      LLVM::ConstantOp::create(builder, loc, builder.getI1Type(), builder.getBoolAttr(false));
  Value none = LLVM::NoneTokenOp::create(builder, loc);
  LLVM::CoroEndOp::create(builder, loc, builder.getI1Type(), handle, unwind, none);
  LLVM::ReturnOp::create(builder, loc, handle);
}

/// A memref of one element from its bare pointer, a complex number from its components, a
/// descriptor from its address.
Value Coroutine::fromBits(Value bits, Type type) {
  if (isa<ComplexType, LLVM::LLVMArrayType>(type))
    return UnrealizedConversionCastOp::create(builder, loc, type, bits).getResult(0);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return bits;
  auto descriptor = LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64});
  Value value = LLVM::UndefOp::create(builder, loc, descriptor);
  value = insert(insert(value, bits, {0}), bits, {1});
  value = insert(value, constant(i64, 0), {2});
  return UnrealizedConversionCastOp::create(builder, loc, memref, value).getResult(0);
}

void Coroutine::loadArguments() {
  Value params = function.getArgument(0);
  for (auto [index, argument] : llvm::enumerate(body->getArguments())) {
    Type type = isa<MemRefType>(argument.getType()) ? pointer : argument.getType();
    if (isa<ComplexType>(type))
      type = structOf(cast<ComplexType>(type));
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, params,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    bool inPlace = isa<LLVM::LLVMArrayType>(type); // a descriptor
    Value bits = inPlace ? address : LLVM::LoadOp::create(builder, loc, type, address).getResult();
    argument.replaceAllUsesWith(fromBits(bits, argument.getType()));
  }
  body->eraseArguments(0, body->getNumArguments());
}

/// The workgroup's shared memory as memref<?xi8>.
Value Coroutine::sharedMemory() {
  Type one = LLVM::LLVMArrayType::get(i64, 1);
  auto descriptor =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64, one, one});
  Value shared = LLVM::LoadOp::create(builder, loc, pointer, field(ThreadLayout::shared));
  Value value = LLVM::UndefOp::create(builder, loc, descriptor), zero = constant(i64, 0);
  value = insert(insert(value, shared, {0}), shared, {1});
  value = insert(insert(value, zero, {2}), zero, {3, 0});
  value = insert(value, constant(i64, 1), {4, 0});
  auto type = MemRefType::get({ShapedType::kDynamic}, i8);
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

void Coroutine::replaceIds() {
  auto number = [&](int64_t offset) -> Value {
    Value value = LLVM::LoadOp::create(builder, loc, i64, field(offset));
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  };
  Value threadId = number(ThreadLayout::threadId), blockId = number(ThreadLayout::blockId);
  Value rank = number(ThreadLayout::clusterRank), blocks = number(ThreadLayout::clusterSize);
  Value shared = sharedMemory();
  function.walk([&](Operation *op) {
    Value own = isa<gpu::ThreadIdOp>(op)              ? threadId
                : isa<gpu::BlockIdOp>(op)             ? blockId
                : isa<gpu::ClusterBlockIdOp>(op)      ? rank
                : isa<gpu::ClusterDimBlocksOp>(op)    ? blocks
                : isa<gpu::DynamicSharedMemoryOp>(op) ? shared
                                                      : Value();
    if (!own)
      return;
    op->getResult(0).replaceAllUsesWith(own);
    op->erase();
  });
}

void Coroutine::replaceBarriers() {
  for (auto [number, barrier] : llvm::enumerate(collectivesOf(function))) {
    Block *resumed = barrier->getBlock()->splitBlock(barrier);
    builder.setInsertionPointToEnd(resumed->getPrevNode());
    bool cluster = isa<lane::ClusterBarrierOp>(barrier);
    int64_t place = number + 1 + (cluster ? ThreadLayout::clusterBarrier : 0);
    auto mma = dyn_cast<lane::MmaOp>(barrier);
    if (mma)
      offerRegisters(builder, mma, thread, place);
    else if (auto arrived = dyn_cast<lane::ArrivedOp>(barrier))
      stateArrival(builder, arrived, thread, place);
    else
      LLVM::StoreOp::create(builder, loc, constant(i64, place), field(ThreadLayout::barrier));
    suspend(resumed, /*final=*/false);
    if (mma)
      takeAccumulators(mma, thread);
    barrier->erase();
  }
}

void Coroutine::finish() {
  SmallVector<gpu::ReturnOp> returns;
  function.walk([&](gpu::ReturnOp op) { returns.push_back(op); });
  for (gpu::ReturnOp op : returns) {
    builder.setInsertionPoint(op);
    LLVM::StoreOp::create(builder, loc, constant(i64, -1), field(ThreadLayout::barrier));
    suspend(end, /*final=*/true);
    op.erase();
  }
}

/// Shared memory is host memory here: the address space goes from every type.
void Coroutine::dropMemorySpaces() {
  auto drop = [](Value value) {
    if (auto type = dyn_cast<MemRefType>(value.getType()); type && type.getMemorySpace())
      value.setType(MemRefType::get(type.getShape(), type.getElementType(), type.getLayout()));
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), drop);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), drop);
  });
}

HostKernel Coroutine::build(bool record) {
  Region &region = function.getBody();
  region.takeBody(kernel.getBody());
  body = &region.front();
  entry = new Block;
  entry->addArguments({pointer, pointer}, {loc, loc});
  region.push_front(entry);
  cleanup = &region.emplaceBlock();
  end = &region.emplaceBlock();
  thread = entry->getArgument(1);
  builder.setInsertionPointToStart(body);
  loadArguments();
  replaceIds();
  HostKernel result{function, std::nullopt};
  if (record) {
    result.sites.emplace();
    for (Operation *barrier : collectivesOf(function))
      result.sites->add(barrier);
    recordAccesses(function, thread, *result.sites);
  }
  begin(); // from here on every block is reached, which rewriting asks for
  RewritePatternSet patterns(builder.getContext());
  populateLaneToCpuPatterns(patterns, thread);
  walkAndApplyPatterns(function, std::move(patterns));
  replaceBarriers();
  finish();
  dropMemorySpaces();
  return result;
}

HostKernel rooftile::createCoroutine(OpBuilder &builder, gpu::GPUFuncOp kernel, StringRef name,
                                     bool record) {
  return Coroutine(builder, kernel, name).build(record);
}
