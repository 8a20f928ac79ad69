//===- TileSelect.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_TILESELECT
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct TileSelectPass : impl::TileSelectBase<TileSelectPass> {
  using TileSelectBase::TileSelectBase;

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
