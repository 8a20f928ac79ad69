//===- InducedProduct.cpp - Complex products as real ones -----------------===//

#include "InducedProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static Value viewAsReal(OpBuilder &builder, Value numbers) {
  MemRefType view = AsRealOp::getViewOf(cast<MemRefType>(numbers.getType()));
  return AsRealOp::create(builder, numbers.getLoc(), view, numbers);
}

/// The transpose without conjugation.
static Transpose toInduced(Transpose transpose) {
  return isTransposed(transpose) ? Transpose::Trans : Transpose::None;
}

/// 0 where alpha is 0, else 1; null where it is surely 1.
static Value realAlpha(OpBuilder &builder, ProductOpInterface op, Type real) {
  Location loc = op.getLoc();
  std::optional<std::complex<double>> known = op.getConstantAlpha();
  if (known && *known != 0.0)
    return {};
  Value zero = createScalar(builder, loc, real, 0);
  if (known)
    return zero;
  Value counts = createNonZeroTest(builder, loc, op.getAlpha());
  return arith::SelectOp::create(builder, loc, counts, createScalar(builder, loc, real, 1), zero);
}

/// Other facts count complex elements, and are known of these: M, N and all strides.
static GivenAttr factsOfK(GivenAttr given) {
  if (!given || !given.getK())
    return {};
  return GivenAttr::get(given.getContext(), {}, {}, given.getK(), {1, 1, 1},
                        {Order::Any, Order::Any, Order::Any});
}

ProductFields rooftile::inducedProduct(OpBuilder &builder, ProductOpInterface op, Value slices) {
  ProductFields fields(op);
  fields.a = viewAsReal(builder, op.getMatrixA());
  fields.b = viewAsReal(builder, op.getMatrixB());
  fields.alpha = realAlpha(builder, op, realTypeOf(op.getAccumulatorType()));
  fields.c = viewAsReal(builder, slices);
  fields.transposeA = toInduced(op.getTransposeA());
  fields.transposeB = toInduced(op.getTransposeB());
  fields.acc = {};
  fields.structureA = fields.structureB = Structure::General; // which counts complex elements
  fields.given = factsOfK(op.getGivenAttr());
  fields.plan = PlanAttr::get(op.getContext(), op.getPlanAttr()->toInduced());
  return fields;
}

Value rooftile::rowsOf(OpBuilder &builder, Value slices, Component component) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, slices.getLoc(), slices);
  int64_t rows = cast<MemRefType>(slices.getType()).getDimSize(1) / 2;
  sizes[1] = builder.getIndexAttr(rows);
  SmallVector<OpFoldResult> offsets(3, builder.getIndexAttr(0)),
      strides(3, builder.getIndexAttr(1));
  offsets[1] = builder.getIndexAttr(component == Component::Im);
  strides[1] = builder.getIndexAttr(2);
  return memref::SubViewOp::create(builder, slices.getLoc(), slices, offsets, sizes, strides);
}

Value rooftile::factorOf(OpBuilder &builder, ProductOpInterface op, Component component) {
  if (component == Component::Re)
    return op.getAlpha();
  Location loc = op.getLoc();
  auto type = cast<ComplexType>(op.getAccumulatorType());
  double sign = isConjugated(op.getTransposeA()) ? -1 : 1;
  if (std::optional<std::complex<double>> known = op.getConstantAlpha())
    return createScalar(builder, loc, type, *known * std::complex<double>(0, sign));
  // (re + i im) i = -im + i re
  Value re = complex::ReOp::create(builder, loc, op.getAlpha());
  Value im = complex::ImOp::create(builder, loc, op.getAlpha());
  Value &negative = sign > 0 ? im : re;
  negative = arith::NegFOp::create(builder, loc, negative);
  return complex::CreateOp::create(builder, loc, type, im, re);
}
