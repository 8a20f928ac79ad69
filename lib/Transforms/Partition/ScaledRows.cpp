//===- ScaledRows.cpp - Divisors whose reciprocals are finite -------------===//
//
// The reciprocal of a denormal number may overflow where a quotient by it does not. So rows of
// op(A) and of B that have one on the diagonal are multiplied by a power of 2 first, which changes
// nothing of X, nor of other rows:
//
//   s[i] = |A[i, i]| < least normal number ? 2^p : 1      (s op(A)) X = alpha (s B)
//
// p is the precision of the type plus one: the smallest denormal number becomes a normal one.
//
//===----------------------------------------------------------------------===//

#include "TriangularParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Real numbers of an element.
static SmallVector<Value> partsOf(OpBuilder &builder, Location loc, Value element) {
  if (!isa<ComplexType>(element.getType()))
    return {element};
  return {complex::ReOp::create(builder, loc, element),
          complex::ImOp::create(builder, loc, element)};
}

/// s of an element of the diagonal, a real number.
static Value scaleOf(OpBuilder &builder, Location loc, Value diagonal) {
  auto real = cast<FloatType>(realTypeOf(diagonal.getType()));
  const llvm::fltSemantics &semantics = real.getFloatSemantics();
  auto constant = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(real, value));
  };
  APFloat one(semantics, 1);
  APFloat normal = APFloat::getSmallestNormalized(semantics);
  Value least = constant(normal), minus = constant(-normal);
  Value many = constant(
      scalbn(one, int(APFloat::semanticsPrecision(semantics)) + 1, APFloat::rmNearestTiesToEven));
  Value isSmall;
  auto both = [&](Value condition) {
    isSmall =
        isSmall ? arith::AndIOp::create(builder, loc, isSmall, condition).getResult() : condition;
  };
  for (Value part : partsOf(builder, loc, diagonal)) {
    both(arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, part, least));
    both(arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, part, minus));
  }
  return arith::SelectOp::create(builder, loc, isSmall, many, constant(one));
}

static Value multiply(OpBuilder &builder, Location loc, Value element, Value real) {
  SmallVector<Value> parts = partsOf(builder, loc, element);
  for (Value &part : parts)
    part = arith::MulFOp::create(builder, loc, part, real);
  return parts.size() == 1
             ? parts[0]
             : complex::CreateOp::create(builder, loc, element.getType(), parts[0], parts[1])
                   .getResult();
}

/// The element of A's diagonal that belongs to `place` of a loop.
static AffineMap diagonalOf(Value a, int64_t rank, AffineExpr place) {
  SmallVector<AffineExpr> places;
  for (int64_t batch = 0; batch + 2 < memrefType(a).getRank(); ++batch)
    places.push_back(getAffineDimExpr(batch, a.getContext()));
  places.append(2, place);
  return AffineMap::get(rank, 0, places, a.getContext());
}

/// to = s from, where rows (or columns) of both are those of A's diagonal. Loops are in the order
/// of the memory of `to`.
static void copyScaled(OpBuilder &builder, Location loc, Value a, Value from, const MatrixCopy &to,
                       bool byRows) {
  int64_t rank = memrefType(from).getRank();
  AffineMap inMemory = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> places(inMemory.getResults());
  if (to.memory != to.matrix) // By columns.
    std::swap(places[rank - 2], places[rank - 1]);
  AffineMap ofFrom = AffineMap::get(rank, 0, places, builder.getContext());
  SmallVector<AffineMap> maps{ofFrom, diagonalOf(a, rank, places[rank - 1 - byRows]), inMemory};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inside, Location at, ValueRange elements) {
    Value scale = scaleOf(inside, at, elements[1]);
    linalg::YieldOp::create(inside, at, multiply(inside, at, elements[0], scale));
  };
  linalg::GenericOp::create(builder, loc, TypeRange(), ValueRange{from, a}, to.memory, maps, loops,
                            body);
}

MatrixCopy rooftile::scaleRows(OpBuilder &builder, TriangularOpInterface op,
                               const MatrixCopy &unsolved) {
  Location loc = op.getLoc();
  bool left = op.getSide() == Side::Left;
  Value a = op.getA(), b = op.getB() ? op.getB() : op.getC();
  MatrixCopy scaled = allocateLike(builder, loc, a);
  copyScaled(builder, loc, a, a, scaled, /*byRows=*/left != isTransposed(op.getOpA()));
  copyScaled(builder, loc, a, b, unsolved, /*byRows=*/left);
  return scaled;
}
