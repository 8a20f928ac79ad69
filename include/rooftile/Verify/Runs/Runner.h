//===- Runner.h - Compiles and verifies lists of cases ----------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_RUNS_RUNNER_H
#define ROOFTILE_VERIFY_RUNS_RUNNER_H

#include "rooftile/Verify/Cases/Case.h"
#include "rooftile/Verify/Engine/Report.h"

#include "mlir/IR/MLIRContext.h"
#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::verify {

struct CaseOptions {
  CompileOptions compile;
  InvokeOptions invoke;
  std::string sample; ///< overrides the lines' own when not empty
  bool quiet = true;  ///< print failures and a summary only
  /// Plans that do not fit the chip are counted, not failures.
  bool onlyFitting = false;
  /// Kernels of a list with these numbers run: part, part + parts, ...
  int64_t part = 0, parts = 1;
};

/// Functions that are compiled into one module.
constexpr size_t kFunctionsPerModule = 32;

/// A compiled function and the cases that it serves.
struct Kernel {
  std::string name;
  std::vector<Case> cases;
};

/// Receives the outcome of a case.
using OnCase = llvm::function_ref<void(const Case &single, const Program &program, const Call &call,
                                       const Session &session)>;

/// Compiles the kernels into one module and runs all their cases. False, with errors at their
/// locations and nothing run, when one does not compile.
bool runKernels(mlir::MLIRContext &context, llvm::ArrayRef<Kernel> kernels,
                const CaseOptions &options, OnCase onCase);

/// Whether the case's plan obeys the rules: those of the attribute, and those of the chip. Errors
/// go to the handlers of the context.
bool planFits(mlir::MLIRContext &context, const Case &single, const CaseOptions &options);

/// The target of a chip, as plans for `chip` have it; an error where there is none.
llvm::FailureOr<blas::TargetAttr> targetOf(mlir::MLIRContext &context, llvm::StringRef chip);

/// The command that runs one case again.
std::string reproducer(const Case &single, const CaseOptions &options);

/// Runs all cases of `text`, the content of `file`. Returns the exit status: 0 when every case is
/// right, 1 when one is wrong or a line cannot be read.
int runCases(mlir::MLIRContext &context, llvm::StringRef file, llvm::StringRef text,
             const CaseOptions &options, Report &report);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_RUNNER_H
