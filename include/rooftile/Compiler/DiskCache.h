//===- DiskCache.h - Compiled code, kept between processes ------*- C++ -*-===//
//
// A folder with one file per entry, shared by any number of threads and
// processes. Reading needs no lock: an entry is written under another name and
// renamed, so a reader sees all of it or nothing. Who makes what is missing can
// acquire a lock, so that processes that start together make it once.
//
// The folder is not trusted. An entry states the key that it was stored under
// and a checksum of its bytes; a damaged, truncated, renamed or foreign file is
// removed, counted, and never returned. Files that are not regular, that belong
// to others or that others may write are not read; nor is a folder of that kind.
// This protects from accidents and from other users, not from the user
// themselves: who may write the folder may write a valid entry.
//
// A cache that cannot be used is no error: get() finds nothing, put() stores
// nothing, and reason() returns why. There is no state but atomics, so a process may
// fork at any time.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_COMPILER_DISKCACHE_H
#define ROOFTILE_COMPILER_DISKCACHE_H

#include "rooftile/Compiler/FileLock.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::compiler {

class DiskCache {
public:
  /// Key of an entry: SHA-256 of all that its bytes depend on, for instance the IR, the
  /// version of the compiler and the chip. The length of each field counts: ("ab", "c") is not
  /// ("a", "bc").
  class Key {
  public:
    explicit Key(const std::vector<std::string_view> &parts);
    const std::array<uint8_t, 32> &digest() const { return bytes; }
    /// 64 lower-case digits.
    std::string hex() const;

  private:
    std::array<uint8_t, 32> bytes;
  };

  /// Calls, by how they ended: a get() is a hit, a miss or damaged, a put() is stored or failed.
  /// Where the user has turned the cache off, every get() is a miss and a put() does not count.
  struct Statistics {
    uint64_t hits = 0, misses = 0, damaged = 0, stored = 0, failed = 0;
  };

  /// An entry of more bytes is neither stored nor read.
  static constexpr uint64_t kLargestEntryBytes = uint64_t(256) << 20;

  /// The cache in `folder`; empty: in $ROOFTILE_CACHE_DIR, else $XDG_CACHE_HOME/rooftile, else
  /// ~/.cache/rooftile. Either is "off", or ROOFTILE_CACHE_DIR empty: no cache. ROOFTILE_CACHE_SIZE
  /// limits the bytes of all entries ("512M"; K, M or G, 1G where it is not set): those that were
  /// used longest ago are removed. The first put() creates the folder.
  static DiskCache open(std::string folder = "");

  DiskCache(const DiskCache &) = delete;
  DiskCache &operator=(const DiskCache &) = delete;
  ~DiskCache();

  /// The bytes that were stored under `key`, all of them, or nothing.
  std::optional<std::string> get(const Key &key);

  /// As get(). Where nothing is stored, waits while another process makes it, and looks again;
  /// where there still is nothing, `lock` keeps others waiting until the caller has put it there.
  /// Without a lock (in a folder that cannot be written, on a file system without locks, after
  /// kLongestWait) several processes may make the same.
  std::optional<std::string> getOrLock(const Key &key, FileLock &lock);

  /// Longest wait for a process that may have been stopped.
  static constexpr std::chrono::milliseconds kLongestWait{60'000};

  /// Stores `bytes`, in place of what was stored before. Whether it could is in the statistics.
  void put(const Key &key, std::string_view bytes);

  /// False where the user has turned the cache off, or has no folder.
  bool isOn() const { return !folder.empty(); }

  /// Absolute; empty where the cache is off.
  const std::string &path() const { return folder; }

  /// The first thing that was wrong with the cache, once: the next call returns an empty text. So a
  /// warning is printed once, whichever thread asks.
  std::string reason();

  Statistics statistics() const;

private:
  DiskCache(std::string folder, uint64_t limitBytes, std::string why);

  /// Stored bytes, and the statistic that they count in.
  struct Found {
    std::optional<std::string> bytes;
    std::atomic<uint64_t> *outcome;
  };
  Found find(const Key &key);
  /// The folder if it is there and ours alone, else -1.
  int openFolder();
  /// Creates the folder first; -1 with the reason in `why` where that fails.
  int createFolder(std::string &why);
  bool store(const Key &key, std::string_view bytes, std::string &why);
  void limitSize(int opened, uint64_t addedBytes);
  void keepReason(std::string why);

  const std::string folder;
  const uint64_t limitBytes;
  /// Bytes stored since this process last looked at the size of the folder.
  std::atomic<uint64_t> uncheckedBytes;
  std::atomic<uint64_t> hits{0}, misses{0}, damaged{0}, stored{0}, failed{0};
  std::atomic<bool> hasReason{false};
  std::atomic<std::string *> untold{nullptr};
};

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_DISKCACHE_H
