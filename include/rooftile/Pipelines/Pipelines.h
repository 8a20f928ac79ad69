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

/// How kernels are embedded into host code.
enum class Format { Auto, Isa, Bin };

/// "auto", "isa" or "bin".
llvm::StringRef nameOf(Format format);

/// Options of the complete pipelines.
struct LineOptions : mlir::PassPipelineOptions<LineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc(
          "chip to plan for; empty: the module's target, else the GPU present, else h200")};
  Option<Format> format{
      *this, "format", llvm::cl::desc("how kernels are embedded"), llvm::cl::init(Format::Auto),
      llvm::cl::values(clEnumValN(Format::Auto, "auto", "bin where ptxas is found, else isa"),
                       clEnumValN(Format::Isa, "isa", "PTX, which the driver compiles"),
                       clEnumValN(Format::Bin, "bin", "cubin, needs ptxas"))};
};

/// linalg or blas on tensors or memrefs -> planned blas.gemm on memrefs.
void buildPlanLine(mlir::OpPassManager &pm, llvm::StringRef chip);

/// Planned blas.gemm on memrefs -> operations with one plan each, of which each is one kernel.
void buildSplitLine(mlir::OpPassManager &pm);

/// Operations with one plan -> gpu.launch_func + per-thread kernels in a gpu.module.
void buildTileLine(mlir::OpPassManager &pm);

/// Both: planned blas operations on memrefs -> launches and per-thread kernels.
void buildKernelLine(mlir::OpPassManager &pm);

/// Kernels and host code -> LLVM dialect, kernels embedded as PTX ("isa") or cubin ("bin").
void buildNvvmLine(mlir::OpPassManager &pm, llvm::StringRef format);

/// Kernels and host code -> LLVM dialect, kernels as coroutines of the host. With `record` they
/// report their accesses to shared memory, so that the runtime finds races.
void buildCpuLine(mlir::OpPassManager &pm, bool record = false);

/// True when a ptxas can be found (PATH, CUDA_ROOT, CUDA_HOME, CUDA_PATH, CUDA's own place).
bool havePtxas();

/// Registers --blas-to-nvvm and --blas-to-cpu: the whole line in one flag.
void registerPipelines();

} // namespace rooftile

#endif // ROOFTILE_PIPELINES_PIPELINES_H
