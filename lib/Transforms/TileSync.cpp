//===- TileSync.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_TILESYNC
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct TileSyncPass : impl::TileSyncBase<TileSyncPass> {
  using TileSyncBase::TileSyncBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
