//===- Times.h - Expected times of operations -------------------*- C++ -*-===//
//
// Times on one chip: those of cuBLAS over a spread of operations, by
// benchmarks/cublas_times.py, and times of ours beside those that the cost
// model predicts and of cuBLAS, by benchmarks/model_times.py. docs/Cublas.md explains both.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H

#include "Field.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rooftile::cublas {

/// An operation that was timed, in microseconds; 0: it was not. Matrices are as small as they can
/// be.
struct TimedOperation {
  operation::Routine routine;
  operation::Element element;
  operation::Math math;
  operation::Batch batch;
  operation::Op opA, opB;
  operation::Side side;
  operation::Triangle triangle;
  int32_t m, n, k, count;
  float ours, predicted, cublas;

  operation::Operation operation() const;
};

/// Element types in the order of ChipTimes::flops, by their letters.
constexpr char kTypes[] = "sdcz";
constexpr size_t typeIndex(operation::Element element) {
  return size_t(element) - size_t(operation::Element::F32);
}

/// Measurements on a chip, all of them or some; ceilings are 0 where they are in another one.
struct ChipTimes {
  const char *chip;
  double bandwidth; ///< bytes a second
  double flops[4];  ///< a second, by type
  const TimedOperation *operations;
  size_t count;
};

/// Expected times of two libraries for an operation, in seconds.
struct Comparison {
  double cublas, ours;
  /// The gain below which ours may be the slower one: errors of both, each as large as that of the
  /// most unfortunate of 10 operations.
  double margin;
};

class Times {
public:
  void add(const ChipTimes &part);
  /// Uses all tables. Empty, or what is missing.
  std::string finish();

  const std::string &chip() const { return name; }
  /// `predicted` is the time of ours by the cost model. False where nothing is known of the routine
  /// and type.
  bool compare(const operation::Operation &operation, double predicted,
               Comparison &comparison) const;

  /// Routines and types with times.
  using Kind = std::pair<operation::Routine, operation::Element>;
  std::vector<Kind> known() const;
  const Field &cublas(Kind kind) const { return kinds.at(kind).cublas; }
  const Field &model(Kind kind) const { return kinds.at(kind).model; }

private:
  struct OfKind {
    Field cublas{/*leastDeviation=*/0.1}; ///< measured / its roofline
    Field model{/*leastDeviation=*/0.05}; ///< measured / predicted
    double least = 0;                     ///< seconds: the shortest operation

    bool isUseful() const { return cublas.isUseful() && model.isUseful(); }
  };
  struct Row {
    operation::Operation operation;
    double seconds;
  };

  double roofline(const OfKind &kind, const operation::Operation &operation) const;

  std::string name;
  double bandwidth = 0; ///< bytes a second
  double flops[4] = {}; ///< a second, by type
  std::map<Kind, OfKind> kinds;
  std::vector<Row> rows; ///< of cuBLAS, until they are finished
};

/// Those of the GPU that the driver calls `chip`; null where none were measured.
const Times *timesOf(const std::string &chip);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMES_H
