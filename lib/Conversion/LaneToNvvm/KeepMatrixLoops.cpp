//===- KeepMatrixLoops.cpp - Loops of f64 matrix instructions -------------===//
//
// Fragments of f64 are multiplied by instructions of some 35 clocks, and more where several
// subgroups want the unit: who adds to their accumulators must wait for them. Where ptxas (13.0,
// sm_90) writes out several iterations of a loop whose last instruction adds to the same
// accumulators as its first, it forgets that wait on the way back: of f64 2888 x 96 x 1012 in tiles
// of 64 x 16 x 16, over a cluster of two, an H100 lost products of every fourth step. One wait more
// in the machine code, and all is right, as it is where ptxas does not unroll: it must not.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Lane/RolledLoop.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "keep-matrix-loops"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_KEEPMATRIXLOOPS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

int64_t rooftile::keepMatrixLoops(gpu::GPUFuncOp kernel) {
  llvm::SetVector<scf::ForOp> loops;
  kernel.walk([&](lane::MmaOp op) {
    auto loop = op->getParentOfType<scf::ForOp>();
    if (loop && op.getResult(0).getType().isF64())
      loops.insert(loop);
  });
  for (scf::ForOp loop : loops)
    keepRolled(loop);
  return loops.size();
}

namespace {
struct KeepMatrixLoopsPass : rooftile::impl::KeepMatrixLoopsBase<KeepMatrixLoopsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t loops = keepMatrixLoops(kernel);
      numLoops += loops;
      LDBG() << kernel.getName() << ": " << loops << " loops";
    }
  }
};
} // namespace
