//===- MicroTile.cpp - stub ---===//

#include "rooftile/Conversion/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_MICROTILE
#include "rooftile/Conversion/Passes.h.inc"

namespace {
struct MicroTilePass : impl::MicroTileBase<MicroTilePass> {

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
