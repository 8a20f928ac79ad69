//===- DiagonalInverses.cpp - Inverses of blocks on a diagonal ------------===//
//
// V = I, then blocks of order `base` by substitution, all at once, in place:
//
//   V[s, s] = A[s, s]^-1
//
// and blocks of twice the order of these, as long as they are smaller than those that are asked
// for, all of one order at once:
//
//   lower:  V21 = -V22 (A21 V11)         upper:  V12 = -V11 (A12 V22)
//
// Elements of the other triangle of A are not read, those of V stay zeros.
//
//===----------------------------------------------------------------------===//

#include "TriangularParts.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

Value DiagonalInverses::allocate(ArrayRef<OpFoldResult> sizes) {
  Type element = cast<MemRefType>(op.getA().getType()).getElementType();
  memory.push_back(memref::AllocOp::create(builder, loc, sizes, element));
  return memory.back();
}

/// A batch of identities.
Value DiagonalInverses::identity(int64_t count, int64_t width) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, op.getA());
  sizes.resize(sizes.size() - 2);
  for (int64_t size : {count, width, width})
    sizes.push_back(builder.getIndexAttr(size));
  Value matrices = allocate(sizes);
  fillWithIdentity(builder, loc, matrices);
  return matrices;
}

/// The blocks on the diagonal as a batch: scaled copies, unless the diagonal is ones.
Value DiagonalInverses::blocksOfA(int64_t start, int64_t count, int64_t width) {
  Places places{{count}, {{0, width, width}}, start, start, width, width};
  Value blocks = viewParts(builder, loc, op.getA(), places);
  if (op.getDiag() == Diag::Unit)
    return blocks;
  bool isLeft = op.getSide() == Side::Left;
  MatrixCopy copy =
      copyScaled(builder, loc, blocks, /*byRows=*/isLeft == isTransposed(op.getOpA()));
  memory.push_back(copy.memory);
  return copy.matrix;
}

void DiagonalInverses::solveBase(Value a, Value inverses, int64_t count, int64_t width) {
  Places places{{count, width / base}, {{1, 0, 0}, {0, base, base}}, 0, 0, base, base};
  BlocksAttr plan = op.getPlanAttr().ofBlock();
  if (plan.getLines() == 0)
    plan = BlocksAttr::get(op->getContext(), 0, std::min<int64_t>(64, llvm::PowerOf2Ceil(base)));
  TrsmOp::create(builder, loc, TypeRange(), viewParts(builder, loc, a, places), Value(),
                 viewParts(builder, loc, inverses, places), Value(), Side::Left, op.getUplo(),
                 Transpose::None, op.getDiag(), plan);
}

/// Blocks of order 2 half from those of order half.
void DiagonalInverses::join(Value a, Value inverses, int64_t count, int64_t width, int64_t half) {
  bool lower = op.getUplo() == Uplo::Lower;
  auto partOf = [&](Value matrices, int64_t row, int64_t column) {
    Places places{
        {count, width / (2 * half)}, {{1, 0, 0}, {0, 2 * half, 2 * half}}, row, column, half, half};
    return viewParts(builder, loc, matrices, places);
  };
  auto ofV = [&](int64_t row, int64_t column) { return partOf(inverses, row, column); };
  int64_t row = lower ? half : 0, column = half - row;
  Value beside = partOf(a, row, column);
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, beside);
  Value product = allocate(sizes);
  // The block that stands in the rows of the result, and the one in its columns.
  Value inRows = ofV(row, row), inColumns = ofV(column, column);
  Type element = cast<MemRefType>(product.getType()).getElementType();
  auto multiply = [&](Value left, Value right, Value result, Value alpha, Structure structureA,
                      Structure structureB) {
    auto gemm = GemmOp::create(builder, loc, TypeRange(), left, right, result, alpha,
                               /*beta=*/Value(), Transpose::None, Transpose::None, MathMode::Strict,
                               /*anyOrder=*/false, TypeAttr(), PlanAttr());
    gemm.setStructureA(structureA), gemm.setStructureB(structureB);
    gemm->setAttr(
        BlasDialect::kOperandsName,
        operandNames(op->getContext(), {left == beside ? Role::A : Role::W, Role::W, Role::W}));
  };
  Structure triangle = lower ? Structure::Lower : Structure::Upper;
  multiply(beside, inColumns, product, Value(), Structure::General, triangle);
  multiply(inRows, product, ofV(row, column), createScalar(builder, loc, element, -1), triangle,
           Structure::General);
}

Value DiagonalInverses::invert(int64_t start, int64_t count, int64_t width) {
  Value a = blocksOfA(start, count, width);
  Value inverses = identity(count, width);
  solveBase(a, inverses, count, width);
  for (int64_t half = base; half < width; half *= 2)
    join(a, inverses, count, width, half);
  return inverses;
}

void DiagonalInverses::free() {
  for (Value each : memory)
    memref::DeallocOp::create(builder, loc, each);
}
