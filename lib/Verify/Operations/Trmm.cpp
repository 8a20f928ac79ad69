//===- Trmm.cpp - blas.trmm: C = alpha * op(A) * B ------------------------===//
//
// Compared as a product, with zeros in the other triangle and ones on a unit diagonal. Each block
// of the triangle may round what it adds up to the type of C.
//
//===----------------------------------------------------------------------===//

#include "Triangular.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
class TrmmModel final : public TriangularModel {
public:
  TrmmModel() : TriangularModel(operation::Routine::Trmm) {}

private:
  bool matches(Operation *op) const override { return isa<blas::TrmmOp>(op); }
  /// With what it draws of trsm.
  int share() const override { return 25; }

  void addPlan(Operation *op, Site &site) const override;

  Scalar valueOf(const TriangularRun &, int64_t, int64_t, Scalar drawn) const override {
    return drawn;
  }
  Finding compareWith(const TriangularData &data, const void *output,
                      const TriangularRun &run) const override {
    Factors factors = factorsOf(data.a, data.b, run.input, 0, run);
    Product product{run.sum,       run.element, factors.left,
                    factors.right, run.output,  data.b,
                    output,        run.alpha,   0};
    product.roundings = run.blocks();
    return verify::compare(product, run.exact);
  }
};
} // namespace

/// Rounds most often: the plan of the smallest blocks.
void TrmmModel::addPlan(Operation *op, Site &site) const {
  blas::BlocksAttr plan = cast<blas::TrmmOp>(op).getPlanAttr();
  auto triangle = std::make_shared<Triangle>(site.as<Triangle>());
  if (!plan || plan->diagonal == 0 ||
      (triangle->diagonal != 0 && triangle->diagonal <= plan->diagonal))
    return;
  triangle->diagonal = plan->diagonal;
  site.facts = triangle;
}

const OperationModel &rooftile::verify::trmmModel() {
  static const TrmmModel model;
  return model;
}
