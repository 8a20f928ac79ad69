//===- ViewOffsets.cpp - What is known of the offsets of views ------------===//
//
// An access of several elements asks for an offset that they divide; elements that no slice of a
// loop reaches beyond K need not be made 0. Offsets of slices are counted by loops, whose bounds
// and steps give both; while operations are converted these are out of reach, so that views carry
// it as attributes.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// A number that divides `value` whenever it is computed; 0 where it is always 0.
static int64_t divisorOf(Value value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return std::abs(*known);
  if (auto loop = scf::getForInductionVarOwner(value))
    return std::gcd(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return std::gcd(divisorOf(sum.getLhs()), divisorOf(sum.getRhs()));
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return std::lcm(divisorOf(product.getLhs()), divisorOf(product.getRhs()));
  if (auto either = value.getDefiningOp<arith::SelectOp>())
    return std::gcd(divisorOf(either.getTrueValue()), divisorOf(either.getFalseValue()));
  return 1;
}

/// Larger than any offset.
static constexpr int64_t kUnknown = std::numeric_limits<int32_t>::max();

/// The largest `value` that is computed; kUnknown where that is not known.
static int64_t largestOf(Value value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return std::min(*known, kUnknown);
  if (auto loop = scf::getForInductionVarOwner(value)) {
    auto first = getConstantIntValue(loop.getLowerBound()),
         step = getConstantIntValue(loop.getStep());
    auto end = getConstantIntValue(loop.getUpperBound());
    bool known = first && end && step && *step > 0 && *end > *first;
    return known ? *first + (*end - 1 - *first) / *step * *step : kUnknown;
  }
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return std::min(largestOf(sum.getLhs()) + largestOf(sum.getRhs()), kUnknown);
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    if (getConstantIntValue(product.getLhs()) && getConstantIntValue(product.getRhs()))
      return *getConstantIntValue(product.getLhs()) * *getConstantIntValue(product.getRhs());
  if (auto either = value.getDefiningOp<arith::SelectOp>())
    return std::max(largestOf(either.getTrueValue()), largestOf(either.getFalseValue()));
  return kUnknown;
}

void rooftile::markOffsets(gpu::GPUFuncOp kernel) {
  Builder builder(kernel.getContext());
  kernel.walk([&](ViewOp view) {
    Value row = view.getRow(), column = view.getColumn();
    view->setAttr(kMultiplesName,
                  builder.getDenseI64ArrayAttr({divisorOf(row), divisorOf(column)}));
    view->setAttr(kLargestName, builder.getDenseI64ArrayAttr({largestOf(row), largestOf(column)}));
  });
}
