//===- SymmetricProducts.cpp - blas.symm and blas.hemm --------------------===//
//
// Compared as a product with both triangles of A; the one that is not read is NaN.
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
template <typename Op> class SymmetricProductModel final : public SymmetricModel {
public:
  explicit SymmetricProductModel(operation::Routine routine)
      : SymmetricModel(routine), hermitian(isHermitian()) {}

  bool matches(Operation *op) const override { return isa<Op>(op); }
  FailureOr<Site> describe(Operation *op) const override {
    auto facts = std::make_shared<SymmetricFacts>();
    facts->right = cast<Op>(op).getSide() == blas::Side::Right;
    return describeAs(op, facts);
  }

  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &site) const override {
    const auto &facts = site.as<SymmetricFacts>();
    return std::string(facts.right ? "right " : "left ") + (facts.lower ? "lower" : "upper");
  }
  Traffic traffic(const Outcome &outcome) const override {
    double k = outcome.k, ofB = double(outcome.m) * outcome.n;
    return {k * (k + 1) / 2 * (outcome.sharedA ? 1 : outcome.batch),
            ofB * (outcome.sharedB ? 1 : outcome.batch), outcome.readsC};
  }

private:
  std::string attributesOf(const Case &single) const override {
    return " side<" + single["side"] + "> uplo<" + single["uplo"] + ">";
  }

  bool hermitian;
};
} // namespace

template <typename Op> void SymmetricProductModel<Op>::prepare(OperationRun &run) const {
  const Operand *operands = run.operands;
  const auto &facts = run.site->as<SymmetricFacts>();
  Matrices a = matricesOf(operands[0].view, false, 1), b = matricesOf(operands[1].view, false, 1);
  Matrices c = matricesOf(operands[2].view, false, 1);
  if (a.rows != a.columns)
    run.refuse("operand A is " + shapeOf(a) + ", expected a square");
  if (a.rows != (facts.right ? c.columns : c.rows) || b.rows != c.rows || b.columns != c.columns)
    run.refuse("sizes do not match: A is " + shapeOf(a) + ", B is " + shapeOf(b) + ", C is " +
               shapeOf(c));
  for (int input : {0, 1})
    if (operands[input].view.sizes.size() != 2 && (input ? b : a).batch.size() != c.batch.size())
      run.refuse(std::string("operand ") + "AB"[input] + " has another batch than C");
  requireApart(run, /*inPlace=*/false);
  Operand triangles = operands[0]; // one may stand for a whole batch
  triangles.view = withoutRepeats(triangles.view);
  if (overlapsItself(triangles))
    run.refuse("operand A overlaps itself: a triangle of it cannot be told from the rest");
  state(run, a.rows);
  run.chooseRange(run.site->sum, a.rows * componentsOf(run.site->sum));
  fillInputs(run, /*both=*/true);
  OneTriangle triangle{facts.lower ? Part::Lower : Part::Upper, false, hermitian};
  poisonRest(run.a.data.get(), operands[0], triangle);
  run.a.write(run.device);
  run.fillOutput();
}

template <typename Op> Finding SymmetricProductModel<Op>::compare(OperationRun &run) const {
  const Site &site = *run.site;
  const auto &facts = site.as<SymmetricFacts>();
  int64_t batch = run.outcome->batch, order = run.outcome->k;
  Matrices walk = matricesOf(run.operands[0].view, false, batch);
  Whole a(batch, order, order, componentsOf(site.element) == 2);
  for (int64_t entry = 0; entry < batch; ++entry)
    for (int64_t i = 0; i < order; ++i)
      for (int64_t j = 0; j < order; ++j) {
        bool stored = belongs(facts.lower ? Part::Lower : Part::Upper, i, j);
        std::complex<double> number = elementAt(
            run.a.data.get(), site.element, stored ? walk.at(entry, i, j) : walk.at(entry, j, i));
        if (hermitian)
          number = i == j ? number.real() : stored ? number : std::conj(number);
        a.set(entry, i, j, number);
      }
  Factor other{site.element, run.b.data.get(), matricesOf(run.operands[1].view, false, batch),
               false};
  Product product;
  product.sum = site.sum, product.element = site.element;
  product.left = facts.right ? other : a.factor();
  product.right = facts.right ? a.factor() : other;
  product.result = matricesOf(run.operands[2].view, false, batch);
  product.before = run.before(), product.after = run.after();
  product.alpha = run.alpha, product.beta = run.beta;
  product.tileM = run.outcome->tileM, product.tileN = run.outcome->tileN;
  product.seed = run.seed;
  return verify::compare(product, run.isExact());
}

const OperationModel &rooftile::verify::symmModel() {
  static const SymmetricProductModel<blas::SymmOp> model(operation::Routine::Symm);
  return model;
}
const OperationModel &rooftile::verify::hemmModel() {
  static const SymmetricProductModel<blas::HemmOp> model(operation::Routine::Hemm);
  return model;
}
