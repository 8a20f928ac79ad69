//===- RowsOfParts.cpp - Where the parts of elements lie ------------------===//

#include "RowsOfParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

RowsOfParts::RowsOfParts(OpBuilder &builder, Location loc, blas::PartsAttr parts, OpFoldResult rows,
                         Value row)
    : builder(builder), loc(loc), parts(parts) {
  Value chunk = arith::ConstantIndexOp::create(builder, loc, parts.getChunk());
  inside = arith::RemUIOp::create(builder, loc, row, chunk);
  begin = arith::SubIOp::create(builder, loc, row, inside);
  std::optional<int64_t> known = getConstantIntValue(rows);
  length = builder.getIndexAttr(parts.getChunk());
  if (known && *known % parts.getChunk() == 0)
    return;
  Value left = arith::SubIOp::create(builder, loc,
                                     getValueOrCreateConstantIndexOp(builder, loc, rows), begin);
  length = arith::MinSIOp::create(builder, loc, chunk, left).getResult();
}

KernelInterface::Matrix RowsOfParts::blockOf(const KernelInterface::Matrix &all,
                                             int64_t block) const {
  auto number = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(builder, loc, value);
  };
  Value blocks = arith::ConstantIndexOp::create(builder, loc, getBlocks());
  Value before = arith::MulIOp::create(builder, loc, begin, blocks);
  Value own = arith::MulIOp::create(builder, loc, number(length),
                                    arith::ConstantIndexOp::create(builder, loc, block));
  Value row = arith::AddIOp::create(builder, loc, before, own);
  KernelInterface::Matrix matrix = all;
  size_t rank = matrix.sizes.size();
  Value offset = arith::MulIOp::create(builder, loc, row, number(matrix.strides[rank - 2]));
  matrix.offset = arith::AddIOp::create(builder, loc, number(all.offset), offset).getResult();
  matrix.sizes[rank - 2] = length;
  return matrix;
}

EdgesAttr rooftile::withZeroRows(EdgesAttr edges, OpFoldResult rows, OpFoldResult ofBlock) {
  bool whole =
      edges.getRows() == Edge::Inside && getConstantIntValue(rows) == getConstantIntValue(ofBlock);
  return whole ? edges : EdgesAttr::get(edges.getContext(), Edge::Zero, edges.getColumns());
}
