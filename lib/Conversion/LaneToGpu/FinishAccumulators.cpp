//===- FinishAccumulators.cpp - Accumulators stored under a condition -----===//
//
//   sum = fma a, b, before                     if inside {
//   if inside {                        ->        sum = fma a, b, before
//     store sum                                  store sum
//   }                                          }
//
// is what LLVM makes of the last slices after a K loop, whole chains of multiply-adds. All their
// fragments then live until the last row of the tile is stored, beside the accumulators: a 128x128
// tile of f32 whose columns are guarded spilled 604 bytes a thread on an NVIDIA GPU; 64x16x16 of
// 4x4 in f64 took 302 registers instead of 169 on an AMD one. So each sum passes through a fence of
// the compiler after its last multiply-add. So does one that is first chosen from others, as where
// a share of K may be empty, scaled, or made narrower: a 32x64x32 tile of 4x2 in f16, whose K six
// workgroups share, took 144 registers instead of 56 on an AMD GPU. And so does one that leaves a
// condition around the last slices: a triangle that leaves 64x16x32 tiles of complex elements no K
// step took 228 registers instead of 108.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Conversion/LaneToGpu/LaneToGpu.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "finish-accumulators"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_FINISHACCUMULATORS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Whether `op` is stored under a condition, as it is or through what is made of it in its own
/// block, up to the next multiply-add: a choice between accumulators, alpha, another type. The last
/// slices may themselves stand under a condition, whose result is stored then.
static bool isGuarded(math::FmaOp op) {
  SmallVector<Value> open{op.getResult()};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
      if (user->getBlock() != value.getParentBlock()) {
        if (branch)
          return true;
      } else if (isa<scf::YieldOp>(user) && branch) {
        open.push_back(branch.getResult(use.getOperandNumber()));
      } else if (!isa<math::FmaOp>(user) && isMemoryEffectFree(user) && seen.insert(user).second) {
        llvm::append_range(open, user->getResults());
      }
    }
  }
  return false;
}

/// Makes users of `sum` after its last multiply-add use the fenced one.
static void finish(math::FmaOp sum) {
  OpBuilder builder(sum.getContext());
  builder.setInsertionPointAfter(sum);
  auto fence = lane::CompilerFenceOp::create(builder, sum.getLoc(), ValueRange(sum.getResult()),
                                             /*scalar=*/false);
  sum.getResult().replaceUsesWithIf(fence.getResult(0), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user != fence && (user->getBlock() != fence->getBlock() || !isa<math::FmaOp>(user));
  });
}

int64_t rooftile::finishAccumulators(gpu::GPUFuncOp kernel) {
  SmallVector<math::FmaOp> sums;
  kernel.walk([&](math::FmaOp op) {
    if (isGuarded(op))
      sums.push_back(op);
  });
  llvm::for_each(sums, finish);
  return sums.size();
}

namespace {
struct FinishAccumulatorsPass : rooftile::impl::FinishAccumulatorsBase<FinishAccumulatorsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t finished = finishAccumulators(kernel);
      numAccumulators += finished;
      LDBG() << kernel.getName() << ": " << finished << " accumulators stored under a condition";
    }
  }
};
} // namespace
