//===- Summary.h - One page from many rows ----------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_SUMMARY_H
#define ROOFTILE_BENCH_SUMMARY_H

#include "rooftile/Bench/Results.h"

namespace rooftile::bench {

/// Markdown: for each class and type the geometric mean of the ratios to the vendor and the
/// model's error; the worst cases; what failed; and, where alternatives were timed, how the
/// model's choice stands against the best of them.
void printSummary(llvm::raw_ostream &out, const Results &results);

/// Prints what is slower (or no longer right) by more than `threshold` (0.05: 5 %) than in `old`,
/// and returns how many. Rows are matched by shape, and by plan where a list named plans.
int64_t printComparison(llvm::raw_ostream &out, const Results &results, const Results &old,
                        double threshold);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_SUMMARY_H
