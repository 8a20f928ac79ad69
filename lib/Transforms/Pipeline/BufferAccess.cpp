//===- BufferAccess.cpp - Accesses to shared buffers ----------------------===//

#include "BufferAccess.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Groups that are distinguished; older ones count as one.
static constexpr size_t kMaxGroups = 16;

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

/// The ring that a view is of, and the stage; a view of a view has an unknown stage, a view
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

Accesses rooftile::accessesOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op); load && !load.isGlobal())
    return {::accessOf(load.getSource(), false)};
  if (auto store = dyn_cast<StoreOp>(op))
    return {::accessOf(store.getView(), true)};
  if (auto copy = dyn_cast<CopyOp>(op))
    return {::accessOf(copy.getView(), true)};
  if (auto product = dyn_cast<MmaOp>(op); product && product.readsViews())
    return {::accessOf(product.getA(), false), ::accessOf(product.getB(), false)};
  return {};
}

/// False only for stages that are known to differ.
static bool mayBeSameStage(const Access &first, const Access &second) {
  const Counter &a = first.counter, &b = second.counter;
  if (!a.known || !b.known || a.base != b.base)
    return true;
  return (a.constant - b.constant) % cast<BufferType>(first.buffer.getType()).getStages() == 0;
}

bool rooftile::areComparable(const Access &first, const Access &second) {
  return first.counter.known && second.counter.known && first.counter.base == second.counter.base;
}

Access rooftile::accessOf(ArrivedOp op) {
  return {op.getRing(), counterOf(op.getCounter()), /*writes=*/false};
}

bool rooftile::isStartedUnder(Operation &op, const Access &access) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && llvm::any_of(branch.getCondition().getUsers(), [&](Operation *user) {
           if (!isa<scf::IfOp>(user) || user->getBlock() != op.getBlock() ||
               !user->isBeforeInBlock(&op))
             return false;
           WalkResult result = user->walk([&](CopyOp copy) {
             bool same = copy.getBulk() && ::accessOf(copy.getView(), true) == access;
             return same ? WalkResult::interrupt() : WalkResult::advance();
           });
           return result.wasInterrupted();
         });
}

bool rooftile::conflict(const Access &first, const Access &second) {
  if (!first.writes && !second.writes)
    return false;
  auto one = first.buffer.getDefiningOp<AllocOp>(), other = second.buffer.getDefiningOp<AllocOp>();
  if (!one || !other)
    return true;
  return one == other ? mayBeSameStage(first, second) : one.getOver() || other.getOver();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static int64_t stageOf(const Access &access, int64_t counter) {
  int64_t stages = cast<BufferType>(access.buffer.getType()).getStages();
  return (counter % stages + stages) % stages;
}

Access rooftile::inside(scf::ForOp loop, Access access) {
  auto first = getConstantIntValue(loop.getLowerBound());
  Counter &counter = access.counter;
  if (loop->hasAttr(TileDialect::kStepsName) && first && counter.known && !counter.base)
    counter = {loop.getInductionVar(), stageOf(access, counter.constant - *first), true};
  return access;
}

Access rooftile::inNextIteration(scf::ForOp loop, Access access) {
  auto step = getConstantIntValue(loop.getStep());
  if (access.counter.base != loop.getInductionVar() || !step)
    return outside(loop, access);
  access.counter.constant = stageOf(access, access.counter.constant - *step);
  return access;
}

Access rooftile::outside(scf::ForOp loop, Access access) {
  if (access.counter.base && !loop.isDefinedOutsideOfLoop(access.counter.base))
    access.counter = {};
  return access;
}

static bool anyConflict(const Accesses &list, const Access &access) {
  return llvm::any_of(list, [&](const Access &other) { return conflict(other, access); });
}

static void add(Accesses &list, const Access &access) {
  if (!llvm::is_contained(list, access))
    list.push_back(access);
}

static void addAll(Accesses &list, const Accesses &others) {
  for (const Access &access : others)
    add(list, access);
}

static Accesses changed(const Accesses &list, function_ref<Access(Access)> change) {
  Accesses result;
  for (const Access &access : list)
    add(result, change(access));
  return result;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void Groups::push(Accesses group) {
  groups.insert(groups.begin(), std::move(group));
  if (groups.size() > kMaxGroups) {
    Accesses oldest = groups.pop_back_val();
    addAll(groups.back(), oldest);
  }
}

Accesses Groups::wait(int64_t count) {
  Accesses done;
  while (static_cast<int64_t>(groups.size()) > count)
    addAll(done, groups.pop_back_val());
  return done;
}

std::optional<int64_t> Groups::mayStay(const Access &access) const {
  for (auto [newer, group] : llvm::enumerate(groups))
    if (anyConflict(group, access))
      return newer;
  return std::nullopt;
}

/// Groups are matched from the newest on: a wait that is right for the merged ones leaves at
/// most as many on their way as either path allows.
void Groups::merge(const Groups &other) {
  groups.resize(std::max(groups.size(), other.groups.size()));
  for (auto [group, others] : llvm::zip(groups, other.groups))
    addAll(group, others);
}

Groups Groups::map(function_ref<Access(Access)> change) const {
  Groups result;
  for (const Accesses &group : groups)
    result.groups.push_back(changed(group, change));
  return result;
}

size_t Groups::size() const {
  size_t count = groups.size();
  for (const Accesses &group : groups)
    count += group.size();
  return count;
}

//===----------------------------------------------------------------------===//
// InFlight
//===----------------------------------------------------------------------===//

void InFlight::access(const Access &access) {
  add(pending, access);
  if (access.writes)
    add(unfenced, access);
}

void InFlight::copy(const Access &access) { add(open, access); }
void InFlight::copyBulk(const Access &access) { add(bulk, access); }

void InFlight::commit() {
  groups.push(open);
  open.clear();
}

void InFlight::wait(int64_t count) {
  for (const Access &copied : groups.wait(count))
    access(copied);
}

void InFlight::waitForProducts(int64_t count) { addAll(pending, products.wait(count)); }

void InFlight::arrive(const Access &access) {
  llvm::erase_if(bulk, [&](const Access &other) {
    return other.buffer == access.buffer && areComparable(other, access) &&
           mayBeSameStage(other, access);
  });
}

void InFlight::arriveAll(ArrayRef<Value> rings) {
  llvm::erase_if(bulk,
                 [&](const Access &other) { return llvm::is_contained(rings, other.buffer); });
}

void InFlight::arriveAs(const InFlight &before, const InFlight &after,
                        llvm::function_ref<bool(const Access &)> which) {
  llvm::erase_if(bulk, [&](const Access &access) {
    return llvm::is_contained(before.bulk, access) && !llvm::is_contained(after.bulk, access) &&
           which(access);
  });
}

const Access *InFlight::onItsWay(const Access &access) const {
  auto found = llvm::find_if(bulk, [&](const Access &other) { return conflict(other, access); });
  return found == bulk.end() ? nullptr : found;
}

bool InFlight::needsBarrier(const Access &access) const { return anyConflict(pending, access); }

bool InFlight::needsFence(const Access &access) const { return anyConflict(unfenced, access); }

bool InFlight::startsGroup(const Access &access) const {
  return llvm::any_of(open, [&](const Access &other) {
    return other.buffer == access.buffer && !(other.counter == access.counter);
  });
}

void InFlight::merge(const InFlight &other) {
  addAll(pending, other.pending);
  addAll(unfenced, other.unfenced);
  addAll(open, other.open);
  addAll(bulk, other.bulk);
  groups.merge(other.groups);
  products.merge(other.products);
}

InFlight InFlight::map(function_ref<Access(Access)> change) const {
  InFlight result;
  result.pending = changed(pending, change);
  result.unfenced = changed(unfenced, change);
  result.open = changed(open, change);
  result.bulk = changed(bulk, change);
  result.groups = groups.map(change);
  result.products = products.map(change);
  return result;
}

size_t InFlight::size() const {
  return pending.size() + unfenced.size() + open.size() + bulk.size() + groups.size() +
         products.size();
}
