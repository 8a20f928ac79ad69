//===- TileOutput.cpp - From the sums of a workgroup to C -----------------===//
//
// What the reduction of the plan says: without splits the sums are the product, and C is
// updated; a partial product goes to its slice of the workspace; atomic additions go
// to C, which holds beta * C already.
//
//===----------------------------------------------------------------------===//

#include "TileOutput.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

Value rooftile::viewOutput(OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel,
                           CoordOp coord) {
  Value slice;
  if (op.getPartial())
    slice = coord.getSplitOrNull();
  if (op.getPartial() && !slice)
    slice = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
  return viewMatrix(builder, op.getLoc(), kernel.c, blas::Transpose::None, coord.getBatch(), slice);
}

void rooftile::writeTile(OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel, Value sum,
                         const TileOutput &output) {
  Location loc = op.getLoc();
  CoordOp coord = output.coord;
  bool atomic = op.getPlanAttr().getReduction() == blas::Reduction::Atomic;
  // With beta = 0 both workgroups write the same bits, so neither needs a guard.
  bool moved = kernel.beta && (output.row != coord.getM() || output.column != coord.getN());
  UpdateOp::create(builder, loc, sum, output.c, output.row, output.column, kernel.alpha,
                   atomic ? Value() : kernel.beta, moved ? coord.getM() : Value(),
                   moved ? coord.getN() : Value(), output.edges, accessVectorOfC(op), atomic);
}
