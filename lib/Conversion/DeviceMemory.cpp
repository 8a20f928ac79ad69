//===- DeviceMemory.cpp - Intermediates of host code on the device --------===//
//
// What the host function allocates between kernels must be memory of the GPU:
// memref.alloc, dealloc, copy and constant globals become their gpu forms, each
// on a stream of its own that is waited for. Kernels are left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_DEVICEMEMORY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

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

static void toDevice(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    alloc.replaceAllUsesWith(allocate(builder, loc, alloc.getType(), alloc.getDynamicSizes()));
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    onStream(builder, loc, [&](Type token, Value start) {
      return gpu::DeallocOp::create(builder, loc, token, start, dealloc.getMemref()).getAsyncToken();
    });
  } else if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    copy(builder, loc, copyOp.getTarget(), copyOp.getSource());
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    builder.setInsertionPointAfter(op);
    Value memory = allocate(builder, loc, global.getType(), {});
    copy(builder, loc, memory, global);
    global.getResult().replaceUsesWithIf(memory, [](OpOperand &use) { return !isa<gpu::MemcpyOp>(use.getOwner()); });
    return;
  } else {
    return;
  }
  op->erase();
}

namespace {
struct DeviceMemoryPass : rooftile::impl::DeviceMemoryBase<DeviceMemoryPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      toDevice(op);
  }
};
} // namespace
