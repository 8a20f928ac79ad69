//===- Pipelines.cpp - The line, from linalg or blas onward ---------------===//

#include "rooftile/Pipelines/Pipelines.h"
#include "Steps.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace rooftile;

void rooftile::addCleanUp(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void rooftile::buildPlanLine(OpPassManager &pm, StringRef chip) {
  // What tensors cannot say is raised as memrefs, by tile-select, which tells what stays.
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
  TileSelectOptions select;
  select.chip = chip.str();
  pm.addPass(createTileSelect(select));
}

void rooftile::buildKernelLine(OpPassManager &pm) {
  pm.addPass(createReductionSelect());
  TileSelectOptions select;
  select.newOnly = true; // blas.reduce
  pm.addPass(createTileSelect(select));
  pm.addPass(createMacroTile());
  addCleanUp(pm);
  pm.addPass(createLeapFrog());
  addCleanUp(pm);
  pm.addPass(createTileSync());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(arith::createArithExpandOpsPass()); // while the program is short
  kernels.addPass(createMicroTile());
  // Thousands of scalars in one loop: folding them is LLVM's work, which is faster at it.
  kernels.addPass(createCSEPass());
}

//===----------------------------------------------------------------------===//
// NVVM
//===----------------------------------------------------------------------===//

/// The folder whose bin/ holds ptxas, from PATH, then the usual variables, then
/// CUDA's own place; empty when there is none.
static std::string findToolkit() {
  if (llvm::sys::findProgramByName("ptxas"))
    return "";
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable))
      if (llvm::sys::findProgramByName("ptxas", {std::string(folder) + "/bin"}))
        return folder;
  // A toolkit that is not there would be an error even where nothing is assembled.
  std::string standard = "/usr/local/cuda";
  return llvm::sys::fs::exists(standard + "/nvvm/libdevice/libdevice.10.bc") ? standard : "";
}

bool rooftile::havePtxas() {
  if (llvm::sys::findProgramByName("ptxas"))
    return true;
  std::string toolkit = findToolkit();
  return !toolkit.empty() && llvm::sys::findProgramByName("ptxas", {toolkit + "/bin"});
}

void rooftile::addElementwiseKernels(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  functions.addPass(createConvertLinalgToParallelLoopsPass());
  // Before outlining, so that the gemm kernels need not be walked for it.
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  pm.addPass(createParallelKernel());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createDeviceMemory());
}

void rooftile::addHostLowering(OpPassManager &pm) {
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(arith::createArithExpandOpsPass());
  GpuToLLVMConversionPassOptions host;
  host.kernelBarePtrCallConv = true;
  pm.addPass(createGpuToLLVMConversionPass(host));
}

void rooftile::buildNvvmLine(OpPassManager &pm, StringRef format) {
  addElementwiseKernels(pm);
  pm.addPass(createThreadToNvvm());
  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.useBarePtrCallConv = true;
  nvvm.allowPatternRollback = false; // faster
  kernels.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  addCleanUp(kernels);

  addHostLowering(pm);
  GpuModuleToBinaryPassOptions binary;
  binary.toolkitPath = findToolkit();
  binary.compilationTarget = format == "auto" ? (havePtxas() ? "bin" : "isa") : format.str();
  pm.addPass(createGpuModuleToBinaryPass(binary));
  pm.addPass(createReconcileUnrealizedCastsPass());
}

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

void rooftile::buildCpuLine(OpPassManager &pm, bool record) {
  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  ThreadToCpuOptions threads;
  threads.record = record;
  pm.addPass(createThreadToCpu(threads));
  pm.addPass(arith::createArithExpandOpsPass());
  // First what LLVM has an intrinsic for, then what is left from the C library (erf, ...).
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanUp(pm);
}

//===----------------------------------------------------------------------===//
// In one flag
//===----------------------------------------------------------------------===//

StringRef rooftile::nameOf(Format format) {
  return format == Format::Auto ? "auto" : format == Format::Isa ? "isa" : "bin";
}

void rooftile::registerPipelines() {
  registerRocdlPipeline();
  PassPipelineRegistration<LineOptions>(
      "blas-to-nvvm", "linalg or blas to PTX or cubin, with the host code that launches it",
      [](OpPassManager &pm, const LineOptions &options) {
        buildPlanLine(pm, options.chip);
        buildKernelLine(pm);
        buildNvvmLine(pm, nameOf(options.format));
        pm.addPass(createStripCompileTimes());
      });
  PassPipelineRegistration<LineOptions>(
      "blas-to-cpu", "linalg or blas to LLVM, the same kernels as coroutines of the host",
      [](OpPassManager &pm, const LineOptions &options) {
        buildPlanLine(pm, options.chip);
        buildKernelLine(pm);
        buildCpuLine(pm);
      });
}
