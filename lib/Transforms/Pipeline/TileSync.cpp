//===- TileSync.cpp - Barriers and waits from the uses of buffers ---------===//
//
// Two accesses to one stage of a shared buffer conflict when one of them writes.
// Between conflicting accesses all threads must meet, so the program is walked
// in order with the accesses since the last barrier, and a barrier goes before
// the first access that conflicts with one of them. Loops are walked until no
// barrier is added: the accesses at the end of the body then meet those at its
// start, with the counters of the previous iteration.
//
// Asynchronous copies are closed into groups, one for the copies that stand together. An
// access to a stage that a copy fills first waits until no more groups are on their way than
// were closed after that of the copy, then meets the other threads. A wait goes before the
// barrier that is needed anyhow, so that a step has one of each.
//
// Where a bulk copy fills a stage, an access waits for its counter (tile.arrived), each thread for
// itself: no barrier is needed after it. A K loop waits for every step that it fills, as copies of
// steps that do not exist do not start: a wait under a condition counts as one, and after the loop
// nothing is on its way to a ring that it waits for.
//
// Stages are distinguished by their counters: i + 1 and i of a ring of two are
// different stages. Counters that cannot be compared count as equal, so the
// pass may insert a barrier too many, never one too few. That makes one barrier
// per step for two or more stages, two for one stage. What is there already counts.
// A product of views (tile.mma) reads its stages until a wait for it, which stands before the first
// access that overwrites one of them, with as many later products on their way as there are. It
// sees what stores and copies wrote after a fence of each thread and a barrier. Its sums, which are
// no registers before a tile.finish, may be added to and carried by loops.
//
// Where the workgroups of a cluster read each other's buffers, ClusterSync.h decides when they
// meet.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Pipeline/TileSync.h"
#include "BufferAccess.h"
#include "ClusterSync.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tile-sync"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_TILESYNC
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

namespace {
class Walker {
public:
  int64_t inserted = 0; // barriers, waits and commits
  bool failed = false;

  void walk(Block &block, InFlight &state) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<gpu::BarrierOp, lane::ClusterBarrierOp>(op))
        state.barrier();
      else if (isa<CommitOp>(op))
        state.commit();
      else if (auto wait = dyn_cast<WaitOp>(op))
        wait.getProducts() ? state.waitForProducts(wait.getPending())
                           : state.wait(wait.getPending());
      else if (isa<FinishOp>(op))
        state.waitForProducts(0);
      else if (isa<FenceOp>(op))
        state.fence();
      else if (auto arrived = dyn_cast<ArrivedOp>(op))
        state.arrive(accessOf(arrived));
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        walkLoop(loop, state);
      else if (op.getNumRegions() != 0)
        walkBranches(op, state);
      else if (Accesses accesses = accessesOf(&op); !accesses.empty())
        visit(&op, accesses, state);
      else if (isa<scf::YieldOp>(op) && isa<scf::ForOp>(op.getParentOp()))
        closeGroup(&op, state);
    }
  }

private:
  template <typename Op, typename... Arguments>
  void insert(Operation *before, Arguments &&...arguments) {
    OpBuilder builder(before);
    Op::create(builder, before->getLoc(), arguments...);
    ++inserted;
  }

  /// Copies that stand together before `op` are a group.
  void closeGroup(Operation *op, InFlight &state) {
    if (!state.hasOpen())
      return;
    insert<CommitOp>(op);
    state.commit();
  }

  /// The view by which `op` reads what `access` touches; null where it writes.
  static Value viewOf(Operation *op, const Access &access) {
    if (auto load = dyn_cast<LoadOp>(op))
      return load.getSource();
    auto product = dyn_cast<MmaOp>(op);
    if (!product)
      return Value();
    auto stage = product.getA().getDefiningOp<ViewOp>();
    return stage && stage.getBuffer() == access.buffer ? product.getA() : product.getB();
  }

  /// Before an access to a stage that a bulk copy fills, waits for it.
  void awaitBulk(Operation *op, const Access &access, InFlight &state) {
    const Access *other = state.onItsWay(access);
    if (!other || failed)
      return;
    Value view = viewOf(op, access);
    if (!view || other->buffer != access.buffer || !areComparable(*other, access)) {
      op->emitOpError("touches what a bulk copy may be on its way to, and no counter gives "
                      "stage to wait for");
      failed = true;
      return;
    }
    auto stage = view.getDefiningOp<ViewOp>();
    insert<ArrivedOp>(op, stage.getBuffer(), stage.getCounter());
    state.arrive(access);
  }

  void visit(Operation *op, const Accesses &accesses, InFlight &state) {
    auto copy = dyn_cast<CopyOp>(op);
    bool bulk = copy && copy.getBulk(), copies = copy && !bulk, product = isa<MmaOp>(op);
    for (const Access &access : accesses)
      awaitBulk(op, access, state);
    if (!copy || (copies && state.startsGroup(accesses.front())))
      closeGroup(op, state);
    meet(op, accesses, state, product);
    if (product)
      state.multiply(accesses);
    else if (bulk)
      state.copyBulk(accesses.front());
    else
      copies ? state.copy(accesses.front()) : state.access(accesses.front());
  }

  /// The waits, the fence and the barrier that `accesses` need, before `op`: one of each.
  void meet(Operation *op, const Accesses &accesses, InFlight &state, bool fences) {
    auto least = [&](auto mayStay) {
      std::optional<int64_t> stay;
      for (const Access &access : accesses)
        if (std::optional<int64_t> own = mayStay(access))
          stay = std::min(stay.value_or(*own), *own);
      return stay;
    };
    auto any = [&](auto needs) { return llvm::any_of(accesses, needs); };
    auto needsBarrier = [&](const Access &access) { return state.needsBarrier(access); };
    if (auto stay = least([&](const Access &access) { return state.productsMayStay(access); })) {
      insert<WaitOp>(op, /*products=*/true, *stay);
      state.waitForProducts(*stay);
    }
    std::optional<int64_t> stay =
        least([&](const Access &access) { return state.mayStay(access); });
    if (op->getNumRegions() == 0 && (stay || any(needsBarrier)))
      stay = mayStay(op, stay, state);
    if (stay) {
      insert<WaitOp>(op, /*products=*/false, *stay);
      state.wait(*stay);
    }
    bool fence = fences && any([&](const Access &access) { return state.needsFence(access); });
    if (fence) {
      insert<FenceOp>(op);
      state.fence();
    }
    if (!fence && !any(needsBarrier))
      return;
    insert<gpu::BarrierOp>(op);
    state.barrier();
  }

  /// Groups that may stay on their way for `op` and the accesses right after it: waiting for
  /// all of them before one barrier saves a second one.
  static std::optional<int64_t> mayStay(Operation *op, std::optional<int64_t> stay,
                                        const InFlight &state) {
    for (; op && op->getNumRegions() == 0; op = op->getNextNode()) {
      if (isa<CopyOp, CommitOp, WaitOp, gpu::BarrierOp>(op))
        break;
      for (const Access &access : accessesOf(op))
        if (auto other = state.mayStay(access))
          stay = std::min(stay.value_or(*other), *other);
    }
    return stay;
  }

  /// A group must not be closed under a condition: it would not count where that is false.
  void closeBefore(Operation &op, InFlight &state) {
    bool starts = false;
    op.walk([&](Operation *inner) {
      for (const Access &access : accessesOf(inner))
        starts |= !isa<CopyOp>(inner) || state.startsGroup(access);
    });
    if (starts)
      closeGroup(&op, state);
  }

  /// The wait and the barrier that accesses under a condition need stand before it: what is after
  /// then needs none of its own, whether the condition holds or not. One barrier does for all that
  /// the same condition is put on.
  void meetBefore(Operation &op, InFlight &state) {
    bool loops = false, products = false;
    Accesses accesses;
    op.walk([&](Operation *inner) {
      loops |= isa<scf::ForOp>(inner);
      products |= isa<MmaOp>(inner) && !accessesOf(inner).empty();
      llvm::append_range(accesses, accessesOf(inner));
    });
    if (!loops) // whose counters are not known here
      meet(&op, accesses, state, products);
  }

  void walkBranches(Operation &op, InFlight &state) {
    closeBefore(op, state);
    meetBefore(op, state);
    InFlight entry = state;
    std::vector<InFlight> branches;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        walk(block, branches.emplace_back(entry));
        state.merge(branches.back());
      }
    auto loop = op.getParentOfType<scf::ForOp>();
    bool steps = loop && loop->hasAttr(TileDialect::kStepsName);
    for (const InFlight &branch : branches)
      state.arriveAs(entry, branch,
                     [&](const Access &access) { return steps || isStartedUnder(op, access); });
  }

  /// Walks the body with the accesses of ever more iterations pending, until
  /// neither a barrier nor an access is new: a ring of n stages meets its own
  /// accesses n iterations later.
  void walkLoop(scf::ForOp loop, InFlight &state) {
    closeGroup(loop, state);
    InFlight entry = state.map([&](Access access) { return inside(loop, access); });
    InFlight start = entry, end;
    for (bool changed = true; changed;) {
      int64_t before = inserted;
      end = start;
      walk(*loop.getBody(), end);
      // A new barrier settles everything that was pending before it: start afresh.
      InFlight next = inserted == before ? start : entry;
      size_t known = next.size();
      next.merge(end.map([&](Access access) { return inNextIteration(loop, access); }));
      changed = inserted != before || next.size() != known;
      start = inserted == before ? next : entry;
    }
    state.merge(end.map([&](Access access) { return outside(loop, access); }));
    state.arriveAll(ringsWaitedFor(loop));
  }

  /// Rings that a K loop waits for, step by step.
  static SmallVector<Value> ringsWaitedFor(scf::ForOp loop) {
    SmallVector<Value> rings;
    if (loop->hasAttr(TileDialect::kStepsName))
      loop.walk([&](ArrivedOp op) { rings.push_back(op.getRing()); });
    return rings;
  }
};

} // namespace

/// The walk follows straight code, scf.for and scf.if: accesses elsewhere could
/// be executed in an order that it does not see.
static LogicalResult checkControlFlow(gpu::GPUFuncOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    if (accessesOf(op).empty())
      return WalkResult::advance();
    for (Operation *inner = op; inner != kernel; inner = inner->getParentOp()) {
      Operation *outer = inner->getParentOp();
      bool known = outer == kernel || isa<scf::ForOp, scf::IfOp>(outer);
      if (known && llvm::hasSingleElement(*inner->getParentRegion()))
        continue;
      op->emitOpError("stands in ") << (known ? "branches" : outer->getName().getStringRef())
                                    << ": tile-sync supports scf.for and scf.if only";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Sums that are on their way are added to, carried, or finished.
static LogicalResult checkSums(gpu::GPUFuncOp kernel) {
  SmallVector<Value> worklist;
  DenseSet<Value> seen;
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };
  kernel.walk([&](MmaOp op) {
    if (op.readsViews())
      follow(op.getResult());
  });
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto product = dyn_cast<MmaOp>(user);
      if (isa<FinishOp>(user) || (product && product.readsViews()))
        continue;
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        follow(loop.getTiedLoopRegionIterArg(&use));
        follow(loop.getTiedLoopResult(&use));
      } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
        Operation *parent = yield->getParentOp();
        follow(parent->getResult(use.getOperandNumber()));
        if (auto loop = dyn_cast<scf::ForOp>(parent))
          follow(loop.getRegionIterArgs()[use.getOperandNumber()]);
      } else {
        return user->emitOpError("uses sums of products that may be on their way: tile.finish "
                                 "waits for them");
      }
    }
  return success();
}

namespace {
struct TileSyncPass : rooftile::impl::TileSyncBase<TileSyncPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (failed(checkControlFlow(kernel)) || failed(checkSums(kernel)) ||
          failed(insertClusterBarriers(kernel)))
        return WalkResult::interrupt();
      FailureOr<int64_t> barriers = insertBarriers(kernel.getBody());
      if (failed(barriers))
        return WalkResult::interrupt();
      numBarriers += *barriers;
      LDBG() << kernel.getName() << ": " << *barriers << " barriers and waits";
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

FailureOr<int64_t> rooftile::insertBarriers(Region &program) {
  Walker walker;
  InFlight state;
  for (Block &block : program)
    walker.walk(block, state);
  if (walker.failed)
    return failure();
  return walker.inserted;
}
