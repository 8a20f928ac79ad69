//===- AgainstData.cpp - What both ways of a function are called on -------===//

#include "AgainstData.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

static constexpr const char *kRange = "rooftile.range";
static constexpr double kLargestInteger = 2;

LogicalResult rooftile::run::checkRanges(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute attribute = function.getArgAttr(i, kRange);
    auto integers = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
    auto reals = dyn_cast_or_null<DenseF64ArrayAttr>(attribute);
    bool right = !attribute || (integers && integers.size() == 2 && integers[0] <= integers[1]) ||
                 (reals && reals.size() == 2 && reals[0] <= reals[1]);
    if (!right)
      return function.emitOpError("argument ") << i << ": " << kRange << " is " << attribute
                                               << ", expected the like of array<i64: 0, 9>";
  }
  return success();
}

ArgumentData::ArgumentData(func::FuncOp function, unsigned index, bool integers, uint64_t seed)
    : integers(integers), draw(seed * 1000 + index) {
  if (auto whole = function.getArgAttrOfType<DenseI64ArrayAttr>(index, kRange)) {
    range = {double(whole[0]), double(whole[1])};
    rangeOfIntegers = true;
  } else if (auto reals = function.getArgAttrOfType<DenseF64ArrayAttr>(index, kRange)) {
    range = {reals[0], reals[1]};
  }
}

/// low .. high, both included.
static double drawInteger(Draw &draw, double low, double high) {
  return low + double(draw.below(uint64_t(high - low) + 1));
}

double ArgumentData::part(Type real) {
  if (isa<FloatType>(real)) {
    if (range && rangeOfIntegers)
      return drawInteger(draw, range->first, range->second);
    if (integers && !range) {
      double magnitude = drawInteger(draw, 1, kLargestInteger);
      return draw.chance(50) ? magnitude : -magnitude;
    }
    double low = range ? range->first : -1, high = range ? range->second : 1;
    return low + (high - low) * double(draw.below(uint64_t(1) << 53)) * 0x1p-53;
  }
  if (range)
    return drawInteger(draw, range->first, range->second);
  if (real.isInteger(1))
    return drawInteger(draw, 0, 1);
  return real.isIndex() || real.getIntOrFloatBitWidth() > 32 ? drawInteger(draw, 0, 3)
                                                             : drawInteger(draw, -8, 7);
}

Scalar ArgumentData::next(Type element) {
  Type real = realTypeOf(element);
  double first = part(real);
  return {first, rooftile::componentsOf(element) == 2 ? part(real) : 0};
}

double ArgumentData::integerBound(Type element) const {
  if (!isa<FloatType>(realTypeOf(element)))
    return 0;
  if (!range)
    return integers ? kLargestInteger : std::numeric_limits<double>::infinity();
  return rangeOfIntegers ? std::max(std::fabs(range->first), std::fabs(range->second))
                         : std::numeric_limits<double>::infinity();
}
