//===- Pack.cpp - blas.pack: W = op(A) ------------------------------------===//
//
// It is verified as the sum of one slice. What W has beyond op(A) may be anything.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "Slices.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/ElementType.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

namespace {
class PackModel final : public OperationModel {
  const char *name() const override { return "pack"; }

  bool matches(Operation *op) const override { return isa<blas::PackOp>(op); }
  OperationValues operandsOf(Operation *op) const override {
    auto pack = cast<blas::PackOp>(op);
    return {pack.getA(), pack.getA(), pack.getW()};
  }
  FailureOr<Site> describe(Operation *op) const override;

  void narrow(const Site &site, Operand *operands) const override;
  void prepare(OperationRun &run) const override;
  Finding compare(OperationRun &run) const override;

  std::string form(const Site &site) const override { return site.transposedA ? "t" : "n"; }
  const char *unplanned() const override { return "copy"; }
  double flops(const Outcome &outcome) const override { return flopsOfSum(outcome); }
  Traffic traffic(const Outcome &outcome) const override { return trafficOfSum(outcome); }
};
} // namespace

FailureOr<Site> PackModel::describe(Operation *op) const {
  auto pack = cast<blas::PackOp>(op);
  if (pack.getStructure() != blas::Structure::General)
    return op->emitOpError("cannot be run: its structure is ")
           << blas::stringifyStructure(pack.getStructure())
           << ", and the reference copies all of A; run the blas.trmm or blas.symm that makes it";
  if (pack.getParts())
    return op->emitOpError("cannot be run: it copies parts of elements, and the reference copies "
                           "all of A; run the blas.gemm that makes it");
  Site site;
  site.element = site.elementA = site.elementB = site.sum =
      *elementOf(getElementTypeOrSelf(pack.getW()));
  site.transposedA = blas::isTransposed(pack.getTranspose());
  return site;
}

/// op(A) is the one slice of a sum.
void PackModel::narrow(const Site &site, Operand *operands) const {
  View &view = operands[0].view;
  size_t rank = view.sizes.size();
  if (site.transposedA) {
    std::swap(view.sizes[rank - 1], view.sizes[rank - 2]);
    std::swap(view.strides[rank - 1], view.strides[rank - 2]);
  }
  view.sizes.insert(view.sizes.begin(), 1);
  view.strides.insert(view.strides.begin(), 0);
}

void PackModel::prepare(OperationRun &run) const {
  const Operand &a = run.operands[0], &w = run.operands[2];
  std::vector<int64_t> sizes = firstSlice(a.view).sizes;
  bool fits = sizes.size() == w.view.sizes.size();
  for (size_t dim = 0; fits && dim < sizes.size(); ++dim)
    fits = sizes[dim] == w.view.sizes[dim] ||
           (dim + 2 >= sizes.size() && sizes[dim] < w.view.sizes[dim]);
  if (!fits)
    run.refuse("sizes do not match: op(A) does not fit in W");
  if (overlap(w, a))
    run.refuse("output W overlaps operand A in memory: results would depend on the order of "
               "stores");
  if (overlapsItself(w))
    run.refuse(overlapText("W", w.view));
  prepareSum(run);
}

Finding PackModel::compare(OperationRun &run) const {
  Operand part = run.operands[2];
  part.view.sizes = firstSlice(run.operands[0].view).sizes;
  return compareSum(run, part);
}

const OperationModel &rooftile::verify::packModel() {
  static const PackModel model;
  return model;
}
