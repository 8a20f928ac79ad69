//===- Kernel.h - A shape compiled to a function that launches --*- C++ -*-===//
#ifndef ROOFTILE_BENCH_KERNEL_H
#define ROOFTILE_BENCH_KERNEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "rooftile/Bench/Results.h"
#include "rooftile/Bench/Shape.h"
#include "rooftile/Conversion/Format.h"
#include "rooftile/Runtime/Executable/Executable.h"

#include <memory>

namespace rooftile::bench {

struct KernelOptions {
  std::string chip;             ///< empty: the GPU present, else h200
  Format format = Format::Auto; ///< how kernels reach the driver
  bool planOnly = false;        ///< stop after planning
  bool load = true;             ///< else `bytes` of a kernel are for another process
};

/// One shape with one plan, compiled. Milliseconds unless noted otherwise.
struct Kernel {
  std::string plan;         ///< the #blas.plan of each operation after planning
  double predicted = NAN;   ///< the model's estimate; NaN where it has none
  double compile = NAN;     ///< from the blas operation to a binary
  double binary = NAN;      ///< of it: LLVM's code generator and ptxas
  double registers = NAN;   ///< of a thread, the most of all kernels; NaN for PTX
  double spillBytes = NAN;  ///< that a thread stores for want of registers; NaN for PTX
  std::string error;        ///< why there is no kernel; empty when there is one
  bool unsupported = false; ///< no kernel exists for such operands at all
  /// Kernels are loaded at the first call.
  std::unique_ptr<Executable> executable;
  std::string bytes; ///< The executable, where it is not loaded here.
};

/// Registers what compiling needs: dialects, translations, the host's code generator.
void prepareCompiler(mlir::DialectRegistry &registry);

/// Plans and compiles `shape` with the plan of text `plan` (empty: tile-select's choice).
Kernel compile(const Shape &shape, const std::string &plan, mlir::MLIRContext &context,
               const KernelOptions &options);

/// The row of a kernel before it is timed. `rank`: see Candidate.
Row rowOf(const Shape &shape, const Kernel &kernel, int64_t rank);

/// The ceilings of the chip that is planned for, as lines of a result file: "ceiling f32".
Header ceilings(mlir::MLIRContext &context, const KernelOptions &options);

/// A handler of diagnostics that keeps the first error; remarks are gemm-opt's business.
std::function<llvm::LogicalResult(mlir::Diagnostic &)> errorsInto(std::string &error);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_KERNEL_H
