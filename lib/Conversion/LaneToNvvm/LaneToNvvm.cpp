//===- LaneToNvvm.cpp - What NVVM needs to know of a kernel ---------------===//
//
// Puts #nvvm.target of the module's chip on each gpu.module, and names its
// dynamic shared memory: one external array of no size, which the launch
// provides (upstream's lowering of gpu.dynamic_shared_memory is a static
// variable, which would lie over static buffers). The per-thread code itself is
// lowered by upstream's convert-gpu-to-nvvm.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelPreparation.h"
#include "AsyncCopies.h"
#include "BulkCopies.h"
#include "CarriedLoads.h"
#include "Clusters.h"
#include "DependentLaunch.h"
#include "GuardedAccumulators.h"
#include "MatrixUnits.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_LANETONVVM
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The oldest PTX version that knows sm_90a, for the widest choice of ptxas.
static constexpr StringLiteral kPtxFeature = "+ptx80";
static constexpr unsigned kGlobalSpace = 1;

/// As many workgroups as the contract says are to fit on a unit.
static void boundRegisters(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (blas::ContractAttr contract = contractOf(kernel))
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(contract.getResidency()));
}

/// Of sums, which are of these types.
static StringRef registerOf(Type type) { return type.isF32() ? "f" : type.isF64() ? "d" : ""; }

namespace {
struct LaneToNvvmPass : rooftile::impl::LaneToNvvmBase<LaneToNvvmPass> {
  void runOnOperation() override {
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>()) {
      FailureOr<blas::TargetAttr> target = targetOf(gpuModule, blas::Vendor::Nvidia, getArgument());
      if (failed(target))
        return signalPassFailure();
      auto features = kPtxFeature;
      gpuModule.setTargetsAttr(ArrayAttr::get(
          &getContext(), NVVM::NVVMTargetAttr::get(&getContext(), 3, "nvptx64-nvidia-cuda",
                                                   target->getArch(), features)));
      boundRegisters(gpuModule);
      keepCarriedLoads(gpuModule);
      for (auto kernel : gpuModule.getOps<gpu::GPUFuncOp>())
        keepGuardedAccumulators(kernel, registerOf);
      if (failed(lowerClusters(gpuModule, *target)) ||
          failed(lowerAsyncCopies(gpuModule, *target)) ||
          failed(lowerBulkCopies(gpuModule, *target)) ||
          failed(lowerMatrixUnits(gpuModule, *target)))
        return signalPassFailure();
      if (target->getDependentLaunch())
        beginEarly(gpuModule);
      lowerAsReal(gpuModule);
      lowerPointers(gpuModule, kGlobalSpace);
      lowerMultiplyAdd(gpuModule);
      SmallVector<gpu::DynamicSharedMemoryOp> uses;
      gpuModule.walk([&](gpu::DynamicSharedMemoryOp op) { uses.push_back(op); });
      if (uses.empty())
        continue;
      LLVM::GlobalOp global = declareShared(gpuModule);
      for (gpu::DynamicSharedMemoryOp op : uses)
        lowerShared(op, global);
    }
  }
};
} // namespace
