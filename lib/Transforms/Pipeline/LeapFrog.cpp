//===- LeapFrog.cpp - Software pipelining of a tile program ---------------===//
//
// Leap-frog (Ernst et al.; AutoGEMM's and clBLAS' prefetch): the loads of the
// next iteration are issued before the multiplications of the current one, into
// `next` registers or the other stage of a ring, so that the multiplications run
// while the loads are in flight.
//
// * The K loop is pipelined when every ring filled in it has at least two
//   stages: global loads (i + 1), multiplications (i), stores to the ring (i + 1).
//   Asynchronous copies into S stages are issued S - 1 steps ahead. The last steps issue
//   none: a condition around each copy is cheaper than S - 1 more copies of the body.
// * The slice loop is pipelined always: fragments (s + 1), multiplications (s).
//   With tile.prefetch the first fragments of step i + 1 are read before the last slice of
//   step i is multiplied (CUTLASS calls this register pipelining across stages), also where all
//   fragments come from global memory. Those in scalar registers are loaded with their own slice.
//
// The loops are known by the attributes tile.steps and tile.slices that
// macro-tile puts on them. The program guarantees at least one iteration (macro-tile branches
// around K = 0), so nothing is predicated. Other loops, and loops that are pipelined already, are
// left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Pipeline/LeapFrog.h"
#include "StepSchedule.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "leap-frog"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_LEAPFROG
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

/// Fragments of the next slice first, then the multiplications, and what is made of fragments.
static void scheduleSlices(scf::ForOp loop, Schedule &schedule) {
  SmallVector<Operation *> later;
  auto comesLater = [&](Value operand) {
    Operation *from = operand.getDefiningOp();
    return isa_and_nonnull<LoadOp>(from) || llvm::is_contained(later, from);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    // Scalar registers are too few for fragments of a next slice.
    auto load = dyn_cast<LoadOp>(op);
    bool isScalar = load && load.getScalar();
    if (isa<MmaOp>(op) || isScalar || llvm::any_of(op.getOperands(), comesLater))
      later.push_back(&op);
    else
      schedule.emplace_back(&op, 0);
  }
  for (Operation *op : later)
    schedule.emplace_back(op, 1);
}

static EdgesAttr withoutZero(EdgesAttr edges) {
  int64_t length = edges.getLength();
  auto inside = [&](Edge edge) {
    return edge != Edge::Zero ? edge : length ? Edge::Step : Edge::Inside;
  };
  return EdgesAttr::get(edges.getContext(), inside(edges.getRows()), inside(edges.getColumns()),
                        length);
}

/// Only the first step can hold elements before k = 0: copies of later steps need no edge but that
/// of the step itself, unless the remainder of K comes last.
static void dropZeroEdges(Operation *part) {
  part->walk([](CopyOp copy) {
    if (copy.getEdges())
      copy.setEdgesAttr(withoutZero(*copy.getEdges()));
  });
}

/// Inside the pipelined loop every load that fills a ring belongs to a later step. Loads that go
/// straight to the multiplications may belong to the first and keep their edges.
static void dropZeroEdges(scf::ForOp pipelined) {
  for (StoreOp store : pipelined.getBody()->getOps<StoreOp>())
    if (auto load = store.getMatrix().getDefiningOp<LoadOp>(); load && load.getEdges())
      load.setEdgesAttr(withoutZero(*load.getEdges()));
}

/// A view of its own for every use. The store of the next step and the fragments of
/// the current one may share a view (when a tile is one slice deep); pipelined, it
/// would travel between iterations, and tile-sync would lose the stage.
static void separateViews(RewriterBase &rewriter, scf::ForOp loop) {
  for (ViewOp view : llvm::to_vector(loop.getBody()->getOps<ViewOp>()))
    for (OpOperand &use : llvm::make_early_inc_range(view.getView().getUses())) {
      if (view.getView().hasOneUse())
        break;
      rewriter.setInsertionPoint(view);
      Operation *copy = rewriter.clone(*view);
      rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(copy->getResult(0)); });
    }
}

static FailureOr<scf::ForOp> pipeline(RewriterBase &rewriter, scf::ForOp loop,
                                      scf::PipeliningOption option) {
  if (loop->hasAttr(TileDialect::kPipelinedName))
    return rewriter.notifyMatchFailure(loop, "already pipelined");
  option.supportDynamicLoops = true;
  if (!option.predicateFn)
    option.predicateFn = [](RewriterBase &, Operation *op, Value) { return op; };
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, option);
  if (failed(pipelined))
    return rewriter.notifyMatchFailure(loop, "the body cannot be reordered");
  (*pipelined)->setDiscardableAttrs(attributes);
  (*pipelined)->setAttr(TileDialect::kPipelinedName, rewriter.getUnitAttr());
  return pipelined;
}

/// Whether the loop stays one: unroll-slices writes out as many slices as the plan specifies. Of
/// fragments in shared memory, the first can be read once more.
static bool remainsLoop(scf::ForOp loop) {
  auto written = loop->getAttrOfType<IntegerAttr>(TileDialect::kUnrollName);
  std::optional<llvm::APInt> count = loop.getStaticTripCount();
  return written && count && count->sgt(written.getInt()) &&
         llvm::none_of(loop.getBody()->getOps<LoadOp>(), [](LoadOp op) { return op.isGlobal(); });
}

/// Fragments of the next slice; after the last one those of the first again, which nothing
/// multiplies: a last slice of its own after the loop, written out, would double the code.
static Operation *readAgain(RewriterBase &rewriter, Operation *op, Value hasNext, Value first) {
  auto view = dyn_cast<ViewOp>(op);
  if (!view)
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (OpOperand *offset : {&view.getRowMutable(), &view.getColumnMutable()})
    if (!getConstantIntValue(offset->get())) {
      Value slice = arith::SelectOp::create(rewriter, op->getLoc(), hasNext, offset->get(), first);
      rewriter.modifyOpInPlace(op, [&] { offset->set(slice); });
    }
  return op;
}

FailureOr<scf::ForOp> rooftile::leapFrogSlices(RewriterBase &rewriter, scf::ForOp loop) {
  if (!loop->hasAttr(TileDialect::kSlicesName))
    return rewriter.notifyMatchFailure(loop, "not a slice loop");
  scf::PipeliningOption option;
  option.getScheduleFn = scheduleSlices;
  if (remainsLoop(loop)) {
    option.peelEpilogue = false;
    option.predicateFn = [first = loop.getLowerBound()](RewriterBase &rewriter, Operation *op,
                                                        Value hasNext) {
      return readAgain(rewriter, op, hasNext, first);
    };
  }
  return pipeline(rewriter, loop, option);
}

/// At least as many iterations as the rings have stages: every stage is filled at some time.
static bool fillsAllStages(scf::ForOp loop, int64_t stages) {
  if (std::optional<llvm::APInt> count = loop.getStaticTripCount())
    return count->sge(stages);
  auto least = loop->getAttrOfType<IntegerAttr>(TileDialect::kLeastStepsName);
  return least && least.getInt() >= stages;
}

/// `op` under a condition: what it would copy, or read from global memory, may not exist. Shared
/// memory can be read in vain, arithmetic done in vain.
static Operation *predicate(RewriterBase &rewriter, Operation *op, Value condition) {
  auto load = dyn_cast<LoadOp>(op);
  if (!isa<CopyOp, StoreOp, LoadOp>(op))
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(), condition,
                                  /*withElse=*/load != nullptr);
  rewriter.replaceAllUsesWith(op->getResults(), branch.getResults());
  if (!load) {
    rewriter.moveOpBefore(op, branch.thenBlock(), branch.thenBlock()->begin());
    return branch;
  }
  rewriter.moveOpBefore(op, branch.thenBlock(), branch.thenBlock()->end());
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, op->getResults());
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  MatrixType type = load.getMatrix().getType();
  Value zero = blas::createScalar(rewriter, loc, type.getElementType(), 0);
  scf::YieldOp::create(rewriter, loc, FillOp::create(rewriter, loc, type, zero).getMatrix());
  return branch;
}

/// Rings that bulk copies of `loop` fill.
static SmallVector<Value> bulkRings(scf::ForOp loop) {
  SmallVector<Value> rings;
  for (CopyOp copy : loop.getBody()->getOps<CopyOp>())
    if (auto stage = copy.getView().getDefiningOp<ViewOp>(); stage && copy.getBulk())
      rings.push_back(stage.getBuffer());
  return rings;
}

/// Before a load that may be in vain: waits for its stage where a bulk copy fills it. What nothing
/// fills would be waited for without end.
static void awaitUnder(RewriterBase &rewriter, LoadOp load, ArrayRef<Value> rings,
                       Value condition) {
  auto stage = load.getSource().getDefiningOp<ViewOp>();
  if (!stage || !llvm::is_contained(rings, stage.getBuffer()))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(load);
  auto branch = scf::IfOp::create(rewriter, load.getLoc(), condition, /*withElseRegion=*/false);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  ArrivedOp::create(rewriter, load.getLoc(), stage.getBuffer(), stage.getCounter());
}

FailureOr<scf::ForOp> rooftile::leapFrogSteps(RewriterBase &rewriter, scf::ForOp loop) {
  StepSchedule steps(loop);
  if (!loop->hasAttr(TileDialect::kStepsName) || !(steps.fillsRings() || steps.readsAhead()))
    return rewriter.notifyMatchFailure(loop, "not a K loop that fills rings or reads ahead");
  if (steps.fillsRings() && steps.getStages() < 2)
    return rewriter.notifyMatchFailure(loop, "a ring has one stage: nothing to leap over");
  if (loop->hasAttr(TileDialect::kPipelinedName))
    return rewriter.notifyMatchFailure(loop, "already pipelined");
  separateViews(rewriter, loop);
  steps.separateCopies(rewriter);
  bool last = loop->hasAttr(TileDialect::kRemainderLastName);
  scf::PipeliningOption option;
  option.getScheduleFn = [](scf::ForOp loop, Schedule &schedule) {
    StepSchedule(loop).emit(schedule);
  };
  // Where the number of steps is not known, steps after the loop would choose between sums that are
  // on their way.
  if (steps.hasCopies() || steps.hasProductsOfViews()) {
    option.peelEpilogue = false;
    // A stage that was never filled is not read, not even in vain.
    bool readsInVain = fillsAllStages(loop, steps.getStages());
    SmallVector<Value> rings = bulkRings(loop);
    option.predicateFn = [=](RewriterBase &rewriter, Operation *op, Value condition) {
      auto load = dyn_cast<LoadOp>(op);
      if (!load || load.isGlobal() || !readsInVain)
        return predicate(rewriter, op, condition);
      awaitUnder(rewriter, load, rings, condition);
      return op;
    };
    using Part = scf::PipeliningOption::PipelinerPart;
    option.annotateFn = [=](Operation *op, Part part, unsigned index) {
      if (!last && (part == Part::Kernel || (part == Part::Prologue && index > 0)))
        dropZeroEdges(op);
    };
  }
  FailureOr<scf::ForOp> pipelined = pipeline(rewriter, loop, option);
  if (succeeded(pipelined) && !last)
    dropZeroEdges(*pipelined);
  return pipelined;
}

namespace {
struct LeapFrogPass : rooftile::impl::LeapFrogBase<LeapFrogPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner loops first
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      Location loc = loop.getLoc();
      bool slices = succeeded(leapFrogSlices(rewriter, loop));
      bool steps = !slices && succeeded(leapFrogSteps(rewriter, loop));
      numSliceLoops += slices;
      numStepLoops += steps;
      LDBG() << (slices ? "slices" : steps ? "steps" : "not pipelined") << " at " << loc;
    }
  }
};
} // namespace
