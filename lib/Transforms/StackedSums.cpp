//===- StackedSums.cpp - Sums of parts of K, one above the other ----------===//
//
// Threads that share out K have sums of the same elements. A few parts are added up by one thread
// for each element:
//
//   store the parts to shared memory; barrier; sum = part 0 + part 1 + ...
//
// More of them, where there are threads to spare, in turns: P parts become about the root of P,
// which each add up as many, until few are left.
//
//===----------------------------------------------------------------------===//

#include "StackedSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/PlanMaps.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Parts that one thread adds up without help.
static constexpr int64_t kFewParts = 8;
/// Bytes that a thread loads before the first sum at most, where a tile divides among few of them.
static constexpr int64_t kMostLoaded = 256;

namespace {
/// One turn: parts in shared memory, from where they are loaded and added up. In the last one a
/// workgroup of a cluster does so for its share of the rows, of all of them.
class Turn {
public:
  Turn(OpBuilder &builder, Location loc, const StackedSums &stacked, bool last);

  /// `parts` parts, each the sum of every so-manieth one of all.
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
  const StackedSums &stacked;
  bool shared; ///< Among the workgroups of a cluster.
  int64_t ranks, rows;
  Type element;
  Value buffer, first;
};
} // namespace

Turn::Turn(OpBuilder &builder, Location loc, const StackedSums &stacked, bool last)
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
  Value begin = load(matrix, first, Value()); // which waits for the others' parts
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

/// Parts to be left by the next turn: 1 where it is the last.
static int64_t nextCount(const StackedSums &stacked) {
  int64_t most = stacked.threads / stacked.shareOf(/*workgroups=*/1).threads;
  if (stacked.count <= kFewParts)
    return 1;
  int64_t root = llvm::bit_floor<uint64_t>(std::sqrt(double(stacked.count)));
  int64_t parts = std::min(root, most);
  return stacked.count % parts == 0 ? parts : 1;
}

Value rooftile::addStacked(OpBuilder &builder, Location loc, StackedSums stacked) {
  for (int64_t next = nextCount(stacked); next > 1; next = nextCount(stacked)) {
    stacked.sums = Turn(builder, loc, stacked, /*last=*/false).add(next);
    stacked.count = next;
  }
  return Turn(builder, loc, stacked, /*last=*/true).add(/*parts=*/1);
}
