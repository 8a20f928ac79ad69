//===- BulkCopies.cpp - Whole vectors of a tile, and their arrival --------===//
//
// Each stage of a ring that bulk copies fill has a counter of arrivals in shared memory, after all
// buffers. Counter i of a ring of S stages is stage i mod S, filled in phase i / S:
//
//   at the start     thread 0: lane.arrivals; all: barrier
//   tile.copy bulk   of the threads that hold a vector, one: lane.expect of all of its bytes, then
//   a
//                    lane.bulk_copy for each of its vectors, or with a descriptor a
//                    lane.tensor_copy
//   tile.arrived     lane.arrived of the stage's counter, parity (i / S) mod 2
//
// The thread is elected where a whole subgroup holds the vector, so that the assembler sees that
// it is alone: for threads that may be several ptxas writes a loop over them around each copy.
//
// Bulk copies write through a path of memory of their own, which is not ordered after stores of
// threads, and reads after a wait are ordered after them. A ring that they fill is written by
// nothing else, and a buffer that lies over it only once they are done.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Globals.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Bulk.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// By which copies and waits find the counters of their ring: their first byte in shared memory.
static constexpr StringLiteral kCountersName = "counters";

static ViewOp stageOf(Value view) { return view.getDefiningOp<ViewOp>(); }

/// The buffer that a view is of; null where it is unknown.
static AllocOp ringOf(Value view) {
  while (ViewOp outer = stageOf(view))
    view = outer.getBuffer();
  return view.getDefiningOp<AllocOp>();
}

static bool isReplicated(const Mode &mode) { return mode.row == 0 && mode.column == 0; }

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// The counters that begin at `byte` of shared memory.
static Value countersAt(OpBuilder &builder, Location loc, int64_t byte, int64_t stages) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto flat = [&](Type type) {
    return MemRefType::get({ShapedType::kDynamic}, type, AffineMap(), space);
  };
  IndexMath math(builder, loc);
  Value base = gpu::DynamicSharedMemoryOp::create(builder, loc, flat(builder.getI8Type()));
  return memref::ViewOp::create(builder, loc, flat(builder.getI64Type()), base, math.constant(byte),
                                math.constant(stages));
}

/// The counters of a copy or a wait, where placeArrivals notes them.
static Value countersOf(OpBuilder &builder, Operation *op, int64_t stages) {
  int64_t byte = op->getAttrOfType<IntegerAttr>(kCountersName).getInt();
  return countersAt(builder, op->getLoc(), byte, stages);
}

namespace {
/// Rings that bulk copies fill, in the order of their first copies, each with one of these.
using Rings = llvm::MapVector<Operation *, CopyOp>;
} // namespace

static LogicalResult findRings(gpu::GPUFuncOp kernel, Rings &rings) {
  WalkResult copies = kernel.walk([&](CopyOp copy) {
    if (!copy.getBulk())
      return WalkResult::advance();
    ViewOp stage = stageOf(copy.getView());
    auto ring = stage ? stage.getBuffer().getDefiningOp<AllocOp>() : AllocOp();
    if (!ring) {
      copy.emitOpError("bulk: the view is no stage of a tile.alloc");
      return WalkResult::interrupt();
    }
    CopyOp known = rings.try_emplace(ring, copy).first->second;
    if (known.getMap() == copy.getMap())
      return WalkResult::advance();
    copy.emitOpError("bulk: another copy fills the same ring with another map");
    return WalkResult::interrupt();
  });
  return failure(copies.wasInterrupted());
}

/// Nothing but bulk copies writes to `rings`, and waits are for these.
static LogicalResult checkOthers(gpu::GPUFuncOp kernel, const Rings &rings) {
  WalkResult others = kernel.walk([&](Operation *op) {
    auto copy = dyn_cast<CopyOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    bool writes = store || (copy && !copy.getBulk());
    if (writes && rings.contains(ringOf(store ? store.getView() : copy.getView()))) {
      op->emitOpError("writes to a ring that bulk copies fill");
      return WalkResult::interrupt();
    }
    auto wait = dyn_cast<ArrivedOp>(op);
    if (!wait || rings.contains(wait.getRing().getDefiningOp()))
      return WalkResult::advance();
    wait.emitOpError("waits for ever: no bulk copy fills the ring");
    return WalkResult::interrupt();
  });
  return failure(others.wasInterrupted());
}

/// Threads that copy: of those that hold the same vectors one.
static int64_t copiersOf(MapAttr map) {
  int64_t count = 1;
  for (const Mode &mode : map.getThreads())
    count *= isReplicated(mode) ? 1 : mode.size;
  return count;
}

LogicalResult rooftile::placeArrivals(gpu::GPUFuncOp kernel, int64_t bytes) {
  Rings rings;
  if (failed(findRings(kernel, rings)) || failed(checkOthers(kernel, rings)))
    return failure();
  if (rings.empty())
    return success();
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  IndexMath math(builder, loc);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, math.constant(0));
  auto first = scf::IfOp::create(builder, loc, isFirst, /*withElse=*/false);
  gpu::BarrierOp::create(builder, loc);
  builder.setInsertionPointToStart(first.thenBlock());
  llvm::DenseMap<Operation *, IntegerAttr> places;
  int64_t next = llvm::alignTo(bytes, kBulkBytes);
  for (auto &[ring, copy] : rings) {
    int64_t stages = cast<AllocOp>(ring).getBuffer().getType().getStages();
    lane::ArrivalsOp::create(builder, loc, countersAt(builder, loc, next, stages), stages,
                             copiersOf(copy.getMap()));
    places[ring] = builder.getI64IntegerAttr(next);
    next += stages * kArrivalBytes;
  }
  kernel.walk([&](Operation *op) {
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getBulk())
      op->setAttr(kCountersName, places[ringOf(copy.getView())]);
    else if (auto wait = dyn_cast<ArrivedOp>(op))
      op->setAttr(kCountersName, places[wait.getRing().getDefiningOp()]);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Copies and waits
//===----------------------------------------------------------------------===//

/// Moves `builder` under the condition that this thread is the first of those that hold the same
/// vectors: their last digits are 0, the first one elects it.
static void enterCopier(OpBuilder &builder, Location loc, MapAttr map) {
  IndexMath math(builder, loc);
  auto enter = [&](Value condition) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  };
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  ArrayRef<Mode> modes = map.getThreads();
  int64_t below = 1;
  for (const Mode &mode : modes) {
    if (isReplicated(mode) && below > 1) {
      Value digit = math.rem(math.div(thread, below), mode.size);
      enter(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, digit, math.constant(0)));
    }
    below *= mode.size;
  }
  if (!modes.empty() && isReplicated(modes.front()))
    enter(lane::ElectOp::create(builder, loc, modes.front().size));
}

/// All of the view, panel by panel, from its coordinates in the matrix that `descriptor` describes.
static void copyBoxes(OpBuilder &builder, CopyOp op, BufferTile &buffer, Value descriptor,
                      std::array<Value, 2> place, std::array<Value, 2> counter) {
  Location loc = op.getLoc();
  IndexMath math(builder, loc);
  BufferType view = op.getView().getType();
  int64_t components = componentsOf(view.getElementType()), panels = view.getPanels();
  int64_t reals = op.getMap().getNumValues() * components / panels;
  int inner = view.getInnerDim();
  Value start = math.mul(buffer.at(0).index, components);
  for (int64_t panel = 0; panel < panels; ++panel) {
    Value element = math.add(place[inner], panel * view.getPanelLength());
    lane::TensorCopyOp::create(
        builder, loc, descriptor, math.mul(element, components), place[1 - inner], buffer.getFlat(),
        math.add(start, panel * view.getPanelStride()), reals, counter[0], counter[1]);
  }
}

/// Each vector that this thread holds.
static void copyVectors(OpBuilder &builder, CopyOp op, BufferTile &buffer,
                        memref::ReinterpretCastOp matrix, std::array<Value, 2> counter) {
  IndexMath math(builder, op.getLoc());
  int64_t vector = op.getMap().getValues().front().size;
  GlobalTile tile(builder, op.getLoc(), matrix, op.getMap(), op.getRow(), op.getColumn(),
                  EdgesAttr(), vector);
  int64_t components = tile.getComponents();
  for (int64_t first = 0; first < op.getMap().getNumValues(); first += vector)
    lane::BulkCopyOp::create(builder, op.getLoc(), tile.getFlat(),
                             math.mul(tile.at(first).index, components), buffer.getFlat(),
                             math.mul(buffer.at(first).index, components), vector * components,
                             counter[0], counter[1]);
}

namespace {
struct BulkCopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getBulk())
      return failure();
    FailureOr<memref::ReinterpretCastOp> view = stridedView(op, op.getSource(), "source");
    if (failed(view))
      return failure();
    Location loc = op.getLoc();
    MapAttr map = op.getMap();
    enterCopier(rewriter, loc, map);
    IndexMath math(rewriter, loc);
    ViewOp stage = stageOf(op.getView());
    int64_t stages = stage.getBuffer().getType().getStages();
    Value counters = countersOf(rewriter, op, stages);
    Value own = math.rem(rewriter.getRemappedValue(stage.getCounter()), stages);
    BufferTile buffer(rewriter, loc, op.getView(), adaptor.getView(), map, op.getVector());
    int64_t bytes = elementBytes(op.getView().getType().getElementType());
    lane::ExpectOp::create(rewriter, loc, counters, own, map.getNumValues() * bytes);
    if (op.getDescriptor())
      copyBoxes(rewriter, op, buffer, adaptor.getDescriptor()[0],
                {adaptor.getRow()[0], adaptor.getColumn()[0]}, {counters, own});
    else
      copyVectors(rewriter, op, buffer, *view, {counters, own});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArrivedPattern : OpConversionPattern<ArrivedOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ArrivedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    IndexMath math(rewriter, op.getLoc());
    int64_t stages = op.getRing().getType().getStages();
    Value counters = countersOf(rewriter, op, stages);
    Value counter = adaptor.getCounter()[0];
    rewriter.replaceOpWithNewOp<lane::ArrivedOp>(op, counters, math.rem(counter, stages),
                                                 math.rem(math.div(counter, stages), 2));
    return success();
  }
};
} // namespace

void rooftile::populateBulkCopyPatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<BulkCopyPattern, ArrivedPattern>(types, patterns.getContext());
}
