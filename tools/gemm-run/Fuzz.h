//===- Fuzz.h - Random cases, and what they find ----------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_FUZZ_H
#define ROOFTILE_TOOLS_GEMM_RUN_FUZZ_H

#include "CaseRunner.h"

namespace rooftile::run {

/// Runs `count` random cases that follow from the seed of `options`. Plans that do not fit must be
/// refused with an error at the operation, all others must compile and give right results. Every
/// failure is made smaller and printed with the command that repeats it. Returns the exit status.
int fuzz(mlir::MLIRContext &context, int64_t count, const CaseOptions &options);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_FUZZ_H
