//===- CompensatedSums.cpp - Sums that keep what rounding lost ------------===//

#include "CompensatedSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// The matrices of real numbers that `matrices` are made of.
static SmallVector<Value> realParts(OpBuilder &builder, Location loc, ValueRange matrices) {
  SmallVector<Value> reals;
  for (Value matrix : matrices) {
    auto type = cast<MatrixType>(matrix.getType());
    if (!isa<ComplexType>(type.getElementType())) {
      reals.push_back(matrix);
      continue;
    }
    Type part = type.cloneWith({}, realTypeOf(type.getElementType()));
    auto parts = PartsOp::create(builder, loc, part, part, matrix);
    llvm::append_range(reals, parts.getResults());
  }
  return reals;
}

SmallVector<Value> rooftile::beginCompensated(OpBuilder &builder, Location loc, ValueRange zeros) {
  SmallVector<Value> carried;
  for (Value high : realParts(builder, loc, zeros))
    carried.append({high, high}); // both are 0
  return carried;
}

SmallVector<Value> rooftile::addCompensated(OpBuilder &builder, Location loc, ValueRange carried,
                                            ValueRange summands) {
  auto add = [&](Value x, Value y) -> Value { return arith::AddFOp::create(builder, loc, x, y); };
  auto sub = [&](Value x, Value y) -> Value { return arith::SubFOp::create(builder, loc, x, y); };
  SmallVector<Value> sums;
  for (auto [index, summand] : llvm::enumerate(realParts(builder, loc, summands))) {
    Value high = carried[2 * index], low = carried[2 * index + 1];
    Value sum = add(high, summand), ofSummand = sub(sum, high);
    Value lost = add(sub(high, sub(sum, ofSummand)), sub(summand, ofSummand));
    sums.append({sum, add(low, lost)});
  }
  return sums;
}

SmallVector<Value> rooftile::finishCompensated(OpBuilder &builder, Location loc, ValueRange carried,
                                               TypeRange types) {
  SmallVector<Value> sums;
  for (Type type : types) {
    auto next = [&]() {
      Value sum = AddKnownOp::create(builder, loc, carried[0], carried[1]);
      carried = carried.drop_front(2);
      return sum;
    };
    Value first = next();
    if (isa<ComplexType>(cast<MatrixType>(type).getElementType()))
      first = JoinOp::create(builder, loc, type, first, next());
    sums.push_back(first);
  }
  return sums;
}
