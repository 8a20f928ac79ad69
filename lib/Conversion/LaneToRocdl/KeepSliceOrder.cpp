//===- KeepSliceOrder.cpp - The order of a pipelined loop -----------------===//
//
// Fragments of the next slice are read while this one is multiplied, and the next tile, which is on
// its way from global memory, is stored last. Left to itself LLVM's scheduler reads all slices
// first, which needs twice the registers, and stores, which waits for the loads, before it
// multiplies. So nothing passes an access to shared memory that follows multiply-adds:
//
//   multiply slice 0                    multiply slice 0
//   read slice 2               ->       sched.barrier
//   multiply slice 1                    read slice 2
//                                       multiply slice 1
//
// Nor does LLVM write out several steps of matrix instructions, which are short for it: that would
// be another order.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Lane/RolledLoop.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "keep-slice-order"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_KEEPSLICEORDER
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The shared memory that `op` reads or writes; null if it does neither.
static Value sharedAccess(Operation *op) {
  Value memory =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<memref::LoadOp, memref::StoreOp>([](auto access) { return access.getMemref(); })
          .Case<vector::LoadOp, vector::StoreOp>([](auto access) { return access.getBase(); })
          .Default(Value());
  bool shared =
      memory && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(cast<MemRefType>(memory.getType()));
  return shared ? memory : Value();
}

/// Fences the accesses to shared memory of `block` that follow multiply-adds; returns how many.
static int64_t keepOrder(Block *block) {
  int64_t fences = 0;
  bool multiplied = false;
  for (Operation &op : *block) {
    if (multiplied && sharedAccess(&op)) {
      OpBuilder builder(&op);
      ROCDL::SchedBarrier::create(builder, op.getLoc(), /*mask: nothing passes*/ 0);
      multiplied = false;
      ++fences;
    }
    multiplied = (multiplied || isa<math::FmaOp, lane::MmaOp>(op)) && !isa<ROCDL::SchedBarrier>(op);
  }
  return fences;
}

int64_t rooftile::keepSliceOrder(gpu::GPUFuncOp kernel) {
  int64_t fences = 0;
  kernel.walk([&](Block *block) { fences += keepOrder(block); });
  kernel.walk([](lane::MmaOp op) {
    if (auto loop = op->getParentOfType<scf::ForOp>())
      keepRolled(loop);
  });
  return fences;
}

namespace {
struct KeepSliceOrderPass : rooftile::impl::KeepSliceOrderBase<KeepSliceOrderPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t count = keepSliceOrder(kernel);
      numFences += count;
      LDBG() << kernel.getName() << ": " << count << " fences";
    }
  }
};
} // namespace
