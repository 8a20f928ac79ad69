//===- Field.cpp - Factors between operations that were measured ----------===//

#include "Field.h"

#include <algorithm>
#include <cmath>

using namespace rooftile::cublas;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Distance
//===----------------------------------------------------------------------===//

/// Whether columns begin at a multiple of the bytes that are loaded at a time.
static bool isAligned(const Matrix &matrix) {
  return matrix.leading * bytesOf(matrix.element) % 16 == 0;
}

/// M, N and K of the product in which most of the work is: of a square A, K is its order.
Field::Place Field::placeOf(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  int64_t m = info.hasM() ? operation.m : operation.n, n = operation.n;
  int64_t k = info.hasK() ? operation.k : operation.order();
  int64_t count = operation.batch == Batch::None ? 1 : operation.count;
  auto logarithm = [](int64_t size) { return float(std::log2(double(size))); };
  bool isTransposedB = info.hasSide ? operation.side == Side::Right : operation.opB != Op::N;
  Place place;
  place.sizes = {logarithm(m), logarithm(n), logarithm(k), logarithm(count)};
  place.choices = {operation.opA != Op::N,
                   isTransposedB,
                   isAligned(operation.a),
                   isAligned(operation.operand(info.inPlace       ? 2
                                               : operation.has(1) ? 1
                                                                  : 0)),
                   m == 1,
                   n == 1,
                   k == 1,
                   operation.math == Math::Emulated};
  place.batch = operation.batch;
  return place;
}

/// Squared, in units of a factor of 2 in one size. What a choice is worth was found by validation:
/// other transposes are other kernels, matrices of one row go to kernels for vectors.
float Field::distance(const Place &x, const Place &y) {
  constexpr float kChoices[] = {2, 2, 0.5f, 0.5f, 16, 16, 16, 9}, kBatch = 4;
  float sum = x.batch != y.batch ? kBatch : 0;
  for (size_t i = 0; i < x.sizes.size(); ++i)
    sum += (x.sizes[i] - y.sizes[i]) * (x.sizes[i] - y.sizes[i]);
  for (size_t i = 0; i < x.choices.size(); ++i)
    sum += x.choices[i] != y.choices[i] ? kChoices[i] : 0;
  return sum;
}

//===----------------------------------------------------------------------===//
// Interpolation
//===----------------------------------------------------------------------===//

static constexpr size_t kNeighbours = 6;

/// Weight of a neighbour at a squared distance: none counts for all, however near.
static double weightAt(float distance) {
  constexpr double kLeastDistance = 0.05;
  return std::pow(distance + kLeastDistance, -2);
}

/// Where no neighbour is nearer, nothing is known but what holds for all operations.
static constexpr float kFarAway = 9;

bool Field::isUseful() const { return points.size() > 3 * kNeighbours; }

Estimate Field::interpolate(const Place &place, const Point *without) const {
  struct Neighbour {
    float distance;
    double logarithm;
  };
  std::array<Neighbour, kNeighbours + 1> nearest; // sorted; the last one is room for another
  size_t count = 0;
  for (const Point &point : points) {
    if (&point == without)
      continue;
    Neighbour found = {distance(place, point.place), point.logarithm};
    auto at = std::upper_bound(nearest.begin(), nearest.begin() + count, found,
                               [](auto &x, auto &y) { return x.distance < y.distance; });
    if (at == nearest.begin() + kNeighbours)
      continue;
    std::move_backward(at, nearest.begin() + count, nearest.begin() + count + 1);
    *at = found;
    count = std::min(count + 1, kNeighbours);
  }
  double weights = weightAt(kFarAway), sum = weights * all.mean,
         squares = weights * (all.deviation * all.deviation + all.mean * all.mean);
  for (size_t i = 0; i < count; ++i) {
    double weight = weightAt(nearest[i].distance), value = nearest[i].logarithm;
    weights += weight, sum += weight * value, squares += weight * value * value;
  }
  double mean = sum / weights, variance = std::max(0.0, squares / weights - mean * mean);
  return {mean, std::sqrt(variance + leastDeviation * leastDeviation)};
}

Estimate Field::estimate(const Operation &operation) const {
  return interpolate(placeOf(operation), nullptr);
}

void Field::add(const Operation &operation, double logarithm) {
  points.push_back({placeOf(operation), logarithm});
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

static double takeQuantile(std::vector<double> &values, double share) {
  auto at = values.begin() + std::min(size_t(share * double(values.size())), values.size() - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void Field::judge() {
  if (points.empty())
    return;
  double sum = 0, squares = 0, count = double(points.size());
  for (const Point &point : points)
    sum += point.logarithm, squares += point.logarithm * point.logarithm;
  all = {sum / count, std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)))};
  std::vector<double> deviations;
  for (const Point &point : points) {
    Estimate estimate = interpolate(point.place, &point);
    deviations.push_back((point.logarithm - estimate.mean) / estimate.deviation);
  }
  lowQuantile = takeQuantile(deviations, 0.1);
  highQuantile = takeQuantile(deviations, 0.9);
}

Field::Validation Field::validate() const {
  std::vector<double> factors;
  for (const Point &point : points)
    factors.push_back(std::exp(std::fabs(point.logarithm - interpolate(point.place, &point).mean)));
  return {points.size(), takeQuantile(factors, 0.5), takeQuantile(factors, 0.9)};
}
