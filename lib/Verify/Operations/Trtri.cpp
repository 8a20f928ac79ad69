//===- Trtri.cpp - blas.trtri: the inverse of a triangular matrix ---------===//
//
// The residual is bounded, element by element, of a matrix that is well-conditioned:
//
//   |A X - 1| <= (K + 4) u |A| |X|
//
// and for complex elements both components by the sum of theirs, with 2 K and 8, as for blas.trsm.
//
// The other triangles of A and X, and unit diagonals, are NaN, and those of X must stay so.
//
//===----------------------------------------------------------------------===//

#include "Engine/OperationRun.h"
#include "Symmetric.h"
#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
class TrtriModel final : public SymmetricModel {
public:
  TrtriModel() : SymmetricModel(operation::Routine::Trtri) {}

  bool matches(Operation *op) const override { return isa<blas::TrtriOp>(op); }
  FailureOr<Site> describe(Operation *op) const override {
    auto facts = std::make_shared<SymmetricFacts>();
    facts->unit = cast<blas::TrtriOp>(op).getDiag() == blas::Diag::Unit;
    return describeAs(op, facts);
  }

  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &site) const override {
    const auto &facts = site.as<SymmetricFacts>();
    return std::string(facts.lower ? "lower" : "upper") + (facts.unit ? " unit" : "");
  }
  Traffic traffic(const Outcome &outcome) const override {
    return {double(outcome.m) * (outcome.m + 1) / 2 * outcome.batch, 0, false};
  }

private:
  std::string attributesOf(const Case &single) const override {
    return " uplo<" + single["uplo"] + ">" + (single["diag"] == "unit" ? " diag<unit>" : "");
  }
};
} // namespace

static OneTriangle triangleOf(const Site &site) {
  const auto &facts = site.as<SymmetricFacts>();
  return {facts.lower ? Part::Lower : Part::Upper, facts.unit, false};
}

/// Makes values in [-1, 1) a matrix that is well-conditioned: those beside the diagonal / order,
/// and those on it +-[1, 1.5).
static void condition(void *data, const Operand &operand) {
  Matrices matrices = matricesOf(operand.view, false, 1);
  int64_t parts = componentsOf(operand.element);
  withReal(operand.element, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t entry = 0; entry < int64_t(matrices.batch.size()); ++entry)
      for (int64_t i = 0; i < matrices.rows; ++i)
        for (int64_t j = 0; j < matrices.columns; ++j) {
          T *number = static_cast<T *>(data) + matrices.at(entry, i, j) * parts;
          for (int64_t part = 0; part < parts; ++part) {
            double drawn = double(number[part]);
            number[part] = T(i == j && part == 0 ? std::copysign(1 + std::fabs(drawn) / 2, drawn)
                                                 : drawn / matrices.rows);
          }
        }
  });
}

void TrtriModel::prepare(OperationRun &run) const {
  const Operand *operands = run.operands;
  Matrices a = matricesOf(operands[0].view, false, 1), c = matricesOf(operands[2].view, false, 1);
  bool inPlace = operands[0].data == operands[2].data &&
                 operands[0].view.offset == operands[2].view.offset &&
                 operands[0].view.strides == operands[2].view.strides;
  if (c.rows != c.columns || a.rows != c.rows || a.columns != c.columns ||
      a.batch.size() != c.batch.size())
    run.refuse("sizes do not match: A is " + shapeOf(a) + ", C is " + shapeOf(c));
  requireApart(run, inPlace);
  state(run, c.rows);
  run.outcome->readsC = inPlace;
  Values values{Values::Uniform, 1, run.seedOfInputs};
  auto fillWith = [&](void *data, const Operand &operand) {
    fill(data, operand.element, operand.view, values);
    condition(data, operand);
    poisonRest(data, operand, triangleOf(*run.site));
    auto *bytes = static_cast<const char *>(data);
    run.kept.assign(1, {bytes, bytes + operand.spanBytes()});
  };
  run.takeOutput();
  if (operands[2].view.elements() == 0)
    return run.c.write(run.device);
  if (inPlace) {
    fillWith(run.c.at(operands[2].begin()), operands[2]);
  } else {
    run.a.read(run.device, operands[0].begin(), operands[0].spanBytes());
    fillWith(run.a.data.get(), operands[0]);
    run.a.write(run.device);
    fill(run.c.at(operands[2].begin()), operands[2].element, operands[2].view,
         {Values::Poison, 1, run.seed});
  }
  run.c.write(run.device);
}

/// The triangle of a host copy as a whole matrix.
static Whole expand(const void *data, const Operand &operand, const OneTriangle &triangle) {
  Matrices walk = matricesOf(operand.view, false, 1);
  Whole whole(walk.batch.size(), walk.rows, walk.rows, componentsOf(operand.element) == 2);
  for (int64_t entry = 0; entry < int64_t(walk.batch.size()); ++entry)
    for (int64_t i = 0; i < walk.rows; ++i)
      for (int64_t j = 0; j < walk.rows; ++j)
        whole.set(entry, i, j,
                  triangle.holds(i, j)
                      ? elementAt(data, operand.element, walk.at(entry, i, j))
                      : std::complex<double>(triangle.unitDiagonal && i == j ? 1 : 0));
  return whole;
}

Finding TrtriModel::compare(OperationRun &run) const {
  Finding finding;
  if (run.operands[2].view.elements() == 0)
    return finding;
  OneTriangle triangle = triangleOf(*run.site);
  Whole a = expand(run.kept[0].data(), run.operands[0], triangle),
        x = expand(run.after(), run.operands[2], triangle);
  int64_t order = run.outcome->m, parts = componentsOf(run.site->element);
  std::vector<int64_t> all = upTo(order);
  double terms = (order + 4) * parts * roundoff(run.site->element);
  std::mutex mutex;
  auto check = [&](int64_t entry, int64_t i, int64_t j, const Dot *dots) {
    double magnitude = std::numeric_limits<float>::denorm_min() / terms, error = 0;
    for (int64_t part = 0; part < parts; ++part) {
      double wanted = i == j && part == 0 ? 1 : 0;
      magnitude += dots[part].magnitude;
      error = std::max(error, std::fabs((dots[part].sum - wanted) + dots[part].rest));
    }
    Scalar got(dots[0].sum, parts == 2 ? dots[1].sum : 0), wanted = i == j ? 1 : 0;
    double ratio = error / (terms * magnitude);
    note(finding, ratio <= 1, "A X", {entry, i, j, got, wanted, ratio, parts});
  };
  for (int64_t entry = 0; entry < run.outcome->batch; ++entry) {
    Factors factors{a.factor(), x.factor(), entry, realOf(run.site->element) == Element::F64};
    multiply(factors, all, all, [&](const DotBlock &block) {
      std::lock_guard<std::mutex> lock(mutex);
      int64_t width = block.columns.size(), count = block.rows.size() * width;
      for (int64_t at = 0; at < count; ++at)
        if (int64_t i = block.rows[at / width], j = block.columns[at % width];
            belongs(triangle.part, i, j))
          check(entry, i, j, &block.dots[at * parts]);
    });
  }
  compareRest(run, triangle, finding);
  return finding;
}

const OperationModel &rooftile::verify::trtriModel() {
  static const TrtriModel model;
  return model;
}
