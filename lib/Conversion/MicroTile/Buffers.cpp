//===- Buffers.cpp - Shared memory: alloc, view, load, store --------------===//
//
// A buffer becomes a flat memref of shared memory and an element offset; its
// tiles become runs of a thread's registers read or written in one access.
//
//===----------------------------------------------------------------------===//

#include "BufferTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// More elements than any access moves.
static constexpr int64_t kAnyWidth = 16;

namespace {
struct AllocPattern : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AllocOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BufferType type = op.getBuffer().getType();
    auto offset = op->getAttrOfType<IntegerAttr>(kByteOffsetName);
    if (!offset)
      return rewriter.notifyMatchFailure(op, "no byte offset was assigned");
    Location loc = op.getLoc();
    IndexMath math(rewriter, loc);
    auto space = gpu::AddressSpaceAttr::get(getContext(), gpu::AddressSpace::Workgroup);
    auto bytes = MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type(), AffineMap(), space);
    Value base = gpu::DynamicSharedMemoryOp::create(rewriter, loc, bytes);
    Type element = type.getElementType(), real = realTypeOf(element);
    auto flat = MemRefType::get({ShapedType::kDynamic}, real, AffineMap(), space);
    Value elements = math.constant(type.getStages() * type.getStageElements() * partsOf(element));
    Value view =
        memref::ViewOp::create(rewriter, loc, flat, base, math.constant(offset.getInt()), elements);
    SmallVector<Value> parts(type.getSwizzle() == 0 ? 2 : 4, math.constant(0));
    parts[0] = view;
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ViewPattern : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ViewOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    BufferType type = op.getBuffer().getType();
    IndexMath math(rewriter, op.getLoc());
    Value slot = math.rem(adaptor.getCounter()[0], type.getStages());
    // In steps of the strides, two real numbers where complex ones lie together.
    int64_t stage = type.getStageElements() * partsOf(type.getElementType());
    Value offset = math.add(adaptor.getBuffer()[1], math.mul(slot, stage / type.getRealsPerStep()));
    Value flat = adaptor.getBuffer()[0];
    if (op.getPeer())
      flat = lane::PeerOp::create(rewriter, op.getLoc(), flat, adaptor.getPeer()[0]);
    Value row = adaptor.getRow()[0], column = adaptor.getColumn()[0];
    if (type.getSwizzle() != 0) {
      row = math.add(adaptor.getBuffer()[2], row);
      column = math.add(adaptor.getBuffer()[3], column);
      rewriter.replaceOpWithMultiple(op, {{flat, offset, row, column}});
      return success();
    }
    offset = math.add(offset, math.mul(row, type.getStrides()[0]));
    offset = math.add(offset, math.mul(column, type.getStrides()[1]));
    rewriter.replaceOpWithMultiple(op, {{flat, offset}});
    return success();
  }
};
} // namespace

int64_t rooftile::widestAccess(Value view) {
  BufferType type = cast<BufferType>(view.getType());
  int64_t widest = std::max<int64_t>(1, 16 / type.getStepBytes());
  while (auto op = view.getDefiningOp<ViewOp>()) {
    auto multiples = op->getAttrOfType<DenseI64ArrayAttr>(kMultiplesName);
    for (auto [multiple, stride] : llvm::zip_equal(multiples.asArrayRef(), type.getStrides()))
      while (widest > 1 && multiple * stride % widest != 0)
        widest /= 2;
    view = op.getBuffer();
  }
  return widest;
}

/// The parts of a run of elements one behind the other, as registers hold them: one access, or one
/// of each plane.
static SmallVector<Value> loadElements(OpBuilder &builder, Location loc, const BufferTile &tile,
                                       Value index) {
  int64_t together = tile.getType().getRealsPerStep(), apart = tile.getType().getApart();
  SmallVector<Value> first =
      loadRun(builder, loc, {tile.getFlat(), index, together}, tile.getRun());
  if (apart == 0)
    return first;
  Value behind = IndexMath(builder, loc).add(index, apart);
  SmallVector<Value> second = loadRun(builder, loc, {tile.getFlat(), behind, 1}, tile.getRun()),
                     run;
  for (auto [re, im] : llvm::zip_equal(first, second))
    run.append({re, im});
  return run;
}

/// The inverse.
static void storeElements(OpBuilder &builder, Location loc, const BufferTile &tile, ValueRange run,
                          Value index) {
  int64_t together = tile.getType().getRealsPerStep(), apart = tile.getType().getApart();
  if (apart == 0)
    return storeRun(builder, loc, run, {tile.getFlat(), index, together});
  SmallVector<Value> parts[2];
  for (auto [place, number] : llvm::enumerate(run))
    parts[place % 2].push_back(number);
  storeRun(builder, loc, parts[0], {tile.getFlat(), index, 1});
  storeRun(builder, loc, parts[1], {tile.getFlat(), IndexMath(builder, loc).add(index, apart), 1});
}

/// A view ends where its own size does, but what is 0 beyond it ends where its buffer does.
static BufferLimits limitsOf(ConversionPatternRewriter &rewriter, Location loc, Value view,
                             EdgesAttr edges) {
  BufferLimits limits;
  if (!edges)
    return limits;
  IndexMath math(rewriter, loc);
  limits.edges = {edges.getRows(), edges.getColumns()};
  auto part = view.getDefiningOp<ViewOp>();
  for (int dim : {0, 1}) {
    bool ofBuffer = limits.edges[dim] == Edge::Zero && part;
    Value whole = ofBuffer ? part.getBuffer() : view;
    limits.sizes[dim] = cast<BufferType>(whole.getType()).getShape()[dim];
    limits.places[dim] = math.constant(limits.sizes[dim]);
    limits.least[dim] = limits.sizes[dim];
    if (!ofBuffer)
      continue;
    limits.places[dim] = math.sub(
        limits.sizes[dim], rewriter.getRemappedValue(dim == 0 ? part.getRow() : part.getColumn()));
    limits.least[dim] -= part->getAttrOfType<DenseI64ArrayAttr>(kLargestName)[dim];
  }
  return limits;
}

/// The run where `inside` holds (null: always), else zeros.
static void zeroOutside(OpBuilder &builder, Location loc, MutableArrayRef<Value> run,
                        Value inside) {
  if (!inside)
    return;
  for (Value &number : run) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(number.getType()));
    number = arith::SelectOp::create(builder, loc, inside, number, zero);
  }
}

namespace {
struct BufferLoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.isGlobal())
      return failure();
    MapAttr map = op.getMatrix().getType().getMap();
    int64_t parts = partsOf(op.getMatrix().getType().getElementType());
    BufferTile tile(
        rewriter, op.getLoc(), op.getSource(), adaptor.getSource(), map, kAnyWidth,
        limitsOf(rewriter, op.getLoc(), op.getSource(), op.getEdges().value_or(EdgesAttr())));
    SmallVector<Value> registers;
    for (int64_t first = 0; first < map.getNumValues(); first += tile.getRun()) {
      BufferTile::Place place = tile.at(first);
      SmallVector<Value> run = loadElements(rewriter, op.getLoc(), tile, place.index);
      zeroOutside(rewriter, op.getLoc(), run, tile.isInside(first));
      for (int64_t element = 0; element < tile.getRun(); ++element)
        llvm::append_range(registers,
                           ArrayRef(run).slice((element ^ place.permutation) * parts, parts));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct BufferStorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MapAttr map = op.getMatrix().getType().getMap();
    int64_t parts = partsOf(op.getMatrix().getType().getElementType());
    // Of the threads that hold the same elements the first writes them.
    OpBuilder::InsertionGuard guard(rewriter);
    if (Value first = IndexMath(rewriter, op.getLoc()).isFirstHolder(map)) {
      auto branch = scf::IfOp::create(rewriter, op.getLoc(), first, /*withElse=*/false);
      rewriter.setInsertionPointToStart(branch.thenBlock());
    }
    BufferTile tile(
        rewriter, op.getLoc(), op.getView(), adaptor.getView(), map, kAnyWidth,
        limitsOf(rewriter, op.getLoc(), op.getView(), op.getEdges().value_or(EdgesAttr())));
    for (int64_t first = 0; first < map.getNumValues(); first += tile.getRun()) {
      BufferTile::Place place = tile.at(first);
      OpBuilder::InsertionGuard unguarded(rewriter);
      if (Value inside = tile.isInside(first)) {
        auto branch = scf::IfOp::create(rewriter, op.getLoc(), inside, /*withElse=*/false);
        rewriter.setInsertionPointToStart(branch.thenBlock());
      }
      SmallVector<Value> run;
      for (int64_t element = 0; element < tile.getRun(); ++element) {
        int64_t register_ = first + (element ^ place.permutation);
        llvm::append_range(run, adaptor.getMatrix().slice(register_ * parts, parts));
      }
      storeElements(rewriter, op.getLoc(), tile, run, place.index);
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void rooftile::populateBufferPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<AllocPattern, ViewPattern, BufferLoadPattern, BufferStorePattern>(
      types, patterns.getContext());
}
