//===- StepShare.cpp - The K steps of one workgroup -----------------------===//

#include "StepShare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;

namespace {
/// Index arithmetic.
struct Steps {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  /// floor(part steps / splits)
  Value boundary(Value part, Value steps, int64_t splits) {
    return arith::DivUIOp::create(builder, loc, mul(part, steps), constant(splits));
  }
};
} // namespace

/// Whether steps must begin at multiples of macro K: flat lines along K are copied as one in the
/// only step, and accesses to others might begin anywhere if the remainder came first. Those that
/// are copied asynchronously begin there where they would begin within lines of memory otherwise,
/// or farther within than steps that follow each other do: what a subgroup copies touches one more.
static bool beginsAtZero(blas::GemmOp op, blas::PathAttr path, Value matrix, int64_t k) {
  if (!path.getFlat() || path.getMajor() == blas::Major::K)
    return path.getFlat();
  int64_t macroK = op.getPlanAttr().getMacro()[2], remainder = k % macroK * path.getFlat();
  int64_t bytes = elementBytes(cast<MemRefType>(matrix.getType()).getElementType());
  int64_t aligned = std::gcd(blas::kLineBytes, macroK * path.getFlat() * bytes);
  return remainder % path.getVector() != 0 ||
         (path.getCopy() == blas::Copy::Async && remainder * bytes % aligned != 0);
}

StepShare rooftile::shareSteps(OpBuilder &builder, blas::GemmOp op, OpFoldResult k, Value split) {
  Location loc = op.getLoc();
  blas::PlanAttr plan = op.getPlanAttr();
  Steps math{builder, loc};
  int64_t macroK = plan.getMacro()[2], splits = plan.getSplits();
  Value extent = getValueOrCreateConstantIndexOp(builder, loc, k), width = math.constant(macroK);
  auto known = getConstantIntValue(k);
  int64_t knownSteps = known ? llvm::divideCeil(*known, macroK) : 0;
  Value steps = known ? math.constant(knownSteps)
                      : arith::CeilDivUIOp::create(builder, loc, extent, width).getResult();
  bool atZero = known && (beginsAtZero(op, plan.getA(), op.getA(), *known) ||
                          beginsAtZero(op, plan.getB(), op.getB(), *known));
  int64_t remainder = known && !atZero ? *known - knownSteps * macroK : 0;
  Value first = known ? math.constant(remainder) : math.sub(extent, math.mul(steps, width));
  StepShare share{first, macroK, steps, knownSteps / splits, atZero};
  if (known)
    share.count = builder.getIndexAttr(knownSteps);
  if (!split)
    return share;
  bool even = known && knownSteps % splits == 0;
  if (even)
    share.count = builder.getIndexAttr(knownSteps / splits);
  if (plan.getReduction() == blas::Reduction::Cluster) {
    Value lower = math.boundary(split, steps, splits);
    share.start = math.add(first, math.mul(lower, width));
    if (!even)
      share.count =
          math.sub(math.boundary(math.add(split, math.constant(1)), steps, splits), lower);
    return share;
  }
  share.start = math.add(first, math.mul(split, width));
  share.stride = splits * macroK;
  // ceil((steps - split) / splits), none where split >= steps
  if (!even)
    share.count = arith::DivUIOp::create(
                      builder, loc, math.sub(math.add(steps, math.constant(splits - 1)), split),
                      math.constant(splits))
                      .getResult();
  return share;
}
