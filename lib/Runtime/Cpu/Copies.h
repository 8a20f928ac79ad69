//===- Copies.h - Bulk copies, and who waits for them -----------*- C++ -*-===//
//
// A phase of a counter is complete when all of its copiers have announced how much they copy, and
// so much is on its way. The hardware may deliver it at any time from then on, and before; here
// the targets are poisoned when a copy starts and filled when the first thread is let past a wait
// for the phase: they belong to the workgroup, not to the thread.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_COPIES_H
#define ROOFTILE_LIB_RUNTIME_CPU_COPIES_H

#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Device/TensorMap.h"
#include <map>
#include <string>
#include <vector>

namespace rooftile::cpu {

/// One bulk copy; `site` is 0 where accesses are not recorded.
struct BulkCopy {
  Thread *thread;
  void *target;
  const void *source; ///< First byte that is copied.
  int64_t bytes, site;
  int64_t before = 0, after = 0; ///< Bytes before these, and after, that become 0.
  bool isToTf32 = false;         ///< Elements of f32 are rounded.
};

/// The counters of one block.
class Arrivals {
public:
  void setUp(const void *counter, int64_t copiers) { counters[counter] = Counter(copiers); }
  void expect(const void *counter, int64_t bytes);
  void start(const void *counter, const BulkCopy &copy);

  /// Whether `thread` may go past the wait at which it stands; then what it waits for is there.
  bool admits(const Thread &thread);
  /// Why `thread` waits for ever: "its counter has 1 of 2 copiers and 512 of 1024 bytes".
  std::string describe(const Thread &thread) const;
  /// True where something is on its way, or has arrived and nobody has waited for it.
  bool isPending() const;
  /// The first thing that a thread did which has no meaning; empty for none.
  const std::string &getError() const { return error; }
  void clear();

private:
  struct Counter {
    explicit Counter(int64_t copiers = 0) : copiers(copiers), missing(copiers) {}
    int64_t copiers, missing, expected = 0, started = 0, phase = 0;
    std::vector<BulkCopy> copies, complete; // of this phase; of earlier ones, not delivered
  };
  Counter *find(const void *counter, const char *what);
  static void finishPhase(Counter &counter);

  std::map<const void *, Counter> counters;
  std::string error;
};

//===----------------------------------------------------------------------===//
// Copies that arrive at a wait
//===----------------------------------------------------------------------===//

/// Where the 128-byte swizzle of the hardware has a byte of shared memory, counted from 0: bits 4
/// to 6 are changed by bits 7 to 9.
inline int64_t swizzled(int64_t offset) {
  return offset ^ (offset / kSwizzleBytes % (kSwizzleBytes / kSwizzleUnit) * kSwizzleUnit);
}

/// Forgets what `thread` has on its way: nobody waits for it any more.
void dropCopies(Thread &thread);

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_COPIES_H
