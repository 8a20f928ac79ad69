//===- Pipelines.cpp - From linalg or blas to binaries --------------------===//

#include "rooftile/Pipelines/Pipelines.h"
#include "Steps.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Pipelines/Passes.h"
#include "rooftile/Transforms/Passes.h"
#include "rooftile/Transforms/Plan/TileSelect.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace rooftile;

/// MLIR's removal of results of a loop or condition that are twice the same: it compares all pairs
/// of them, a tenth of a second for the hundreds that one thread carries. LLVM finds them faster.
static constexpr const char *kQuadraticPattern =
    "(anonymous namespace)::RemoveDuplicateSuccessorInputUses";

void rooftile::addCleanUp(OpPassManager &pm) {
  GreedyRewriteConfig asByDefault;
  asByDefault.setUseTopDownTraversal(true).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  pm.addPass(createCanonicalizerPass(asByDefault, /*disabledPatterns=*/{kQuadraticPattern}));
  pm.addPass(createCSEPass());
}

/// Kernels and host functions by themselves: kernels are long, and many, and threads share them.
static void addCleanUpOfEach(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  addCleanUp(functions);
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  addCleanUp(kernels);
}

void rooftile::requireVendor(OpPassManager &pm, blas::Vendor vendor, StringRef chip) {
  RequireVendorOptions options;
  options.vendor = vendor;
  options.chip = chip.str();
  pm.addPass(createRequireVendor(options));
}

void rooftile::addReshapes(OpPassManager &pm) {
  pm.addPass(createStrideReshapes());
  pm.addPass(createExpandViews());
  pm.addPass(createLowerAffinePass());
}

void rooftile::buildRaisePipeline(OpPassManager &pm) {
  pm.addPass(createHostTypes());
  // Operations without loops of their own, or a name of linalg's, get them first: not for products.
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createDecomposeAggregates());
  // Products that tensors cannot express are raised as memrefs, by tile-select, which reports the
  // rest.
  ConvertLinalgToBlasOptions raise;
  raise.remarks = false;
  pm.addPass(createConvertLinalgToBlas(raise));
  pm.addPass(createCanonicalizerPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  addCleanUp(pm);
  pm.addPass(createFreeIntermediates());
  pm.addPass(createOrderProducts());
  pm.addPass(createSymmetricSplit());
  pm.addPass(createExchangeOperands());
}

void rooftile::buildSelectPipeline(OpPassManager &pm, StringRef chip, StringRef plans) {
  TileSelectOptions select;
  select.chip = chip.str();
  select.plans = plans.str();
  pm.addPass(createTileSelect(select));
}

void rooftile::buildSelectPipeline(OpPassManager &pm, StringRef chip, SharedPlanList plans) {
  pm.addPass(createTileSelect(chip, std::move(plans)));
}

void rooftile::buildPlanPipeline(OpPassManager &pm, StringRef chip, StringRef plans) {
  buildRaisePipeline(pm);
  buildSelectPipeline(pm, chip, plans);
}

void rooftile::buildPlanPipeline(OpPassManager &pm, StringRef chip, SharedPlanList plans) {
  buildRaisePipeline(pm);
  buildSelectPipeline(pm, chip, std::move(plans));
}

void rooftile::buildSplitPipeline(OpPassManager &pm) {
  pm.addPass(createPlanDispatch());
  pm.addPass(createTriangularSplit());
  pm.addPass(createOperandPack());
  pm.addPass(createTailSplit());
  pm.addPass(createPlanParts()); // products of blocks, copies, edges
  pm.addPass(createReductionSelect());
  pm.addPass(createOperandPack()); // of real elements of complex ones
  pm.addPass(createPlanParts());   // reductions of slices
  addCleanUp(pm);
}

void rooftile::buildProgramPipeline(OpPassManager &pm) {
  // Its output is compared as it is (fitPlans).
  pm.addPass(createMacroTile());
}

void rooftile::buildThreadPipeline(OpPassManager &pm) {
  addCleanUpOfEach(pm);
  pm.addPass(createLeapFrog());
  addCleanUpOfEach(pm);
  pm.addPass(createTileSync());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(arith::createArithExpandOpsPass()); // while the program is short
  kernels.addPass(createNameOperations());
  kernels.addPass(createUnrollSlices());
  kernels.addPass(createMicroTile());
  kernels.addPass(createCarryCounters());
  kernels.addPass(createSpreadCopies());
  kernels.addPass(createApproximateMath());
  // Thousands of scalars in one loop: folding them is LLVM's work, which is faster at it.
  kernels.addPass(createCSEPass());
}

void rooftile::buildTilePipeline(OpPassManager &pm) {
  buildProgramPipeline(pm);
  buildThreadPipeline(pm);
}

void rooftile::buildKernelPipeline(OpPassManager &pm) {
  buildSplitPipeline(pm);
  buildTilePipeline(pm);
}

//===----------------------------------------------------------------------===//
// NVVM
//===----------------------------------------------------------------------===//

void rooftile::buildParallelLoops(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  functions.addPass(createForallToParallelLoopPass());
  functions.addPass(createSpreadReductions());
  functions.addPass(createConvertLinalgToParallelLoopsPass());
  // The vendors' lowerings support few complex functions, and no exp, sqrt or abs among them.
  functions.addPass(createConvertComplexToStandardPass());
  functions.addPass(vector::createLowerVectorMultiReductionPass());
  functions.addPass(createConvertVectorToSCFPass());
  // Before outlining, so that the gemm kernels need not be walked for it.
  addReshapes(functions);
  pm.addPass(createExpandNarrowFloats());
}

void rooftile::buildLoopKernels(OpPassManager &pm) {
  pm.addPass(createParallelKernel());
  pm.addPass(createGpuKernelOutliningPass());
}

void rooftile::addElementwiseKernels(OpPassManager &pm) {
  buildParallelLoops(pm);
  buildLoopKernels(pm);
  pm.addPass(createDeviceMemory());
}

void rooftile::addPlainControl(OpPassManager &pm) {
  addReshapes(pm);
  pm.addPass(createSCFToControlFlowPass());
}

void rooftile::addHostLowering(OpPassManager &pm) {
  pm.nest<func::FuncOp>().addPass(createConvertVectorToLLVMPass());
  addPlainControl(pm);
  pm.addPass(arith::createArithExpandOpsPass());
  GpuToLLVMConversionPassOptions host;
  host.kernelBarePtrCallConv = true;
  pm.addPass(createGpuToLLVMConversionPass(host));
}

/// Kernels of one thread to the LLVM and NVVM dialects. What folding there is, is left to LLVM.
static void addNvvmKernels(OpPassManager &pm) {
  auto &threads = pm.nest<gpu::GPUModuleOp>();
  threads.addPass(createKeepCarriedLoads());
  threads.addPass(createKeepMatrixLoops());
  threads.addPass(createFinishAccumulators());
  pm.addPass(createLaneToNvvm());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createDependentLaunch());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.useBarePtrCallConv = true;
  nvvm.allowPatternRollback = false; // faster
  kernels.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  kernels.addPass(createPassDescriptors());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

static void addNvvmBinary(OpPassManager &pm, Format format) {
  NvvmToBinaryOptions options;
  options.format = format;
  pm.addPass(createNvvmToBinary(options));
}

void rooftile::buildNvvmPipeline(OpPassManager &pm, Format format, bool sourceLines) {
  addElementwiseKernels(pm);
  addNvvmKernels(pm);
  if (sourceLines) {
    // Source lines alone: ptxas refuses to optimise code that is to be debugged.
    LLVM::DIScopeForLLVMFuncOpPassOptions directives;
    directives.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(directives));
  }
  addHostLowering(pm);
  addNvvmBinary(pm, format);
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createSeparateModules());
  pm.addPass(createCComplex());
  pm.addPass(createReportLeftovers());
}

void rooftile::buildKernelsOnly(OpPassManager &pm, Format format, blas::Vendor vendor) {
  if (vendor == blas::Vendor::Amd) {
    addRocdlKernels(pm);
    return addRocdlBinary(pm, format, /*trial=*/true);
  }
  addNvvmKernels(pm);
  addNvvmBinary(pm, format);
}

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

void rooftile::buildCpuPipeline(OpPassManager &pm, bool record) {
  auto &functions = pm.nest<func::FuncOp>();
  functions.addPass(createForallToParallelLoopPass());
  functions.addPass(createConvertLinalgToLoopsPass());
  // The conversion to LLVM supports few complex functions, and neither conj nor exp among them.
  functions.addPass(createConvertComplexToStandardPass());
  functions.addPass(vector::createLowerVectorMultiReductionPass());
  functions.addPass(createConvertVectorToSCFPass());
  pm.addPass(createExpandNarrowFloats());
  addPlainControl(pm);
  LaneToCpuOptions threads;
  threads.record = record;
  pm.addPass(createLaneToCpu(threads));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true; // hosts round to bf16 by a function that C libraries lack
  pm.addPass(arith::createArithExpandOpsPass(expand));
  // First what LLVM has an intrinsic for, then what is left from the C library (erf, ...).
  pm.nest<func::FuncOp>().addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanUp(pm);
  pm.addPass(createSeparateModules());
  pm.addPass(createCComplex());
  pm.addPass(createReportLeftovers());
}

//===----------------------------------------------------------------------===//
// In one flag
//===----------------------------------------------------------------------===//

void rooftile::registerPipelines() {
  registerPipelinesPasses();
  registerRocdlPipeline();
  PassPipelineRegistration<PipelineOptions>(
      "blas-to-nvvm", "linalg or blas to PTX or cubin, with the host code that launches it",
      [](OpPassManager &pm, const PipelineOptions &options) {
        OpPassManager passes(ModuleOp::getOperationName());
        requireVendor(passes, blas::Vendor::Nvidia, options.chip);
        buildRaisePipeline(passes);
        FitPlansOptions fit;
        fit.chip = options.chip;
        fit.plans = options.plans;
        fit.format = options.format;
        fit.sourceLines = options.sourceLines || options.lines;
        if (options.lines)
          llvm::WithColor::note() << "option 'lines' is called 'source-lines' now\n";
        passes.addPass(createFitPlans(fit));
        pm.addPass(createSetAside(passes));
      });
  PassPipelineRegistration<KernelsOptions>(
      "blas-to-kernels", "linalg or blas to kernels with contracts, for a runtime of one's own",
      [](OpPassManager &pm, const KernelsOptions &options) {
        OpPassManager passes(ModuleOp::getOperationName());
        if (options.format == KernelFormat::Func) {
          buildPlanPipeline(passes, options.chip, options.plans);
          buildKernelPipeline(passes);
          return pm.addPass(createSetAside(passes));
        }
        requireVendor(passes, blas::Vendor::Nvidia, options.chip);
        buildRaisePipeline(passes);
        FitPlansOptions fit;
        fit.chip = options.chip;
        fit.plans = options.plans;
        fit.kernelsOnly = true;
        fit.format = options.format == KernelFormat::Isa   ? Format::Isa
                     : options.format == KernelFormat::Bin ? Format::Bin
                                                           : Format::Auto;
        passes.addPass(createFitPlans(fit));
        pm.addPass(createSetAside(passes));
      });
  PassPipelineRegistration<PipelineOptions>(
      "blas-to-cpu", "linalg or blas to LLVM, the same kernels as coroutines of the host",
      [](OpPassManager &pm, const PipelineOptions &options) {
        OpPassManager passes(ModuleOp::getOperationName());
        buildPlanPipeline(passes, options.chip, options.plans);
        buildKernelPipeline(passes);
        buildCpuPipeline(passes);
        pm.addPass(createSetAside(passes));
      });
}
