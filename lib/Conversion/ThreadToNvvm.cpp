//===- ThreadToNvvm.cpp - What NVVM needs to know of a kernel -------------===//
//
// Puts #nvvm.target of the module's chip on each gpu.module, and names its
// dynamic shared memory: one external array of no size, which the launch
// provides (upstream's lowering of gpu.dynamic_shared_memory is a static
// variable, which would lie over static buffers). The per-thread code itself is
// lowered by upstream's convert-gpu-to-nvvm.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopiesToNvvm.h"
#include "ClustersToNvvm.h"
#include "KernelPreparation.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_THREADTONVVM
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The oldest PTX version that knows sm_90a, for the widest choice of ptxas.
static constexpr StringLiteral kPtxFeature = "+ptx80";

/// As many workgroups as the contract says are to fit on a unit.
static void boundRegisters(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (blas::ContractAttr contract = contractOf(kernel))
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(contract.getResidency()));
}

namespace {
struct ThreadToNvvmPass : rooftile::impl::ThreadToNvvmBase<ThreadToNvvmPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
    for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
      if (!target || target.getVendor() != blas::Vendor::Nvidia)
        return (
            void)(module.emitError(
                      "thread-to-nvvm needs a #blas.target of an NVIDIA chip on the module, got ")
                      << (target ? target.getChip() : "none"),
                  signalPassFailure());
      auto features = kPtxFeature;
      gpuModule.setTargetsAttr(ArrayAttr::get(
          &getContext(), NVVM::NVVMTargetAttr::get(&getContext(), 3, "nvptx64-nvidia-cuda",
                                                   target.getArch(), features)));
      boundRegisters(gpuModule);
      lowerClusters(gpuModule);
      if (failed(lowerAsyncCopies(gpuModule, target.getAsyncCopyBytes())))
        return signalPassFailure();
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
