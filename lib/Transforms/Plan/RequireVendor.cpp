//===- RequireVendor.cpp - A pipeline compiles for the chips of one vendor ===//
//
// A pipeline for one vendor's GPUs begins with this: a chip of another vendor is an error
// before products are planned for it, which needs seconds, and before kernels are made.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_REQUIREVENDOR
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct RequireVendorPass : impl::RequireVendorBase<RequireVendorPass> {
  using RequireVendorBase::RequireVendorBase;

  void runOnOperation() override {
    if (failed(attachTarget(getOperation(), chip, vendor)))
      signalPassFailure();
  }
};
} // namespace
} // namespace rooftile
