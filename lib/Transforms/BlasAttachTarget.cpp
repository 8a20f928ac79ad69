//===- BlasAttachTarget.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_BLASATTACHTARGET
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct BlasAttachTargetPass : impl::BlasAttachTargetBase<BlasAttachTargetPass> {
  using BlasAttachTargetBase::BlasAttachTargetBase;

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
