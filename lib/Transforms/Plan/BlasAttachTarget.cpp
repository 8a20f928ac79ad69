//===- BlasAttachTarget.cpp - The target of a module ----------------------===//
//
// The hardware, stated once, on the module: every later pass reads it
// there and none asks the machine again, so the same input gives the same
// output wherever a target is written down.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Plan/BlasAttachTarget.h"
#include "mlir/IR/Remarks.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_BLASATTACHTARGET
#include "rooftile/Transforms/Passes.h.inc"

/// Reports the chip that is planned for: through the remark engine where it wants this
/// (--remarks-filter), else as an ordinary remark.
static void remarkOnChoice(ModuleOp module, StringRef chip, StringRef why) {
  auto options = remark::RemarkOpts::name("target").category("blas-attach-target");
  if (auto remark = remark::passed(module.getLoc(), options)) {
    remark << remark::metric("chip", chip) << remark::metric("why", why);
    return;
  }
  emitRemark(module.getLoc()) << "target: " << chip << " (" << why << ")";
}

/// A pipeline that compiles for `vendor` fails before anything is planned.
static LogicalResult checkVendor(ModuleOp module, blas::TargetAttr target, StringRef why,
                                 std::optional<blas::Vendor> vendor) {
  if (!vendor || target->vendor == *vendor)
    return success();
  bool isAmd = target->vendor == blas::Vendor::Amd;
  bool isOfModule = module->hasAttr(blas::BlasDialect::kTargetName);
  return emitError(module.getLoc())
         << "chip '" << target->chip << "' (" << why << ") is made by "
         << (isAmd ? "AMD" : "NVIDIA") << ", but this pipeline compiles for "
         << (isAmd ? "NVIDIA" : "AMD") << " GPUs: use --blas-to-" << (isAmd ? "rocdl" : "nvvm")
         << ", or " << (isOfModule ? "--blas-attach-target=" : "")
         << "chip=" << (isAmd ? target::kDefaultChip : target::kDefaultAmdChip);
}

FailureOr<blas::TargetAttr> attachTarget(ModuleOp module, StringRef chip,
                                         std::optional<blas::Vendor> vendor) {
  // The dialect's verifier has seen to the type.
  if (auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName)) {
    if (failed(checkVendor(module, target, "blas.target of the module", vendor)))
      return failure();
    return target;
  }
  std::string name = chip.str();
  StringRef why = "named by chip=";
  if (name.empty()) {
    name = target::detectChip({DeviceKind::Cuda, 0});
    why = "the GPU present";
  }
  if (name.empty()) {
    name = target::kDefaultChip.str();
    why = "no target, no chip= and no known GPU: the default";
  }
  blas::TargetAttr target =
      target::lookupChip(module.getContext(), name, [&] { return emitError(module.getLoc()); });
  if (!target || failed(checkVendor(module, target, why, vendor)))
    return failure();
  if (chip.empty())
    remarkOnChoice(module, target->chip, why);
  module->setAttr(blas::BlasDialect::kTargetName, target);
  return target;
}

namespace {
struct BlasAttachTargetPass : impl::BlasAttachTargetBase<BlasAttachTargetPass> {
  using BlasAttachTargetBase::BlasAttachTargetBase;

  void runOnOperation() override {
    // An explicit chip replaces the target that is there.
    if (!chip.empty())
      getOperation()->removeAttr(blas::BlasDialect::kTargetName);
    if (failed(attachTarget(getOperation(), chip)))
      signalPassFailure();
  }
};
} // namespace
} // namespace rooftile
