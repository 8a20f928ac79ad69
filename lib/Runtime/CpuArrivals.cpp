//===- CpuArrivals.cpp - Bulk copies, and who waits for them --------------===//

#include "CpuArrivals.h"
#include "CpuCluster.h"

#include <cstring>

using namespace rooftile::cpu;

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
  if (inside > 0)
    std::memcpy(target + copy.before, copy.source, inside);
  std::memset(target + copy.before + inside, 0, copy.after);
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
    if (waitsForArrival(placeOf(thread)) && arrivals.admits(threads[thread]))
      any = released[thread] = true;
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
// What kernels call
//===----------------------------------------------------------------------===//

void rooftileCpuArrivals(Thread *thread, const void *counters, int64_t slots, int64_t copiers) {
  for (int64_t slot = 0; slot < slots; ++slot)
    thread->arrivals->setUp(static_cast<const char *>(counters) + slot * kCounterBytes, copiers);
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
