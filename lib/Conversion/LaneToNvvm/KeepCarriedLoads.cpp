//===- KeepCarriedLoads.cpp - Loads for the next iteration of a loop ------===//
//
//   for (..; fragments) {                      for (..; place) {
//     barrier                                    fragments = load place
//     next = load                     ->         barrier
//     sums += fragments * ..                     sums += fragments * ..
//   } with next                                } with next place
//
// is what LLVM's instcombine makes of loads that reach the head of a loop from both sides, as long
// as nothing after them may write memory: multiplications do not. The fragments that leap-frog
// reads ahead of the last slice of a step would be read after its barrier after all, with nothing
// to hide them. So a fence of the compiler follows the last such load of an iteration.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "keep-carried-loads"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_KEEPCARRIEDLOADS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The load in `body` that `value` comes from, or null.
static Operation *loadOf(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<vector::ToElementsOp, arith::ExtFOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && op->getBlock() == body && isa<memref::LoadOp, vector::LoadOp>(op) ? op : nullptr;
}

/// The last load of an iteration for the next one, or null.
static Operation *lastCarriedLoad(scf::ForOp loop) {
  Operation *last = nullptr;
  for (Value value : loop.getYieldedValues())
    if (Operation *load = loadOf(value, loop.getBody()))
      if (!last || last->isBeforeInBlock(load))
        last = load;
  return last;
}

int64_t rooftile::keepCarriedLoads(gpu::GPUFuncOp kernel) {
  int64_t fences = 0;
  kernel.walk([&](scf::ForOp loop) {
    Operation *last = lastCarriedLoad(loop);
    if (!last || isa_and_nonnull<lane::CompilerFenceOp>(last->getNextNode()))
      return;
    OpBuilder builder(loop.getContext());
    builder.setInsertionPointAfter(last);
    lane::CompilerFenceOp::create(builder, last->getLoc(), ValueRange(), /*scalar=*/false);
    ++fences;
  });
  return fences;
}

namespace {
struct KeepCarriedLoadsPass : rooftile::impl::KeepCarriedLoadsBase<KeepCarriedLoadsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t fences = keepCarriedLoads(kernel);
      numFences += fences;
      LDBG() << kernel.getName() << ": " << fences << " fences";
    }
  }
};
} // namespace
