//===- TileSync.cpp - Barriers from the uses of buffers -------------------===//
//
// Two accesses to one slot of a shared buffer conflict when one of them writes.
// Between conflicting accesses all threads must meet, so the program is walked
// in order with the accesses since the last barrier, and a barrier goes before
// the first access that conflicts with one of them. Loops are walked until no
// barrier is added: the accesses at the end of the body then meet those at its
// start, with the counters of the previous iteration.
//
// Slots are told apart by their counters: i + 1 and i of a ring of two are
// different slots. Counters that cannot be compared are taken as equal, so the
// pass may insert a barrier too many, never one too few. That makes one barrier
// per step for two stages, two for one stage. Existing barriers count.
// Where the workgroups of a cluster read each other's buffers, ClusterSync.h says when they meet.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/TileSync.h"
#include "ClusterSync.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_TILESYNC
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

namespace {
/// Slot counter base + constant; a null base with `known` is a constant.
struct Counter {
  Value base;
  int64_t constant = 0;
  bool known = false;

  bool operator==(const Counter &other) const {
    return base == other.base && constant == other.constant && known == other.known;
  }
};

struct Access {
  Value buffer;
  Counter counter;
  bool writes;

  bool operator==(const Access &other) const {
    return buffer == other.buffer && counter == other.counter && writes == other.writes;
  }
};

using Pending = SmallVector<Access>;
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static Counter counterOf(Value value) {
  Counter counter{value, 0, true};
  while (auto add = counter.base.getDefiningOp<arith::AddIOp>()) {
    auto constant = getConstantIntValue(add.getRhs());
    if (!constant)
      break;
    counter.constant += *constant;
    counter.base = add.getLhs();
  }
  if (auto constant = getConstantIntValue(counter.base))
    return {Value(), counter.constant + *constant, true};
  return counter;
}

/// The ring behind a view, and the slot; a view of a view has an unknown slot, a view
/// that comes out of a branch or a loop an unknown ring.
static Access accessOf(Value view, bool writes) {
  auto op = view.getDefiningOp<ViewOp>();
  if (!op)
    return {view, {}, writes};
  Access access{op.getBuffer(), counterOf(op.getCounter()), writes};
  while (auto outer = access.buffer.getDefiningOp<ViewOp>())
    access = {outer.getBuffer(), {}, writes};
  return access;
}

static std::optional<Access> accessOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op); load && !load.isGlobal())
    return accessOf(load.getSource(), false);
  if (auto store = dyn_cast<StoreOp>(op))
    return accessOf(store.getView(), true);
  return std::nullopt;
}

static bool conflict(const Access &first, const Access &second) {
  if (!first.writes && !second.writes)
    return false;
  auto known = [](const Access &access) {
    return access.buffer.getDefiningOp<AllocOp>() != nullptr;
  };
  if (!known(first) || !known(second))
    return true;
  if (first.buffer != second.buffer)
    return false;
  const Counter &a = first.counter, &b = second.counter;
  if (!a.known || !b.known || a.base != b.base)
    return true;
  return (a.constant - b.constant) % cast<BufferType>(first.buffer.getType()).getStages() == 0;
}

static void add(Pending &pending, const Access &access) {
  if (!llvm::is_contained(pending, access))
    pending.push_back(access);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class Walker {
public:
  int64_t inserted = 0;

  void walk(Block &block, Pending &pending) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<gpu::BarrierOp, lane::ClusterBarrierOp>(op))
        pending.clear();
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        walkLoop(loop, pending);
      else if (op.getNumRegions() != 0)
        walkBranches(op, pending);
      else if (auto access = accessOf(&op))
        visit(&op, *access, pending);
    }
  }

private:
  void visit(Operation *op, const Access &access, Pending &pending) {
    if (llvm::any_of(pending, [&](const Access &other) { return conflict(other, access); })) {
      OpBuilder builder(op);
      gpu::BarrierOp::create(builder, op->getLoc());
      ++inserted;
      pending.clear();
    }
    add(pending, access);
  }

  void walkBranches(Operation &op, Pending &pending) {
    Pending entry = pending;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        Pending state = entry;
        walk(block, state);
        for (const Access &access : state)
          add(pending, access);
      }
  }

  /// Walks the body with the accesses of ever more iterations pending, until
  /// neither a barrier nor an access is new: a ring of n slots meets its own
  /// accesses n iterations later.
  void walkLoop(scf::ForOp loop, Pending &pending) {
    Pending start = pending, end;
    for (bool changed = true; changed;) {
      int64_t before = inserted;
      end = start;
      walk(*loop.getBody(), end);
      // What was pending before a new barrier is settled by it: start afresh.
      Pending next = nextIteration(loop, end, inserted == before ? start : pending);
      changed = inserted != before || next.size() != start.size();
      start = inserted == before ? next : pending;
    }
    for (const Access &access : end)
      add(pending, outside(loop, access));
  }

  /// `entry`, and the accesses at the end of the body as the next iteration sees them.
  static Pending nextIteration(scf::ForOp loop, const Pending &end, const Pending &entry) {
    Pending result = entry;
    auto step = getConstantIntValue(loop.getStep());
    for (Access access : end) {
      if (access.counter.base == loop.getInductionVar() && step) {
        int64_t stages = cast<BufferType>(access.buffer.getType()).getStages();
        int64_t slot = (access.counter.constant - *step) % stages;
        access.counter.constant = slot < 0 ? slot + stages : slot;
      } else {
        access = outside(loop, access);
      }
      add(result, access);
    }
    return result;
  }

  /// Counters defined inside the loop mean nothing outside.
  static Access outside(scf::ForOp loop, Access access) {
    if (access.counter.base && !loop.isDefinedOutsideOfLoop(access.counter.base))
      access.counter = {};
    return access;
  }
};

} // namespace

/// The walk follows straight code, scf.for and scf.if: accesses elsewhere could
/// be executed in an order that it does not see.
static LogicalResult checkControlFlow(gpu::GPUFuncOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    if (!accessOf(op))
      return WalkResult::advance();
    for (Operation *inner = op; inner != kernel; inner = inner->getParentOp()) {
      Operation *outer = inner->getParentOp();
      bool known = outer == kernel || isa<scf::ForOp, scf::IfOp>(outer);
      if (known && llvm::hasSingleElement(*inner->getParentRegion()))
        continue;
      op->emitOpError("stands in ") << (known ? "branches" : outer->getName().getStringRef())
                                    << ": tile-sync knows scf.for and scf.if only";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct TileSyncPass : rooftile::impl::TileSyncBase<TileSyncPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](gpu::GPUFuncOp kernel) {
      if (failed(checkControlFlow(kernel)) || failed(insertClusterBarriers(kernel)))
        return WalkResult::interrupt();
      insertBarriers(kernel.getBody());
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

int64_t rooftile::insertBarriers(Region &program) {
  Walker walker;
  Pending pending;
  for (Block &block : program)
    walker.walk(block, pending);
  return walker.inserted;
}
