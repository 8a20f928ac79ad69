//===- TriangularProduct.cpp - blas.trmm as products ----------------------===//
//
// The whole triangle, or with blocks of order b only those on the diagonal, T[q, q], copied or
// masked where a product reads them. Then, of A on the left, T lower, and b s rows in a group at
// level s = 1, 2, 4, ..:
//
//   C[q] = alpha T[q, q] B[q]                                   for all blocks q at once
//   C[2 p + 1] += alpha T[2 p + 1, 2 p] B[2 p]                  for all pairs of groups at once
//
// Groups at the end may be cut. Of an upper T the first of a pair gets the product of the second;
// with A on the right columns stand for rows.
//
//===----------------------------------------------------------------------===//

#include "PackedOperand.h"
#include "TriangularSteps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

Structure rooftile::structureOfEntering(TriangularOpInterface op) {
  return op.isEffectivelyLower() ? Structure::Lower : Structure::Upper;
}

namespace {
/// Emits the products of one blas.trmm.
class Products {
public:
  Products(OpBuilder &builder, TriangularOpInterface op)
      : builder(builder), loc(op.getLoc()), op(op), left(op.getSide() == Side::Left),
        input(op.getB() ? op.getB() : op.getC()) {}

  void emit(int64_t width);

private:
  PackedOperand copyTriangle(Value a);
  void multiplyDiagonal(Value a, Value b, Value c);
  void multiplyBeside(Value a, Value b, Value c);
  GemmOp create(Value a, Value b, Value c, Transpose enters, Value beta, Role ofA);
  void setStructure(GemmOp product, Structure structure);
  Value vectors(Value matrix, int64_t count, int64_t step, int64_t start, int64_t size);
  Value besides(int64_t count, int64_t step, int64_t start, int64_t from, int64_t rows,
                int64_t columns);
  void emitBlocks(int64_t width);
  void emitLevel(int64_t size);

  OpBuilder &builder;
  Location loc;
  TriangularOpInterface op;
  bool left;
  Value input; ///< Matrix to multiply: B, or a copy of it.
  SmallVector<Value> memory;
};
} // namespace

/// A triangle as a product reads it, with zeros beside it.
PackedOperand Products::copyTriangle(Value a) {
  Type element = memrefType(a).getElementType();
  PackedOperand operand{left, a, op.getOpA(), packedMultiple(element)};
  memory.push_back(
      memref::AllocOp::create(builder, loc, operand.memorySizes(builder), element).getResult());
  operand.copy = operand.viewOf(builder, memory.back());
  auto pack = PackOp::create(builder, loc, TypeRange(), a, operand.copy, operand.transposition(),
                             op.getStructureA(), PartsAttr(), operand.stated(), TilingAttr());
  pack->setAttr(BlasDialect::kOperandsName,
                operandNames(op->getContext(), {Role::A, Role::A, Role::W}));
  return operand;
}

/// c = alpha a b + beta c, or with A on the right of b a. `ofA`: what messages call a.
GemmOp Products::create(Value a, Value b, Value c, Transpose enters, Value beta, Role ofA) {
  MLIRContext *context = op->getContext();
  Transpose none = Transpose::None;
  auto product = GemmOp::create(builder, loc, TypeRange(), left ? a : b, left ? b : a, c,
                                op.getAlpha(), beta, left ? enters : none, left ? none : enters,
                                MathMode::Strict, /*anyOrder=*/false, TypeAttr(), PlanAttr());
  Role output = op.getB() ? Role::C : Role::B, ofB = op.getB() ? Role::B : Role::W;
  product->setAttr(BlasDialect::kOperandsName,
                   operandNames(context, {left ? ofA : ofB, left ? ofB : ofA, output}));
  return product;
}

void Products::setStructure(GemmOp product, Structure structure) {
  left ? product.setStructureA(structure) : product.setStructureB(structure);
}

void Products::multiplyDiagonal(Value a, Value b, Value c) {
  Structure entering = structureOfEntering(op);
  if (op.getPlanAttr()->method == Method::Mask) {
    GemmOp product = create(a, b, c, op.getOpA(), /*beta=*/Value(), Role::A);
    Structure stored = op.getStructureA();
    setStructure(product, isTransposed(op.getOpA()) ? transposed(stored) : stored);
    return product.setMasked(true);
  }
  PackedOperand triangle = copyTriangle(a);
  GemmOp product = create(triangle.copy, b, c, triangle.enters(), /*beta=*/Value(), Role::W);
  setStructure(product, entering);
  int64_t order = memrefType(a).getShape().back();
  product.setPadded(ShapedType::isDynamic(order) ? triangle.multiple > 1
                                                 : order % triangle.multiple != 0);
  if (int64_t stated = triangle.stated(); stated > 1) {
    SmallVector<int64_t> vectors{left ? stated : 1, left ? 1 : stated, 1};
    SmallVector<Order> any(3, Order::Any);
    product.setGivenAttr(GivenAttr::get(op->getContext(), {}, {}, {}, vectors, any));
  }
}

void Products::multiplyBeside(Value a, Value b, Value c) {
  Value one = createScalar(builder, loc, op.getAccumulatorType(), 1);
  create(a, b, c, op.getOpA(), one, Role::A);
}

/// `count` blocks of `size` rows of B or C, of columns where A is on the right.
Value Products::vectors(Value matrix, int64_t count, int64_t step, int64_t start, int64_t size) {
  int64_t whole = Submatrices::kWhole;
  return left ? viewSubmatrices(builder, loc, matrix,
                                {{count}, {{0, step, 0}}, start, 0, size, whole})
              : viewSubmatrices(builder, loc, matrix,
                                {{count}, {{0, 0, step}}, 0, start, whole, size});
}

/// `count` blocks of A as it enters, whose products with the vectors at `from` go to those at
/// `start`.
Value Products::besides(int64_t count, int64_t step, int64_t start, int64_t from, int64_t rows,
                        int64_t columns) {
  Submatrices blocks{{count}, {{0, step, step}}, start, from, rows, columns};
  if (isTransposed(op.getOpA()) == left)
    std::swap(blocks.row, blocks.column), std::swap(blocks.rows, blocks.columns);
  return viewSubmatrices(builder, loc, op.getA(), blocks);
}

/// The blocks on the diagonal, of order `width`, and the last one, which may be smaller.
void Products::emitBlocks(int64_t width) {
  int64_t order = op.getK(), count = order / width, covered = count * width;
  auto block = [&](int64_t count, int64_t start, int64_t size) {
    Submatrices blocks{{count}, {{0, size, size}}, start, start, size, size};
    multiplyDiagonal(viewSubmatrices(builder, loc, op.getA(), blocks),
                     vectors(input, count, size, start, size),
                     vectors(op.getC(), count, size, start, size));
  };
  block(count, 0, width);
  if (covered < order)
    block(1, covered, order - covered);
}

/// Pairs of groups of `size` vectors; the second of the last pair may be smaller.
void Products::emitLevel(int64_t size) {
  int64_t order = op.getK(), pairs = order / (2 * size), rest = order - pairs * 2 * size - size;
  auto pair = [&](int64_t count, int64_t start, int64_t other) {
    // The first and the second of a pair, and which of them gets the product.
    bool down = op.isEffectivelyLower() == left;
    int64_t to = down ? start + size : start, from = down ? start : start + size;
    int64_t rows = down ? other : size, columns = down ? size : other;
    multiplyBeside(besides(count, 2 * size, to, from, rows, columns),
                   vectors(input, count, 2 * size, from, columns),
                   vectors(op.getC(), count, 2 * size, to, rows));
  };
  if (pairs > 0)
    pair(pairs, 0, size);
  if (rest > 0)
    pair(1, pairs * 2 * size, rest);
}

void Products::emit(int64_t width) {
  if (!op.getB()) {
    MatrixCopy own = allocateLike(builder, loc, op.getC());
    copyMatrix(builder, loc, op.getC(), own.matrix, {Role::B, Role::W});
    input = own.matrix;
    memory.push_back(own.memory);
  }
  if (width == 0) {
    multiplyDiagonal(op.getA(), input, op.getC());
  } else {
    emitBlocks(width);
    for (int64_t size = width; size < op.getK(); size *= 2)
      emitLevel(size);
  }
  for (Value each : memory)
    memref::DeallocOp::create(builder, loc, each);
}

void rooftile::emitTriangularProduct(OpBuilder &builder, TriangularOpInterface op) {
  Products(builder, op).emit(op.getPlanAttr()->diagonal);
}
