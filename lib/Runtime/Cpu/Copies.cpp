//===- Copies.cpp - Copies that arrive at a wait --------------------------===//
//
// The hardware may deliver an asynchronous copy at any time between its start and the
// wait for its group. Here the target is poisoned at the start and filled at the wait:
// whoever reads it in between, or after a wait that is missing, reads NaN. In shadow
// memory both are writes, so that neither may meet an access of another thread.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Cluster.h"
#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

using namespace rooftile::cpu;

namespace {
struct Copy {
  void *target;
  const void *source;
  int64_t bytes, sourceBytes; // the rest of the target becomes 0
  int64_t site;
};
} // namespace

/// Copies of one thread on their way: groups in order, and copies that belong to none yet.
struct rooftile::cpu::AsyncCopies {
  std::deque<std::vector<Copy>> groups;
  std::vector<Copy> open;
};

static AsyncCopies &copiesOf(Thread &thread) {
  if (!thread.copies)
    thread.copies = new AsyncCopies;
  return *thread.copies;
}

/// A copy reads its source at any time between its start and its arrival.
static void recordSource(const Thread &thread, const void *source, int64_t bytes, int64_t site) {
  if (site != 0 && bytes > 0)
    rooftileCpuGlobal(&thread, source, bytes, int64_t(GlobalKind::Read), site);
}

static void record(const Thread &thread, const Copy &copy) {
  if (copy.site != 0)
    rooftileCpuWrite(&thread, copy.target, copy.bytes, copy.bytes, copy.site);
  recordSource(thread, copy.source, copy.sourceBytes, copy.site);
}

static void deliver(const Thread &thread, const Copy &copy) {
  record(thread, copy);
  std::memcpy(copy.target, copy.source, copy.sourceBytes);
  std::memset(static_cast<char *>(copy.target) + copy.sourceBytes, 0,
              copy.bytes - copy.sourceBytes);
}

void rooftileCpuCopy(Thread *thread, void *target, const void *source, int64_t bytes,
                     int64_t sourceBytes, int64_t site) {
  Copy copy{target, source, bytes, sourceBytes, site};
  record(*thread, copy);
  std::memset(target, 0xFF, bytes);
  copiesOf(*thread).open.push_back(copy);
}

void rooftileCpuCommit(Thread *thread) {
  AsyncCopies &copies = copiesOf(*thread);
  copies.groups.push_back(std::move(copies.open));
  copies.open.clear();
}

void rooftileCpuWait(Thread *thread, int64_t pending) {
  std::deque<std::vector<Copy>> &groups = copiesOf(*thread).groups;
  for (; static_cast<int64_t>(groups.size()) > pending; groups.pop_front())
    for (const Copy &copy : groups.front())
      deliver(*thread, copy);
}

void rooftile::cpu::dropCopies(Thread &thread) {
  delete thread.copies;
  thread.copies = nullptr;
}

//===----------------------------------------------------------------------===//
// Bulk copies, and who waits for them
//===----------------------------------------------------------------------===//

static constexpr int64_t kCounterBytes = 8;

Arrivals::Counter *Arrivals::find(const void *counter, const char *what) {
  auto place = counters.find(counter);
  if (place != counters.end())
    return &place->second;
  if (error.empty())
    error = std::string(what) + " at a counter of arrivals that was not set up";
  return nullptr;
}

void Arrivals::finishPhase(Counter &counter) {
  if (counter.missing > 0 || counter.started != counter.expected)
    return;
  ++counter.phase;
  counter.missing = counter.copiers;
  counter.expected = counter.started = 0;
  counter.complete.insert(counter.complete.end(), counter.copies.begin(), counter.copies.end());
  counter.copies.clear();
}

void Arrivals::expect(const void *place, int64_t bytes) {
  Counter *counter = find(place, "expects bytes");
  if (!counter)
    return;
  if (counter->missing == 0 && error.empty())
    error = "more than " + std::to_string(counter->copiers) + " threads copy in a phase";
  --counter->missing;
  counter->expected += bytes;
  finishPhase(*counter);
}

void Arrivals::start(const void *place, const BulkCopy &copy) {
  Counter *counter = find(place, "copies");
  if (!counter)
    return;
  counter->started += copy.bytes;
  counter->copies.push_back(copy);
  finishPhase(*counter);
}

static void deliver(const BulkCopy &copy) {
  auto *block = static_cast<Block *>(copy.thread->block);
  if (block && copy.site != 0)
    block->access(*copy.thread, copy.target,
                  {copy.bytes, /*alignment=*/1, copy.site, /*writes=*/true, /*arrives=*/true});
  auto *target = static_cast<char *>(copy.target);
  int64_t inside = copy.bytes - copy.before - copy.after;
  std::memset(target, 0, copy.before);
  recordSource(*copy.thread, copy.source, inside, copy.site);
  if (inside > 0)
    std::memcpy(target + copy.before, copy.source, inside);
  std::memset(target + copy.before + inside, 0, copy.after);
  for (int64_t byte = 0; copy.isToTf32 && byte < copy.bytes; byte += sizeof(uint32_t)) {
    uint32_t bits;
    std::memcpy(&bits, target + byte, sizeof(bits));
    bits = rooftile::toTf32(bits);
    std::memcpy(target + byte, &bits, sizeof(bits));
  }
}

bool Arrivals::admits(const Thread &thread) {
  Counter *counter = find(thread.counter, "waits");
  if (!counter || counter->phase % 2 == thread.parity)
    return false;
  for (const BulkCopy &copy : counter->complete)
    deliver(copy);
  counter->complete.clear();
  return true;
}

std::string Arrivals::describe(const Thread &thread) const {
  auto place = counters.find(thread.counter);
  if (place == counters.end())
    return "its counter was not set up";
  const Counter &counter = place->second;
  auto of = [](int64_t part, int64_t all) {
    return std::to_string(part) + " of " + std::to_string(all);
  };
  return "its counter has " + of(counter.copiers - counter.missing, counter.copiers) +
         " copiers and " + of(counter.started, counter.expected) + " bytes";
}

bool Arrivals::isPending() const {
  for (const auto &[place, counter] : counters)
    if (!counter.copies.empty() || !counter.complete.empty())
      return true;
  return false;
}

void Arrivals::clear() {
  counters.clear();
  error.clear();
}

//===----------------------------------------------------------------------===//
// Threads that wait
//===----------------------------------------------------------------------===//

bool Block::arrive() {
  bool any = false;
  for (size_t thread = 0; thread < threads.size(); ++thread)
    if (waitsForArrival(placeOf(thread)) && arrivals.admits(threads[thread])) {
      released[thread] = true;
      any = true;
    }
  return any;
}

bool Block::isStuck() {
  if (!arrivals.getError().empty())
    launch.fail(id, arrivals.getError());
  bool stuck = !arrivals.getError().empty();
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    int64_t place = placeOf(thread);
    if (waitsForArrival(place))
      launch.fail(id, "waits for ever: thread " + std::to_string(thread) + " " + describe(place) +
                          "; " + arrivals.describe(threads[thread]));
    stuck |= waitsForArrival(place) || waitsForSubgroup(place);
  }
  return stuck;
}

//===----------------------------------------------------------------------===//
// Functions that kernels call
//===----------------------------------------------------------------------===//

void rooftileCpuArrivals(Thread *thread, const void *counters, int64_t stages, int64_t copiers) {
  for (int64_t stage = 0; stage < stages; ++stage)
    thread->arrivals->setUp(static_cast<const char *>(counters) + stage * kCounterBytes, copiers);
}

void rooftileCpuExpect(Thread *thread, const void *counter, int64_t bytes) {
  thread->arrivals->expect(counter, bytes);
}

void rooftileCpuBulkCopy(Thread *thread, void *target, const void *source, int64_t bytes,
                         const void *counter, int64_t site) {
  if (site != 0)
    rooftileCpuWrite(thread, target, bytes, /*alignment=*/16, site);
  std::memset(target, 0xFF, bytes);
  thread->arrivals->start(counter, {thread, target, source, bytes, site});
}

//===----------------------------------------------------------------------===//
// Tensor copies
//
// A box is copied vector by vector, each like a bulk copy.
//===----------------------------------------------------------------------===//

using namespace rooftile;

bool rooftileCpuTensorMap(void *descriptor, int64_t address, int64_t realBytes, int64_t length,
                          int64_t vectors, int64_t vectorBytes, int64_t boxLength,
                          int64_t boxVectors, int64_t swizzleBytes) {
  TensorMap map{address,     realBytes, length,     vectors,
                vectorBytes, boxLength, boxVectors, swizzleBytes};
  std::memcpy(descriptor, &map, sizeof(map));
  return checkTensorMap(map);
}

/// Vector `index` of the box, `box` bytes at `target`; real elements of the matrix are in [first,
/// last).
static BulkCopy vectorOf(const TensorMap &map, int64_t element, int64_t vector) {
  BulkCopy copy{};
  copy.isToTf32 = map.isToTf32();
  copy.bytes = map.boxLength * map.bytes();
  int64_t first = std::clamp<int64_t>(element, 0, map.length);
  int64_t last = std::clamp<int64_t>(element + map.boxLength, 0, map.length);
  if (vector < 0 || vector >= map.vectors || first >= last) {
    copy.before = copy.bytes;
    return copy;
  }
  copy.before = (first - element) * map.bytes();
  copy.after = (element + map.boxLength - last) * map.bytes();
  copy.source =
      reinterpret_cast<const char *>(map.address) + vector * map.vectorBytes + first * map.bytes();
  return copy;
}

/// Bytes [first, first + kSwizzleUnit) of a vector, at `target`.
static BulkCopy unitOf(const BulkCopy &vector, int64_t first, void *target) {
  auto part = [&](int64_t bytes) { return std::clamp<int64_t>(bytes, 0, kSwizzleUnit); };
  BulkCopy unit = vector;
  unit.bytes = kSwizzleUnit;
  unit.target = target;
  unit.before = part(vector.before - first);
  unit.after = part(vector.after - (vector.bytes - first - kSwizzleUnit));
  if (vector.source)
    unit.source = static_cast<const char *>(vector.source) + first + unit.before - vector.before;
  return unit;
}

/// Starts the units of a vector of a box, each where the swizzle has it.
static void startSwizzled(Thread &thread, const BulkCopy &vector, const void *counter,
                          int64_t alignment) {
  auto *shared = static_cast<char *>(thread.shared);
  int64_t offset = static_cast<char *>(vector.target) - shared;
  for (int64_t first = 0; first < vector.bytes; first += kSwizzleUnit) {
    BulkCopy unit = unitOf(vector, first, shared + swizzled(offset + first));
    if (vector.site != 0)
      rooftileCpuWrite(&thread, unit.target, unit.bytes, first == 0 ? alignment : kSwizzleUnit,
                       vector.site);
    std::memset(unit.target, 0xFF, unit.bytes);
    thread.arrivals->start(counter, unit);
  }
}

void rooftileCpuTensorCopy(Thread *thread, void *target, const void *descriptor, int64_t element,
                           int64_t vector, const void *counter, int64_t site) {
  TensorMap map;
  std::memcpy(&map, descriptor, sizeof(map));
  for (int64_t index = 0; index < map.boxVectors; ++index) {
    BulkCopy copy = vectorOf(map, element, vector + index);
    copy.thread = thread;
    copy.site = site;
    copy.target = static_cast<char *>(target) + index * copy.bytes;
    if (map.swizzleBytes != 0) {
      startSwizzled(*thread, copy, counter, index == 0 ? kSwizzledBoxBytes : kSwizzleUnit);
      continue;
    }
    if (site != 0)
      rooftileCpuWrite(thread, copy.target, copy.bytes, index == 0 ? kBoxBytes : 16, site);
    std::memset(copy.target, 0xFF, copy.bytes);
    thread->arrivals->start(counter, copy);
  }
}
