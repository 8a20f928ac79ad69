//===- MacroTile.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_MACROTILE
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct MacroTilePass : impl::MacroTileBase<MacroTilePass> {
  using MacroTileBase::MacroTileBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
