//===- Candidates.h - Plans of a shape that are timed -----------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_CANDIDATES_H
#define ROOFTILE_BENCH_CANDIDATES_H

#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/Resources.h"

namespace rooftile::bench {

/// Which of the plans that the model has evaluated are timed; tile-select's choice is the first of
/// them.
struct PlanQuery {
  enum Kind {
    Pick,   ///< That alone, or what a list names.
    Top,    ///< The fastest by the model.
    Spread, ///< Different tiles, drawn evenly from those at most 1.5 times as slow as the best.
    Sample  ///< Half of them as Spread, half at random among those up to four times as slow.
  };
  Kind kind = Pick;
  size_t count = 0; ///< At most; 0: all.

  /// "pick", "all", "top:20", "spread:20", "sample:20".
  static std::optional<PlanQuery> parse(llvm::StringRef text);
};

/// A plan that the model has evaluated.
struct Candidate {
  std::string plan;
  int64_t rank = 0;         ///< 0: the fastest by the model.
  double seconds = 0;       ///< Predicted; of a routine that is split, the sum over its operations.
  Resources resources = {}; ///< Seconds of each, the same.
};

/// The plans of `shape` that `query` asks for, the fastest by the model first; of a routine that is
/// split, plans of all its operations, joined by ` + `: of each one that of the same index. Empty
/// with an error in `why` where the shape cannot be planned.
std::vector<Candidate> candidatesOf(const Shape &shape, PlanQuery query, mlir::MLIRContext &context,
                                    const KernelOptions &options, std::string &why);

/// The plans of `shape` that differ in one value from `plan`, which the model may not have
/// evaluated (planning::neighboursOf), the fastest first; ranks count from 0. Blocks of triangular
/// operations have none: all of them are candidates.
std::vector<Candidate> neighboursOf(const Shape &shape, llvm::StringRef plan,
                                    mlir::MLIRContext &context, const KernelOptions &options);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_CANDIDATES_H
