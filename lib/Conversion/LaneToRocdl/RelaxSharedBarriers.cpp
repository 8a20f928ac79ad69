//===- RelaxSharedBarriers.cpp - Barriers of shared memory only -----------===//
//
// gpu.barrier orders all memory: on some chips its fences wait until the loads of
// the next tile, which are to stay in flight, have arrived. Where no global
// memory was written before it, a barrier need only order shared memory.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "rooftile/Conversion/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "relax-shared-barriers"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_RELAXSHAREDBARRIERS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// True if `op` itself may write memory that is not shared memory of the workgroup.
static bool writesGlobal(Operation *op) {
  if (isa<gpu::BarrierOp>(op) || op->getNumRegions() > 0)
    return false;
  Value memory;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    memory = store.getMemref();
  else if (auto vectorStore = dyn_cast<vector::StoreOp>(op))
    memory = vectorStore.getBase();
  else
    return !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
  return !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(cast<MemRefType>(memory.getType()));
}

/// True if `op` can come before `barrier`: it stands above it, or in a loop with it.
static bool precedes(Operation *op, gpu::BarrierOp barrier) {
  for (Operation *outer = op; outer; outer = outer->getParentOp()) {
    if (outer->isProperAncestor(barrier) && isa<LoopLikeOpInterface>(outer))
      return true;
    Operation *other =
        outer->getBlock() ? outer->getBlock()->findAncestorOpInBlock(*barrier) : nullptr;
    if (other && other != outer)
      return outer->isBeforeInBlock(other) || outer->getParentOfType<LoopLikeOpInterface>();
  }
  return true;
}

/// Fence, barrier, fence: of shared memory only.
static void orderShared(gpu::BarrierOp barrier) {
  OpBuilder builder(barrier);
  auto fence = [&](LLVM::AtomicOrdering ordering) {
    auto op = LLVM::FenceOp::create(builder, barrier.getLoc(), ordering, "workgroup");
    op->setDiscardableAttr(
        LLVM::LLVMDialect::getMmraAttrName(),
        LLVM::MMRATagAttr::get(builder.getContext(), "amdgpu-synchronize-as", "local"));
  };
  fence(LLVM::AtomicOrdering::release);
  ROCDL::SBarrierOp::create(builder, barrier.getLoc());
  fence(LLVM::AtomicOrdering::acquire);
  barrier.erase();
}

/// The barriers of `kernel` that no write of global memory can come before.
static SmallVector<gpu::BarrierOp> sharedBarriers(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> writes;
  SmallVector<gpu::BarrierOp> barriers;
  kernel.walk([&](Operation *op) {
    if (auto barrier = dyn_cast<gpu::BarrierOp>(op))
      barriers.push_back(barrier);
    else if (writesGlobal(op))
      writes.push_back(op);
  });
  llvm::erase_if(barriers, [&](gpu::BarrierOp barrier) {
    return llvm::any_of(writes, [&](Operation *op) { return precedes(op, barrier); });
  });
  return barriers;
}

int64_t rooftile::relaxSharedBarriers(gpu::GPUFuncOp kernel) {
  SmallVector<gpu::BarrierOp> barriers = sharedBarriers(kernel);
  llvm::for_each(barriers, orderShared);
  return barriers.size();
}

namespace {
struct RelaxSharedBarriersPass : rooftile::impl::RelaxSharedBarriersBase<RelaxSharedBarriersPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t count = relaxSharedBarriers(kernel);
      numBarriers += count;
      LDBG() << kernel.getName() << ": " << count << " barriers order shared memory only";
    }
  }
};
} // namespace
