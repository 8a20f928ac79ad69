//===- Field.h - Factors between operations that were measured --*- C++ -*-===//
//
// A factor, such as measured time over a simple estimate, is known of some
// operations, and asked for of others. It is interpolated between the nearest
// ones, on a logarithmic scale of sizes, and comes with the deviation that the
// neighbours show. How far that is to be believed, the known operations show: each
// is judged by all the others.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H

#include "rooftile/Operation/Operation.h"

#include <array>
#include <cstddef>
#include <vector>

namespace rooftile::cublas {

/// Normal distribution of the logarithm of a factor.
struct Estimate {
  double mean, deviation;
};

class Field {
public:
  /// `leastDeviation`: of the logarithm, where all neighbours agree.
  explicit Field(double leastDeviation) : leastDeviation(leastDeviation) {}

  void add(const operation::Operation &operation, double logarithm);
  /// Judges every operation by the others; after the last one was added.
  void judge();

  /// Whether there are enough for an estimate.
  bool isUseful() const;
  Estimate estimate(const operation::Operation &operation) const;
  /// By how many deviations the lowest and the highest of 10 operations are off.
  double lowest() const { return lowQuantile; }
  double highest() const { return highQuantile; }

  /// The factor by which an operation is missed: in the median, and by the worst of 10.
  struct Validation {
    size_t count;
    double median, most;
  };
  Validation validate() const;

private:
  /// An operation as a point: logarithms of its sizes, and choices.
  struct Place {
    std::array<float, 4> sizes;  ///< log2 of M, N, K and the matrices of a batch
    std::array<bool, 8> choices; ///< transposed A, B; aligned A, B; M, N, K of 1; three products
    operation::Batch batch;
  };
  struct Point {
    Place place;
    double logarithm;
  };

  static Place placeOf(const operation::Operation &operation);
  static float distance(const Place &x, const Place &y);
  Estimate interpolate(const Place &place, const Point *without) const;

  double leastDeviation;
  std::vector<Point> points;
  Estimate all = {0, 0}; ///< of all points
  double lowQuantile = 0, highQuantile = 0;
};

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_FIELD_H
