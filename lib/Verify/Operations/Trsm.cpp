//===- Trsm.cpp - blas.trsm: op(A) X = alpha * B, solved for X ------------===//
//
// Solutions are compared by two tests. With small integers the solution Y is known, since B is
// made from it, and X must be equal to alpha Y; with uniform data, whose rows are graded, the
// residual is bounded, element by element:
//
//   |op(A) X - alpha B| <= (K + 4) u (|op(A)||X| + |alpha B|)
//
// Where the plan inverts blocks on the diagonal, integers are such that inverses are integers, too,
// and of order b they may leave a residual of b u |op(A)||op(A)^-1||op(A)||X| (Higham, Accuracy and
// Stability, 14.2), with the inverse of the comparison matrix for |op(A)^-1|.
//
// A quotient of complex elements is right as a whole, not in each component: the bound of both is
// then the sum of theirs, with 2 K + 8 for K + 4.
//
//===----------------------------------------------------------------------===//

#include "Engine/OperationRun.h"
#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

/// Above so many operations, residuals of this many vectors are looked at.
static constexpr double kFullOperations = 0x1p33;
static constexpr int64_t kSampledVectors = 64;

namespace {
class TrsmModel final : public TriangularModel {
public:
  TrsmModel() : TriangularModel(operation::Routine::Trsm) {}

private:
  bool matches(Operation *op) const override { return isa<blas::TrsmOp>(op); }

  void chooseRange(OperationRun &run, const TriangularRun &triangular) const override;
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

/// 1, -1, and of complex elements i and -i.
static Scalar unitOf(Scalar integers, int64_t parts) {
  double re = std::copysign(1, integers.real()), im = std::copysign(1, integers.imag());
  return parts == 2 && std::fabs(integers.real()) > std::fabs(integers.imag()) ? Scalar(0, im) : re;
}

/// The element (i, j) of a triangle D + N whose inverses are to be exact: D is 1, -1, .., and N
/// leads from even rows to odd columns only, so that N D^-1 N is 0 and the inverse D^-1 - D^-1 N
/// D^-1.
static Scalar invertible(const TriangularRun &run, int64_t i, int64_t j, Scalar drawn) {
  if (i == j)
    return unitOf(drawn, componentsOf(run.elementA));
  return i % 2 == 0 && j % 2 == 1 ? drawn : 0;
}

/// An inverse has integers as large as A's, and meets linear combinations of these and of the
/// solution's.
void TrsmModel::chooseRange(OperationRun &run, const TriangularRun &triangular) const {
  int64_t terms = triangular.order() * triangular.parts();
  if (!triangular.triangle->inverts)
    return run.chooseRange(triangular.element, terms);
  terms *= triangular.blockOrder() * triangular.parts();
  for (int64_t most = 8; most > 0; most /= 2)
    if (run.chooseRange(triangular.element, terms * most, most); run.range == most)
      return;
  run.range = 0;
}

/// Integers; else off-diagonal elements 4 / order at most, and a diagonal of 1 to 1.5, in rows that
/// are scaled by 2^-6 to 2^6.
Scalar TrsmModel::valueOf(const TriangularRun &run, int64_t i, int64_t j, Scalar drawn) const {
  if (run.exact && run.triangle->inverts)
    return invertible(run, i, j, drawn);
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

/// The vectors whose residuals are looked at: all rows and columns, or of one of them a sample.
namespace {
struct SampledVectors {
  std::vector<int64_t> rows, columns;
  bool sampled;
};
} // namespace

static SampledVectors vectorsOf(const TriangularRun &run) {
  SampledVectors vectors{upTo(run.output.rows), upTo(run.output.columns), false};
  double operations = 2.0 * run.batches() * run.output.rows * run.output.columns * run.order();
  vectors.sampled = operations * run.parts() * run.parts() > kFullOperations;
  std::vector<int64_t> &of = run.triangle->right ? vectors.rows : vectors.columns, some;
  int64_t step = vectors.sampled ? std::max<int64_t>(1, of.size() / kSampledVectors) : 1;
  for (int64_t vector = of.size() - 1; vector >= 0; vector -= step)
    some.push_back(vector);
  of = some;
  return vectors;
}

/// |T_ij| of the triangle that a vector is multiplied with, where vectors are columns.
static std::vector<double> magnitudesOf(const TriangularData &data, const TriangularRun &run,
                                        int64_t batch) {
  int64_t order = run.order();
  std::vector<double> magnitudes(order * order);
  for (int64_t i = 0; i < order; ++i)
    for (int64_t j = 0; j < order; ++j) {
      int64_t at = run.entering.at(batch, run.triangle->right ? j : i, run.triangle->right ? i : j);
      magnitudes[i * order + j] = magnitudeOf(elementAt(data.a, run.elementA, at));
    }
  return magnitudes;
}

/// |T| M^-1 v for the comparison matrix M of T, triangular either way: more than |T||T^-1| v.
static std::vector<double> amplified(const std::vector<double> &t, const std::vector<double> &v) {
  int64_t order = v.size();
  bool isUpper = order > 1 && std::any_of(t.begin() + 1, t.begin() + order,
                                          [](double magnitude) { return magnitude != 0; });
  std::vector<double> z(order), w(order);
  for (int64_t step = 0; step < order; ++step) {
    int64_t i = isUpper ? order - 1 - step : step;
    double sum = 0;
    for (int64_t j = isUpper ? i + 1 : 0; j < (isUpper ? order : i); ++j)
      sum += t[i * order + j] * z[j];
    z[i] = (v[i] + sum) / t[i * order + i];
    w[i] = sum + t[i * order + i] * z[i];
  }
  return w;
}

/// Where each index is in the list.
static std::vector<int64_t> placesOf(const std::vector<int64_t> &indices, int64_t size) {
  std::vector<int64_t> places(size);
  for (size_t place = 0; place < indices.size(); ++place)
    places[indices[place]] = place;
  return places;
}

namespace {
/// op(A) X of one batch entry, and what its bound is made of.
class Residual {
public:
  Residual(const TriangularData &data, const void *x, const TriangularRun &run,
           const SampledVectors &vectors, int64_t batch)
      : data(data), run(run), vectors(vectors), batch(batch),
        dots(vectors.rows.size() * vectors.columns.size() * run.parts()) {
    std::vector<int64_t> rows = placesOf(vectors.rows, run.output.rows),
                         columns = placesOf(vectors.columns, run.output.columns);
    multiply(factorsOf(data.a, x, run.output, batch, run), vectors.rows, vectors.columns,
             [&](const DotBlock &block) {
               int64_t width = block.columns.size(), parts = run.parts();
               for (int64_t at = 0; at < int64_t(block.dots.size()); ++at)
                 dots[place(rows[block.rows[at / parts / width]],
                            columns[block.columns[at / parts % width]]) +
                      at % parts] = block.dots[at];
             });
    if (run.triangle->inverts)
      amplify();
  }

  void compare(Finding &finding) const {
    for (size_t i = 0; i < vectors.rows.size(); ++i)
      for (size_t j = 0; j < vectors.columns.size(); ++j) {
        ComparedElement element = elementAt(i, j);
        note(finding, element.ratio <= 1, "op(A) X", element);
      }
  }

private:
  int64_t place(int64_t i, int64_t j) const {
    return (i * int64_t(vectors.columns.size()) + j) * run.parts();
  }
  double magnitude(int64_t i, int64_t j) const {
    const Dot *dot = &dots[place(i, j)];
    return dot[0].magnitude + (run.parts() == 2 ? dot[1].magnitude : 0);
  }
  void amplify();
  ComparedElement elementAt(int64_t i, int64_t j) const;

  const TriangularData &data;
  const TriangularRun &run;
  const SampledVectors &vectors;
  int64_t batch;
  std::vector<Dot> dots;
  std::vector<double> ofInverses; ///< |op(A)||op(A)^-1||op(A)||X|, where that counts.
};
} // namespace

void Residual::amplify() {
  ofInverses.resize(vectors.rows.size() * vectors.columns.size());
  std::vector<double> t = magnitudesOf(data, run, batch), v(run.order());
  bool right = run.triangle->right;
  size_t count = (right ? vectors.rows : vectors.columns).size(), width = vectors.columns.size();
  for (size_t vector = 0; vector < count; ++vector) {
    for (int64_t i = 0; i < run.order(); ++i)
      v[i] = right ? magnitude(vector, i) : magnitude(i, vector);
    std::vector<double> w = amplified(t, v);
    for (int64_t i = 0; i < run.order(); ++i)
      ofInverses[right ? vector * width + i : i * width + vector] = w[i];
  }
}

/// Element (rows[i], columns[j]), and its error over its bound.
ComparedElement Residual::elementAt(int64_t i, int64_t j) const {
  int64_t parts = run.parts(), row = vectors.rows[i], column = vectors.columns[j];
  const Dot *dot = &dots[place(i, j)];
  Scalar b = verify::elementAt(data.b, run.element, run.input.at(batch, row, column));
  std::complex<long double> wanted =
      std::complex<long double>(run.alpha) * std::complex<long double>(b);
  double sums = magnitude(i, j) + magnitudeOf(run.alpha) * magnitudeOf(b);
  double bound = (run.order() + 4) * sums;
  if (run.triangle->inverts)
    bound += 4 * run.blockOrder() * ofInverses[i * vectors.columns.size() + j];
  bound = parts * roundoff(run.element) * bound + std::numeric_limits<float>::denorm_min();
  double error = 0;
  for (int64_t part = 0; part < parts; ++part) {
    long double known = part ? wanted.imag() : wanted.real();
    double rest = std::fabs((dot[part].sum - known) + dot[part].rest);
    error = std::isnan(rest) ? rest : std::max(error, rest);
  }
  Scalar sum{dot[0].sum, parts == 2 ? dot[1].sum : 0};
  return {batch, row, column, sum, Scalar(wanted), error / bound, parts};
}

static Finding compareResidual(const TriangularData &data, const void *x,
                               const TriangularRun &run) {
  Finding finding;
  SampledVectors vectors = vectorsOf(run);
  finding.sampled = vectors.sampled;
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    Residual(data, x, run, vectors, batch).compare(finding);
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
