//===- Buffers.cpp - Shared memory: alloc, view, load, store --------------===//
//
// A buffer becomes a flat memref of shared memory and an element offset; its
// tiles become runs of a thread's registers read or written in one access.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include <numeric>

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
    Value elements =
        math.constant(type.getStages() * type.getStageElements() * componentsOf(element));
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
    Value stage = math.rem(adaptor.getCounter()[0], type.getStages());
    // In steps of the strides, two real elements where complex ones are interleaved.
    int64_t stride = type.getStageElements() * componentsOf(type.getElementType());
    Value offset =
        math.add(adaptor.getBuffer()[1], math.mul(stage, stride / type.getRealsPerStep()));
    Value flat = adaptor.getBuffer()[0];
    if (op.getPeer())
      flat = lane::PeerOp::create(rewriter, op.getLoc(), flat, adaptor.getPeer()[0]);
    Value row = adaptor.getRow()[0], column = adaptor.getColumn()[0];
    ArrayRef<int64_t> strides = op.getView().getType().getStrides();
    if (type.getSwizzle() != 0) {
      row = math.add(adaptor.getBuffer()[op.getTransposed() ? 3 : 2], row);
      column = math.add(adaptor.getBuffer()[op.getTransposed() ? 2 : 3], column);
      rewriter.replaceOpWithMultiple(op, {{flat, offset, row, column}});
      return success();
    }
    offset = math.add(offset, math.mul(row, strides[0]));
    offset = math.add(offset, math.mul(column, strides[1]));
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

/// The components of a run of elements one after the other, as registers hold them: one access, or
/// one of each plane.
static SmallVector<Value> loadElements(OpBuilder &builder, Location loc, const BufferTile &tile,
                                       Value index) {
  int64_t together = tile.getType().getRealsPerStep(),
          planeStride = tile.getType().getPlaneStride();
  SmallVector<Value> first =
      loadRun(builder, loc, {tile.getFlat(), index, together}, tile.getRun());
  if (planeStride == 0)
    return first;
  Value imaginary = IndexMath(builder, loc).add(index, planeStride);
  SmallVector<Value> second = loadRun(builder, loc, {tile.getFlat(), imaginary, 1}, tile.getRun()),
                     run;
  for (auto [re, im] : llvm::zip_equal(first, second))
    run.append({re, im});
  return run;
}

/// The inverse.
static void storeElements(OpBuilder &builder, Location loc, const BufferTile &tile, ValueRange run,
                          Value index) {
  int64_t together = tile.getType().getRealsPerStep(),
          planeStride = tile.getType().getPlaneStride();
  if (planeStride == 0)
    return storeRun(builder, loc, run, {tile.getFlat(), index, together});
  SmallVector<Value> parts[2];
  for (auto [place, number] : llvm::enumerate(run))
    parts[place % 2].push_back(number);
  storeRun(builder, loc, parts[0], {tile.getFlat(), index, 1});
  storeRun(builder, loc, parts[1],
           {tile.getFlat(), IndexMath(builder, loc).add(index, planeStride), 1});
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
    int64_t own = ofBuffer && part.getTransposed() ? 1 - dim : dim;
    limits.sizes[dim] = cast<BufferType>(whole.getType()).getShape()[own];
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
    int64_t components = componentsOf(op.getMatrix().getType().getElementType());
    BufferTile tile(
        rewriter, op.getLoc(), op.getSource(), adaptor.getSource(), map, kAnyWidth,
        limitsOf(rewriter, op.getLoc(), op.getSource(), op.getEdges().value_or(EdgesAttr())));
    SmallVector<Value> registers;
    for (int64_t first = 0; first < map.getNumValues(); first += tile.getRun()) {
      BufferTile::Place place = tile.at(first);
      SmallVector<Value> run = loadElements(rewriter, op.getLoc(), tile, place.index);
      zeroOutside(rewriter, op.getLoc(), run, tile.isInside(first));
      for (int64_t element = 0; element < tile.getRun(); ++element)
        llvm::append_range(
            registers, ArrayRef(run).slice((element ^ place.permutation) * components, components));
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
    int64_t components = componentsOf(op.getMatrix().getType().getElementType());
    // The first of the threads that hold the same elements writes them.
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
        llvm::append_range(run, adaptor.getMatrix().slice(register_ * components, components));
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

//===----------------------------------------------------------------------===//
// A thread's elements in a shared buffer
//
// Without a swizzle the element (row, column) lies at
//
//   offset + row * rowStride + column * columnStride
//
// With swizzle s it lies at  stage + vector * stride + (inner XOR s * ((vector / L) mod w)),
// L = 8 and w = 4, or L = 1 where vectors begin at multiples of 128 bytes (!tile.buffer).
// Where the vectors that all threads access are known to lie in one group of L, as in fragments,
// what XOR adds is a constant: its high bits change the address, its low ones the order of the
// elements in a run, which costs nothing. Else it is the thread's own, computed once; its low bits
// still order a run alone, so that a loop of slices which is written out has whole runs again.
//===----------------------------------------------------------------------===//

static int64_t along(const Mode &mode, int64_t dim) { return dim == 0 ? mode.row : mode.column; }

/// The largest (vector of a thread) mod `vectors`, or more where it is not a sum of digits below
/// these.
static int64_t largestRemainder(MapAttr map, int64_t dim, int64_t vectors) {
  int64_t sum = 0;
  for (const Mode &mode : map.getThreads()) {
    int64_t stride = along(mode, dim), reach = (mode.size - 1) * stride;
    if (stride % vectors != 0)
      sum += vectors % stride == 0 ? std::min(reach, vectors - stride) : reach;
  }
  return sum;
}

BufferTile::BufferTile(OpBuilder &builder, Location loc, Value view, ValueRange parts, MapAttr map,
                       int64_t widest, const BufferLimits &limits)
    : builder(builder), loc(loc), math(builder, loc), type(cast<BufferType>(view.getType())),
      map(map), run(runLength(map, type.getStrides(), std::min(widest, widestAccess(view)))),
      flat(parts[0]), period(type.getSwizzlePeriod()), limits(limits) {
  ArrayRef<int64_t> strides = type.getStrides();
  // A run lies before the edge or beyond it.
  for (int dim : {0, 1})
    if (!limits.isInside(dim) && type.getStrides()[dim] == 1)
      run = std::gcd(run, limits.sizes[dim]);
  start = parts[1];
  if (type.getSwizzle() == 0) {
    base = math.add(parts[1], math.threadOffset(map, strides[0], strides[1]));
    return;
  }
  int64_t dim = vectorDim();
  // The known part of the origin counts as a shift, so that views of many slices share addresses.
  Value origin = parts[2 + dim], ownVector = math.threadOffset(map, dim == 0, dim == 1);
  Value first = parts[2 + type.getInnerDim()], own = math.threadOffset(map, dim == 1, dim == 0);
  base = math.add(parts[1], math.mul(math.add(origin, ownVector), strides[dim]));
  vectorOrigin = getConstantIntValue(origin).value_or(-1);
  vector = vectorOrigin < 0 ? math.add(origin, ownVector) : ownVector;
  innerOrigin = getConstantIntValue(first).value_or(0);
  inner = getConstantIntValue(first) ? own : math.add(first, own);
  remainder = largestRemainder(map, dim, period.vectors), reach = threadReach(map, dim);
  for (int64_t index = 0; index < map.getNumValues(); ++index) {
    auto [row, column] = map.getValueOffset(index);
    allKnown &= knownGroup(dim == 0 ? row : column).has_value();
  }
  whole = run;
  if (!allKnown)
    run = std::gcd(run, type.getSwizzle());
}

std::optional<int64_t> BufferTile::knownGroup(int64_t shift) const {
  if (vectorOrigin < 0 || (vectorOrigin + shift) % period.vectors + reach >= period.vectors)
    return std::nullopt;
  return (vectorOrigin + shift) / period.vectors % period.ways;
}

Value BufferTile::group(int64_t shift) {
  // Without a carry out of the lowest digits the thread's own group is found once.
  int64_t from = std::max<int64_t>(vectorOrigin, 0) + shift, rest = from % period.vectors;
  bool additive = period.vectors == 1 || (vectorOrigin >= 0 && remainder + rest < period.vectors);
  int64_t key = additive ? (from - rest) % (period.vectors * period.ways) : from;
  auto [place, isNew] = groups.try_emplace(key);
  if (isNew)
    place->second = math.rem(math.div(math.add(vector, key), period.vectors), period.ways);
  return groups[key];
}

Value BufferTile::changed(int64_t shift, Value change) {
  // Above all bits that can change nothing does.
  int64_t from = innerOrigin + shift, low = from % (type.getSwizzle() * period.ways);
  Value place = math.add(inner, low);
  if (getConstantIntValue(change) != 0)
    place = arith::XOrIOp::create(builder, loc, place, change);
  place = math.add(place, from - low);
  if (type.getPanelStride() == 0)
    return place;
  // Panels are multiples of those bits.
  int64_t length = type.getPanelLength();
  Value panel = math.div(math.add(inner, from), length);
  return math.add(place, math.mul(panel, type.getPanelStride() - length));
}

Value BufferTile::changedInRun(int64_t shift, Value change) {
  if (whole <= type.getSwizzle())
    return changed(shift, change);
  int64_t element = (innerOrigin + shift) % whole;
  Value low = math.rem(change, whole), high = arith::SubIOp::create(builder, loc, change, low);
  Value place = arith::XOrIOp::create(builder, loc, low, math.constant(element));
  return math.add(changed(shift - element, high), place);
}

std::pair<Value, bool> BufferTile::placeAlong(int dim, int64_t shift) {
  int64_t most = shift + (type.getStrides()[dim] == 1 ? run : 1) - 1 + threadReach(map, dim);
  Value place = math.add(math.threadOffset(map, dim == 0, dim == 1), shift);
  if (limits.isInside(dim))
    return {place, false};
  return {place, most >= limits.least[dim]};
}

Value BufferTile::clamped(int dim, int64_t shift) {
  auto [place, mayCross] = placeAlong(dim, shift);
  int64_t stride = type.getStrides()[dim];
  if (mayCross && limits.edges[dim] != Edge::Guard)
    place = math.min(place, math.add(limits.places[dim], -(stride == 1 ? run : 1)));
  return math.mul(place, stride);
}

Value BufferTile::isInside(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  Value inside;
  for (auto [dim, shift] : {std::pair(0, row), std::pair(1, column)}) {
    auto [place, mayCross] = placeAlong(dim, shift);
    if (!mayCross || limits.edges[dim] == Edge::Clamp)
      continue;
    Value own =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, place, limits.places[dim]);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, own).getResult() : own;
  }
  return inside;
}

BufferTile::Place BufferTile::at(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  ArrayRef<int64_t> strides = type.getStrides();
  if (!limits.isInside(0) || !limits.isInside(1))
    return {math.add(start, math.add(clamped(0, row), clamped(1, column)))};
  if (type.getSwizzle() == 0)
    return {math.add(base, row * strides[0] + column * strides[1])};
  int64_t dim = vectorDim(), vectorShift = dim == 0 ? row : column, shift = dim == 0 ? column : row;
  Value start = math.add(base, vectorShift * strides[dim]);
  if (!allKnown) {
    Value change = math.mul(group(vectorShift), type.getSwizzle());
    return {math.add(start, changedInRun(shift, change))};
  }
  int64_t change = *knownGroup(vectorShift) * type.getSwizzle();
  int64_t low = change & (run - 1);
  return {math.add(start, changed(shift, math.constant(change - low))), low};
}
