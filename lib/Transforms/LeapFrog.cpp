//===- LeapFrog.cpp - Software pipelining of a tile program ---------------===//
//
// Leap-frog (Ernst et al.; AutoGEMM's and clBLAS' prefetch): the loads of the
// next iteration are issued before the multiplications of the current one, into
// `next` registers or the other slot of a ring, so that the multiplications run
// while the loads are in flight.
//
// * The K loop is pipelined when every ring filled in it has at least two
//   slots: global loads (i + 1), multiplications (i), stores to the ring (i + 1).
// * The slice loop is pipelined always: fragments (s + 1), multiplications (s).
//
// The loops are known by the attributes tile.steps and tile.slices that
// macro-tile puts on them. The program guarantees at least one iteration (macro-tile branches
// around K = 0), so nothing is predicated. Other loops, and loops that are pipelined already, are
// left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/LeapFrog.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_LEAPFROG
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

using Schedule = std::vector<std::pair<Operation *, unsigned>>;

static bool fillsRings(scf::ForOp loop) { return !loop.getBody()->getOps<StoreOp>().empty(); }

/// Every ring stored to in the loop has a slot for the next step.
static bool hasFreeSlot(scf::ForOp loop) {
  return llvm::all_of(loop.getBody()->getOps<StoreOp>(), [](StoreOp store) {
    auto view = store.getView().getDefiningOp<ViewOp>();
    return view && view.getBuffer().getType().getStages() >= 2;
  });
}

/// Operations of the loop body that `roots` need, roots included.
static DenseSet<Operation *> withOperands(scf::ForOp loop, ArrayRef<Operation *> roots) {
  DenseSet<Operation *> found(roots.begin(), roots.end());
  SmallVector<Operation *> pending(roots);
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (def->getBlock() == loop.getBody() && found.insert(def).second)
          pending.push_back(def);
  return found;
}

/// Loads of the next step first, then the multiplications, then the stores.
static void scheduleSteps(scf::ForOp loop, Schedule &schedule) {
  SmallVector<Operation *> stores, loads;
  for (StoreOp store : loop.getBody()->getOps<StoreOp>()) {
    stores.push_back(store);
    if (Operation *load = store.getMatrix().getDefiningOp())
      loads.push_back(load);
  }
  DenseSet<Operation *> early = withOperands(loop, loads), late = withOperands(loop, stores);
  auto body = loop.getBody()->without_terminator();
  for (Operation &op : body)
    if (early.contains(&op))
      schedule.emplace_back(&op, 0);
  for (Operation &op : body)
    if (!late.contains(&op))
      schedule.emplace_back(&op, 1);
  for (Operation &op : body)
    if (late.contains(&op) && !early.contains(&op))
      schedule.emplace_back(&op, 0);
}

/// Fragments of the next slice first, then the multiplications.
static void scheduleSlices(scf::ForOp loop, Schedule &schedule) {
  for (unsigned stage : {0, 1})
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<MmaOp>(op) == (stage == 1))
        schedule.emplace_back(&op, stage);
}

/// Inside the pipelined loop every load that fills a ring belongs to a later step:
/// only the first step can hold elements before k = 0. Loads that go straight to
/// the multiplications belong to the current step and keep their edges.
static void dropZeroEdges(scf::ForOp pipelined) {
  auto inside = [](Edge edge) { return edge == Edge::Zero ? Edge::Inside : edge; };
  for (StoreOp store : pipelined.getBody()->getOps<StoreOp>()) {
    auto load = store.getMatrix().getDefiningOp<LoadOp>();
    if (!load || !load.getEdges())
      continue;
    EdgesAttr edges = *load.getEdges();
    load.setEdgesAttr(
        EdgesAttr::get(load.getContext(), inside(edges.getRows()), inside(edges.getColumns())));
  }
}

/// A view of its own for every use. The store of the next step and the fragments of
/// the current one may share a view (when a tile is one slice deep); pipelined, it
/// would travel between iterations, and tile-sync would not know the slot.
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

FailureOr<scf::ForOp> rooftile::leapFrogSlices(RewriterBase &rewriter, scf::ForOp loop) {
  if (!loop->hasAttr(TileDialect::kSlicesName))
    return rewriter.notifyMatchFailure(loop, "not a slice loop");
  scf::PipeliningOption option;
  option.getScheduleFn = scheduleSlices;
  return pipeline(rewriter, loop, option);
}

FailureOr<scf::ForOp> rooftile::leapFrogSteps(RewriterBase &rewriter, scf::ForOp loop) {
  if (!loop->hasAttr(TileDialect::kStepsName) || !fillsRings(loop))
    return rewriter.notifyMatchFailure(loop, "not a K loop that fills rings");
  if (!hasFreeSlot(loop))
    return rewriter.notifyMatchFailure(loop, "a ring has one slot: nothing to leap over");
  separateViews(rewriter, loop);
  scf::PipeliningOption option;
  option.getScheduleFn = scheduleSteps;
  FailureOr<scf::ForOp> pipelined = pipeline(rewriter, loop, option);
  if (succeeded(pipelined))
    dropZeroEdges(*pipelined);
  return pipelined;
}

namespace {
struct LeapFrogPass : rooftile::impl::LeapFrogBase<LeapFrogPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner loops first
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      if (failed(leapFrogSlices(rewriter, loop)))
        (void)leapFrogSteps(rewriter, loop);
  }
};
} // namespace
