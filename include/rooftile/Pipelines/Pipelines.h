//===- Pipelines.h - The line, from linalg or blas onward -------*- C++ -*-===//
//
// Each function appends passes; none runs anything. `gemm-opt` offers the
// complete ones as --blas-to-nvvm and --blas-to-cpu.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PIPELINES_PIPELINES_H
#define ROOFTILE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace rooftile {

/// What a kernel is embedded as: PTX, cubin (needs ptxas), or cubin where ptxas is found.
enum class BinaryFormat { Isa, Bin, Auto };

/// Options of the complete pipelines.
struct LineOptions : mlir::PassPipelineOptions<LineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("chip to plan for; empty: the module's target, else the GPU present, "
                     "else h200")};
  Option<BinaryFormat> format{
      *this, "format", llvm::cl::desc("what kernels are embedded as"),
      llvm::cl::init(BinaryFormat::Auto),
      llvm::cl::values(clEnumValN(BinaryFormat::Isa, "isa", "PTX"),
                       clEnumValN(BinaryFormat::Bin, "bin", "cubin, needs ptxas"),
                       clEnumValN(BinaryFormat::Auto, "auto", "cubin where ptxas is found"))};
};

/// linalg or blas on tensors or memrefs -> planned blas.gemm on memrefs.
void buildPlanLine(mlir::OpPassManager &pm, llvm::StringRef chip);

/// Planned blas operations on memrefs -> gpu.launch_func + per-thread kernels in a gpu.module.
void buildKernelLine(mlir::OpPassManager &pm);

/// Kernels and host code -> LLVM dialect, kernels embedded as PTX ("isa"), cubin ("bin"), or
/// cubin where ptxas is found ("auto").
void buildNvvmLine(mlir::OpPassManager &pm, llvm::StringRef format);

/// Kernels and host code -> LLVM dialect, kernels as coroutines of the host.
void buildCpuLine(mlir::OpPassManager &pm);

/// True when a ptxas can be found (PATH, CUDA_ROOT, CUDA_HOME, CUDA_PATH, CUDA's own place).
bool havePtxas();

/// Registers --blas-to-nvvm and --blas-to-cpu: the whole line in one flag.
void registerPipelines();

} // namespace rooftile

#endif // ROOFTILE_PIPELINES_PIPELINES_H
