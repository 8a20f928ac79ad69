//===- Pipelines.h - From linalg or blas to binaries ------------*- C++ -*-===//
//
// Each function appends passes; none runs anything. `gemm-opt` offers the
// complete ones as --blas-to-nvvm, --blas-to-rocdl and --blas-to-cpu.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PIPELINES_PIPELINES_H
#define ROOFTILE_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "rooftile/Conversion/Format.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Plan/SelectPlans.h"

namespace rooftile {

/// Options of the complete pipelines.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc(
          "chip to plan for; empty: the module's target, else the GPU present, else h200")};
  Option<std::string> plans{
      *this, "plans", llvm::cl::desc("file with a user's own plans and kernels (see tile-select)")};
  Option<Format> format{*this, "format", llvm::cl::desc("how kernels are embedded"),
                        llvm::cl::init(Format::Auto), nvvmFormats()};
  Option<bool> sourceLines{
      *this, "source-lines",
      llvm::cl::desc("the source lines of operations in the code of their kernels, for profilers")};
  Option<bool> lines{*this, "lines", llvm::cl::desc("older name of source-lines")};
};

/// Form of kernels after blas-to-kernels.
enum class KernelFormat { Func, Auto, Isa, Bin };

/// Options of blas-to-kernels.
struct KernelsOptions : mlir::PassPipelineOptions<KernelsOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc(
          "chip to plan for; empty: the module's target, else the GPU present, else h200")};
  Option<std::string> plans{
      *this, "plans", llvm::cl::desc("file with a user's own plans and kernels (see tile-select)")};
  Option<KernelFormat> format{
      *this, "format", llvm::cl::desc("what is left of a kernel"),
      llvm::cl::init(KernelFormat::Auto),
      llvm::cl::values(
          clEnumValN(KernelFormat::Func, "func", "gpu.func of one thread, upstream dialects"),
          clEnumValN(KernelFormat::Auto, "auto", "bin where ptxas is found, else isa"),
          clEnumValN(KernelFormat::Isa, "isa", "PTX, which the driver compiles"),
          clEnumValN(KernelFormat::Bin, "bin", "cubin, needs ptxas"))};
};

/// Options of blas-to-rocdl.
struct RocdlOptions : mlir::PassPipelineOptions<RocdlOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("AMD chip to plan for; empty: the module's target, else the GPU present")};
  Option<std::string> plans{
      *this, "plans", llvm::cl::desc("file with a user's own plans and kernels (see tile-select)")};
  Option<Format> format{*this, "format", llvm::cl::desc("how kernels are embedded"),
                        llvm::cl::init(Format::Auto), rocdlFormats()};
};

/// A chip of another vendor than the pipeline compiles for is an error, before anything is planned.
void requireVendor(mlir::OpPassManager &pm, blas::Vendor vendor, llvm::StringRef chip);

/// Views and reshapes of memrefs -> arithmetic on their sizes and strides.
void addReshapes(mlir::OpPassManager &pm);

/// linalg or blas on tensors or memrefs -> blas.gemm on memrefs.
void buildRaisePipeline(mlir::OpPassManager &pm);

/// blas on memrefs -> planned blas. `plans`: the file of a user's list of plans, or what was read
/// of it.
void buildSelectPipeline(mlir::OpPassManager &pm, llvm::StringRef chip, llvm::StringRef plans = "");
void buildSelectPipeline(mlir::OpPassManager &pm, llvm::StringRef chip, SharedPlanList plans);

/// linalg or blas on tensors or memrefs -> planned blas.gemm on memrefs.
void buildPlanPipeline(mlir::OpPassManager &pm, llvm::StringRef chip, llvm::StringRef plans = "");
void buildPlanPipeline(mlir::OpPassManager &pm, llvm::StringRef chip, SharedPlanList plans);

/// Planned blas.gemm on memrefs -> operations with one plan each, of which each is one kernel.
void buildSplitPipeline(mlir::OpPassManager &pm);

/// Operations with one plan -> gpu.launch_func + a tile program in a gpu.module for each of them.
void buildProgramPipeline(mlir::OpPassManager &pm);

/// Tile programs -> per-thread kernels.
void buildThreadPipeline(mlir::OpPassManager &pm);

/// Both: operations with one plan -> gpu.launch_func + per-thread kernels in a gpu.module.
void buildTilePipeline(mlir::OpPassManager &pm);

/// Both: planned blas operations on memrefs -> launches and per-thread kernels.
void buildKernelPipeline(mlir::OpPassManager &pm);

/// linalg, vectors and scf.forall of host code -> parallel and sequential loops over elements.
void buildParallelLoops(mlir::OpPassManager &pm);

/// Parallel loops of host code -> launches of kernels with one thread an iteration.
void buildLoopKernels(mlir::OpPassManager &pm);

/// Views, affine arithmetic and structured control flow -> scalars and branches. All forms of host
/// code go through it: objects of machine code, and executables, whose host code is data.
void addPlainControl(mlir::OpPassManager &pm);

/// Kernels and host code -> LLVM dialect, kernels embedded as PTX or cubin, with the source
/// lines of their operations where `sourceLines` is set.
void buildNvvmPipeline(mlir::OpPassManager &pm, Format format, bool sourceLines = false);

/// Kernels and host code -> LLVM dialect, kernels embedded as AMD ISA or code object. On `trial`,
/// for fitPlans, the rest is compiled after the error of a kernel that needs scratch memory. Host
/// code calls this project's runtime (`ownRuntime`), in a DeviceScope of HIP, or MLIR's.
void buildRocdlPipeline(mlir::OpPassManager &pm, Format format, bool trial = false,
                        bool ownRuntime = false);

/// Kernels and host code -> LLVM dialect, kernels as coroutines of the host. With `record` they
/// report their accesses to shared memory, so that the runtime finds races.
void buildCpuPipeline(mlir::OpPassManager &pm, bool record = false);

/// Kernels with their contracts as binaries; host code stays as it is around gpu.launch_func, for a
/// compiler with its own runtime to lower. Those of AMD's are compiled on trial, for fitPlans.
void buildKernelsOnly(mlir::OpPassManager &pm, Format format,
                      blas::Vendor vendor = blas::Vendor::Nvidia);

/// Passes that fitPlans runs, once or several times.
struct FittedSteps {
  /// Plans the operations of the module, and writes a tile program for each (buildSelectPipeline to
  /// buildProgramPipeline). Raising comes before fitPlans, once.
  llvm::function_ref<mlir::LogicalResult()> plan;
  /// Makes binaries of the tile programs.
  llvm::function_ref<mlir::LogicalResult()> finish;
};

/// Driver: compiles `module` by `steps`. Where a kernel of a plan that planning chose spills, by
/// the assembler's word, the module is put back with that as `blas.refused` and compiled again, and
/// planning selects another plan: eight times at most. Only tile programs that differ from those of
/// the time before are lowered again; the others get their binaries back. Diagnostics are those of
/// the last time, an error of which is a failure. `counted`: an assembler counts registers, and
/// planning relies on it. Returns the number of times.
mlir::FailureOr<int64_t> fitPlans(mlir::ModuleOp module, bool counted, const FittedSteps &steps);

/// Registers --blas-to-nvvm, --blas-to-rocdl, --blas-to-kernels and --blas-to-cpu: the whole way
/// in one flag.
void registerPipelines();
/// Registers --blas-to-rocdl.
void registerRocdlPipeline();

} // namespace rooftile

#endif // ROOFTILE_PIPELINES_PIPELINES_H
