//===- StepSchedule.cpp - The order of the operations of a K step ---------===//

#include "StepSchedule.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Stages of the ring of `view`; 0 when it is no view of a ring.
static int64_t stagesBehind(Value view) {
  auto op = view.getDefiningOp<ViewOp>();
  return op ? op.getBuffer().getType().getStages() : 0;
}

StepSchedule::StepSchedule(scf::ForOp loop)
    : body(loop.getBody()), prefetch(loop->hasAttr(TileDialect::kPrefetchName)) {
  SmallVector<int64_t> rings;
  for (Operation &op : body->without_terminator()) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      copies.push_back(copy);
      rings.push_back(stagesBehind(copy.getView()));
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      stores.push_back(store);
      rings.push_back(stagesBehind(store.getView()));
      if (Operation *load = store.getMatrix().getDefiningOp())
        loads.push_back(load);
    } else if (auto product = dyn_cast<MmaOp>(op)) {
      multipliesViews |= product.readsViews();
    } else if (op.hasAttr(TileDialect::kSlicesName) && op.hasAttr(TileDialect::kPipelinedName)) {
      slices = &op;
    }
  }
  for (auto load : body->getOps<LoadOp>())
    if (!load.getScalar() && !llvm::is_contained(loads, load.getOperation()))
      firsts.push_back(load);
  stages = rings.empty() ? 0 : *llvm::min_element(rings);
  prefetch &= slices != nullptr;
}

DenseSet<Operation *> StepSchedule::withOperands(ArrayRef<Operation *> roots) const {
  DenseSet<Operation *> found(roots.begin(), roots.end());
  SmallVector<Operation *> pending(roots);
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (def->getBlock() == body && found.insert(def).second)
          pending.push_back(def);
  return found;
}

void StepSchedule::separateCopies(RewriterBase &rewriter) {
  DenseSet<Operation *> needed = withOperands(copies);
  IRMapping own;
  for (Operation &op : llvm::make_early_inc_range(body->without_terminator())) {
    if (!needed.contains(&op))
      continue;
    if (isa<CopyOp>(op)) {
      rewriter.modifyOpInPlace(&op, [&] {
        for (OpOperand &operand : op.getOpOperands())
          operand.set(own.lookupOrDefault(operand.get()));
      });
      continue;
    }
    rewriter.setInsertionPointAfter(&op);
    rewriter.clone(op, own);
  }
}

void StepSchedule::emit(Schedule &schedule) const {
  unsigned last = hasCopies() ? stages - 1 : 1;
  struct Part {
    DenseSet<Operation *> members;
    unsigned stage;
  };
  Part load{withOperands(loads), last - 1}, copy{withOperands(copies), 0},
      first{withOperands(firsts), prefetch ? last - 1 : last},
      store{withOperands(stores), last - 1};
  Part rest{{}, last}, end{{}, last};
  // Waits for products of views, and users of their results, come last.
  auto waits = [&](Operation &op) {
    auto finishes = [](FinishOp) { return WalkResult::interrupt(); };
    auto isEnd = [&](Value operand) { return end.members.contains(operand.getDefiningOp()); };
    return op.walk(finishes).wasInterrupted() || llvm::any_of(op.getOperands(), isEnd);
  };
  bool after = false;
  for (Operation &op : body->without_terminator()) {
    bool used = first.members.contains(&op) || store.members.contains(&op) ||
                load.members.contains(&op) || copy.members.contains(&op);
    if (!used)
      ((after && prefetch) || waits(op) ? end : rest).members.insert(&op);
    after |= &op == slices;
  }
  // Products of views run on while the next copies start.
  SmallVector<const Part *> order =
      prefetch          ? SmallVector<const Part *>{&load, &copy, &rest, &store, &first, &end}
      : multipliesViews ? SmallVector<const Part *>{&load, &first, &rest, &copy, &store, &end}
                        : SmallVector<const Part *>{&load, &first, &copy, &rest, &store, &end};
  // Operations that several stages need are in the earliest stage of these.
  DenseMap<Operation *, unsigned> stageOf;
  for (const Part *part : order)
    for (Operation *op : part->members) {
      auto [place, isNew] = stageOf.try_emplace(op, part->stage);
      place->second = std::min(place->second, part->stage);
    }
  DenseSet<Operation *> done;
  for (const Part *part : order)
    for (Operation &op : body->without_terminator())
      if (part->members.contains(&op) && done.insert(&op).second)
        schedule.emplace_back(&op, stageOf[&op]);
}
