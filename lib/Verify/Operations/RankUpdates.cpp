//===- RankUpdates.cpp - blas.syrk, herk, syr2k, her2k --------------------===//
//
// Compared as one product: of two matrices as that of
//
//   [alpha op(A), alpha' op(B)] [op(B), op(A)]^T      alpha' = conj(alpha) for her2k
//
// with K twice as long. The other triangle of C is NaN, and must stay so.
//
//===----------------------------------------------------------------------===//

#include "Engine/OperationRun.h"
#include "Symmetric.h"
#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
template <typename Op> class RankUpdateModel final : public SymmetricModel {
public:
  explicit RankUpdateModel(operation::Routine routine)
      : SymmetricModel(routine), two(takesB()), hermitian(isHermitian()) {}

  /// With what it draws of its relatives.
  int share() const override { return std::is_same_v<Op, blas::SyrkOp> ? 15 : 0; }
  bool matches(Operation *op) const override { return isa<Op>(op); }
  FailureOr<Site> describe(Operation *op) const override {
    auto facts = std::make_shared<SymmetricFacts>();
    FailureOr<Site> site = describeAs(op, facts);
    if (succeeded(site))
      site->transposedA = site->transposedB = cast<Op>(op).getTranspose() != blas::Transpose::None;
    return site;
  }

  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &site) const override {
    return std::string(site.as<SymmetricFacts>().lower ? "lower " : "upper ") +
           (site.transposedA ? (hermitian ? "c" : "t") : "n");
  }
  Traffic traffic(const Outcome &outcome) const override {
    double elements = double(outcome.m) * outcome.k * (outcome.sharedA ? 1 : outcome.batch);
    return {elements, two ? elements : 0, outcome.readsC};
  }

private:
  std::string attributesOf(const Case &single) const override {
    return " uplo<" + single["uplo"] + ">" +
           (single.isTransposed(0) ? hermitian ? " op<c>" : " op<t>" : "");
  }

  static OneTriangle triangleOf(const Site &site, bool real) {
    return {site.as<SymmetricFacts>().lower ? Part::Lower : Part::Upper, false, real};
  }
  Whole expand(const OperationRun &run, bool left) const;

  bool two, hermitian;
};
} // namespace

template <typename Op> void RankUpdateModel<Op>::prepare(OperationRun &run) const {
  const Operand *operands = run.operands;
  Matrices a = matricesOf(operands[0].view, run.site->transposedA, 1);
  Matrices b = matricesOf(operands[1].view, run.site->transposedB, 1);
  Matrices c = matricesOf(operands[2].view, false, 1);
  if (c.rows != c.columns)
    run.refuse("operand C is " + shapeOf(c) + ", expected a square");
  if (a.rows != c.rows || b.rows != a.rows || b.columns != a.columns)
    run.refuse("sizes do not match: op(A) is " + shapeOf(a) +
               (two ? ", op(B) is " + shapeOf(b) : "") + ", C is " + shapeOf(c));
  for (int input : {0, 1})
    if (operands[input].view.sizes.size() != 2 && (input ? b : a).batch.size() != c.batch.size())
      run.refuse(std::string("operand ") + "AB"[input] + " has another batch than C");
  requireApart(run, /*inPlace=*/false);
  state(run, a.columns);
  run.chooseRange(run.site->sum, (two ? 2 : 1) * a.columns * componentsOf(run.site->sum));
  fillInputs(run, two);
  run.fillOutput();
  poisonRestOfOutput(run, triangleOf(*run.site, hermitian));
}

/// The left factor, or what the right one is the transposed of.
template <typename Op> Whole RankUpdateModel<Op>::expand(const OperationRun &run, bool left) const {
  const Site &site = *run.site;
  int64_t batch = run.outcome->batch, n = run.outcome->m, k = run.outcome->k;
  Whole whole(batch, n, two ? 2 * k : k, componentsOf(site.element) == 2);
  bool scales = two && hermitian && left;
  for (int half = 0; half < (two ? 2 : 1); ++half) {
    bool ofA = (half == 0) == left || !two;
    const void *data = (ofA ? run.a : run.b).data.get();
    Matrices walk = matricesOf(run.operands[ofA ? 0 : 1].view, site.transposedA, batch);
    std::complex<double> factor = !scales ? 1 : half == 0 ? run.alpha : std::conj(run.alpha);
    for (int64_t entry = 0; entry < batch; ++entry)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < k; ++j) {
          std::complex<double> number = elementAt(data, site.element, walk.at(entry, i, j));
          if (hermitian && site.transposedA)
            number = std::conj(number);
          whole.set(entry, i, half * k + j, factor == 1.0 ? number : factor * number);
        }
  }
  return whole;
}

template <typename Op> Finding RankUpdateModel<Op>::compare(OperationRun &run) const {
  const Site &site = *run.site;
  Whole left = expand(run, true), right = expand(run, false);
  OneTriangle triangle = triangleOf(site, hermitian);
  Product product;
  product.sum = site.sum, product.element = site.element;
  product.left = left.factor(), product.right = right.factor(/*transposed=*/true, hermitian);
  product.result = matricesOf(run.operands[2].view, false, run.outcome->batch);
  product.before = run.before(), product.after = run.after();
  product.alpha = two && hermitian && run.alpha != 0.0 ? 1 : run.alpha;
  product.beta = run.beta;
  product.part = triangle.part, product.realDiagonal = hermitian;
  product.seed = run.seed;
  Finding finding = verify::compare(product, run.isExact());
  compareRest(run, triangle, finding);
  return finding;
}

const OperationModel &rooftile::verify::syrkModel() {
  static const RankUpdateModel<blas::SyrkOp> model(operation::Routine::Syrk);
  return model;
}
const OperationModel &rooftile::verify::herkModel() {
  static const RankUpdateModel<blas::HerkOp> model(operation::Routine::Herk);
  return model;
}
const OperationModel &rooftile::verify::syr2kModel() {
  static const RankUpdateModel<blas::Syr2kOp> model(operation::Routine::Syr2k);
  return model;
}
const OperationModel &rooftile::verify::her2kModel() {
  static const RankUpdateModel<blas::Her2kOp> model(operation::Routine::Her2k);
  return model;
}
