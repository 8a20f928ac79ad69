//===- TileOutput.cpp - From the accumulators of a workgroup to C ---------===//
//
// Carries out the reduction of the plan: without splits the accumulators are the product, and C is
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
// With flat = L the rows of the tile follow each other in the buffer as they do in C, and are
// loaded and written as one run; by narrower accesses in the tile that ends with C where C ends
// inside one.
//
// Groups of a workgroup are added up in the same way: their accumulators lie one above the other in
// the buffer.
//
//===----------------------------------------------------------------------===//

#include "TileOutput.h"
#include "TileOperand.h"
#include "TileOutput.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

Value rooftile::viewOutput(OpBuilder &builder, blas::ProductOpInterface op,
                           const ProductKernel &kernel, OutputPlace place) {
  Value slice;
  if (op.getPartial())
    slice = place.split;
  if (op.getPartial() && !slice)
    slice = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
  return viewMatrix(builder, op.getLoc(), kernel.c, blas::Transpose::None, place.batch, slice);
}

/// Stores `sum` to shared memory and loads it in the order in which threads write to C: that of
/// all groups, in accesses of at most `vector` elements, which it narrows. In a cluster: the sum of
/// all its workgroups, and `output` moves to the share of this one.
static Value exchange(OpBuilder &builder, blas::ProductOpInterface op, Value sum, int64_t &vector,
                      TileOutput &output) {
  Location loc = op.getLoc();
  blas::PlanAttr plan = op.getPlanAttr();
  PartialSums stacked;
  stacked.sums = sum, stacked.count = plan->slicedK;
  stacked.rows = plan->macroM, stacked.columns = plan->macroN;
  stacked.vector = vector, stacked.threads = plan->threads();
  stacked.cluster = plan->reduction == blas::Reduction::Cluster;
  stacked.ranks = plan->ranks();
  vector = stacked.accessVector();
  if (stacked.ranks == 1)
    return addPartialSums(builder, loc, stacked);
  stacked.split = output.coord.getSplitOrNull();
  Value total = addPartialSums(builder, loc, stacked);
  Value rows = arith::ConstantIndexOp::create(builder, loc, stacked.rows / stacked.ranks);
  Value first = arith::MulIOp::create(builder, loc, stacked.split, rows);
  output.row = arith::AddIOp::create(builder, loc, output.row, first);
  return total;
}

/// Stores `sum` to shared memory, rows of C's length one after the other, and loads them as one
/// vector, in accesses of `vector` elements.
static Value exchangeRows(OpBuilder &builder, blas::ProductOpInterface op, Value sum,
                          int64_t vector) {
  MLIRContext *context = builder.getContext();
  Location loc = op.getLoc();
  blas::PlanAttr plan = op.getPlanAttr();
  Type element = op.getAccumulatorType();
  int64_t rows = plan->macroM, length = plan->flat, whole = rows * length;
  auto bufferOf = [&](int64_t rows, int64_t columns) {
    return BufferType::get(context, 1, {rows, columns}, element, {length, 1});
  };
  auto within = [&](Edge edge) { return EdgesAttr::get(context, Edge::Inside, edge); };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value buffer = AllocOp::create(builder, loc, bufferOf(rows, length), /*over=*/true);
  Value stage = ViewOp::create(builder, loc, bufferOf(rows, length), buffer, zero, zero, zero);
  StoreOp::create(builder, loc, sum, stage,
                  length < plan->macroN ? within(Edge::Guard) : EdgesAttr());
  CopyShape shape;
  shape.columns = llvm::alignTo(whole, plan->threads() * vector), shape.vector = vector;
  auto type = MatrixType::get(context, {1, shape.columns}, element,
                              copyMap(context, shape, plan->threads()));
  // The last accesses of threads that have none of their own are those of the last one.
  Value asOneRow = ViewOp::create(builder, loc, bufferOf(1, whole), buffer, zero, zero, zero);
  return LoadOp::create(builder, loc, type, asOneRow, Value(), Value(),
                        whole < shape.columns ? within(Edge::Clamp) : EdgesAttr(), 1);
}

/// An update of whole rows of C as one of a vector through them. What threads hold beyond the tile,
/// or the matrix, is not written.
static TileUpdate asOneRow(OpBuilder &builder, blas::ProductOpInterface op, TileUpdate update) {
  Location loc = op.getLoc();
  int64_t rows = op.getPlanAttr()->macroM, length = op.getPlanAttr()->flat;
  int64_t all = cast<MemRefType>(update.target.getType()).getDimSize(0) * length;
  bool inside = update.edges.getRows() == Edge::Inside;
  bool whole = cast<MatrixType>(update.sum.getType()).getShape()[1] == rows * length;
  auto scaled = [&](Value row, int64_t by) -> Value {
    Value factor = arith::ConstantIndexOp::create(builder, loc, by);
    return arith::MulIOp::create(builder, loc, row, factor);
  };
  Value first = scaled(update.row, length);
  OpFoldResult end = builder.getIndexAttr(all);
  if (!whole) {
    Value ofTile = arith::ConstantIndexOp::create(builder, loc, rows * length);
    Value last = arith::AddIOp::create(builder, loc, first, ofTile);
    Value ofMatrix = arith::ConstantIndexOp::create(builder, loc, all);
    end = inside ? last : arith::MinSIOp::create(builder, loc, last, ofMatrix).getResult();
  }
  update.target = viewAsRun(builder, loc, update.target, length, end, /*alongRows=*/false);
  update.row = arith::ConstantIndexOp::create(builder, loc, 0), update.column = first;
  if (update.fromRow)
    update.fromColumn = scaled(update.fromRow, length), update.fromRow = update.row;
  update.edges = EdgesAttr::get(builder.getContext(), Edge::Inside,
                                inside && whole ? Edge::Inside : Edge::Guard);
  return update;
}

/// Emits the update of whole rows of C.
static void updateRows(OpBuilder &builder, blas::ProductOpInterface op, const ProductKernel &kernel,
                       const TileUpdate &update, Value batch) {
  auto create = [&](const TileUpdate &of) {
    createUpdate(builder, op, asOneRow(builder, op, of), kernel.arguments, batch);
  };
  TileUpdate last = update;
  last.vector = lastVectorOfC(op);
  if (last.vector == update.vector)
    return create(update);
  Location loc = op.getLoc();
  int64_t macroM = op.getPlanAttr()->macroM;
  int64_t rows = cast<MemRefType>(update.target.getType()).getDimSize(0);
  Value first = arith::ConstantIndexOp::create(builder, loc, rows - macroM);
  auto within = arith::CmpIPredicate::ule;
  Value isWhole = arith::CmpIOp::create(builder, loc, within, update.row, first);
  auto branch = scf::IfOp::create(builder, loc, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  TileUpdate whole = update;
  whole.edges = EdgesAttr::get(builder.getContext(), Edge::Inside, update.edges.getColumns());
  builder.setInsertionPointToStart(branch.thenBlock());
  create(whole);
  builder.setInsertionPointToStart(branch.elseBlock());
  create(last);
}

/// Alpha; where K is 0 the number 0, since a product of no terms is that whatever alpha is.
static Value alphaOf(OpBuilder &builder, Location loc, const ProductKernel &kernel) {
  std::optional<int64_t> known = getConstantIntValue(kernel.k);
  auto constant = blas::getConstantValue(kernel.alpha, 1);
  bool isFinite = constant && std::isfinite(constant->real()) && std::isfinite(constant->imag());
  if (isFinite || (known && *known != 0))
    return kernel.alpha;
  Value zero = blas::createScalar(builder, loc, kernel.alpha.getType(), 0);
  if (known)
    return zero;
  Value k = getValueOrCreateConstantIndexOp(builder, loc, kernel.k);
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, k, none);
  return arith::SelectOp::create(builder, loc, isEmpty, zero, kernel.alpha);
}

void rooftile::writeTile(OpBuilder &builder, blas::ProductOpInterface op,
                         const ProductKernel &kernel, Value sum, TileOutput output) {
  CoordOp coord = output.coord;
  blas::PlanAttr plan = op.getPlanAttr();
  bool atomic = plan->reduction == blas::Reduction::Atomic;
  // Two workgroups that compute an element write the same bits, so neither needs a guard, unless
  // they read C or each has steps of K of its own.
  bool differs = kernel.beta || leavesOutZeros(op);
  bool moved = differs && (output.row != coord.getM() || output.column != coord.getN());
  int64_t vector = accessVectorOfC(op);
  if (plan->flat)
    sum = exchangeRows(builder, op, sum, vector);
  else if (plan->exchangesC())
    sum = exchange(builder, op, sum, vector, output);
  Value alpha = alphaOf(builder, op.getLoc(), kernel);
  TileUpdate update{sum, output.c, output.row, output.column, alpha};
  update.beta = atomic ? Value() : kernel.beta;
  if (moved)
    update.fromRow = coord.getM(), update.fromColumn = coord.getN();
  update.edges = output.edges, update.vector = vector, update.atomic = atomic;
  update.ahead = update.beta ? plan->loadsC : 0;
  update.realDiagonal = op.getRealDiagonal() && !op.getPartial();
  if (plan->flat)
    return updateRows(builder, op, kernel, update, output.batch);
  createUpdate(builder, op, update, kernel.arguments, output.batch);
}

//===----------------------------------------------------------------------===//
// Accumulators of shares of K, one above the other
//
// Threads that share out K have accumulators of the same elements. A few shares are added up by one
// thread for each element:
//
//   store the shares to shared memory; barrier; sum = share 0 + share 1 + ...
//
// More of them, where there are threads to spare, in turns: P shares become about the root of P,
// which each add up as many, until few are left.
//===----------------------------------------------------------------------===//

/// Shares that one thread adds up alone.
static constexpr int64_t kFewParts = 8;
/// Bytes that a thread loads before the first sum at most, where a tile divides among few of them.
static constexpr int64_t kMostLoaded = 256;

namespace {
/// One turn: shares in shared memory, from where they are loaded and added up. In the last one a
/// workgroup of a cluster does so for its share of the rows, of all of them.
class Turn {
public:
  Turn(OpBuilder &builder, Location loc, const PartialSums &stacked, bool last);

  /// `parts` shares, share i the sum of every share whose index mod `parts` is i.
  Value add(int64_t parts);

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  /// The rows of `matrix` from `row` on, of workgroup `peer` (null: this one).
  Value load(MatrixType matrix, Value row, Value peer);
  /// The sum of what lies in the buffer every `step` rows.
  Value addLoaded(MatrixType matrix, int64_t step);
  Value addInLoop(MatrixType matrix, int64_t step);

  OpBuilder &builder;
  Location loc;
  const PartialSums &stacked;
  bool shared; ///< Among the workgroups of a cluster.
  int64_t ranks, rows;
  Type element;
  Value buffer, first;
};
} // namespace

Turn::Turn(OpBuilder &builder, Location loc, const PartialSums &stacked, bool last)
    : builder(builder), loc(loc), stacked(stacked), shared(last && stacked.split),
      ranks(shared ? stacked.ranks : 1), rows(stacked.rows / ranks) {
  auto sums = cast<MatrixType>(stacked.sums.getType());
  element = sums.getElementType();
  int64_t stride = blas::exchangeStride(stacked.columns, elementBytes(element), stacked.cluster);
  auto type = BufferType::get(builder.getContext(), 1, sums.getShape(), element, {stride, 1});
  Value zero = index(0);
  // Nothing reads the rings of A and B any more.
  buffer = AllocOp::create(builder, loc, type, /*over=*/true);
  StoreOp::create(builder, loc, stacked.sums,
                  ViewOp::create(builder, loc, type, buffer, zero, zero, zero), EdgesAttr());
  first =
      shared ? arith::MulIOp::create(builder, loc, stacked.split, index(rows)).getResult() : zero;
}

Value Turn::load(MatrixType matrix, Value row, Value peer) {
  auto buffered = cast<BufferType>(buffer.getType());
  auto type =
      BufferType::get(builder.getContext(), 1, matrix.getShape(), element, buffered.getStrides());
  Value view = ViewOp::create(builder, loc, type, buffer, index(0), row, index(0), peer);
  return LoadOp::create(builder, loc, matrix, view, Value(), Value(), EdgesAttr(), 1);
}

Value Turn::addLoaded(MatrixType matrix, int64_t step) {
  SmallVector<Value> loads; // all of them before the first sum
  for (int64_t rank = 0; rank < ranks; ++rank)
    for (int64_t row = 0; row < stacked.count * stacked.rows; row += step) {
      Value from = row > 0 ? arith::AddIOp::create(builder, loc, first, index(row)) : first;
      loads.push_back(load(matrix, from, shared ? index(rank) : Value()));
    }
  Value total = loads.front();
  for (Value part : ArrayRef(loads).drop_front())
    total = AddOp::create(builder, loc, total, part);
  return total;
}

Value Turn::addInLoop(MatrixType matrix, int64_t step) {
  Value begin = load(matrix, first, Value()); // which waits for the shares of the others
  auto loop = scf::ForOp::create(builder, loc, index(step), index(stacked.count * stacked.rows),
                                 index(step), begin,
                                 [&](OpBuilder &, Location, Value row, ValueRange carried) {
                                   Value part = load(matrix, row, Value());
                                   Value sum = AddOp::create(builder, loc, carried[0], part);
                                   scf::YieldOp::create(builder, loc, sum);
                                 });
  return loop.getResult(0);
}

Value Turn::add(int64_t parts) {
  MLIRContext *context = builder.getContext();
  blas::ExchangeShare share = stacked.shareOf(ranks);
  CopyShape shape{rows, stacked.columns, share.vector, /*lanes=*/0, /*alongColumns=*/true};
  MapAttr map = stackedMap(context, shape, share.threads, parts, stacked.threads);
  auto matrix = MatrixType::get(context, {parts * rows, stacked.columns}, element, map);
  int64_t step = parts * stacked.rows;
  int64_t bytes = map.getNumValues() * stacked.count / parts * elementBytes(element);
  bool many = share.threads < stacked.threads && bytes > kMostLoaded;
  return many && ranks == 1 ? addInLoop(matrix, step) : addLoaded(matrix, step);
}

/// Shares that the next turn leaves: 1 where it is the last.
static int64_t nextCount(const PartialSums &stacked) {
  int64_t most = stacked.threads / stacked.shareOf(/*workgroups=*/1).threads;
  if (stacked.count <= kFewParts)
    return 1;
  int64_t root = llvm::bit_floor<uint64_t>(std::sqrt(double(stacked.count)));
  int64_t parts = std::min(root, most);
  return stacked.count % parts == 0 ? parts : 1;
}

Value rooftile::addPartialSums(OpBuilder &builder, Location loc, PartialSums stacked) {
  for (int64_t next = nextCount(stacked); next > 1; next = nextCount(stacked)) {
    stacked.sums = Turn(builder, loc, stacked, /*last=*/false).add(next);
    stacked.count = next;
  }
  return Turn(builder, loc, stacked, /*last=*/true).add(/*parts=*/1);
}
