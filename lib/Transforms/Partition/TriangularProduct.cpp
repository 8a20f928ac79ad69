//===- TriangularProduct.cpp - blas.trmm as one product -------------------===//

#include "PackedOperand.h"
#include "TriangularParts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

Structure rooftile::structureOfEntering(TriangularOpInterface op) {
  return op.isEffectivelyLower() ? Structure::Lower : Structure::Upper;
}

void rooftile::copyMatrix(OpBuilder &builder, Location loc, Value from, Value to) {
  bool plain = memrefType(from).getLayout().isIdentity() && memrefType(to).getLayout().isIdentity();
  if (plain)
    memref::CopyOp::create(builder, loc, from, to);
  else
    linalg::CopyOp::create(builder, loc, from, to);
}

MatrixCopy rooftile::allocateLike(OpBuilder &builder, Location loc, Value matrix) {
  MemRefType type = memrefType(matrix);
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, matrix);
  bool byColumns = hasUnitStride(type, rank - 2) && !hasUnitStride(type, rank - 1);
  if (byColumns)
    std::swap(sizes[rank - 2], sizes[rank - 1]);
  Value memory = memref::AllocOp::create(builder, loc, sizes, type.getElementType());
  if (!byColumns)
    return {memory, memory};
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 2], order[rank - 1]);
  auto map = AffineMapAttr::get(AffineMap::getPermutationMap(order, builder.getContext()));
  return {memory, memref::TransposeOp::create(builder, loc, memory, map)};
}

/// The triangle of A as a product reads it, with zeros beside it.
static PackedOperand copyTriangle(OpBuilder &builder, TriangularOpInterface op) {
  Type element = memrefType(op.getA()).getElementType();
  PackedOperand operand{op.getSide() == Side::Left, op.getA(), op.getOpA(),
                        packedMultiple(element)};
  operand.copy =
      memref::AllocOp::create(builder, op.getLoc(), operand.sizes(builder), element).getResult();
  auto pack =
      PackOp::create(builder, op.getLoc(), TypeRange(), op.getA(), operand.copy,
                     operand.transposition(), op.getStructureA(), operand.stated(), TilingAttr());
  pack->setAttr(BlasDialect::kOperandsName,
                operandNames(op->getContext(), {Role::A, Role::A, Role::W}));
  return operand;
}

void rooftile::emitTriangularProduct(OpBuilder &builder, TriangularOpInterface op) {
  Location loc = op.getLoc();
  MLIRContext *context = op->getContext();
  bool left = op.getSide() == Side::Left;
  PackedOperand triangle = copyTriangle(builder, op);
  Value input = op.getB(), copy;
  if (!input) {
    MatrixCopy own = allocateLike(builder, loc, op.getC());
    copyMatrix(builder, loc, op.getC(), own.matrix);
    input = own.matrix, copy = own.memory;
  }
  Transpose none = Transpose::None, enters = triangle.enters();
  auto product = GemmOp::create(builder, loc, TypeRange(), left ? triangle.copy : input,
                                left ? input : triangle.copy, op.getC(), op.getAlpha(),
                                /*beta=*/Value(), left ? enters : none, left ? none : enters,
                                MathMode::Strict, /*anyOrder=*/false, TypeAttr(), PlanAttr());
  int64_t order = op.getK();
  product.setPadded(ShapedType::isDynamic(order) ? triangle.multiple > 1
                                                 : order % triangle.multiple != 0);
  (left ? product.setStructureA(structureOfEntering(op))
        : product.setStructureB(structureOfEntering(op)));
  Role output = op.getB() ? Role::C : Role::B, ofB = op.getB() ? Role::B : Role::W;
  product->setAttr(BlasDialect::kOperandsName,
                   operandNames(context, {left ? Role::W : ofB, left ? ofB : Role::W, output}));
  if (int64_t stated = triangle.stated(); stated > 1) {
    SmallVector<int64_t> vectors{left ? stated : 1, left ? 1 : stated, 1};
    SmallVector<Order> any(3, Order::Any);
    product.setGivenAttr(GivenAttr::get(context, {}, {}, {}, vectors, any));
  }
  memref::DeallocOp::create(builder, loc, triangle.copy);
  if (copy)
    memref::DeallocOp::create(builder, loc, copy);
}
