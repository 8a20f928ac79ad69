//===- TriangularSteps.cpp - Contents and views of submatrices ------------===//

#include "TriangularSteps.h"
#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// Whether neighbours in memory are those of a column.
static bool isByColumns(MemRefType type) {
  int64_t rank = type.getRank();
  return hasUnitStride(type, rank - 2) && !hasUnitStride(type, rank - 1);
}

static Value transposed(OpBuilder &builder, Location loc, Value matrix) {
  int64_t rank = memrefType(matrix).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 2], order[rank - 1]);
  auto map = AffineMapAttr::get(AffineMap::getPermutationMap(order, builder.getContext()));
  return memref::TransposeOp::create(builder, loc, matrix, map);
}

void rooftile::copyMatrix(OpBuilder &builder, Location loc, Value from, Value to,
                          std::array<Role, 2> roles) {
  if (isByColumns(memrefType(to)))
    from = transposed(builder, loc, from), to = transposed(builder, loc, to);
  auto pack = PackOp::create(builder, loc, TypeRange(), from, to, Transpose::None,
                             Structure::General, PartsAttr(), /*aligned=*/1, TilingAttr());
  pack->setAttr(BlasDialect::kOperandsName,
                operandNames(builder.getContext(), {roles[0], roles[0], roles[1]}));
}

MatrixCopy rooftile::allocateLike(OpBuilder &builder, Location loc, Value matrix) {
  return allocateLike(builder, loc, matrix, memref::getMixedSizes(builder, loc, matrix));
}

MatrixCopy rooftile::allocateLike(OpBuilder &builder, Location loc, Value matrix,
                                  SmallVector<OpFoldResult> sizes) {
  MemRefType type = memrefType(matrix);
  bool byColumns = isByColumns(type);
  if (byColumns)
    std::swap(sizes.back(), sizes[sizes.size() - 2]);
  Value memory = memref::AllocOp::create(builder, loc, sizes, type.getElementType());
  return {memory, byColumns ? transposed(builder, loc, memory) : memory};
}

Value rooftile::chooseOnDiagonal(OpBuilder &builder, Location loc, int64_t rank, Value onDiagonal,
                                 Value beside) {
  Value row = linalg::IndexOp::create(builder, loc, rank - 2),
        column = linalg::IndexOp::create(builder, loc, rank - 1);
  Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, row, column);
  return arith::SelectOp::create(builder, loc, same, onDiagonal, beside);
}

void rooftile::fillWithIdentity(OpBuilder &builder, Location loc, Value matrices) {
  MemRefType type = memrefType(matrices);
  int64_t rank = type.getRank();
  Value one = createScalar(builder, loc, type.getElementType(), 1),
        zero = createScalar(builder, loc, type.getElementType(), 0);
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inside, Location at, ValueRange) {
    linalg::YieldOp::create(inside, at, chooseOnDiagonal(inside, at, rank, one, zero));
  };
  linalg::GenericOp::create(builder, loc, TypeRange(), ValueRange(), matrices, maps, loops, body);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Value rooftile::viewSubmatrices(OpBuilder &builder, Location loc, Value matrix,
                                const Submatrices &blocks) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes(),
                            strides = metadata.getConstifiedMixedStrides();
  auto add = [&](OpFoldResult left, OpFoldResult right) {
    return addNumbers(builder, loc, left, right);
  };
  auto multiply = [&](OpFoldResult stride, int64_t by) {
    return multiplyNumbers(builder, loc, stride, builder.getIndexAttr(by));
  };
  int64_t rank = sizes.size();
  OpFoldResult row = strides[rank - 2], column = strides[rank - 1];
  OpFoldResult batch = rank > 2 ? strides[rank - 3] : builder.getIndexAttr(0);
  auto stepOf = [&](int64_t matrices, int64_t rows, int64_t columns) {
    return add(multiply(batch, matrices), add(multiply(row, rows), multiply(column, columns)));
  };
  OpFoldResult offset =
      add(metadata.getConstifiedMixedOffset(), stepOf(0, blocks.row, blocks.column));
  OpFoldResult rows = sizes[rank - 2], columns = sizes[rank - 1];
  if (blocks.rows != Submatrices::kWhole)
    rows = builder.getIndexAttr(blocks.rows);
  if (blocks.columns != Submatrices::kWhole)
    columns = builder.getIndexAttr(blocks.columns);
  // A dimension of the batch that is stepped over is a dimension of the submatrices.
  bool inBatch = llvm::any_of(blocks.steps, [](auto &step) { return step[0] != 0; });
  sizes.resize(rank - 2 - inBatch), strides.resize(rank - 2 - inBatch);
  for (auto [count, step] : llvm::zip_equal(blocks.counts, blocks.steps)) {
    sizes.push_back(builder.getIndexAttr(count));
    strides.push_back(stepOf(step[0], step[1], step[2]));
  }
  sizes.append({rows, columns}), strides.append({row, column});
  return memref::ReinterpretCastOp::create(builder, loc, metadata.getBaseBuffer(), offset, sizes,
                                           strides);
}
