//===- Triangular.cpp - Test data and checks with a triangular matrix -----===//

#include "rooftile/Verify/Operations/Triangular.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>

using namespace rooftile::verify;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// Above so many operations, residuals of this many lines are looked at.
static constexpr double kFullOperations = 0x1p33;
static constexpr int64_t kSampledLines = 64;

static double get(const void *data, Element element, int64_t at) {
  return element == Element::F32 ? static_cast<const float *>(data)[at]
                                 : static_cast<const double *>(data)[at];
}

static void set(void *data, Element element, int64_t at, double value) {
  if (element == Element::F32)
    static_cast<float *>(data)[at] = float(value);
  else
    static_cast<double *>(data)[at] = value;
}

static std::vector<int64_t> upTo(int64_t size) {
  std::vector<int64_t> indices(size);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static bool isRead(const Triangle &triangle, int64_t i, int64_t j) {
  return i == j ? !triangle.unit : triangle.lower == (i > j);
}

/// +-1, +-2, +-4, ...: division by it is exact.
static double powerOfTwo(double integer) {
  return std::copysign(std::exp2(std::floor(std::log2(std::fabs(integer)))), integer);
}

/// The element that a matrix to multiply or to solve with has where `drawn` was drawn.
static double valueOf(const TriangularRun &run, bool diagonal, double drawn) {
  if (!run.triangle.solves)
    return drawn;
  if (run.exact)
    return diagonal ? powerOfTwo(drawn) : drawn;
  return diagonal ? std::copysign(1 + std::fabs(drawn) / 2, drawn) : drawn / run.order();
}

void rooftile::verify::fillTriangle(void *a, const TriangularRun &run, int64_t range,
                                    uint64_t seed) {
  int64_t count = run.order() * run.order();
  View view;
  view.sizes = {int64_t(run.stored.batch.size()), count};
  view.strides = {count, 1};
  std::vector<double> drawn(view.elements());
  Values values{run.exact ? Values::Integers : Values::Uniform, std::max<int64_t>(range, 1), seed};
  fill(drawn.data(), Element::F64, view, values);
  auto next = drawn.begin();
  for (int64_t batch = 0; batch < view.sizes[0]; ++batch)
    for (int64_t i = 0; i < run.order(); ++i)
      for (int64_t j = 0; j < run.order(); ++j, ++next) {
        bool read = run.alpha != 0 && isRead(run.triangle, i, j);
        set(a, run.element, run.stored.at(batch, i, j), read ? valueOf(run, i == j, *next) : kNaN);
      }
}

std::vector<char> rooftile::verify::expandTriangle(const void *a, int64_t bytes,
                                                   const TriangularRun &run) {
  std::vector<char> expanded(bytes);
  if (bytes > 0)
    std::memcpy(expanded.data(), a, bytes);
  for (int64_t batch = 0; batch < int64_t(run.stored.batch.size()); ++batch)
    for (int64_t i = 0; i < run.order(); ++i)
      for (int64_t j = 0; j < run.order(); ++j)
        if (!isRead(run.triangle, i, j))
          set(expanded.data(), run.element, run.stored.at(batch, i, j), i == j ? 1 : 0);
  return expanded;
}

/// op(A) * Y, or Y * op(A).
static Factors factorsOf(const void *expanded, const void *y, const Matrices &walk, int64_t batch,
                         const TriangularRun &run) {
  Factor a{run.element, expanded, run.entering}, other{run.element, y, walk};
  bool compensate = run.element == Element::F64;
  if (run.triangle.right)
    return {other, a, batch, compensate};
  return {a, other, batch, compensate};
}

void rooftile::verify::multiplyInto(void *b, const void *expanded, const TriangularRun &run) {
  std::vector<int64_t> rows = upTo(run.input.rows), columns = upTo(run.input.columns);
  std::vector<double> product(rows.size() * columns.size());
  for (int64_t batch = 0; batch < run.batches(); ++batch) {
    multiply(factorsOf(expanded, b, run.input, batch, run), rows, columns,
             [&](const DotBlock &block) {
               int64_t width = block.columns.size();
               for (int64_t at = 0; at < int64_t(block.dots.size()); ++at)
                 product[block.rows[at / width] * columns.size() + block.columns[at % width]] =
                     block.dots[at].sum;
             });
    for (int64_t i : rows)
      for (int64_t j : columns)
        set(b, run.element, run.input.at(batch, i, j), product[i * columns.size() + j]);
  }
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

namespace {
/// One element compared.
struct Compared {
  int64_t batch, i, j;
  double got, wanted, ratio;
};
} // namespace

static void note(Finding &finding, bool right, const char *what, const Compared &element) {
  finding.compared += 1;
  finding.ratio = std::max(finding.ratio, std::isnan(element.ratio) ? INFINITY : element.ratio);
  if (right || ++finding.wrong > 1)
    return;
  char text[200];
  std::snprintf(text, sizeof(text), "%s[%lld, %lld] of batch entry %lld is %.17g, expected %.17g",
                what, (long long)element.i, (long long)element.j, (long long)element.batch,
                element.got, element.wanted);
  finding.first = text;
}

/// Every element equals `expected(batch, i, j)`.
template <typename Expected>
static Finding compareExactly(const void *output, const TriangularRun &run, Expected expected) {
  Finding finding;
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    for (int64_t i = 0; i < run.output.rows; ++i)
      for (int64_t j = 0; j < run.output.columns; ++j) {
        double got = get(output, run.element, run.output.at(batch, i, j));
        double wanted = expected(batch, i, j);
        bool right = got == wanted;
        note(finding, right, "element", {batch, i, j, got, wanted, right ? 0 : INFINITY});
      }
  return finding;
}

static Finding compareResidual(const void *expanded, const void *b, const void *x,
                               const TriangularRun &run) {
  Finding finding;
  std::mutex mutex;
  std::vector<int64_t> rows = upTo(run.output.rows), columns = upTo(run.output.columns);
  double operations = 2.0 * run.batches() * rows.size() * columns.size() * run.order();
  finding.sampled = operations > kFullOperations;
  std::vector<int64_t> &lines = run.triangle.right ? rows : columns, some;
  int64_t step = finding.sampled ? std::max<int64_t>(1, lines.size() / kSampledLines) : 1;
  for (int64_t line = lines.size() - 1; line >= 0; line -= step)
    some.push_back(line);
  lines = some;
  double u = roundoff(run.element), least = std::numeric_limits<float>::denorm_min();
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    multiply(
        factorsOf(expanded, x, run.output, batch, run), rows, columns, [&](const DotBlock &block) {
          std::lock_guard<std::mutex> lock(mutex);
          int64_t width = block.columns.size();
          for (int64_t at = 0; at < int64_t(block.dots.size()); ++at) {
            const Dot &dot = block.dots[at];
            int64_t i = block.rows[at / width], j = block.columns[at % width];
            double wanted = run.alpha * get(b, run.element, run.input.at(batch, i, j));
            double error = std::fabs((dot.sum - wanted) + dot.rest);
            double bound = (run.order() + 4) * u * (dot.magnitude + std::fabs(wanted)) + least;
            note(finding, error <= bound, "op(A) X", {batch, i, j, dot.sum, wanted, error / bound});
          }
        });
  return finding;
}

Finding rooftile::verify::compareTriangular(const void *expanded, const void *b,
                                            const void *solution, const void *output,
                                            const TriangularRun &run) {
  if (run.alpha == 0)
    return compareExactly(output, run, [](int64_t, int64_t, int64_t) { return 0.0; });
  if (run.triangle.solves && run.exact)
    return compareExactly(output, run, [&](int64_t batch, int64_t i, int64_t j) {
      return run.alpha * get(solution, run.element, run.input.at(batch, i, j));
    });
  if (run.triangle.solves)
    return compareResidual(expanded, b, output, run);
  Factors factors = factorsOf(expanded, b, run.input, 0, run);
  Product product{
      run.element, run.element, factors.left, factors.right, run.output, b, output, run.alpha, 0};
  return compare(product, run.exact);
}
