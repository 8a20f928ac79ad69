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
// A K loop is known by its tile.store, a slice loop by its tile.mma. The
// program guarantees at least one iteration (macro-tile branches around K = 0),
// so nothing is predicated. Other loops are left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/LeapFrog.h"
#include "rooftile/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_LEAPFROG
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

using Schedule = std::vector<std::pair<Operation *, unsigned>>;
using Part = scf::PipeliningOption::PipelinerPart;

template <typename OpTy>
static bool contains(scf::ForOp loop) {
  return !loop.getBody()->getOps<OpTy>().empty();
}

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
    loads.push_back(store.getMatrix().getDefiningOp());
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

/// Inside the pipelined loop every load belongs to a later step: only the first
/// step can hold elements before k = 0.
static void dropZeroEdges(Operation *op, Part part, unsigned) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || !load.getEdges() || part != Part::Kernel)
    return;
  auto inside = [](Edge edge) { return edge == Edge::Zero ? Edge::Inside : edge; };
  EdgesAttr edges = *load.getEdges();
  load.setEdgesAttr(EdgesAttr::get(op->getContext(), inside(edges.getRows()), inside(edges.getColumns())));
}

static FailureOr<scf::ForOp> pipeline(RewriterBase &rewriter, scf::ForOp loop,
                                      scf::PipeliningOption option) {
  option.supportDynamicLoops = true;
  option.predicateFn = [](RewriterBase &, Operation *op, Value) { return op; };
  rewriter.setInsertionPoint(loop);
  return scf::pipelineForLoop(rewriter, loop, option);
}

FailureOr<scf::ForOp> rooftile::leapFrogSlices(RewriterBase &rewriter, scf::ForOp loop) {
  if (!contains<MmaOp>(loop))
    return rewriter.notifyMatchFailure(loop, "no tile.mma: not a slice loop");
  scf::PipeliningOption option;
  option.getScheduleFn = scheduleSlices;
  return pipeline(rewriter, loop, option);
}

FailureOr<scf::ForOp> rooftile::leapFrogSteps(RewriterBase &rewriter, scf::ForOp loop) {
  if (!contains<StoreOp>(loop))
    return rewriter.notifyMatchFailure(loop, "no tile.store: not a K loop");
  if (!hasFreeSlot(loop))
    return rewriter.notifyMatchFailure(loop, "a ring has one slot: nothing to leap over");
  scf::PipeliningOption option;
  option.getScheduleFn = scheduleSteps;
  option.annotateFn = dropZeroEdges;
  return pipeline(rewriter, loop, option);
}

namespace {
struct LeapFrogPass : rooftile::impl::LeapFrogBase<LeapFrogPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> slices, steps;
    getOperation()->walk([&](scf::ForOp loop) {
      if (contains<MmaOp>(loop))
        slices.push_back(loop);
      else if (contains<StoreOp>(loop))
        steps.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : slices)
      (void)leapFrogSlices(rewriter, loop);
    for (scf::ForOp loop : steps)
      (void)leapFrogSteps(rewriter, loop);
  }
};
} // namespace
