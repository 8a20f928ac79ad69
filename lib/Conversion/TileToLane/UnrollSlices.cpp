//===- UnrollSlices.cpp - The slices of a K step in one block -------------===//
//
// A K step is a loop over the slices of its tiles. Written out, LLVM sees every
// fragment read and multiply-add of the step in one block, and every offset of a slice is a
// constant. A plan may ask for fewer at a time: then the loop stays, with that many in its body and
// a remainder after it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Conversion/TileToLane/TileToLane.h"
#include "rooftile/Dialect/Lane/RolledLoop.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "unroll-slices"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_UNROLLSLICES
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Compilers write no more of `loop` out: its code should stay in the instruction cache (128x256x64
/// in f32 at 4096 on an H200, of 16 slices, of which ptxas made 32: 51.7 TFLOP/s).
static void keepLoop(scf::ForOp loop) {
  keepRolled(loop);
  loop->removeDiscardableAttr(TileDialect::kSlicesName);
  loop->removeDiscardableAttr(TileDialect::kUnrollName);
}

/// Writes the iterations of a slice loop out: all, or as many at a time as its attribute specifies,
/// where a remainder comes after the loop.
static LogicalResult unroll(scf::ForOp loop) {
  auto factor = loop->getAttrOfType<IntegerAttr>(TileDialect::kUnrollName);
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  if (!factor || !count || count->sle(factor.getInt()))
    return loopUnrollFull(loop);
  FailureOr<UnrolledLoopInfo> parts = loopUnrollByFactor(loop, factor.getInt());
  if (succeeded(parts) && parts->mainLoopOp)
    keepLoop(*parts->mainLoopOp);
  if (failed(parts) || !parts->epilogueLoopOp)
    return parts;
  return loopUnrollFull(*parts->epilogueLoopOp);
}

FailureOr<int64_t> rooftile::unrollSlices(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (loop->hasAttr(TileDialect::kSlicesName))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    if (failed(unroll(loop)))
      return loop.emitOpError("a slice loop must have constant bounds");
  return loops.size();
}

namespace {
struct UnrollSlicesPass : rooftile::impl::UnrollSlicesBase<UnrollSlicesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      FailureOr<int64_t> loops = unrollSlices(kernel);
      if (failed(loops))
        return signalPassFailure();
      numLoops += *loops;
      LDBG() << kernel.getName() << ": " << *loops << " loops over slices";
    }
  }
};
} // namespace
