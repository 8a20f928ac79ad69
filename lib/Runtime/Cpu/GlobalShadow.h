//===- GlobalShadow.h - Who touched which global memory ---------*- C++ -*-===//
//
// Shadow memory of one launch. Workgroups of a launch run in any order, and nothing
// separates their accesses to global memory. So two of them may read the same element,
// add to it atomically, or store the same bits to it. Everything else depends on the
// order and is an error in every order:
//
// * two workgroups store different bits to one element;
// * one reads what another stores or adds to;
// * one stores what another adds to.
//
// Shadow memory is allocated by pages as they are touched. The workers of a launch share
// it: stored bits are compared after the store, under the lock of their pages.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_GLOBALSHADOW_H
#define ROOFTILE_LIB_RUNTIME_CPU_GLOBALSHADOW_H

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace rooftile::cpu {

/// A workgroup's access to global memory; a site of 0 stands for none.
struct GlobalAccess {
  uint32_t block = 0, site = 0;
};

enum class GlobalKind : int64_t { Read, Store, Add };

/// Two accesses whose order decides a result.
struct GlobalConflict {
  GlobalAccess other; ///< The earlier one; its site is 0 where there is no conflict.
  GlobalKind otherKind = GlobalKind::Read;
  uintptr_t address = 0; ///< Where the granule begins that both touch.
  uint64_t bits = 0;     ///< Value that the earlier one stored there.
};

class GlobalShadow {
public:
  /// `granule`: bytes of the smallest access, a power of two of at most 16.
  explicit GlobalShadow(int64_t granule);
  /// Records an access; a store, after it has stored.
  GlobalConflict record(const void *address, int64_t bytes, GlobalKind kind, GlobalAccess access);
  int64_t granule() const { return int64_t(1) << shift; }
  /// Bytes of all granules that were stored or added to.
  int64_t storedBytes() const;

private:
  static constexpr int kPageShift = 12, kLocks = 64;
  static constexpr int64_t kPageBytes = int64_t(1) << kPageShift;

  /// State of the elements of one page that were stored or added to.
  struct Written {
    std::vector<GlobalAccess> storers, adders; ///< The last of each.
    std::array<uint8_t, kPageBytes> bits;      ///< Value that the last storer left.
  };
  struct Page {
    std::vector<std::array<GlobalAccess, 2>> readers; ///< At most two workgroups' for each.
    std::unique_ptr<Written> written;
  };
  /// Pages that share a lock.
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uintptr_t, Page> pages;
    uintptr_t lastNumber = 0; ///< Number of the page that was touched last.
    Page *last = nullptr;
  };

  GlobalConflict recordInPage(uintptr_t address, int64_t bytes, GlobalKind kind,
                              GlobalAccess access);
  GlobalConflict touch(Page &page, uintptr_t address, GlobalKind kind, GlobalAccess access);

  int shift = 0; ///< log2 of the granule
  std::array<Shard, kLocks> shards;
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_GLOBALSHADOW_H
