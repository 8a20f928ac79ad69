//===- Trsm.cpp - blas.trsm: op(A) X = alpha * B, solved for X ------------===//
//
// Solutions are compared by two tests. With small integers the solution Y is known, since B is
// made from it, and X must be equal to alpha Y; with uniform data, of a matrix that is
// well-conditioned, the residual is bounded, element by element:
//
//   |op(A) X - alpha B| <= (K + 4) u (|op(A)||X| + |alpha B|)
//
//===----------------------------------------------------------------------===//

#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <algorithm>
#include <cmath>
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

  double valueOf(const TriangularRun &run, bool diagonal, double drawn) const override;
  void makeInput(void *b, const void *a, const TriangularRun &run) const override;
  Finding compareWith(const TriangularData &data, const void *output,
                      const TriangularRun &run) const override;
};
} // namespace

/// +-1, +-2, +-4, ...: division by it is exact.
static double powerOfTwo(double integer) {
  return std::copysign(std::exp2(std::floor(std::log2(std::fabs(integer)))), integer);
}

/// Integers, and powers of two on the diagonal; else off-diagonal elements / order, and +-[1, 1.5).
double TrsmModel::valueOf(const TriangularRun &run, bool diagonal, double drawn) const {
  if (run.exact)
    return diagonal ? powerOfTwo(drawn) : drawn;
  return diagonal ? std::copysign(1 + std::fabs(drawn) / 2, drawn) : drawn / run.order();
}

/// Replaces Y in `b` by op(A) * Y (or Y * op(A)), which is exact for integers.
void TrsmModel::makeInput(void *b, const void *a, const TriangularRun &run) const {
  if (!run.exact)
    return;
  std::vector<int64_t> rows = upTo(run.input.rows), columns = upTo(run.input.columns);
  std::vector<double> product(rows.size() * columns.size());
  for (int64_t batch = 0; batch < run.batches(); ++batch) {
    multiply(factorsOf(a, b, run.input, batch, run), rows, columns, [&](const DotBlock &block) {
      int64_t width = block.columns.size();
      for (int64_t at = 0; at < int64_t(block.dots.size()); ++at)
        product[block.rows[at / width] * columns.size() + block.columns[at % width]] =
            block.dots[at].sum;
    });
    for (int64_t i : rows)
      for (int64_t j : columns)
        setElement(b, run.element, run.input.at(batch, i, j), product[i * columns.size() + j]);
  }
}

static Finding compareResidual(const TriangularData &data, const void *x,
                               const TriangularRun &run) {
  Finding finding;
  std::mutex mutex;
  std::vector<int64_t> rows = upTo(run.output.rows), columns = upTo(run.output.columns);
  double operations = 2.0 * run.batches() * rows.size() * columns.size() * run.order();
  finding.sampled = operations > kFullOperations;
  std::vector<int64_t> &lines = run.triangle->right ? rows : columns, some;
  int64_t step = finding.sampled ? std::max<int64_t>(1, lines.size() / kSampledLines) : 1;
  for (int64_t line = lines.size() - 1; line >= 0; line -= step)
    some.push_back(line);
  lines = some;
  double u = roundoff(run.element), least = std::numeric_limits<float>::denorm_min();
  for (int64_t batch = 0; batch < run.batches(); ++batch)
    multiply(
        factorsOf(data.a, x, run.output, batch, run), rows, columns, [&](const DotBlock &block) {
          std::lock_guard<std::mutex> lock(mutex);
          int64_t width = block.columns.size();
          for (int64_t at = 0; at < int64_t(block.dots.size()); ++at) {
            const Dot &dot = block.dots[at];
            int64_t i = block.rows[at / width], j = block.columns[at % width];
            double wanted = run.alpha * elementAt(data.b, run.element, run.input.at(batch, i, j));
            double error = std::fabs((dot.sum - wanted) + dot.rest);
            double bound = (run.order() + 4) * u * (dot.magnitude + std::fabs(wanted)) + least;
            note(finding, error <= bound, "op(A) X", {batch, i, j, dot.sum, wanted, error / bound});
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
