//===- Products.cpp - The accumulators of a tile, slice by slice ----------===//

#include "Products.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

static Type elementOf(Value matrix) { return cast<MemRefType>(matrix.getType()).getElementType(); }

/// Whether op(X) is the conjugate; that of a real matrix is itself.
static bool conjugates(Value matrix, blas::Transpose transpose) {
  return blas::isConjugated(transpose) && isa<ComplexType>(elementOf(matrix));
}

Products::Products(OpBuilder &builder, blas::ProductOpInterface op)
    : builder(builder), loc(op.getLoc()), instruction(instructionOf(op.getPlanAttr())),
      three(op.getPlanAttr()->products == 3), compensates(op.getPlanAttr()->compensates()),
      awaits(op.getPlanAttr()->readsShared()),
      conjugateA(conjugates(op.getMatrixA(), op.getTransposeA())),
      conjugateB(conjugates(op.getMatrixB(), op.getTransposeB())),
      promote(op.getPlanAttr()->promote) {}

/// Types of the accumulators.
SmallVector<Type> Products::types(Value none) {
  auto type = cast<MatrixType>(none.getType());
  if (!three)
    return {type};
  return SmallVector<Type>(3, type.cloneWith({}, realTypeOf(type.getElementType())));
}

/// Accumulators that are 0.
SmallVector<Value> Products::zeros(Value none) {
  if (!three)
    return {none};
  auto type = cast<MatrixType>(types(none).front());
  Value zero = blas::createScalar(builder, loc, type.getElementType(), 0);
  return SmallVector<Value>(3, FillOp::create(builder, loc, type, zero));
}

SmallVector<Value> Products::begin(Value none) {
  if (promote)
    return {none, none}; // the total and the accumulators
  return compensates ? beginCompensated(builder, loc, zeros(none)) : zeros(none);
}

SmallVector<Value> Products::beginStep(Value none, ValueRange carried) {
  if (promote)
    return {carried[1]};
  return compensates ? zeros(none) : SmallVector<Value>(carried);
}

SmallVector<Value> Products::endStep(Value step, ValueRange carried, ValueRange sums) {
  if (promote)
    return promoted(step, carried[0], sums[0]);
  return compensates ? addCompensated(builder, loc, carried, sums) : SmallVector<Value>(sums);
}

/// The accumulators, when all products have arrived.
Value Products::finished(Value sums) {
  return awaits ? FinishOp::create(builder, loc, sums).getResult() : sums;
}

/// Total and accumulators after a step: each `promote` steps the total of both, and zeros.
SmallVector<Value> Products::promoted(Value step, Value total, Value sums) {
  if (promote == 1) {
    Value own = finished(sums);
    return {AddOp::create(builder, loc, total, own), ClearOp::create(builder, loc, own)};
  }
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value index = arith::RemUIOp::create(builder, loc, step, number(promote));
  Value isLast =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index, number(promote - 1));
  auto branch = scf::IfOp::create(
      builder, loc, isLast,
      [&](OpBuilder &, Location) {
        Value own = finished(sums);
        Value added = AddOp::create(builder, loc, total, own);
        scf::YieldOp::create(builder, loc, {added, ClearOp::create(builder, loc, own)});
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(builder, loc, {total, sums}); });
  return SmallVector<Value>(branch.getResults());
}

SmallVector<Value> Products::add(Value a, Value b, ValueRange sums) {
  auto multiply = [&](Value left, Value right, Value sum, bool conjugateA, bool conjugateB) {
    return MmaOp::create(builder, loc, left, right, sum, instruction, conjugateA, conjugateB)
        .getResult();
  };
  if (!three)
    return {multiply(a, b, sums[0], conjugateA, conjugateB)};
  auto both = [&](ComponentsOp parts, bool conjugates) -> Value {
    if (conjugates)
      return arith::SubFOp::create(builder, loc, parts.getRe(), parts.getIm());
    return arith::AddFOp::create(builder, loc, parts.getRe(), parts.getIm());
  };
  auto real = cast<MatrixType>(sums[0].getType()).getElementType();
  auto componentsOf = [&](Value matrix) {
    Type part = cast<MatrixType>(matrix.getType()).cloneWith({}, real);
    return ComponentsOp::create(builder, loc, part, part, matrix);
  };
  ComponentsOp ofA = componentsOf(a), ofB = componentsOf(b);
  return {multiply(ofA.getRe(), ofB.getRe(), sums[0], false, false),
          multiply(ofA.getIm(), ofB.getIm(), sums[1], false, false),
          multiply(both(ofA, conjugateA), both(ofB, conjugateB), sums[2], false, false)};
}

Value Products::finish(Value none, ValueRange carried) {
  if (promote)
    return AddOp::create(builder, loc, carried[0], finished(carried[1]));
  if (awaits)
    return finished(carried.front());
  if (!compensates)
    return join(none, carried);
  return join(none, finishCompensated(builder, loc, carried, types(none)));
}

/// One matrix of all accumulators.
Value Products::join(Value none, ValueRange sums) {
  if (!three)
    return sums[0];
  // The product of the imaginary components as they enter the product.
  Value ofIm = sums[1];
  if (conjugateA != conjugateB)
    ofIm = arith::NegFOp::create(builder, loc, ofIm);
  Value re = arith::SubFOp::create(builder, loc, sums[0], ofIm);
  Value im = arith::SubFOp::create(builder, loc,
                                   arith::SubFOp::create(builder, loc, sums[2], sums[0]), ofIm);
  return JoinOp::create(builder, loc, none.getType(), re, im);
}

//===----------------------------------------------------------------------===//
// Compensated accumulators
//===----------------------------------------------------------------------===//

/// The matrices of real elements that `matrices` are made of.
static SmallVector<Value> realParts(OpBuilder &builder, Location loc, ValueRange matrices) {
  SmallVector<Value> reals;
  for (Value matrix : matrices) {
    auto type = cast<MatrixType>(matrix.getType());
    if (!isa<ComplexType>(type.getElementType())) {
      reals.push_back(matrix);
      continue;
    }
    Type part = type.cloneWith({}, realTypeOf(type.getElementType()));
    auto parts = ComponentsOp::create(builder, loc, part, part, matrix);
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
