//===- TileOutput.cpp - From the sums of a workgroup to C -----------------===//
//
// What the reduction of the plan says: without splits the sums are the product, and C is
// updated; a partial product goes to its slice of the workspace; atomic additions go
// to C, which holds beta * C already.
//
// With c = shared the tile passes through shared memory, to be written in rows of neighbouring
// threads:
//
//   store acc to the buffer; barrier; load in rows; C = alpha * acc + beta * C
//
// In a cluster each workgroup puts its partial sums into its shared memory, and then adds up
// those of all, in the order of their ranks, for its share of the rows of the tile:
//
//   store acc to the buffer; meet
//   rows split * macro M / S ..: sum = buffer of 0 + buffer of 1 + ... + buffer of S - 1
//   C = alpha * sum + beta * C in these rows; meet
//
// Groups of a workgroup are added up in the same way: their sums lie one above the other in the
// buffer.
//
//===----------------------------------------------------------------------===//

#include "TileOutput.h"
#include "StackedSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Transforms/TileEpilogue.h"

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

/// Stores `sum` to shared memory and loads it in the order in which threads write to C: that of
/// all groups, in accesses of at most `vector` elements, which it narrows. In a cluster: the sum of
/// all its workgroups, and `output` moves to the share of this one.
static Value exchange(OpBuilder &builder, blas::GemmOp op, Value sum, int64_t &vector,
                      TileOutput &output) {
  Location loc = op.getLoc();
  blas::PlanAttr plan = op.getPlanAttr();
  StackedSums stacked;
  stacked.sums = sum, stacked.count = plan.getGroups();
  stacked.rows = plan.getMacro()[0], stacked.columns = plan.getMacro()[1];
  stacked.vector = vector, stacked.threads = plan.getThreads();
  stacked.cluster = plan.getReduction() == blas::Reduction::Cluster;
  stacked.ranks = plan.getRanks();
  vector = stacked.accessVector();
  if (stacked.ranks == 1)
    return addStacked(builder, loc, stacked);
  stacked.split = output.coord.getSplitOrNull();
  Value total = addStacked(builder, loc, stacked);
  Value rows = arith::ConstantIndexOp::create(builder, loc, stacked.rows / stacked.ranks);
  Value first = arith::MulIOp::create(builder, loc, stacked.split, rows);
  output.row = arith::AddIOp::create(builder, loc, output.row, first);
  return total;
}

void rooftile::writeTile(OpBuilder &builder, blas::GemmOp op, const GemmKernel &kernel, Value sum,
                         TileOutput output) {
  CoordOp coord = output.coord;
  blas::PlanAttr plan = op.getPlanAttr();
  bool atomic = plan.getReduction() == blas::Reduction::Atomic;
  // With beta = 0 both workgroups write the same bits, so neither needs a guard.
  bool moved = kernel.beta && (output.row != coord.getM() || output.column != coord.getN());
  int64_t vector = accessVectorOfC(op);
  if (plan.exchangesC())
    sum = exchange(builder, op, sum, vector, output);
  TileUpdate update{sum, output.c, output.row, output.column, kernel.alpha};
  update.beta = atomic ? Value() : kernel.beta;
  if (moved)
    update.fromRow = coord.getM(), update.fromColumn = coord.getN();
  update.edges = output.edges, update.vector = vector, update.atomic = atomic;
  createUpdate(builder, op, update, kernel.arguments, coord.getBatch());
}
