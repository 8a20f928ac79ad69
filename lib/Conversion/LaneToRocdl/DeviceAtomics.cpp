//===- DeviceAtomics.cpp - Additions that memory makes by itself ----------===//
//
// LLVM makes an atomic addition of floating-point numbers an instruction only where
// it may assume that the memory is that of the GPU, that no other device looks on,
// and that denormals may be flushed. That holds for C of a product whose partial
// sums have no order.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "rooftile/Conversion/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "device-atomics"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_DEVICEATOMICS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Nobody waits for an addition: the end of the kernel orders it.
static void putAtDeviceScope(LLVM::AtomicRMWOp op, ROCDL::ROCDLDialect *dialect) {
  op.setOrdering(LLVM::AtomicOrdering::monotonic);
  op.setSyncscope("agent");
  auto unit = UnitAttr::get(op.getContext());
  dialect->getNoRemoteMemoryAttrHelper().setAttr(op, unit);
  dialect->getNoFineGrainedMemoryAttrHelper().setAttr(op, unit);
  dialect->getIgnoreDenormalModeAttrHelper().setAttr(op, unit);
}

namespace {
struct DeviceAtomicsPass : rooftile::impl::DeviceAtomicsBase<DeviceAtomicsPass> {
  void runOnOperation() override {
    auto *dialect = getContext().getLoadedDialect<ROCDL::ROCDLDialect>();
    getOperation().walk([&](LLVM::AtomicRMWOp op) {
      if (op.getBinOp() != LLVM::AtomicBinOp::fadd)
        return;
      putAtDeviceScope(op, dialect);
      ++numAtomics;
    });
    LDBG() << numAtomics.getValue() << " additions at device scope";
  }
};
} // namespace
