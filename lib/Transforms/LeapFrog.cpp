//===- LeapFrog.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_LEAPFROG
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct LeapFrogPass : impl::LeapFrogBase<LeapFrogPass> {
  using LeapFrogBase::LeapFrogBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
