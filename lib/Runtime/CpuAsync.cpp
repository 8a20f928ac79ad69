//===- CpuAsync.cpp - Copies that arrive at a wait ------------------------===//
//
// The hardware may deliver an asynchronous copy at any time between its start and the
// wait for its group. Here the target is poisoned at the start and filled at the wait:
// whoever reads it in between, or after a wait that is missing, reads NaN. In shadow
// memory both are writes, so that neither may meet an access of another thread.
//
//===----------------------------------------------------------------------===//

#include "CpuAsync.h"

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

/// What one thread has on its way: groups in order, and copies that belong to none yet.
struct rooftile::cpu::AsyncCopies {
  std::deque<std::vector<Copy>> groups;
  std::vector<Copy> open;
};

static AsyncCopies &copiesOf(Thread &thread) {
  if (!thread.copies)
    thread.copies = new AsyncCopies;
  return *thread.copies;
}

static void record(const Thread &thread, const Copy &copy) {
  if (copy.site != 0)
    rooftileCpuWrite(&thread, copy.target, copy.bytes, copy.bytes, copy.site);
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
