//===- Trsm.cpp - blas.trsm: op(A) X = alpha * B, solved for X ------------===//
//
// Solutions are compared by two tests. With small integers the solution Y is known, since B is
// made from it, and X must be equal to alpha Y; with uniform data, whose rows are graded, the
// residual is bounded, element by element:
//
//   |op(A) X - alpha B| <= (K + 4) u (|op(A)||X| + |alpha B|)
//
// A quotient of complex numbers is right as a whole, not in each part: the bound of both parts is
// then the sum of theirs, with 2 K + 8 for K + 4.
//
//===----------------------------------------------------------------------===//

#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

/// Above so many operations, residuals of this many lines are looked at.
static constexpr double kFullOperations = 0x1p33;
static constexpr int64_t kSampledLines = 64;

namespace {
class TrsmModel final : public TriangularModel {
  const char *name() const override { return "trsm"; }
  bool matches(Operation *op) const override { return isa<blas::TrsmOp>(op); }

  bool takesNarrowTypes() const override { return false; }
  Scalar valueOf(const TriangularRun &run, int64_t i, int64_t j, Scalar drawn) const override;
  void makeInput(void *b, const void *a, const TriangularRun &run) const override;
  Finding compareWith(const TriangularData &data, const void *output,
                      const TriangularRun &run) const override;
};
} // namespace

/// +-1, +-2, +-4, ...
static double powerOfTwo(double integer) {
  return std::copysign(std::exp2(std::floor(std::log2(std::fabs(integer)))), integer);
}

/// A number that division by is exact: a power of two, or with i, or 1 + i or 1 - i times one.
static Scalar exactDivisor(Scalar integers, int64_t parts) {
  double re = powerOfTwo(integers.real());
  if (parts == 1)
    return re;
  double im = powerOfTwo(integers.imag()), most = std::max(std::fabs(re), std::fabs(im));
  return {std::fabs(re) == most ? re : 0, std::fabs(im) == most ? im : 0};
}

/// Integers; else off-diagonal elements 4 / order at most, and a diagonal of 1 to 1.5, in rows that
/// are scaled by 2^-6 to 2^6.
Scalar TrsmModel::valueOf(const TriangularRun &run, int64_t i, int64_t j, Scalar drawn) const {
  if (run.exact)
    return i == j ? exactDivisor(drawn, componentsOf(run.elementA)) : drawn;
  double grade = std::ldexp(1, (i * 5) % 13 - 6), length = std::abs(drawn);
  if (i != j)
    return grade * 4 / run.order() * drawn;
  return length == 0 ? grade : grade * (1 + std::min(length, 1.0) / 2) / length * drawn;
}

/// Replaces Y in `b` by op(A) * Y (or Y * op(A)), which is exact for integers.
void TrsmModel::makeInput(void *b, const void *a, const TriangularRun &run) const {
  if (!run.exact)
    return;
  std::vector<int64_t> rows = upTo(run.input.rows), columns = upTo(run.input.columns);
  int64_t parts = run.parts();
  std::vector<Scalar> product(rows.size() * columns.size());
  for (int64_t batch = 0; batch < run.batches(); ++batch) {
    multiply(factorsOf(a, b, run.input, batch, run), rows, columns, [&](const DotBlock &block) {
      int64_t width = block.columns.size();
      for (int64_t at = 0; at < int64_t(block.dots.size()) / parts; ++at)
        product[block.rows[at / width] * columns.size() + block.columns[at % width]] = {
            block.dots[at * parts].sum, parts == 2 ? block.dots[at * parts + 1].sum : 0};
    });
    for (int64_t i : rows)
      for (int64_t j : columns)
        setElement(b, run.element, run.input.at(batch, i, j), product[i * columns.size() + j]);
  }
}

/// Element (i, j) of the residual and its bound.
static ComparedElement residualAt(const TriangularData &data, const TriangularRun &run,
                                  std::array<int64_t, 3> place, const Dot *dots) {
  using Wide = std::complex<long double>;
  auto [batch, i, j] = place;
  int64_t parts = run.parts();
  Scalar b = elementAt(data.b, run.element, run.input.at(batch, i, j));
  Wide wanted = Wide(run.alpha) * Wide(b);
  bool whole = parts == 2;
  Scalar sum{dots[0].sum, whole ? dots[1].sum : 0};
  double magnitude =
      dots[0].magnitude + (whole ? dots[1].magnitude : 0) + magnitudeOf(run.alpha) * magnitudeOf(b);
  double terms = (run.order() + 4) * parts, least = std::numeric_limits<float>::denorm_min();
  double bound = terms * roundoff(run.element) * magnitude + least, error = 0;
  for (int64_t part = 0; part < parts; ++part) {
    long double known = part ? wanted.imag() : wanted.real();
    long double rest = (dots[part].sum - known) + dots[part].rest;
    error = std::isnan(error) ? error : std::max<double>(error, std::fabs(rest));
    error = std::isnan(rest) ? double(rest) : error;
  }
  return {batch, i, j, sum, Scalar(wanted), error / bound, parts};
}

static Finding compareResidual(const TriangularData &data, const void *x,
                               const TriangularRun &run) {
  Finding finding;
  std::mutex mutex;
  std::vector<int64_t> rows = upTo(run.output.rows), columns = upTo(run.output.columns);
  int64_t parts = run.parts();
  double operations = 2.0 * run.batches() * rows.size() * columns.size() * run.order();
  finding.sampled = operations * parts * parts > kFullOperations;
  std::vector<int64_t> &lines = run.triangle->right ? rows : columns, some;
  int64_t step = finding.sampled ? std::max<int64_t>(1, lines.size() / kSampledLines) : 1;
  for (int64_t line = lines.size() - 1; line >= 0; line -= step)
    some.push_back(line);
  lines = some;
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    multiply(
        factorsOf(data.a, x, run.output, batch, run), rows, columns, [&](const DotBlock &block) {
          std::lock_guard<std::mutex> lock(mutex);
          int64_t width = block.columns.size(), count = block.rows.size() * width;
          for (int64_t at = 0; at < count; ++at) {
            std::array<int64_t, 3> place{batch, block.rows[at / width], block.columns[at % width]};
            ComparedElement element = residualAt(data, run, place, &block.dots[at * parts]);
            note(finding, element.ratio <= 1, "op(A) X", element);
          }
        });
  return finding;
}

Finding TrsmModel::compareWith(const TriangularData &data, const void *output,
                               const TriangularRun &run) const {
  if (!run.exact)
    return compareResidual(data, output, run);
  return compareExactly(output, run, [&](int64_t batch, int64_t i, int64_t j) {
    return run.alpha * elementAt(data.drawn, run.element, run.input.at(batch, i, j));
  });
}

const OperationModel &rooftile::verify::trsmModel() {
  static const TrsmModel model;
  return model;
}
