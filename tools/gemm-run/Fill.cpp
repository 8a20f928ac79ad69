//===- Fill.cpp - Test data -----------------------------------------------===//

#include "Fill.h"
#include "Reference.h"

#include <limits>

using namespace rooftile::run;

/// SplitMix64 (Steele, Lea, Flood 2014) of a counter.
static uint64_t hash(uint64_t seed, uint64_t counter) {
  uint64_t z = (seed + 1) * 0xD1342543DE82EF95ull + counter * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static double valueAt(const Values &values, uint64_t counter) {
  if (values.kind == Values::Constant)
    return values.constant;
  uint64_t bits = hash(values.seed, counter);
  if (values.kind == Values::Poison)
    return std::numeric_limits<double>::quiet_NaN();
  if (values.kind == Values::Uniform)
    return double(bits >> 11) * 0x1p-52 - 1; // all 53 bits in use
  if (values.kind == Values::Positive)
    return 0.5 + double(bits >> 11) * 0x1p-54;
  int64_t magnitude = 1 + int64_t((bits >> 33) % uint64_t(values.range));
  return double(bits & 1 ? magnitude : -magnitude);
}

/// The parts of an element are numbers of their own.
template <typename T>
static void fillRows(T *data, const Matrices &matrices, int64_t parts, const Values &values) {
  int64_t rows = matrices.rows, count = rows * int64_t(matrices.batch.size());
  auto fillRow = [&](int64_t index) {
    for (int64_t j = 0; j < matrices.columns * parts; ++j)
      data[matrices.at(index / rows, index % rows, j / parts) * parts + j % parts] =
          T(valueAt(values, index * matrices.columns * parts + j));
  };
  if (count * matrices.columns > 100000)
    return parallelFor(count, fillRow);
  for (int64_t index = 0; index < count; ++index)
    fillRow(index);
}

void rooftile::run::fill(void *data, Element element, const View &view, const Values &values) {
  View matrix = view; // a scalar or a vector is a matrix with sizes of 1
  while (matrix.sizes.size() < 2) {
    matrix.sizes.insert(matrix.sizes.begin(), 1);
    matrix.strides.insert(matrix.strides.begin(), 0);
  }
  if (matrix.elements() == 0)
    return;
  Matrices matrices = matricesOf(matrix, false, 1);
  withReal(element, [&](auto zero) {
    fillRows(static_cast<decltype(zero) *>(data), matrices, componentsOf(element), values);
  });
}
