//===- RocdlPipeline.cpp - Kernels and host code for AMD GPUs -------------===//

#include "Steps.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Pipelines/Pipelines.h"

#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace rooftile;

void rooftile::addRocdlKernels(OpPassManager &pm) {
  auto &threads = pm.nest<gpu::GPUModuleOp>();
  threads.addPass(createRelaxSharedBarriers());
  threads.addPass(createKeepSliceOrder());
  threads.addPass(createGroupScalarLoads());
  threads.addPass(createFinishAccumulators());
  threads.addPass(createPackMultiplyAdds());
  pm.addPass(createLaneToRocdl());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToROCDLOpsOptions rocdl;
  rocdl.useBarePtrCallConv = true;
  rocdl.runtime = gpu::amd::Runtime::HIP;
  kernels.addPass(createConvertGpuOpsToROCDLOps(rocdl));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createDeviceAtomics());
  addCleanUp(kernels);
}

void rooftile::addRocdlBinary(OpPassManager &pm, Format format, bool trial) {
  RocdlToBinaryOptions binary;
  binary.format = format;
  binary.trial = trial;
  pm.addPass(createRocdlToBinary(binary));
}

void rooftile::buildRocdlPipeline(OpPassManager &pm, Format format, bool trial, bool ownRuntime) {
  addElementwiseKernels(pm);
  addRocdlKernels(pm);
  addHostLowering(pm);
  addRocdlBinary(pm, format, trial);
  pm.addPass(createReconcileUnrealizedCastsPass());
  SeparateModulesOptions separate;
  separate.ownRuntime = ownRuntime;
  pm.addPass(createSeparateModules(separate));
  pm.addPass(createCComplex());
  pm.addPass(createReportLeftovers());
}

void rooftile::registerRocdlPipeline() {
  PassPipelineRegistration<RocdlOptions>(
      "blas-to-rocdl",
      "linalg or blas to AMD ISA or code objects, with the host code that launches",
      [](OpPassManager &pm, const RocdlOptions &options) {
        OpPassManager passes(ModuleOp::getOperationName());
        requireVendor(passes, blas::Vendor::Amd, options.chip);
        buildRaisePipeline(passes);
        FitPlansOptions fit;
        fit.vendor = blas::Vendor::Amd;
        fit.chip = options.chip;
        fit.plans = options.plans;
        fit.format = options.format;
        passes.addPass(createFitPlans(fit));
        pm.addPass(createSetAside(passes));
      });
}
