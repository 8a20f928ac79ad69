//===- Shadow.h - Who touched which shared memory last ----------*- C++ -*-===//
//
// Shadow memory of one block: for every granule the last write and two reads by
// different threads, each with the epoch in which it happened. An epoch of a
// block ends at its barrier, the epochs of all blocks of a cluster end where the
// cluster meets. Two accesses of different threads, one of them a write, that no
// epoch separates are a race: it is found in whatever order they happen to run.
//
// Two reads are enough. Of two different threads, one is not the writer that
// comes later; of two different blocks, one is not the writer's (this matters
// because the barrier of a block separates its own accesses only). A write that
// races with neither replaces them: whatever races with one of them later, races
// with this write, too. One that arrives leaves them, since it races with nothing.
//
// Most accesses are as wide as a line, so its granules have one history until an
// access touches some of them.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_SHADOW_H
#define ROOFTILE_LIB_RUNTIME_CPU_SHADOW_H

#include <cstdint>
#include <vector>

namespace rooftile::cpu {

/// The epochs of one cluster; they only grow, so that shadows need no clearing between runs.
struct Clock {
  uint32_t now = 0;     ///< the newest epoch of any block
  uint32_t start = 0;   ///< at which the blocks that run now began
  uint32_t meeting = 0; ///< at which the cluster met last

  uint32_t next() { return ++now; }
  uint32_t meet() { return meeting = ++now; }
};

/// One access: epoch of the block that made it, the block's rank in its cluster and the thread,
/// and which operation of the kernel it was.
struct Access {
  uint32_t epoch = 0, who = 0, site = 0;

  static uint32_t pack(uint32_t rank, uint32_t thread) { return rank << 16 | thread; }
  uint32_t rank() const { return who >> 16; }
  uint32_t thread() const { return who & 0xFFFF; }
  bool operator==(const Access &other) const {
    return epoch == other.epoch && who == other.who && site == other.site;
  }
};

/// The fault of an access.
struct Conflict {
  enum Kind { None, Race, Unwritten } kind = None;
  int64_t byte = 0;        ///< of shared memory, where it begins
  Access other;            ///< of a race
  bool otherWrote = false; ///< of a race
};

class Shadow {
public:
  /// `granule`: bytes of the smallest access, a power of two.
  Shadow(int64_t bytes, int64_t granule, const Clock &clock);
  /// Record an access to granules; `byte` and `bytes` lie within the memory.
  Conflict read(int64_t byte, int64_t bytes, const Access &access);
  /// `arrives`: the write ends before all accesses that follow, which have waited for it.
  Conflict write(int64_t byte, int64_t bytes, const Access &access, bool arrives = false);
  /// Before the clock starts again at 0.
  void clear();

private:
  struct Cell {
    Access writer, readers[2];
    bool operator==(const Cell &other) const {
      return writer == other.writer && readers[0] == other.readers[0] &&
             readers[1] == other.readers[1];
    }
  };

  /// Whether a barrier lies between `earlier` and `access`, which happens now.
  bool ordered(const Access &earlier, const Access &access) const {
    return earlier.epoch < clock.meeting ||
           (earlier.rank() == access.rank() && earlier.epoch < access.epoch);
  }
  bool conflicts(const Access &earlier, const Access &access) const {
    return earlier.who != access.who && !ordered(earlier, access);
  }
  void remember(Cell &cell, const Access &access);
  /// Calls `visit` with each history that an access has part in, and the granule where it begins.
  template <typename Visit> void forEachCell(int64_t byte, int64_t bytes, Visit visit);

  static constexpr int kLineShift = 4; ///< log2 of the bytes of the widest access

  const Clock &clock;
  int shift = 0;           ///< log2 of the granule
  int granulesShift = 0;   ///< log2 of the granules of a line
  std::vector<Cell> cells; ///< of the granules; the first of a line stands for all that are alike
  std::vector<char> split; ///< whether the granules of a line are not alike
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_SHADOW_H
