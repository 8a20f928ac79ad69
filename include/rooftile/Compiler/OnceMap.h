//===- OnceMap.h - Values that are made once, by key ------------*- C++ -*-===//
//
// Values that a process has compiled, by a text that names each: many threads ask, one of
// them makes the value, the others wait for it. No lock is held while a value is
// made, so making one may ask for others. Values that need each other are refused
// instead of waiting for ever; that holds for threads that call get(), not for
// those that a maker waits for by other means.
//
// A process must not fork while a value is made: the child would wait for a
// thread that it does not have.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_COMPILER_ONCEMAP_H
#define ROOFTILE_COMPILER_ONCEMAP_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace rooftile::compiler {

template <typename Value> class OnceMap {
public:
  using Shared = std::shared_ptr<const Value>;

  /// Weight of a value, such as its bytes. It may grow as the value is used.
  using Weigh = size_t (*)(const Value &);

  /// Keeps values that weigh `limit` at most, together: those that were asked for longest ago go.
  /// Who holds one keeps it alive.
  explicit OnceMap(
      size_t limit, Weigh weigh = [](const Value &) -> size_t { return 1; })
      : limit(limit), weigh(weigh) {}

  /// The value of `key`. Where there is none, `make(why)` makes it, a Shared; one call at a time
  /// for a key, and all that wait for it get what it returns. If that is null, so is the result,
  /// with its error in `why` for each of them; nothing is kept, and the next get() tries again.
  template <typename Make> Shared get(std::string_view key, const Make &make, std::string &why) {
    std::unique_lock<std::mutex> lock(mutex);
    auto [place, isNew] = entries.try_emplace(key);
    auto &entry = *place; // stays where it is when others come and go
    if (!isNew)
      return wait(entry.second, lock, why);
    std::promise<Made> promise;
    entry.second.made = promise.get_future();
    lock.unlock();
    Made made{nullptr, ""};
    {
      llvm::scope_exit publisher([&] { // also where make() throws
        publish(entry, made);
        promise.set_value(made);
      });
      made.value = make(made.why);
    }
    return resultOf(made, why);
  }

  /// Number of values that are kept.
  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return llvm::count_if(entries, [](auto &entry) { return entry.second.kept; });
  }

private:
  struct Made {
    Shared value;
    std::string why; ///< There is no value.
  };

  /// A value that is kept, or being made.
  struct Entry {
    std::shared_future<Made> made;
    std::thread::id maker = std::this_thread::get_id();
    const Value *kept = nullptr; ///< Null while it is made; `made` may have it a little later.
    size_t weight = 0;           ///< When it was last weighed: it may have grown since.
    uint64_t used = 0;           ///< When it was last asked for.
  };
  using Place = llvm::StringMapEntry<Entry>;

  static Shared resultOf(const Made &made, std::string &why) {
    if (!made.value)
      why = made.why;
    return made.value;
  }

  /// The value of an entry that is there, with `lock` on the mutex.
  Shared wait(Entry &entry, std::unique_lock<std::mutex> &lock, std::string &why) {
    std::thread::id self = std::this_thread::get_id();
    entry.used = ++clock;
    if (!entry.kept && waitsFor(entry, self)) {
      why = "it is needed to make itself";
      return nullptr;
    }
    if (!entry.kept)
      waiting[self] = &entry;
    std::shared_future<Made> made = entry.made;
    lock.unlock();
    return resultOf(made.get(), why);
  }

  /// Whether `entry` cannot be made before `thread` goes on.
  bool waitsFor(const Entry &entry, std::thread::id thread) const {
    for (const Entry *at = &entry; at->maker != thread;) {
      auto next = waiting.find(at->maker);
      if (next == waiting.end())
        return false;
      at = next->second;
    }
    return true;
  }

  /// Ends the making of an entry: keeps its value and drops those that go for it, or drops it.
  void publish(Place &place, Made &made) {
    llvm::SmallVector<Entry> dropped; // Destructors of values run without the lock.
    std::lock_guard<std::mutex> lock(mutex);
    for (auto waiter = waiting.begin(); waiter != waiting.end();)
      waiter = waiter->second == &place.second ? waiting.erase(waiter) : std::next(waiter);
    if (!made.value) {
      if (made.why.empty())
        made.why = "it was given up without an error";
      entries.erase(place.first());
      return;
    }
    place.second.kept = made.value.get();
    place.second.used = ++clock;
    size_t weight = weighAll();
    while (weight > limit) {
      dropped.push_back(dropOldest());
      weight -= dropped.back().weight;
    }
  }

  size_t weighAll() {
    size_t weight = 0;
    for (Place &place : entries)
      if (Entry &entry = place.second; entry.kept)
        weight += entry.weight = weigh(*entry.kept);
    return weight;
  }

  Entry dropOldest() {
    Place *oldest = nullptr;
    for (Place &place : entries)
      if (place.second.kept && (!oldest || place.second.used < oldest->second.used))
        oldest = &place;
    Entry dropped = std::move(oldest->second);
    entries.erase(oldest->first());
    return dropped;
  }

  const size_t limit;
  const Weigh weigh;
  mutable std::mutex mutex; ///< Guards what follows.
  uint64_t clock = 0;
  llvm::StringMap<Entry> entries;
  std::map<std::thread::id, const Entry *> waiting; ///< Entry that each thread waits for.
};

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_ONCEMAP_H
