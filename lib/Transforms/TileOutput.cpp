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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/PlanMaps.h"
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
/// all groups. In a cluster: the sum of all its workgroups, and `output` moves to the share of this
/// one.
static Value exchange(OpBuilder &builder, blas::GemmOp op, Value sum, int64_t vector,
                      TileOutput &output) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  blas::PlanAttr plan = op.getPlanAttr();
  bool cluster = plan.getReduction() == blas::Reduction::Cluster;
  int64_t tile = plan.getMacro()[0], rows = tile / plan.getRanks(), columns = plan.getMacro()[1];
  auto sums = cast<MatrixType>(sum.getType());
  Type element = sums.getElementType();
  int64_t stride = blas::exchangeStride(columns, elementBytes(element), cluster);
  auto type = BufferType::get(context, 1, sums.getShape(), element, {stride, 1});
  auto partType = BufferType::get(context, 1, {rows, columns}, element, {stride, 1});
  MapAttr map = copyMap(context, {rows, columns, vector, /*lanes=*/0, /*alongColumns=*/true},
                        plan.getThreads());
  auto matrix = MatrixType::get(context, {rows, columns}, element, map);

  // Nothing reads the rings of A and B any more.
  Value zero = index(0), buffer = AllocOp::create(builder, loc, type, /*over=*/true);
  StoreOp::create(builder, loc, sum, ViewOp::create(builder, loc, type, buffer, zero, zero, zero));
  Value split = cluster ? output.coord.getSplitOrNull() : Value();
  Value first = split ? arith::MulIOp::create(builder, loc, split, index(rows)).getResult() : zero;
  SmallVector<Value> parts; // all loads before the first sum
  for (int64_t rank = 0; rank < plan.getRanks(); ++rank)
    for (int64_t group = 0; group < plan.getGroups(); ++group) {
      Value peer = cluster ? index(rank) : Value(), row = first;
      if (group > 0)
        row = arith::AddIOp::create(builder, loc, first, index(group * tile));
      Value view = ViewOp::create(builder, loc, partType, buffer, zero, row, zero, peer);
      parts.push_back(LoadOp::create(builder, loc, matrix, view, Value(), Value(), EdgesAttr(), 1));
    }
  if (split)
    output.row = arith::AddIOp::create(builder, loc, output.row, first);
  Value total = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    total = AddOp::create(builder, loc, total, part);
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
  if (plan.exchangesC()) {
    // Where nothing is added up there is always a width: threads along M divide macro M.
    vector = blas::exchangeVector(plan.getMacro()[0], plan.getMacro()[1], plan.getRanks(),
                                  plan.getThreads(), vector);
    sum = exchange(builder, op, sum, vector, output);
  }
  TileUpdate update{sum, output.c, output.row, output.column, kernel.alpha};
  update.beta = atomic ? Value() : kernel.beta;
  if (moved)
    update.fromRow = coord.getM(), update.fromColumn = coord.getN();
  update.edges = output.edges, update.vector = vector, update.atomic = atomic;
  createUpdate(builder, op, update, kernel.arguments, coord.getBatch());
}
