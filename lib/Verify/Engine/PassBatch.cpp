//===- PassBatch.cpp - Batches by pointers in calls -----------------------===//

#include "rooftile/Verify/Engine/Instrument.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

Value rooftile::verify::passable(OpBuilder &builder, Value matrix) {
  auto batch = matrix.getDefiningOp<blas::BatchOp>();
  if (!batch)
    return matrix;
  Location loc = matrix.getLoc();
  OpFoldResult zero = builder.getIndexAttr(0);
  SmallVector<OpFoldResult> sizes{memref::getMixedSize(builder, loc, batch.getPointers(), 0),
                                  batch.getSize(1), batch.getSize(2)};
  SmallVector<OpFoldResult> strides{zero, batch.getStride(1), batch.getStride(2)};
  return memref::ReinterpretCastOp::create(builder, loc, batch.getPointers(), zero, sizes, strides);
}
