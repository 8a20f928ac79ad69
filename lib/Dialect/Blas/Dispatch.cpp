//===- Dispatch.cpp - Facts about a product, plans for each ---------------===//

#include "rooftile/Dialect/Blas/Blas.h"

#include <numeric>

using namespace mlir;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult ExtentAttr::verify(Emit emit, int64_t least, int64_t most, int64_t multiple) {
  if (least < 0 || most < 0)
    return emit() << "extent: least = " << least << ", most = " << most << " must not be negative";
  if (most != 0 && most < least)
    return emit() << "extent: least = " << least << " is more than most = " << most;
  if (multiple < 1)
    return emit() << "extent: multiple = " << multiple << " is not positive";
  return success();
}

LogicalResult GivenAttr::verify(Emit emit, ExtentAttr m, ExtentAttr n, ExtentAttr k, int64_t a,
                                int64_t b, int64_t c) {
  for (auto [name, vector] : {std::pair("a", a), std::pair("b", b), std::pair("c", c)})
    if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
      return emit() << "given: " << name << " = " << vector << " is not 1, 2, 4, 8 or 16";
  return success();
}

ExtentAttr GivenAttr::getExtent(int dim) const {
  return dim == 0 ? getM() : dim == 1 ? getN() : getK();
}

int64_t GivenAttr::getVector(int operand) const {
  return operand == 0 ? getA() : operand == 1 ? getB() : getC();
}

//===----------------------------------------------------------------------===//
// On an operation
//===----------------------------------------------------------------------===//

/// A given size agrees with what the types say of it.
static LogicalResult verifyGivenSize(GemmOp op, StringRef name, int64_t size, ExtentAttr extent) {
  if (!extent || ShapedType::isDynamic(size))
    return success();
  bool tooLarge = extent.getMost() != 0 && size > extent.getMost();
  if (size < extent.getLeast() || tooLarge || size % extent.getMultiple() != 0)
    return op.emitOpError("given: ")
           << name.lower() << " = " << extent << " but " << name << " is " << size;
  return success();
}

/// A given access width agrees with the static strides, offset and size of the operand.
static LogicalResult verifyGivenAccess(GemmOp op, StringRef name, Value operand, int64_t vector) {
  int64_t possible = getPossibleVector(cast<ShapedType>(operand.getType()));
  if (vector > possible)
    return op.emitOpError("given: ")
           << name.lower() << " = " << vector << " but operand " << name << ", "
           << cast<ShapedType>(operand.getType()) << ", allows " << possible;
  return success();
}

static LogicalResult verifyGiven(GemmOp op, GivenAttr given) {
  if (!given)
    return success();
  return success(succeeded(verifyGivenSize(op, "M", op.getM(), given.getM())) &&
                 succeeded(verifyGivenSize(op, "N", op.getN(), given.getN())) &&
                 succeeded(verifyGivenSize(op, "K", op.getK(), given.getK())) &&
                 succeeded(verifyGivenAccess(op, "A", op.getA(), given.getA())) &&
                 succeeded(verifyGivenAccess(op, "B", op.getB(), given.getB())) &&
                 succeeded(verifyGivenAccess(op, "C", op.getC(), given.getC())));
}

/// One plan, or cases of which only the last is without a condition.
static LogicalResult verifyPlans(GemmOp op) {
  ArrayAttr plans = op.getPlansAttr();
  if (!plans)
    return success();
  if (op.getPlanAttr())
    return op.emitOpError("has a plan and a set of plans: one of them decides");
  if (plans.empty())
    return op.emitOpError("plans: the set is empty");
  for (auto [index, plan] : llvm::enumerate(plans.getAsRange<CaseAttr>())) {
    bool last = index + 1 == plans.size();
    if (last == static_cast<bool>(plan.getWhen()))
      return op.emitOpError("plans: case ")
             << index
             << (last ? " is the last and serves what is left, but has a condition"
                      : " has no condition: later ones would never run");
  }
  return success();
}

LogicalResult rooftile::blas::verifyFacts(GemmOp op) {
  return success(succeeded(verifyGiven(op, op.getGivenAttr())) && succeeded(verifyPlans(op)));
}

ExtentAttr rooftile::blas::intersect(ExtentAttr left, ExtentAttr right) {
  if (!left || !right)
    return left ? left : right;
  int64_t most = std::min(left.getMost() ? left.getMost() : INT64_MAX,
                          right.getMost() ? right.getMost() : INT64_MAX);
  return ExtentAttr::get(left.getContext(), std::max(left.getLeast(), right.getLeast()),
                         most == INT64_MAX ? 0 : most,
                         std::lcm(left.getMultiple(), right.getMultiple()));
}

GivenAttr rooftile::blas::intersect(GivenAttr left, GivenAttr right) {
  if (!left || !right)
    return left ? left : right;
  return GivenAttr::get(left.getContext(), intersect(left.getM(), right.getM()),
                        intersect(left.getN(), right.getN()), intersect(left.getK(), right.getK()),
                        std::max(left.getA(), right.getA()), std::max(left.getB(), right.getB()),
                        std::max(left.getC(), right.getC()));
}
