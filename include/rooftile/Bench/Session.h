//===- Session.h - A run over many shapes -----------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_SESSION_H
#define ROOFTILE_BENCH_SESSION_H

#include "rooftile/Bench/Measure.h"

namespace rooftile::bench {

struct SessionOptions {
  KernelOptions kernel;
  MeasureOptions measure;
  PlanQuery plans; ///< which of those that the model has evaluated
  bool vendor = true;
  bool bestOfVendor = false; ///< its best algorithm in place of the one that it picks
  double timeLimit = 0;      ///< seconds after which no case begins; 0: none
  bool append = false;       ///< rows follow those of an earlier run: no header
};

/// Times all shapes: some are compiled on all cores, then measured one by one, and so on. Rows go
/// to `csv` as they are made, progress to stderr. An error where nothing can be run.
llvm::Expected<Results> runCases(const std::vector<Shape> &shapes, const SessionOptions &options,
                                 llvm::raw_ostream &csv);

/// Prints every case with its plan and its prediction. Returns the exit status.
int listCases(const std::vector<Shape> &shapes, const SessionOptions &options);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_SESSION_H
