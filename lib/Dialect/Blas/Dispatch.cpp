//===- Dispatch.cpp - Facts about a product, plans for each ---------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

/// The largest size that `extent` allows.
static int64_t mostOf(ExtentAttr extent) {
  return extent.getMost() == 0 ? std::numeric_limits<int64_t>::max() : extent.getMost();
}

/// Common multiple of both; where no i64 holds it the larger of the two, which is a
/// weaker fact.
static int64_t commonMultiple(ExtentAttr left, ExtentAttr right) {
  int64_t a = left.getMultiple(), b = right.getMultiple(), product;
  return llvm::MulOverflow(a / std::gcd(a, b), b, product) ? std::max(a, b) : product;
}

/// True for least = 1, most = 7, multiple = 8, and the like.
static bool holdsNothing(int64_t least, int64_t most, int64_t multiple) {
  int64_t largest = most - most % multiple; // what the bounds leave of the multiples ends here
  return largest < least;
}

LogicalResult ExtentAttr::verify(Emit emit, int64_t least, int64_t most, int64_t multiple) {
  if (least < 0 || most < 0)
    return emit() << "extent: least = " << least << ", most = " << most << " must not be negative";
  if (most != 0 && most < least)
    return emit() << "extent: least = " << least << " is more than most = " << most;
  if (multiple < 1)
    return emit() << "extent: multiple = " << multiple << " is not positive";
  if (most != 0 && holdsNothing(least, most, multiple))
    return emit() << "extent: no multiple of " << multiple << " is from " << least << " to "
                  << most;
  return success();
}

LogicalResult GivenAttr::verify(Emit emit, ExtentAttr m, ExtentAttr n, ExtentAttr k, int64_t a,
                                int64_t b, int64_t c, Order, Order, Order) {
  for (auto [name, vector] : {std::pair("a", a), std::pair("b", b), std::pair("c", c)})
    if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
      return emit() << "given: " << name << " = " << vector << " is not 1, 2, 4, 8 or 16";
  return success();
}

LogicalResult AddressAttr::verify(Emit emit, int64_t align) {
  if (!ShapedType::isDynamic(align) && (align < 1 || !llvm::isPowerOf2_64(align)))
    return emit() << "address: align = " << align << " is not a power of 2";
  return success();
}

LogicalResult PriceAttr::verify(Emit emit, int64_t units, int64_t blocks, int64_t start,
                                int64_t step, int64_t rest, int64_t fullStep, int64_t fullRest) {
  if (units < 1 || blocks < 1)
    return emit() << "price: units = " << units << ", blocks = " << blocks << " are not positive";
  if (start < 0 || step < 0 || rest < 0)
    return emit() << "price: start = " << start << ", step = " << step << ", rest = " << rest
                  << " must not be negative";
  if (fullStep < step || fullRest < rest)
    return emit() << "price: a full wave lasts less than one workgroup: fullStep = " << fullStep
                  << ", fullRest = " << fullRest;
  return success();
}

int64_t PriceAttr::picoseconds(const PlanData &plan, int64_t m, int64_t n, int64_t k,
                               int64_t batch) const {
  int64_t tiles = llvm::divideCeil(m, plan.macroM) * llvm::divideCeil(n, plan.macroN);
  int64_t workgroups = batch * tiles * plan.splits, resident = getUnits() * getBlocks();
  int64_t steps = llvm::divideCeil(llvm::divideCeil(k, plan.macroK), plan.splits);
  int64_t one = steps * getStep() + getRest(), full = steps * getFullStep() + getFullRest();
  int64_t waves = workgroups / resident, rest = workgroups % resident, last = 0;
  if (rest > 0) {
    int64_t more = llvm::divideCeil(rest, getUnits()) - 1;
    last = one + (full - one) * more / std::max<int64_t>(1, getBlocks() - 1);
  }
  return getStart() + waves * full + last;
}

ExtentAttr GivenAttr::getExtent(int dim) const {
  return dim == 0 ? getM() : dim == 1 ? getN() : getK();
}

int64_t GivenAttr::getVector(int operand) const {
  return operand == 0 ? getA() : operand == 1 ? getB() : getC();
}

Order GivenAttr::getOrder(int operand) const {
  return operand == 0 ? getOrderA() : operand == 1 ? getOrderB() : getOrderC();
}

GivenAttr GivenAttr::withoutOrders() const {
  if (!getM() && !getN() && !getK() && getA() == 1 && getB() == 1 && getC() == 1)
    return {};
  return get(getContext(), getM(), getN(), getK(), getA(), getB(), getC(), Order::Any, Order::Any,
             Order::Any);
}

static bool implies(ExtentAttr extent, ExtentAttr other) {
  if (!other)
    return true;
  return extent && extent.getLeast() >= other.getLeast() && mostOf(extent) <= mostOf(other) &&
         extent.getMultiple() % other.getMultiple() == 0;
}

bool GivenAttr::implies(GivenAttr other) const {
  for (int index : {0, 1, 2})
    if (!::implies(getExtent(index), other.getExtent(index)) ||
        getVector(index) < other.getVector(index) ||
        (other.getOrder(index) != Order::Any && getOrder(index) != other.getOrder(index)))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// On an operation
//===----------------------------------------------------------------------===//

/// A given size agrees with the sizes of the types.
static LogicalResult verifyGivenSize(StringRef name, int64_t size, ExtentAttr extent, Emit emit) {
  if (!extent || ShapedType::isDynamic(size))
    return success();
  if (size < extent.getLeast() || size > mostOf(extent) || size % extent.getMultiple() != 0)
    return emit() << "given: " << name.lower() << " = " << extent << " but " << name << " is "
                  << size;
  return success();
}

/// A given order and access width agree with the static strides, offset and size of the operand.
static LogicalResult verifyGivenAccess(StringRef name, Value operand,
                                       std::pair<Order, int64_t> fact, Emit emit) {
  auto [order, vector] = fact;
  auto type = cast<ShapedType>(operand.getType());
  ShapedType ordered = withOrder(type, order);
  int64_t dim = type.getRank() - (order == Order::Rows ? 1 : 2);
  if (order != Order::Any && !hasUnitStride(ordered, dim))
    return emit() << "given: order" << name << " = " << stringifyOrder(order) << " but operand "
                  << name << ", " << type << ", has another stride along dimension " << dim;
  int64_t possible = getPossibleVector({ordered, getAlign(operand)});
  if (vector > possible)
    return emit() << "given: " << name.lower() << " = " << vector << " but operand " << name << ", "
                  << ordered << ", allows " << possible;
  return success();
}

static LogicalResult verifyGiven(ProductOpInterface op, GivenAttr given, Emit emit) {
  if (!given)
    return success();
  auto fact = [&](int operand) {
    return std::pair(given.getOrder(operand), given.getVector(operand));
  };
  return success(succeeded(verifyGivenSize("M", op.getM(), given.getM(), emit)) &&
                 succeeded(verifyGivenSize("N", op.getN(), given.getN(), emit)) &&
                 succeeded(verifyGivenSize("K", op.getK(), given.getK(), emit)) &&
                 succeeded(verifyGivenAccess("A", op.getMatrixA(), fact(0), emit)) &&
                 succeeded(verifyGivenAccess("B", op.getMatrixB(), fact(1), emit)) &&
                 succeeded(verifyGivenAccess("C", op.getMatrixC(), fact(2), emit)));
}

/// Two facts about one size leave a size to it.
static LogicalResult verifyBoth(StringRef name, ExtentAttr left, ExtentAttr right, Emit emit) {
  if (!left || !right)
    return success();
  int64_t least = std::max(left.getLeast(), right.getLeast()),
          most = std::min(mostOf(left), mostOf(right));
  if (least > most || holdsNothing(least, most, commonMultiple(left, right)))
    return emit() << "it asks for " << name << " of " << right << ", but " << left << " is given";
  return success();
}

LogicalResult rooftile::blas::canHold(ProductOpInterface op, GivenAttr when, Emit refuse) {
  if (failed(verifyGiven(op, when, refuse)))
    return failure();
  GivenAttr given = op.getGivenAttr();
  return success(!given || (succeeded(verifyBoth("M", given.getM(), when.getM(), refuse)) &&
                            succeeded(verifyBoth("N", given.getN(), when.getN(), refuse)) &&
                            succeeded(verifyBoth("K", given.getK(), when.getK(), refuse))));
}

/// The first case that runs wherever case `index` holds; -1: none. Cases with a price compete.
static int64_t caseBefore(ArrayRef<CaseAttr> cases, size_t index) {
  GivenAttr when = cases[index].getWhen();
  for (size_t before = 0; when && before < index; ++before)
    if (bool compete = cases[before].getPrice() && cases[index].getPrice();
        !compete && cases[before].getWhen() && when.implies(cases[before].getWhen()))
      return before;
  return -1;
}

/// One plan, or cases of which only the last is without a condition.
static LogicalResult verifyPlans(ProductOpInterface op) {
  ArrayAttr plans = op.getPlansAttr();
  if (!plans)
    return success();
  if (op.getPlanAttr())
    return op.emitOpError("has a plan and a set of plans: one of them decides");
  if (plans.empty())
    return op.emitOpError("plans: the set is empty");
  auto cases = llvm::to_vector(plans.getAsRange<CaseAttr>());
  for (auto [index, plan] : llvm::enumerate(cases)) {
    bool last = index + 1 == plans.size();
    if (last == static_cast<bool>(plan.getWhen()))
      return op.emitOpError("plans: case ")
             << index
             << (last ? " is the last and serves what is left, but has a condition"
                      : " has no condition: later ones would never run");
    if (int64_t before = caseBefore(cases, index); before >= 0)
      return op.emitOpError("plans: case ")
             << index << " never runs: case " << before << " holds wherever it does";
  }
  return success();
}

LogicalResult rooftile::blas::verifyFacts(ProductOpInterface op) {
  auto emit = [&] { return op.emitOpError(); };
  return success(succeeded(verifyGiven(op, op.getGivenAttr(), emit)) && succeeded(verifyPlans(op)));
}

ExtentAttr rooftile::blas::intersect(ExtentAttr left, ExtentAttr right) {
  if (!left || !right)
    return left ? left : right;
  int64_t most = std::min(mostOf(left), mostOf(right));
  return ExtentAttr::get(left.getContext(), std::max(left.getLeast(), right.getLeast()),
                         most == std::numeric_limits<int64_t>::max() ? 0 : most,
                         commonMultiple(left, right));
}

GivenAttr rooftile::blas::intersect(GivenAttr left, GivenAttr right) {
  if (!left || !right)
    return left ? left : right;
  SmallVector<int64_t> vectors;
  SmallVector<Order> orders;
  for (int operand : {0, 1, 2}) {
    vectors.push_back(std::max(left.getVector(operand), right.getVector(operand)));
    bool known = left.getOrder(operand) != Order::Any;
    orders.push_back((known ? left : right).getOrder(operand));
  }
  return GivenAttr::get(left.getContext(), intersect(left.getM(), right.getM()),
                        intersect(left.getN(), right.getN()), intersect(left.getK(), right.getK()),
                        vectors, orders);
}
