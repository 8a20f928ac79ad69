//===- Reduce.cpp - blas.reduce: C = alpha * sum of slices + beta * C -----===//
//
// Operand A is W, the slices, and there is no B.
//
//===----------------------------------------------------------------------===//

#include "OneTriangle.h"
#include "Operations.h"
#include "Slices.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/ElementType.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
struct ReduceFacts : SiteFacts {
  OneTriangle ofC; ///< what of C is computed
};

class ReduceModel final : public OperationModel {
  const char *name() const override { return "reduce"; }

  bool matches(Operation *op) const override { return isa<blas::ReduceOp>(op); }
  OperationValues operandsOf(Operation *op) const override {
    auto reduce = cast<blas::ReduceOp>(op);
    return {reduce.getW(), reduce.getW(), reduce.getC(), reduce.getAlpha(), reduce.getBeta()};
  }
  FailureOr<Site> describe(Operation *op) const override;

  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &) const override { return "sum"; }
  const char *unplanned() const override { return "sum of slices"; }
  double flops(const Outcome &outcome) const override { return flopsOfSum(outcome); }
  Traffic traffic(const Outcome &outcome) const override { return trafficOfSum(outcome); }
};
} // namespace

FailureOr<Site> ReduceModel::describe(Operation *op) const {
  auto reduce = cast<blas::ReduceOp>(op);
  if (reduce.hasEpilogue())
    return op->emitOpError("cannot be run: epilogues are verified after a product, not after "
                           "a sum of slices of its own");
  Site site;
  site.element = *elementOf(getElementTypeOrSelf(reduce.getC()));
  site.elementA = site.elementB = site.sum = *elementOf(getElementTypeOrSelf(reduce.getW()));
  site.compensated = reduce.getCompensated();
  auto facts = std::make_shared<ReduceFacts>();
  if (auto triangle = reduce.getTriangle())
    facts->ofC.part = *triangle == blas::Uplo::Lower ? Part::Lower : Part::Upper;
  facts->ofC.realDiagonal = reduce.getRealDiagonal();
  site.facts = facts;
  return site;
}

void ReduceModel::prepare(OperationRun &run) const {
  const Operand &w = run.operands[0], &c = run.operands[2];
  if (firstSlice(w.view).sizes != c.view.sizes)
    run.refuse("sizes do not match: slices of W and C");
  if (overlap(c, w))
    run.refuse("output C overlaps operand W in memory: results would depend on the order of "
               "stores");
  if (overlapsItself(c))
    run.refuse(overlapText("C", c.view));
  prepareSum(run);
  if (const OneTriangle &ofC = run.site->as<ReduceFacts>().ofC; ofC.part != Part::All)
    poisonRestOfOutput(run, ofC);
}

Finding ReduceModel::compare(OperationRun &run) const {
  const OneTriangle &ofC = run.site->as<ReduceFacts>().ofC;
  Finding finding = compareSum(run, run.operands[2], ofC.part, ofC.realDiagonal);
  if (ofC.part != Part::All)
    compareRest(run, ofC, finding);
  return finding;
}

const OperationModel &rooftile::verify::reduceModel() {
  static const ReduceModel model;
  return model;
}
