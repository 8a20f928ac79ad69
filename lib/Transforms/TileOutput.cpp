//===- TileOutput.cpp - From the sums of a workgroup to C -----------------===//
//
// What the reduction of the plan says: without splits the sums are the product, and C is
// updated; a partial product goes to its slice of the workspace; atomic additions go
// to C, which holds beta * C already.
//
// In a cluster each workgroup puts its partial sums into its shared memory, and then adds up
// those of all, in the order of their ranks, for its share of the rows of the tile:
//
//   store acc to the buffer; meet
//   rows split * macro M / S ..: sum = buffer of 0 + buffer of 1 + ... + buffer of S - 1
//   C = alpha * sum + beta * C in these rows; meet
//
//===----------------------------------------------------------------------===//

#include "TileOutput.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Transforms/PlanMaps.h"

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

/// The sum over the cluster of its part of the tile; moves `output` to the first row of it.
static Value sumOfCluster(OpBuilder &builder, blas::GemmOp op, Value sum, int64_t vector,
                          TileOutput &output) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  blas::PlanAttr plan = op.getPlanAttr();
  int64_t splits = plan.getSplits(), columns = plan.getMacro()[1];
  int64_t rows = plan.getMacro()[0] / splits;
  Type element = cast<MatrixType>(sum.getType()).getElementType();
  ArrayRef<int64_t> tile = plan.getMacro().take_front(2);
  auto type = BufferType::get(context, 1, tile, element, {columns, 1});
  auto partType = BufferType::get(context, 1, {rows, columns}, element, {columns, 1});
  MapAttr map = copyMap(context, {rows, columns, vector, /*lanes=*/0, /*alongColumns=*/true},
                        plan.getThreads());
  auto matrix = MatrixType::get(context, {rows, columns}, element, map);

  Value zero = index(0), buffer = AllocOp::create(builder, loc, type);
  StoreOp::create(builder, loc, sum, ViewOp::create(builder, loc, type, buffer, zero, zero, zero));
  Value split = output.coord.getSplitOrNull();
  Value first = arith::MulIOp::create(builder, loc, split ? split : zero, index(rows));
  SmallVector<Value> parts; // all loads before the first sum
  for (int64_t rank = 0; rank < splits; ++rank) {
    Value view = ViewOp::create(builder, loc, partType, buffer, zero, first, zero, index(rank));
    parts.push_back(LoadOp::create(builder, loc, matrix, view, Value(), Value(), EdgesAttr(), 1));
  }
  output.row = arith::AddIOp::create(builder, loc, output.row, first);
  Value total = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    total = arith::AddFOp::create(builder, loc, total, part);
  return total;
}

void rooftile::writeTile(OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel, Value sum,
                         TileOutput output) {
  Location loc = op.getLoc();
  CoordOp coord = output.coord;
  blas::PlanAttr plan = op.getPlanAttr();
  bool atomic = plan.getReduction() == blas::Reduction::Atomic;
  // With beta = 0 both workgroups write the same bits, so neither needs a guard.
  bool moved = kernel.beta && (output.row != coord.getM() || output.column != coord.getN());
  int64_t vector = accessVectorOfC(op);
  if (plan.getReduction() == blas::Reduction::Cluster) {
    vector = blas::clusterShareVector(plan.getMacro()[0], plan.getMacro()[1], plan.getSplits(),
                                      plan.getThreads(), vector);
    sum = sumOfCluster(builder, op, sum, vector, output);
  }
  UpdateOp::create(builder, loc, sum, output.c, output.row, output.column, kernel.alpha,
                   atomic ? Value() : kernel.beta, moved ? coord.getM() : Value(),
                   moved ? coord.getN() : Value(), output.edges, vector, atomic);
}
