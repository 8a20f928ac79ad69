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
  Type element = cast<MemRefType>(a.getType()).getElementType();
  memory.push_back(memref::AllocOp::create(builder, loc, sizes, element));
  return memory.back();
}

/// A batch of identities.
Value DiagonalInverses::identity(int64_t count, int64_t width) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, a);
  sizes.resize(sizes.size() - 2);
  for (int64_t size : {count, width, width})
    sizes.push_back(builder.getIndexAttr(size));
  Value matrices = allocate(sizes);
  fillWithIdentity(builder, loc, matrices);
  return matrices;
}

void DiagonalInverses::solveBase(Value inverses, int64_t start, int64_t count, int64_t width) {
  int64_t perBlock = width / base;
  Places ofA{{count, perBlock}, {{0, width, width}, {0, base, base}}, start, start, base, base};
  Places ofV{{count, perBlock}, {{1, 0, 0}, {0, base, base}}, 0, 0, base, base};
  BlocksAttr plan = op.getPlanAttr().ofBlock();
  if (plan.getLines() == 0)
    plan = BlocksAttr::get(op->getContext(), 0, std::min<int64_t>(64, llvm::PowerOf2Ceil(base)));
  TrsmOp::create(builder, loc, TypeRange(), viewParts(builder, loc, a, ofA), Value(),
                 viewParts(builder, loc, inverses, ofV), Value(), Side::Left, op.getUplo(),
                 Transpose::None, op.getDiag(), plan);
}

/// Blocks of order 2 half from those of order half.
void DiagonalInverses::join(Value inverses, int64_t start, int64_t count, int64_t width,
                            int64_t half) {
  int64_t pairs = width / (2 * half);
  bool lower = op.getUplo() == Uplo::Lower;
  auto ofV = [&](int64_t row, int64_t column) {
    Places places{{count, pairs}, {{1, 0, 0}, {0, 2 * half, 2 * half}}, row, column, half, half};
    return viewParts(builder, loc, inverses, places);
  };
  int64_t row = lower ? half : 0, column = half - row;
  Places ofA{{count, pairs}, {{0, width, width}, {0, 2 * half, 2 * half}},
             start + row,    start + column,
             half,           half};
  Value beside = viewParts(builder, loc, a, ofA);
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
  Value inverses = identity(count, width);
  solveBase(inverses, start, count, width);
  for (int64_t half = base; half < width; half *= 2)
    join(inverses, start, count, width, half);
  return inverses;
}

void DiagonalInverses::free() {
  for (Value each : memory)
    memref::DeallocOp::create(builder, loc, each);
}
