//===- DependentLaunch.cpp - Kernels that begin early ---------------------===//
//
// Between two kernels of a stream a GPU stands still for more than a microsecond, a third of what a
// small product lasts. A kernel here may be launched before the one before it has
// ended, computes its addresses, and waits for that end before its first access to memory
// (griddepcontrol.wait; launched in the ordinary way there is nothing to wait for). Each kernel
// waits so, so that the order of the stream holds. An array `rooftile_dependent` in the module
// marks its kernels for the runtime (CUDA: programmatic stream serialization).
//
// A kernel does not ask for its successor before it ends (griddepcontrol.launch_dependents):
// workgroups that came while others still ran would crowd on the units that are free by
// then. At 512 and 1023 that was measured to cost 40 and 30 %.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "dependent-launch"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_DEPENDENTLAUNCH
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr unsigned kGlobalSpace = 1;
/// The runtime looks for it.
static constexpr StringLiteral kDependentName = "rooftile_dependent";

/// Before the first operation of the entry block that may touch memory.
static void waitBeforeMemory(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  auto touches = [](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() ||
           !(isMemoryEffectFree(&op) || isa<gpu::DynamicSharedMemoryOp>(op));
  };
  OpBuilder builder(&entry, llvm::find_if(entry, touches));
  NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), NVVM::GridDepActionKind::wait);
}

/// Marks the kernels of `module` for an early begin by the runtime.
static void declareDependent(gpu::GPUModuleOp module, gpu::GPUFuncOp first) {
  OpBuilder builder(first);
  LLVM::GlobalOp::create(builder, module.getLoc(), builder.getI8Type(), /*isConstant=*/true,
                         LLVM::Linkage::External, kDependentName, builder.getI8IntegerAttr(1),
                         /*alignment=*/0, kGlobalSpace);
}

int64_t rooftile::dependentLaunch(gpu::GPUModuleOp module, blas::TargetAttr target) {
  SmallVector<gpu::GPUFuncOp> kernels(module.getOps<gpu::GPUFuncOp>());
  // Without contracts on all kernels the earliest safe start is unknown.
  if (!target->dependentLaunch || kernels.empty() || !llvm::all_of(kernels, contractOf) ||
      module.lookupSymbol(kDependentName))
    return 0;
  llvm::for_each(kernels, waitBeforeMemory);
  declareDependent(module, kernels.front());
  return kernels.size();
}

namespace {
struct DependentLaunchPass : rooftile::impl::DependentLaunchBase<DependentLaunchPass> {
  void runOnOperation() override {
    FailureOr<blas::TargetAttr> target =
        targetOf(getOperation(), blas::Vendor::Nvidia, getArgument());
    if (failed(target))
      return signalPassFailure();
    int64_t kernels = dependentLaunch(getOperation(), *target);
    numKernels += kernels;
    LDBG() << getOperation().getName() << ": " << kernels << " kernels begin early";
  }
};
} // namespace
