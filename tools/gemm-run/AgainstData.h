//===- AgainstData.h - What both ways of a function are called on -*- C++ -*-=//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_AGAINSTDATA_H
#define ROOFTILE_TOOLS_GEMM_RUN_AGAINSTDATA_H

#include "Draw.h"
#include "Engine.h"

#include <optional>

namespace rooftile::run {

/// The numbers of one argument, which the same seed always gives again.
///
/// Floats are -2, -1, 1 or 2 in the phase of integers, else uniform in [-1, 1). Integers of up to
/// 32 bits are in -8 .. 7, those of 64 bits and index, which front ends index with, in 0 .. 3.
/// `rooftile.range` of the argument says otherwise: array<i64: lowest, highest>, both included, or
/// array<f64: low, high>.
class ArgumentData {
public:
  ArgumentData(mlir::func::FuncOp function, unsigned index, bool integers, uint64_t seed);

  Scalar next(mlir::Type element);

  /// The largest magnitude if all floats are integers; infinite otherwise.
  double integerBound(mlir::Type element) const;

private:
  double part(mlir::Type real);

  std::optional<std::pair<double, double>> range;
  bool rangeOfIntegers = false, integers;
  Draw draw;
};

/// An error at the function where `rooftile.range` of an argument is no range of numbers.
mlir::LogicalResult checkRanges(mlir::func::FuncOp function);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_AGAINSTDATA_H
