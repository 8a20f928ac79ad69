//===- FlatLines.cpp - Lines without gaps, as one -------------------------===//

#include "FlatLines.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Transforms/KernelInterface.h"

using namespace mlir;
using namespace rooftile;

Value rooftile::viewAsLine(OpBuilder &builder, Location loc, Value matrix, int64_t length,
                           OpFoldResult count, bool alongRows) {
  auto view = matrix.getDefiningOp<memref::ReinterpretCastOp>();
  OpFoldResult one = builder.getIndexAttr(1), apart = builder.getIndexAttr(length);
  SmallVector<OpFoldResult> sizes{one, count}, strides{apart, one};
  if (alongRows)
    std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
  return viewStrided(builder, loc, view.getSource(), view.getMixedOffsets()[0], sizes, strides);
}
