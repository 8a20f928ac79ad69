//===- SpreadReductions.cpp - Reductions by many threads ------------------===//
//
// A linalg reduction to few results would be the work of as few threads. Where
// the combination of two values has a neutral element, every thread reduces a
// share from there on, interleaved with the others so that neighbouring threads
// read neighbouring elements, and a second operation combines the shares. What
// cannot be shared out and has no parallel dimension becomes a loop of one
// iteration: one thread of the GPU does it, and host code need not wait.
//
// Counts are fixed, not those of a chip: results do not depend on the device.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "rooftile/Conversion/OtherOps/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_SPREADREDUCTIONS
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

/// With so many parallel iterations there are threads enough.
static constexpr int64_t kManyIterations = 1024;
/// A thread reduces so many elements before a second step is worth its launch.
static constexpr int64_t kShortReduction = 64;
/// Shares of a long reduction and of a shorter one.
static constexpr int64_t kShares = 4096, kFewShares = 64;

namespace {
/// One reduction that can be shared out.
struct Reduction {
  linalg::LinalgOp op;
  SmallVector<unsigned> parallel, reduced; ///< loops
  unsigned spread;                         ///< the loop that is shared out
  int64_t shares;
  Operation *combiner;
  TypedAttr neutral;
};
} // namespace

/// Iterations of the parallel loops; none if that is not known.
static std::optional<int64_t> parallelIterations(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  int64_t count = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(ranges[loop]))
      return std::nullopt;
    count *= ranges[loop];
  }
  return count;
}

/// The loop to share out: one of unknown length, else the longest.
static unsigned longest(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  unsigned best = loops.front();
  for (unsigned loop : loops) {
    if (ShapedType::isDynamic(ranges[loop]))
      return loop;
    if (ranges[loop] > ranges[best])
      best = loop;
  }
  return best;
}

/// Shares of the reduction; 1 where it is short, or where there are threads enough.
static int64_t sharesOf(linalg::LinalgOp op, unsigned spread, int64_t iterations) {
  int64_t length = op.getStaticLoopRanges()[spread];
  if (iterations == 0 || iterations >= kManyIterations ||
      (!ShapedType::isDynamic(length) && length <= kShortReduction))
    return 1;
  bool isLong = ShapedType::isDynamic(length) || length > kShares;
  return isLong ? std::max(kShares / iterations, kFewShares) : kFewShares;
}

/// The result is a projection of the parallel loops, and one known operation combines two values.
static std::optional<Reduction> matchSpread(linalg::LinalgOp op) {
  Reduction match{op, {}, {}, 0, 1, nullptr, {}};
  op.getParallelDims(match.parallel);
  op.getReductionDims(match.reduced);
  if (match.reduced.empty() || op.getNumDpsInits() != 1 || !op.getShapesToLoopsMap())
    return std::nullopt;
  std::optional<int64_t> iterations = parallelIterations(op, match.parallel);
  if (!iterations)
    return std::nullopt;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  match.spread = longest(op, match.reduced);
  match.shares = sharesOf(op, match.spread, *iterations);
  SmallVector<Operation *> combiners;
  if (match.shares == 1 || !output.isProjectedPermutation() ||
      output.getNumResults() != match.parallel.size() ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) || combiners.size() != 1)
    return std::nullopt;
  match.combiner = combiners.front();
  std::optional<TypedAttr> neutral = arith::getNeutralElement(match.combiner);
  if (!neutral || match.combiner->getBlock() != op.getBlock())
    return std::nullopt;
  match.neutral = *neutral;
  return match;
}

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Length of every loop of the operation.
static SmallVector<Value> lengths(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes;
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<MemRefType>(operand.get().getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(
            type.isDynamicDim(dim)
                ? OpFoldResult(
                      memref::DimOp::create(builder, op.getLoc(), operand.get(), dim).getResult())
                : builder.getIndexAttr(type.getDimSize(dim)));
  AffineMap map = op.getShapesToLoopsMap();
  SmallVector<Value> loops;
  for (AffineExpr expression : map.getResults()) {
    OpFoldResult length = affine::makeComposedFoldedAffineApply(
        builder, op.getLoc(), AffineMap::get(map.getNumDims(), 0, expression), sizes);
    loops.push_back(getValueOrCreateConstantIndexOp(builder, op.getLoc(), length));
  }
  return loops;
}

/// The element that operand `operand` has at `loops`; a scalar is its own.
static Value load(OpBuilder &builder, linalg::LinalgOp op, OpOperand &operand, ValueRange loops) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> index;
  for (AffineExpr result : map.getResults())
    index.push_back(affine::AffineApplyOp::create(
        builder, op.getLoc(), AffineMap::get(map.getNumDims(), 0, result), loops));
  return memref::LoadOp::create(builder, op.getLoc(), operand.get(), index);
}

/// The body of the operation at `loops`, on `sum` in place of the output's element.
static Value body(OpBuilder &builder, linalg::LinalgOp op, ValueRange loops, Value sum) {
  IRMapping mapping;
  for (OpOperand *operand : op.getDpsInputOperands())
    mapping.map(op.getMatchingBlockArgument(operand), load(builder, op, *operand, loops));
  mapping.map(op.getRegionOutputArgs().front(), sum);
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), loops[index.getDim()]);
    else
      builder.clone(inner, mapping);
  }
  return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
}

/// One thread's share: loops over all that is reduced, that of `match.spread` in steps.
static Value share(OpBuilder &builder, const Reduction &match, SmallVectorImpl<Value> &loops,
                   ArrayRef<Value> lengths, ArrayRef<unsigned> left, Value sum) {
  if (left.empty())
    return body(builder, match.op, loops, sum); // the innermost
  linalg::LinalgOp op = match.op;
  Location loc = op.getLoc();
  unsigned loop = left.front();
  bool spread = loop == match.spread;
  Value first = spread ? loops[loop] : constant(builder, loc, 0);
  Value step = constant(builder, loc, spread ? match.shares : 1);
  auto inner = scf::ForOp::create(
      builder, loc, first, lengths[loop], step, sum,
      [&](OpBuilder &inside, Location at, Value index, ValueRange sums) {
        SmallVector<Value> place(loops.begin(), loops.end());
        place[loop] = index;
        Value next = share(inside, match, place, lengths, left.drop_front(), sums.front());
        scf::YieldOp::create(inside, at, next);
      });
  return inner.getResult(0);
}

/// Combines the shares into the output, in their order.
static linalg::GenericOp combine(OpBuilder &builder, const Reduction &match, Value shares) {
  MLIRContext *context = builder.getContext();
  linalg::LinalgOp op = match.op;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned rank = match.parallel.size();
  SmallVector<AffineExpr> in{builder.getAffineDimExpr(rank)}, out;
  for (unsigned dim = 0; dim < rank; ++dim)
    in.push_back(builder.getAffineDimExpr(dim));
  for (AffineExpr result : output.getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    auto place = llvm::find(match.parallel, loop);
    out.push_back(builder.getAffineDimExpr(place - match.parallel.begin()));
  }
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  AffineMap maps[] = {AffineMap::get(rank + 1, 0, in, context),
                      AffineMap::get(rank + 1, 0, out, context)};
  return linalg::GenericOp::create(builder, op.getLoc(), shares, op.getDpsInits(), maps, iterators,
                                   [&](OpBuilder &inside, Location at, ValueRange elements) {
                                     Operation *combined = inside.clone(*match.combiner);
                                     combined->setOperands(elements);
                                     linalg::YieldOp::create(inside, at, combined->getResults());
                                   });
}

static linalg::LinalgOp spread(const Reduction &match) {
  linalg::LinalgOp op = match.op;
  Location loc = op.getLoc();
  OpBuilder builder(op);
  SmallVector<Value> sizes = lengths(builder, op);
  SmallVector<int64_t> shape{match.shares};
  SmallVector<Value> upper{constant(builder, loc, match.shares)};
  for (unsigned loop : match.parallel) {
    shape.push_back(op.getStaticLoopRanges()[loop]);
    upper.push_back(sizes[loop]);
  }
  SmallVector<Value> lower(upper.size(), constant(builder, loc, 0));
  SmallVector<Value> step(upper.size(), constant(builder, loc, 1));
  Value shares =
      memref::AllocOp::create(builder, loc, MemRefType::get(shape, match.neutral.getType()));
  scf::ParallelOp::create(builder, loc, lower, upper, step,
                          [&](OpBuilder &inside, Location at, ValueRange index) {
                            SmallVector<Value> loops(op.getNumLoops());
                            loops[match.spread] = index.front();
                            for (auto [place, loop] : llvm::enumerate(match.parallel))
                              loops[loop] = index[place + 1];
                            Value sum = arith::ConstantOp::create(inside, at, match.neutral);
                            sum = share(inside, match, loops, sizes, match.reduced, sum);
                            memref::StoreOp::create(inside, at, sum, shares, index);
                          });
  linalg::GenericOp rest = combine(builder, match, shares);
  memref::DeallocOp::create(builder, loc, shares);
  op->erase();
  return rest;
}

/// A parallel loop of one iteration around the operation.
static void byOneThread(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value zero = constant(builder, loc, 0), one = constant(builder, loc, 1);
  auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
  op->moveBefore(loop.getBody(), loop.getBody()->begin());
}

namespace {
struct SpreadReductionsPass : rooftile::impl::SpreadReductionsBase<SpreadReductionsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && !op->getParentOfType<scf::ParallelOp>() &&
          !op->getParentOfType<gpu::LaunchOp>())
        found.push_back(op);
    });
    for (linalg::LinalgOp op : found) {
      while (std::optional<Reduction> match = matchSpread(op))
        op = spread(*match);
      if (op.getNumParallelLoops() == 0)
        byOneThread(op);
    }
  }
};
} // namespace
