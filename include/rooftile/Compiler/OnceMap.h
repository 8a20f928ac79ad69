//===- OnceMap.h - Values that are made once, by key ------------*- C++ -*-===//
//
// What a process has compiled, by a text that says what: many threads ask, one of
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

#include "llvm/ADT/StringMap.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace rooftile::compiler {

template <typename Value> class OnceMap {
public:
  using Shared = std::shared_ptr<const Value>;

  /// What a value counts, such as its bytes.
  using Weigh = size_t (*)(const Value &);

  /// Keeps values that weigh `limit` at most, together: those that were asked for longest ago go.
  /// Who holds one keeps it alive.
  explicit OnceMap(
      size_t limit, Weigh weigh = [](const Value &) -> size_t { return 1; })
      : limit(limit), weigh(weigh) {}
  OnceMap(const OnceMap &) = delete;
  OnceMap &operator=(const OnceMap &) = delete;

  /// The value of `key`. Where there is none, `make(why)` makes it, a Shared; one call at a time
  /// for a key, and all that wait for it get what it returns. If that is null, so is the result,
  /// with its error in `why` for each of them; nothing is kept, and the next get() tries again.
  template <typename Make> Shared get(std::string_view key, const Make &make, std::string &why) {
    if (Shared value = find(key))
      return value;
    std::shared_ptr<Attempt> attempt;
    {
      std::unique_lock<std::mutex> lock(attemptsMutex);
      if (Shared value = find(key)) // It may be there since we have looked.
        return value;
      auto [place, isMaker] = attempts.try_emplace(key);
      if (!isMaker)
        return wait(place->second, lock, why);
      attempt = place->second = std::make_shared<Attempt>();
    }
    {
      Publisher publisher{*this, key, *attempt}; // Also where make() throws.
      attempt->value = make(attempt->why);
    }
    if (!attempt->value)
      why = attempt->why;
    return attempt->value;
  }

  /// How many values are kept.
  size_t size() const {
    std::shared_lock<std::shared_mutex> lock(keptMutex);
    return kept.size();
  }

private:
  /// A value that is kept, what it counts, and when it was last asked for.
  struct Kept {
    Shared value;
    size_t weight = 0;
    std::atomic<uint64_t> used{0};
  };

  /// A value that is being made. The maker alone writes to it until it is done.
  struct Attempt {
    const std::thread::id maker = std::this_thread::get_id();
    bool isDone = false;
    Shared value;
    std::string why;
  };

  /// Ends an attempt at the end of its scope.
  struct Publisher {
    OnceMap &map;
    std::string_view key;
    Attempt &attempt;
    ~Publisher() { map.publish(key, attempt); }
  };

  Shared find(std::string_view key) {
    std::shared_lock<std::shared_mutex> lock(keptMutex);
    auto place = kept.find(key);
    if (place == kept.end())
      return nullptr;
    place->second.used.store(++clock, std::memory_order_relaxed);
    return place->second.value;
  }

  /// The result of `attempt`, which another thread makes. With `lock` on attemptsMutex.
  Shared wait(std::shared_ptr<Attempt> attempt, std::unique_lock<std::mutex> &lock,
              std::string &why) {
    std::thread::id self = std::this_thread::get_id();
    if (waitsFor(*attempt, self)) {
      why = "it is needed to make itself";
      return nullptr;
    }
    waiting[self] = attempt.get();
    done.wait(lock, [&] { return attempt->isDone; });
    waiting.erase(self);
    if (!attempt->value)
      why = attempt->why;
    return attempt->value;
  }

  /// Whether `attempt` cannot end before `thread` goes on.
  bool waitsFor(const Attempt &attempt, std::thread::id thread) const {
    for (const Attempt *at = &attempt;;) {
      if (at->maker == thread)
        return true;
      auto next = waiting.find(at->maker);
      if (next == waiting.end() || next->second->isDone)
        return false;
      at = next->second;
    }
  }

  void publish(std::string_view key, Attempt &attempt) {
    std::vector<Shared> dropped; // Their destructors may take long: they run without the locks.
    {
      std::lock_guard<std::mutex> lock(attemptsMutex);
      if (attempt.value)
        dropped = keep(key, attempt.value);
      else if (attempt.why.empty())
        attempt.why = "it was given up without an error";
      attempts.erase(key);
      attempt.isDone = true;
    }
    done.notify_all();
  }

  /// Keeps `value`, and returns those that had to go for it.
  std::vector<Shared> keep(std::string_view key, const Shared &value) {
    size_t own = weigh(*value);
    std::unique_lock<std::shared_mutex> lock(keptMutex);
    Kept &entry = kept[key];
    weight += own - entry.weight;
    entry.value = value;
    entry.weight = own;
    entry.used = ++clock;
    std::vector<Shared> dropped;
    while (weight > limit && !kept.empty())
      dropped.push_back(dropOldest());
    return dropped;
  }

  /// With keptMutex.
  Shared dropOldest() {
    auto oldest = kept.begin();
    for (auto place = kept.begin(); place != kept.end(); ++place)
      if (place->second.used < oldest->second.used)
        oldest = place;
    Shared dropped = std::move(oldest->second.value);
    weight -= oldest->second.weight;
    kept.erase(oldest);
    return dropped;
  }

  const size_t limit;
  const Weigh weigh;
  size_t weight = 0; ///< Of all that is kept.
  std::atomic<uint64_t> clock{0};
  mutable std::shared_mutex keptMutex; ///< Guards `kept`; taken after attemptsMutex.
  llvm::StringMap<Kept> kept;
  std::mutex attemptsMutex; ///< Guards what follows.
  std::condition_variable done;
  llvm::StringMap<std::shared_ptr<Attempt>> attempts;
  std::map<std::thread::id, const Attempt *> waiting; ///< What a thread waits for.
};

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_ONCEMAP_H
