//===- AsyncCopies.cpp - Global to shared memory without registers --------===//
//
// A thread's share of a tile.copy is a lane.copy for each run that is contiguous on
// both sides. A tile that is transposed on its way has runs of one element, one with components
// apart of one real number. What lies outside a zero edge arrives as zeros; where the edge may cut
// an access of a copy outside of loops, only the workgroups that meet it ask for each access.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Globals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Copies a run of elements from `from` to `to`: as one, or number by number to planes.
static void copyRun(OpBuilder &builder, Location loc, const GlobalTile &source,
                    const GlobalTile::Place &from, const BufferTile &buffer,
                    const BufferTile::Place &to) {
  IndexMath math(builder, loc);
  int64_t components = source.getComponents(), numbers = buffer.getRun() * components;
  int64_t planeStride = buffer.getType().getPlaneStride(), width = planeStride == 0 ? numbers : 1;
  Value first = math.mul(from.index, components);
  Value place = math.mul(to.index, buffer.getType().getRealsPerStep());
  Value left = from.left ? math.mul(from.left, components) : Value();
  for (int64_t number = 0; number < numbers; number += width) {
    // A run that the edge cuts may have no element left at its end.
    Value ofThis = left;
    if (left && number > 0)
      ofThis = arith::MaxSIOp::create(builder, loc, math.add(left, -number), math.constant(0));
    lane::CopyOp::create(builder, loc, source.getFlat(), math.add(first, number), buffer.getFlat(),
                         math.add(place, number / components + number % components * planeStride),
                         width, ofThis, from.condition);
  }
}

/// Elements along `dim` from the tile's origin to the last one that any thread copies: the last
/// register of the last thread.
static int64_t reachOf(MapAttr map, int dim) {
  auto [row, column] = map.getValueOffset(map.getNumValues() - 1);
  return (dim == 0 ? row : column) + threadReach(map, dim) + 1;
}

namespace {
/// A copy whose only edge is one of zeros that may cut its accesses: what the workgroups that lie
/// inside the matrix do, and their condition.
struct Interior {
  Value isInside;
  EdgesAttr edges;
};
} // namespace

static std::optional<Interior> interiorOf(OpBuilder &builder, CopyOp op,
                                          memref::ReinterpretCastOp view) {
  EdgesAttr edges = op.getEdges().value_or(EdgesAttr());
  if (!edges || op->getParentOfType<scf::ForOp>())
    return std::nullopt;
  int dim = edges.getRows() == Edge::Zero ? 0 : 1;
  Edge own = dim == 0 ? edges.getRows() : edges.getColumns();
  Edge other = dim == 0 ? edges.getColumns() : edges.getRows();
  Value origin = dim == 0 ? op.getRow() : op.getColumn();
  auto size = getConstantIntValue(view.getMixedSizes()[dim]);
  int64_t reach = edges.getLength() > 0 ? edges.getLength() : reachOf(op.getMap(), dim);
  ArrayRef<Mode> values = op.getMap().getValues();
  bool isAlong = !values.empty() && (dim == 0 ? values[0].row : values[0].column) == 1;
  bool isCut =
      own == Edge::Zero && other == Edge::Inside && size && isAlong && *size % op.getVector() != 0;
  if (!isCut || *size < reach || getConstantIntValue(origin))
    return std::nullopt;
  Location loc = op.getLoc();
  Value last = arith::ConstantIndexOp::create(builder, loc, *size - reach);
  Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, origin, last);
  Edge within = edges.getLength() > 0 ? Edge::Step : Edge::Inside;
  return Interior{isInside, EdgesAttr::get(builder.getContext(), dim == 0 ? within : other,
                                           dim == 0 ? other : within, edges.getLength())};
}

namespace {
struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getBulk())
      return failure();
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getSource(), "source");
    if (failed(view))
      return failure();
    std::optional<Interior> interior = interiorOf(rewriter, op, *view);
    EdgesAttr edges = op.getEdges().value_or(EdgesAttr());
    if (interior) {
      auto branch =
          scf::IfOp::create(rewriter, op.getLoc(), interior->isInside, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      if (failed(copyAll(rewriter, op, adaptor, *view, interior->edges)))
        return failure();
      rewriter.setInsertionPointToStart(branch.elseBlock());
      if (failed(copyAll(rewriter, op, adaptor, *view, edges)))
        return failure();
    } else if (failed(copyAll(rewriter, op, adaptor, *view, edges))) {
      return failure();
    }
    rewriter.eraseOp(op);
    return success();
  }

  static LogicalResult copyAll(OpBuilder &builder, CopyOp op, OneToNOpAdaptor adaptor,
                               memref::ReinterpretCastOp view, EdgesAttr edges) {
    Location loc = op.getLoc();
    MapAttr map = op.getMap();
    BufferTile buffer(builder, loc, op.getView(), adaptor.getView(), map, op.getVector());
    int64_t run = buffer.getRun();
    GlobalTile tile(builder, loc, view, map, op.getRow(), op.getColumn(), edges, run);
    auto loop = op->getParentOfType<scf::ForOp>();
    tile.leaveOutside(/*after=*/loop && loop->hasAttr(TileDialect::kRemainderLastName));
    for (int64_t first = 0; first < map.getNumValues(); first += run) {
      GlobalTile::Place place = tile.at(first);
      BufferTile::Place target = buffer.at(first);
      if (target.permutation != 0)
        return op.emitOpError("a swizzle of less than an access moves elements apart");
      copyRun(builder, loc, tile, place, buffer, target);
    }
    return success();
  }
};

struct CommitPattern : OpConversionPattern<CommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CommitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::CommitOp>(op);
    return success();
  }
};

struct WaitPattern : OpConversionPattern<WaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(WaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::WaitOp>(op, op.getProducts(), op.getPending());
    return success();
  }
};

struct FencePattern : OpConversionPattern<FenceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FenceOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<lane::FenceOp>(op);
    return success();
  }
};
} // namespace

void rooftile::populateAsyncCopyPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<CopyPattern, CommitPattern, WaitPattern, FencePattern>(types, patterns.getContext());
}
