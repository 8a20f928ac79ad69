//===- LaneToNvvm.cpp - Kernels for NVVM ----------------------------------===//
//
// Puts #nvvm.target of the module's chip on each gpu.module, and names its
// dynamic shared memory: one external array of no size, which the launch
// provides (upstream's lowering of gpu.dynamic_shared_memory is a static
// variable, which would lie over static buffers). The per-thread code itself is
// lowered by upstream's convert-gpu-to-nvvm; the operations of `lane`, which it does not have,
// become those of NVVM here, by the patterns of AsyncCopies, BulkCopies, Clusters and MatrixUnits.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/LaneToGpu/LaneToGpu.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "lane-to-nvvm"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_LANETONVVM
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// The oldest PTX version with sm_90a, for the widest choice of ptxas.
static constexpr StringLiteral kPtxFeature = "+ptx80";
static constexpr unsigned kGlobalSpace = 1;

/// As many workgroups as the contract has are to fit on a unit, and the size of clusters is
/// compiled in, so that any launch makes them.
static void describeKernel(gpu::GPUFuncOp kernel) {
  Builder builder(kernel.getContext());
  blas::ContractAttr contract = contractOf(kernel);
  if (!contract)
    return;
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  builder.getI32IntegerAttr(contract.getResidency()));
  int32_t cluster = contract.getCluster();
  if (cluster != 1)
    kernel->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    builder.getDenseI32ArrayAttr({cluster, 1, 1}));
}

static void lowerSharedMemory(gpu::GPUModuleOp module) {
  SmallVector<gpu::DynamicSharedMemoryOp> uses;
  module.walk([&](gpu::DynamicSharedMemoryOp op) { uses.push_back(op); });
  if (uses.empty())
    return;
  LLVM::GlobalOp global = declareShared(module);
  for (gpu::DynamicSharedMemoryOp op : uses)
    lowerShared(op, global);
}

LogicalResult rooftile::checkLaneForNvvm(gpu::GPUModuleOp module, blas::TargetAttr target) {
  return success(
      succeeded(checkClusters(module, target)) && succeeded(checkAsyncCopies(module, target)) &&
      succeeded(checkBulkCopies(module, target)) && succeeded(checkInstructions(module, target)));
}

void rooftile::populateLaneToNvvmPatterns(RewritePatternSet &patterns, blas::TargetAttr target) {
  populateClusterToNvvmPatterns(patterns);
  populateAsyncCopyToNvvmPatterns(patterns);
  populateBulkCopyToNvvmPatterns(patterns, target->subgroup);
  populateMatrixUnitToNvvmPatterns(patterns);
  populateWarpgroupProductToNvvmPatterns(patterns);
  populateLanePointerPatterns(patterns, kGlobalSpace);
  populateMultiplyAddPatterns(patterns);
  populateCompilerFencePatterns(patterns, [](Type type) -> StringRef {
    return type.isF32() ? "f" : type.isF64() ? "d" : "";
  });
}

namespace {
struct LaneToNvvmPass : rooftile::impl::LaneToNvvmBase<LaneToNvvmPass> {
  void runOnOperation() override {
    for (auto gpuModule : getOperation().getOps<gpu::GPUModuleOp>()) {
      FailureOr<blas::TargetAttr> target = targetOf(gpuModule, blas::Vendor::Nvidia, getArgument());
      if (failed(target) || failed(checkLaneForNvvm(gpuModule, *target)))
        return signalPassFailure();
      gpuModule.setTargetsAttr(ArrayAttr::get(
          &getContext(), NVVM::NVVMTargetAttr::get(&getContext(), 3, "nvptx64-nvidia-cuda",
                                                   (*target)->arch, kPtxFeature)));
      count(gpuModule);
      for (auto kernel : gpuModule.getOps<gpu::GPUFuncOp>())
        describeKernel(kernel);
      RewritePatternSet patterns(&getContext());
      populateLaneToNvvmPatterns(patterns, *target);
      walkAndApplyPatterns(gpuModule, std::move(patterns));
      lowerSharedMemory(gpuModule);
    }
  }

private:
  void count(gpu::GPUModuleOp module) {
    module.walk([&](Operation *op) {
      numKernels += isa<gpu::GPUFuncOp>(op);
      numAsyncCopies += isa<lane::CopyOp>(op);
      numBulkCopies += isa<lane::BulkCopyOp, lane::TensorCopyOp>(op);
      numMatrixInstructions += isa<lane::MmaOp, lane::AsyncMmaOp>(op);
      if (isa<gpu::GPUFuncOp>(op))
        LDBG() << "kernel " << cast<gpu::GPUFuncOp>(op).getName();
    });
  }
};
} // namespace
