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
// Elements of the other triangle of A are not read, those of V stay zeros. Blocks that do not
// follow each other are copied to one batch, so that one chain of kernels inverts them all.
//
//===----------------------------------------------------------------------===//

#include "TriangularSteps.h"
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

/// The blocks on the diagonal as a batch.
Value DiagonalInverses::blocksOfA(Run run, int64_t width) {
  Submatrices blocks{{run.count}, {{0, width, width}}, run.start, run.start, width, width};
  return viewSubmatrices(builder, loc, op.getA(), blocks);
}

/// `count` matrices of a batch from number `first` on.
static Value matricesOf(OpBuilder &builder, Location loc, Value batch, int64_t first,
                        int64_t count) {
  auto type = cast<MemRefType>(batch.getType());
  int64_t rank = type.getRank();
  if (type.getDimSize(rank - 3) == count)
    return batch;
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
      sizes = memref::getMixedSizes(builder, loc, batch), ones(rank, builder.getIndexAttr(1));
  offsets[rank - 3] = builder.getIndexAttr(first), sizes[rank - 3] = builder.getIndexAttr(count);
  return memref::SubViewOp::create(builder, loc, batch, offsets, sizes, ones);
}

/// Copies of all blocks as one batch, scaled unless the diagonal is ones; makes identities of the
/// `inverses`.
Value DiagonalInverses::copyRuns(ArrayRef<Run> runs, Value inverses) {
  int64_t width = cast<MemRefType>(inverses.getType()).getShape().back();
  MatrixCopy copy =
      allocateLike(builder, loc, op.getA(), memref::getMixedSizes(builder, loc, inverses));
  memory.push_back(copy.memory);
  bool byRows = (op.getSide() == Side::Left) == isTransposed(op.getOpA());
  Scaling scaling = op.getDiag() == Diag::Unit ? Scaling::None
                    : byRows                   ? Scaling::Rows
                                               : Scaling::Columns;
  int64_t first = 0;
  for (Run run : runs) {
    copyScaled(builder, loc, blocksOfA(run, width),
               {matricesOf(builder, loc, copy.memory, first, run.count),
                matricesOf(builder, loc, inverses, first, run.count)},
               /*byColumns=*/copy.memory != copy.matrix, scaling);
    first += run.count;
  }
  return copy.matrix;
}

void DiagonalInverses::solveBase(Value a, Value inverses, int64_t count, int64_t width) {
  Submatrices blocks{{count, width / base}, {{1, 0, 0}, {0, base, base}}, 0, 0, base, base};
  BlocksData plan = op.getPlanAttr()->ofBlock();
  if (plan.workgroupVectors == 0) {
    plan = BlocksData();
    plan.workgroup = std::min<int64_t>(64, llvm::PowerOf2Ceil(base));
  }
  TrsmOp::create(builder, loc, TypeRange(), viewSubmatrices(builder, loc, a, blocks), Value(),
                 viewSubmatrices(builder, loc, inverses, blocks), Value(), Side::Left, op.getUplo(),
                 Transpose::None, op.getDiag(), BlocksAttr::get(op->getContext(), plan));
}

/// Blocks of order 2 half from those of order half.
void DiagonalInverses::join(Value a, Value inverses, int64_t count, int64_t width, int64_t half) {
  bool lower = op.getUplo() == Uplo::Lower;
  auto partOf = [&](Value matrices, int64_t row, int64_t column) {
    Submatrices blocks{
        {count, width / (2 * half)}, {{1, 0, 0}, {0, 2 * half, 2 * half}}, row, column, half, half};
    return viewSubmatrices(builder, loc, matrices, blocks);
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

Value DiagonalInverses::invert(ArrayRef<Run> runs, int64_t width) {
  int64_t count = 0;
  for (Run run : runs)
    count += run.count;
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, op.getA());
  sizes.resize(sizes.size() - 2);
  for (int64_t size : {count, width, width})
    sizes.push_back(builder.getIndexAttr(size));
  Value inverses = allocate(sizes), a;
  if (op.getDiag() == Diag::Unit && runs.size() == 1) {
    a = blocksOfA(runs.front(), width);
    fillWithIdentity(builder, loc, inverses);
  } else {
    a = copyRuns(runs, inverses);
  }
  solveBase(a, inverses, count, width);
  for (int64_t half = base; half < width; half *= 2)
    join(a, inverses, count, width, half);
  return inverses;
}

void DiagonalInverses::free() {
  for (Value each : memory)
    memref::DeallocOp::create(builder, loc, each);
}
