//===- CaseRunner.h - Compiles and verifies lists of cases ------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_CASERUNNER_H
#define ROOFTILE_TOOLS_GEMM_RUN_CASERUNNER_H

#include "Cases.h"
#include "Report.h"

#include "mlir/IR/MLIRContext.h"

namespace rooftile::run {

struct CaseOptions {
  CompileOptions compile;
  InvokeOptions invoke;
  std::string sample; ///< overrides the lines' own when not empty
  bool quiet = true;  ///< print failures and a summary only
};

/// Runs all cases of `text`, the content of `file`. Returns the exit status: 0 when every case is
/// right, 1 when one is wrong or a line cannot be read.
int runCases(mlir::MLIRContext &context, llvm::StringRef file, llvm::StringRef text,
             const CaseOptions &options, Report &report);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_CASERUNNER_H
