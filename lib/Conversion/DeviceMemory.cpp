//===- DeviceMemory.cpp - Intermediates of host code on the device --------===//
//
// What the host function allocates between kernels must be memory of the GPU:
// memref.alloc, dealloc, copy and constant globals become their gpu forms, each
// on a stream of its own that is waited for. Kernels are left alone. Host code
// that would touch that memory itself, element by element, is an error: on a GPU
// it would crash.
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Transforms/FreeIntermediates.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_DEVICEMEMORY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

//===----------------------------------------------------------------------===//
// What host code may touch
//===----------------------------------------------------------------------===//

/// Memory of the host's stack, or a view of it.
static bool isOnStack(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return memory.getDefiningOp<memref::AllocaOp>() != nullptr;
}

static LogicalResult checkLaunch(gpu::LaunchFuncOp launch) {
  for (Value operand : launch.getKernelOperands())
    if (isa<BaseMemRefType>(operand.getType()) && isOnStack(operand))
      return launch.emitOpError(
          "a kernel cannot reach memory of memref.alloca, which is the host's: "
          "use memref.alloc");
  return success();
}

/// An operation of host code that reads or writes elements of memory of the GPU.
static LogicalResult checkAccess(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<gpu::GPUDialect>(op->getDialect()) || isa<memref::CopyOp>(op))
    return success();
  for (Value operand : op->getOperands()) {
    bool touches =
        hasEffect<MemoryEffects::Read>(op, operand) || hasEffect<MemoryEffects::Write>(op, operand);
    if (touches && isa<BaseMemRefType>(operand.getType()) && !isOnStack(operand))
      return op->emitOpError(
          "of host code touches memory of the GPU: what runs there are products, "
          "and linalg operations with a parallel dimension");
  }
  return success();
}

static LogicalResult checkHostCode(func::FuncOp function) {
  WalkResult walk = function.walk([](Operation *op) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    return WalkResult(launch ? checkLaunch(launch) : checkAccess(op));
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Memory on the device
//===----------------------------------------------------------------------===//

/// Brackets an asynchronous operation by the start and the end of a stream.
static void onStream(OpBuilder &builder, Location loc, function_ref<Value(Type, Value)> create) {
  Type token = gpu::AsyncTokenType::get(builder.getContext());
  Value start = gpu::WaitOp::create(builder, loc, token, ValueRange()).getAsyncToken();
  Value end = create(token, start);
  gpu::WaitOp::create(builder, loc, Type(), end);
}

static Value allocate(OpBuilder &builder, Location loc, MemRefType type, ValueRange sizes) {
  Value memory;
  onStream(builder, loc, [&](Type token, Value start) {
    auto alloc = gpu::AllocOp::create(builder, loc, type, token, start, sizes, ValueRange());
    memory = alloc.getMemref();
    return alloc.getAsyncToken();
  });
  return memory;
}

static void copy(OpBuilder &builder, Location loc, Value target, Value source) {
  onStream(builder, loc, [&](Type token, Value start) {
    return gpu::MemcpyOp::create(builder, loc, token, start, target, source).getAsyncToken();
  });
}

static void release(OpBuilder &builder, Location loc, Value memory) {
  onStream(builder, loc, [&](Type token, Value start) {
    return gpu::DeallocOp::create(builder, loc, token, start, memory).getAsyncToken();
  });
}

/// A copy of a constant in memory of the GPU, for as long as the block runs.
static void copyGlobal(memref::GetGlobalOp global) {
  OpBuilder builder(global->getContext());
  builder.setInsertionPointAfter(global);
  Location loc = global.getLoc();
  Value memory = allocate(builder, loc, global.getType(), {});
  copy(builder, loc, memory, global);
  auto isCopy = [](OpOperand &use) { return isa<gpu::MemcpyOp>(use.getOwner()); };
  global.getResult().replaceUsesWithIf(memory, [&](OpOperand &use) { return !isCopy(use); });
  if (escapes(memory) || !global->getBlock()->mightHaveTerminator())
    return;
  builder.setInsertionPoint(global->getBlock()->getTerminator());
  release(builder, loc, memory);
}

static void toDevice(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    alloc.replaceAllUsesWith(allocate(builder, loc, alloc.getType(), alloc.getDynamicSizes()));
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    release(builder, loc, dealloc.getMemref());
  } else if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    copy(builder, loc, copyOp.getTarget(), copyOp.getSource());
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    return copyGlobal(global);
  } else {
    return;
  }
  op->erase();
}

namespace {
struct DeviceMemoryPass : rooftile::impl::DeviceMemoryBase<DeviceMemoryPass> {
  void runOnOperation() override {
    if (failed(checkHostCode(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      toDevice(op);
  }
};
} // namespace
