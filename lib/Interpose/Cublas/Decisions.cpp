//===- Decisions.cpp - What was decided of a kind of call -----------------===//

#include "Decisions.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

using namespace rooftile::cublas;

namespace {
struct Kept {
  std::shared_mutex mutex;
  std::unordered_map<Kind, Decision, KindHash> decisions; ///< Whose addresses do not change.
};

/// The last decisions that this thread has asked for, each at the index of its hash.
struct Recent {
  static constexpr size_t kCount = 64;
  Kind kinds[kCount];
  Decision *decisions[kCount];
};
} // namespace

/// A program whose sizes never repeat shall not fill the memory with them.
static constexpr size_t kMostDecisions = 1 << 16;

static Kept &kept() {
  static Kept &all = *new Kept; // Never destroyed: threads may call while the process ends.
  return all;
}

static thread_local Recent recent;

Decision *rooftile::cublas::findDecision(const Kind &kind) {
  size_t place = KindHash()(kind) % Recent::kCount;
  if (recent.decisions[place] && recent.kinds[place] == kind)
    return recent.decisions[place];
  std::shared_lock<std::shared_mutex> lock(kept().mutex);
  auto found = kept().decisions.find(kind);
  if (found == kept().decisions.end())
    return nullptr;
  recent.kinds[place] = kind;
  return recent.decisions[place] = &found->second;
}

Decision *rooftile::cublas::keepDecision(const Kind &kind, bool isTaken, std::string why) {
  std::unique_lock<std::shared_mutex> lock(kept().mutex);
  auto &decisions = kept().decisions;
  if (decisions.size() >= kMostDecisions && !decisions.count(kind))
    return nullptr;
  return &decisions.try_emplace(kind, isTaken, std::move(why)).first->second;
}
