//===- LaneToRocdl.cpp - Kernels for ROCDL --------------------------------===//
//
// Puts #rocdl.target of the module's chip on each gpu.module and states of each
// kernel what LLVM's scheduler and register allocator go by: the size of its
// workgroup, the wavefronts a SIMD is to hold (the contract's residency), and its
// shared memory. That is an array of exactly the contract's bytes: the code object
// states its LDS, LLVM computes the occupancy that it allows, and launches pass no
// dynamic size. A kernel without a contract gets an external array of no size, as
// on NVVM. The per-thread code itself is lowered by upstream's
// convert-gpu-to-rocdl.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/LaneToRocdl/LaneToRocdl.h"
#include "../LaneToGpu/KernelPreparation.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "rooftile/Conversion/LaneToGpu/LaneToGpu.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "lane-to-rocdl"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_LANETOROCDL
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr StringLiteral kTriple = "amdgcn-amd-amdhsa";
/// Code object version 5: the newest that ROCm from 5.3 on loads.
static constexpr StringLiteral kCodeObject = "500";
static constexpr unsigned kSharedSpace = 3, kGlobalSpace = 1;
/// Alignment of the LDS array: the widest access, so that its size is not rounded up.
static constexpr unsigned kSharedAlignment = 16;

static ROCDL::ROCDLTargetAttr rocdlTarget(MLIRContext *context, blas::TargetAttr target) {
  Builder builder(context);
  DictionaryAttr flags;
  if (target->subgroup == 32)
    flags = builder.getDictionaryAttr(builder.getNamedAttr("no_wave64", builder.getUnitAttr()));
  return ROCDL::ROCDLTargetAttr::get(context, 3, kTriple, target->arch, target->features,
                                     kCodeObject, flags);
}

/// Sizes that upstream would ask a device library for, where they are known.
static void foldBlockSizes(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> sizes = kernel.getKnownBlockSize();
  if (!sizes)
    return;
  kernel.walk([&](gpu::BlockDimOp op) {
    OpBuilder builder(op);
    int64_t size = (*sizes)[static_cast<unsigned>(op.getDimension())];
    op.replaceAllUsesWith(arith::ConstantIndexOp::create(builder, op.getLoc(), size).getResult());
    op.erase();
  });
}

/// Threads of a workgroup, and with a contract the wavefronts that share a SIMD:
/// exactly as many, so that LLVM neither allocates more registers than fit nor gives
/// up latency hiding inside a thread for more.
static void describeKernel(gpu::GPUFuncOp kernel, blas::TargetAttr target) {
  Builder builder(kernel.getContext());
  if (std::optional<ArrayRef<int32_t>> sizes = kernel.getKnownBlockSize()) {
    int64_t threads = (*sizes)[0] * (*sizes)[1] * (*sizes)[2];
    std::string range = llvm::formatv("{0},{0}", threads);
    kernel->setAttr("rocdl.flat_work_group_size", builder.getStringAttr(range));
  }
  blas::ContractAttr contract = contractOf(kernel);
  if (!contract)
    return;
  int64_t subgroups = llvm::divideCeil(contract.getWorkgroup(), target->subgroup);
  int64_t waves = llvm::divideCeil(subgroups * contract.getResidency(), target->schedulersPerUnit);
  std::string range = llvm::formatv("{0},{0}", waves);
  // Without matrix instructions accumulation registers are of no use: where they share
  // the file with the others, LLVM would set half of it aside for them.
  kernel->setAttr("passthrough",
                  builder.getArrayAttr({builder.getStrArrayAttr({"amdgpu-waves-per-eu", range}),
                                        builder.getStrArrayAttr({"amdgpu-agpr-alloc", "0"}),
                                        builder.getStringAttr("noimplicitfloat")}));
}

/// LDS of one kernel, `bytes` long.
static LLVM::GlobalOp allocateShared(gpu::GPUFuncOp kernel, int64_t bytes) {
  OpBuilder builder(kernel);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  return LLVM::GlobalOp::create(builder, kernel.getLoc(), type, /*isConstant=*/false,
                                LLVM::Linkage::Internal, (kernel.getName() + "_shared").str(),
                                Attribute(), kSharedAlignment, kSharedSpace);
}

/// Launches of `kernel` ask for no shared memory besides that of the code object.
static void dropDynamicSize(ModuleOp module, gpu::GPUFuncOp kernel) {
  auto gpuModule = kernel->getParentOfType<gpu::GPUModuleOp>();
  module.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == gpuModule.getName() &&
        launch.getKernelName() == kernel.getName())
      launch.getDynamicSharedMemorySizeMutable().clear();
  });
}

static void lowerSharedMemory(ModuleOp module, gpu::GPUModuleOp gpuModule) {
  LLVM::GlobalOp external;
  for (auto kernel : llvm::to_vector(gpuModule.getOps<gpu::GPUFuncOp>())) {
    SmallVector<gpu::DynamicSharedMemoryOp> uses;
    kernel.walk([&](gpu::DynamicSharedMemoryOp op) { uses.push_back(op); });
    blas::ContractAttr contract = contractOf(kernel);
    if (contract)
      dropDynamicSize(module, kernel);
    if (uses.empty())
      continue;
    if (!contract && !external)
      external = declareShared(gpuModule);
    LLVM::GlobalOp array = contract ? allocateShared(kernel, contract.getSharedBytes()) : external;
    for (gpu::DynamicSharedMemoryOp op : uses)
      lowerShared(op, array);
  }
}

LogicalResult rooftile::checkLaneForRocdl(gpu::GPUModuleOp module, blas::TargetAttr target) {
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa_and_nonnull<lane::LaneDialect>(op->getDialect()) ||
        isa<lane::AsRealOp, lane::PointerOp, lane::CompilerFenceOp, lane::MmaOp>(op))
      return WalkResult::advance();
    op->emitOpError("has no instruction on ") << target->chip;
    return WalkResult::interrupt();
  });
  return success(!result.wasInterrupted() && succeeded(checkInstructions(module, target)));
}

void rooftile::populateLaneToRocdlPatterns(RewritePatternSet &patterns) {
  populateMatrixUnitToRocdlPatterns(patterns);
  populateLanePointerPatterns(patterns, kGlobalSpace);
  populateMultiplyAddPatterns(patterns);
  populateCompilerFencePatterns(patterns, [](Type) -> StringRef { return "v"; });
}

namespace {
struct LaneToRocdlPass : rooftile::impl::LaneToRocdlBase<LaneToRocdlPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
      FailureOr<blas::TargetAttr> target = targetOf(gpuModule, blas::Vendor::Amd, getArgument());
      if (failed(target) || failed(checkLaneForRocdl(gpuModule, *target)))
        return signalPassFailure();
      gpuModule.setTargetsAttr(ArrayAttr::get(&getContext(), rocdlTarget(&getContext(), *target)));
      for (auto kernel : gpuModule.getOps<gpu::GPUFuncOp>()) {
        foldBlockSizes(kernel);
        describeKernel(kernel, *target);
        ++numKernels;
        LDBG() << "kernel " << kernel.getName();
      }
      RewritePatternSet patterns(&getContext());
      populateLaneToRocdlPatterns(patterns);
      walkAndApplyPatterns(gpuModule, std::move(patterns));
      lowerSharedMemory(module, gpuModule);
    }
  }
};
} // namespace
