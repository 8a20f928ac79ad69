//===- Picks.h - Plans that are picked at real sizes ------------*- C++ -*-===//
//
// Lists and random cases state plans at sizes of a few tiles. What users run are the
// planner's own plans at sizes of thousands: operations of all routines and types are
// drawn with sizes log-uniform to 8192 (K to 2 * 10^6), and run with the plan that is
// chosen for each chip.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_RUNS_PICKS_H
#define ROOFTILE_VERIFY_RUNS_PICKS_H

#include "rooftile/Verify/Runs/Runner.h"

namespace rooftile::verify {

/// Multiply-adds of one operation that run on the CPU.
constexpr double kWorkOfPick = 4e6;

/// Draws `count` operations that follow from the seed of `options`, and runs them with their plans
/// for the chips that are known, one after the other, or all for that of `options`. On the CPU some
/// tiles of a product run: the first, the last and others, with all workgroups that contribute to
/// them; operations whose kernels depend on each other are drawn so that all of them can run. On a
/// GPU all of it runs. Every failure is printed with the command that repeats it. Returns the exit
/// status.
int runPicks(mlir::MLIRContext &context, int64_t count, const CaseOptions &options, Report &report);

/// The operations, one line of a list for each.
std::vector<std::string> drawPicks(int64_t count, uint64_t seed, double work);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_PICKS_H
