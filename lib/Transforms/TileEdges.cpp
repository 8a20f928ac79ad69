//===- TileEdges.cpp - Where tiles meet the edge of a matrix --------------===//

#include "TileEdges.h"

using namespace mlir;
using namespace rooftile;
using tile::Edge;

static int64_t macroOf(blas::GemmOp op, int dim) { return op.getPlanAttr().getMacro()[dim]; }

/// Rows of op(A), or columns of op(B).
static int64_t extentOf(blas::GemmOp op, int dim) {
  Value matrix = dim == 0 ? op.getA() : op.getB();
  return blas::getSizeOf(cast<MemRefType>(matrix.getType()), dim == 0 ? op.getOpA() : op.getOpB(),
                         dim);
}

/// There may be padding: the end of the matrix is no place where an access begins.
static bool isPadded(blas::GemmOp op, int dim) {
  int64_t extent = extentOf(op, dim), size = dim == 0 ? op.getM() : op.getN();
  return op.getPadded() && (ShapedType::isDynamic(size) || extent != size);
}

/// Lines along K that are copied as one in accesses which do not divide all of them: tiles begin at
/// multiples of their size.
static bool beginsAnywhere(blas::GemmOp op, int dim) {
  blas::PathAttr path = dim == 0 ? op.getPlanAttr().getA() : op.getPlanAttr().getB();
  auto type = cast<MemRefType>((dim == 0 ? op.getA() : op.getB()).getType());
  return !path.getFlat() || path.getMajor() == blas::Major::MN ||
         blas::getFlatLines(type).vector % path.getVector() == 0;
}

bool rooftile::overlaps(blas::GemmOp op, int dim) {
  return beginsAnywhere(op, dim) && op.getPlanAttr().getTail() == blas::Tail::Overlap &&
         blas::isAtLeast(op, dim, macroOf(op, dim)) && !isPadded(op, dim);
}

Edge rooftile::edgeOf(blas::GemmOp op, int dim, Edge otherwise) {
  return blas::isMultiple(op, dim, macroOf(op, dim)) || overlaps(op, dim) ? Edge::Inside
                                                                          : otherwise;
}

Edge rooftile::loadEdgeOf(blas::GemmOp op, int dim) {
  int64_t extent = isPadded(op, dim) ? extentOf(op, dim) : ShapedType::kDynamic;
  bool filled = !ShapedType::isDynamic(extent) && extent % macroOf(op, dim) == 0;
  return filled ? Edge::Inside : edgeOf(op, dim, Edge::Clamp);
}
