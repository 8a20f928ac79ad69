//===- Fuzz.h - Random cases, and what they find ----------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_RUNS_FUZZ_H
#define ROOFTILE_VERIFY_RUNS_FUZZ_H

#include "rooftile/Verify/Runs/Runner.h"

namespace rooftile::verify {

/// Runs `count` random cases that follow from the seed of `options`. Plans that do not fit must be
/// refused with an error at the operation, all others must compile and give right results. Every
/// failure is made smaller and printed with the command that repeats it. Returns the exit status.
int fuzz(mlir::MLIRContext &context, int64_t count, const CaseOptions &options);

/// The first case of each of the first `kernels` kernels that such a run draws, legal or not.
std::vector<Case> randomCases(int64_t kernels, uint64_t seed);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_FUZZ_H
