//===- ThreadMap.cpp - A map as seen by one thread ------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

Value IndexMath::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value IndexMath::value(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

Value IndexMath::add(Value left, Value right) {
  auto l = getConstantIntValue(left), r = getConstantIntValue(right);
  if (l && r)
    return constant(*l + *r);
  if (l == 0)
    return right;
  if (r == 0)
    return left;
  return arith::AddIOp::create(builder, loc, left, right);
}

Value IndexMath::mul(Value left, Value right) {
  auto l = getConstantIntValue(left), r = getConstantIntValue(right);
  if (l && r)
    return constant(*l * *r);
  if (l == 0 || r == 0)
    return constant(0);
  if (l == 1)
    return right;
  if (r == 1)
    return left;
  return arith::MulIOp::create(builder, loc, left, right);
}

Value IndexMath::sub(int64_t left, Value right) {
  if (auto known = getConstantIntValue(right))
    return constant(left - *known);
  return arith::SubIOp::create(builder, loc, constant(left), right);
}

Value IndexMath::div(Value left, int64_t right) {
  return right == 1 ? left
                    : arith::DivUIOp::create(builder, loc, left, constant(right)).getResult();
}

Value IndexMath::rem(Value left, int64_t right) {
  if (auto known = getConstantIntValue(left))
    return constant(*known % right);
  if (right == 1)
    return constant(0);
  return arith::RemUIOp::create(builder, loc, left, constant(right));
}

Value IndexMath::min(Value left, Value right) {
  return arith::MinSIOp::create(builder, loc, left, right);
}

Value IndexMath::max(Value left, Value right) {
  return arith::MaxSIOp::create(builder, loc, left, right);
}

Value IndexMath::threadDigit(int64_t below, int64_t size, int64_t total) {
  Value digit = div(gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x), below);
  // The last digit needs no remainder: thread < total.
  return below * size == total ? digit : rem(digit, size);
}

Value IndexMath::threadOffset(MapAttr map, int64_t rowStride, int64_t columnStride) {
  Value sum = constant(0);
  int64_t below = 1, total = map.getNumThreads();
  for (const Mode &mode : map.getThreads()) {
    int64_t stride = mode.row * rowStride + mode.column * columnStride;
    if (stride != 0)
      sum = add(sum, mul(threadDigit(below, mode.size, total), stride));
    below *= mode.size;
  }
  return sum;
}

Value IndexMath::isFirstHolder(MapAttr map) {
  Value first;
  int64_t below = 1, total = map.getNumThreads();
  for (const Mode &mode : map.getThreads()) {
    if (mode.size > 1 && mode.row == 0 && mode.column == 0) {
      Value digit = threadDigit(below, mode.size, total);
      Value own = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, digit, constant(0));
      first = first ? arith::AndIOp::create(builder, loc, first, own).getResult() : own;
    }
    below *= mode.size;
  }
  return first;
}

int64_t rooftile::threadReach(MapAttr map, int dim) {
  int64_t reach = 0;
  for (const Mode &mode : map.getThreads())
    reach += (mode.size - 1) * (dim == 0 ? mode.row : mode.column);
  return reach;
}

int64_t rooftile::runLength(MapAttr map, ArrayRef<int64_t> strides, int64_t widest) {
  auto step = [&](const Mode &mode) { return mode.row * strides[0] + mode.column * strides[1]; };
  ArrayRef<Mode> values = map.getValues();
  if (values.empty() || step(values[0]) != 1)
    return 1;
  int64_t run = widest;
  while (values[0].size % run != 0)
    run /= 2;
  auto aligned = [&](ArrayRef<Mode> modes) {
    return llvm::all_of(modes,
                        [&](const Mode &mode) { return mode.size == 1 || step(mode) % run == 0; });
  };
  while (run > 1 && (!aligned(values.drop_front()) || !aligned(map.getThreads())))
    run /= 2;
  return run;
}
