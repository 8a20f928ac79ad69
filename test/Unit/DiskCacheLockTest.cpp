//===- DiskCacheLockTest.cpp - Processes that start together --------------===//

#include "CacheFolder.h"
#include "rooftile/Compiler/Compiler.h"

#include <chrono>
#include <ctime>
#include <signal.h>
#include <thread>

using namespace rooftile::compiler;
using namespace rooftile::operation;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

struct DiskCacheLockTest : CacheFolder {
  const Key key{{"key"}};

  /// Starts `count` processes that run `body` at the same time; returns their exit statuses.
  template <typename Body> static std::vector<int> together(int count, const Body &body) {
    int gate[2];
    EXPECT_EQ(::pipe(gate), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
      children.push_back(fork());
      if (children.back() != 0)
        continue;
      ::close(gate[1]);
      char byte;
      if (::read(gate[0], &byte, 1) != 0) // until all ends for writing are closed
        _exit(99);
      _exit(body());
    }
    ::close(gate[0]);
    ::close(gate[1]);
    std::vector<int> statuses;
    for (pid_t child : children)
      statuses.push_back(wait(child));
    return statuses;
  }

  /// A process that has taken the lock of `key` and goes on with `then`, which does not return.
  template <typename Then> pid_t holder(const Then &then) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
      DiskCache cache = open();
      FileLock lock;
      bool found = cache.getOrLock(key, lock).has_value();
      char byte = !found && lock.isHeld();
      if (::write(ready[1], &byte, 1) == 1)
        then(cache);
      _exit(98);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_TRUE(byte) << "the first process has no lock";
    ::close(ready[0]);
    ::close(ready[1]);
    return child;
  }
};

void sleepFor(int milli) { std::this_thread::sleep_for(milliseconds(milli)); }

TEST_F(DiskCacheLockTest, OneProcessMakesWhatAllNeed) {
  std::vector<int> made = together(8, [&] {
    DiskCache cache = open();
    FileLock lock;
    if (std::optional<std::string> found = cache.getOrLock(key, lock))
      return *found == "bytes" && cache.statistics().hits == 1 ? 0 : 97;
    sleepFor(100); // compiles
    cache.put(key, "bytes");
    return cache.statistics().misses == 1 ? 1 : 96;
  });
  std::sort(made.begin(), made.end());
  EXPECT_EQ(made, (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST_F(DiskCacheLockTest, OtherKeysDoNotWait) {
  pid_t child = holder([](DiskCache &) { ::pause(); });
  auto start = Clock::now();
  DiskCache cache = open();
  FileLock lock;
  EXPECT_FALSE(cache.getOrLock(Key({"other"}), lock));
  EXPECT_TRUE(lock.isHeld());
  EXPECT_LT(Clock::now() - start, milliseconds(5000));
  kill(child, SIGKILL);
  wait(child);
}

TEST_F(DiskCacheLockTest, LockEndsWithAKilledHolder) {
  pid_t child = holder([](DiskCache &) { ::pause(); });
  std::thread killer([&] {
    sleepFor(100);
    kill(child, SIGKILL);
    EXPECT_EQ(wait(child), -SIGKILL);
  });
  DiskCache cache = open();
  FileLock lock;
  auto start = Clock::now();
  EXPECT_FALSE(cache.getOrLock(key, lock));
  EXPECT_TRUE(lock.isHeld());
  EXPECT_GE(Clock::now() - start, milliseconds(50));
  EXPECT_LT(Clock::now() - start, milliseconds(20000));
  killer.join();
}

TEST_F(DiskCacheLockTest, ChildOfAHolderHoldsNothing) {
  DiskCache cache = open();
  pid_t child;
  {
    FileLock lock;
    EXPECT_FALSE(cache.getOrLock(key, lock));
    child = fork();
    if (child == 0) {
      ::pause();
      _exit(0);
    }
  }
  EXPECT_EQ(inProcess([&] {
              DiskCache other = open();
              FileLock lock;
              auto start = Clock::now();
              bool found = other.getOrLock(key, lock).has_value();
              return found || !lock.isHeld() || Clock::now() - start > milliseconds(20000);
            }),
            0);
  kill(child, SIGKILL);
  wait(child);
}

TEST_F(DiskCacheLockTest, StoppedHolderIsNotWaitedForForEver) {
  open().put(key, "bytes"); // makes the folder
  int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  FileLock first = FileLock::acquire(opened, "locks", /*place=*/1, milliseconds(100));
  EXPECT_TRUE(first.isHeld());
  auto start = Clock::now();
  FileLock second = FileLock::acquire(opened, "locks", /*place=*/1, milliseconds(100));
  EXPECT_FALSE(second.isHeld());
  EXPECT_GE(Clock::now() - start, milliseconds(100));
  first.release();
  second = FileLock::acquire(opened, "locks", /*place=*/1, milliseconds(100));
  EXPECT_TRUE(second.isHeld());
  ::close(opened);
}

TEST_F(DiskCacheLockTest, ReadOnlyFolderHasNoLock) {
  DiskCache filled = open();
  filled.put(key, "bytes");
  ::chmod(root.c_str(), 0755);
  ::chmod(folder.c_str(), 0500);
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0)
    for (const std::string &path : {folder, file(key)})
      ASSERT_EQ(::chown(path.c_str(), kNobody, -1), 0);
  EXPECT_EQ(inProcess([&] {
              if (::geteuid() == 0 && ::setuid(kNobody) != 0)
                return 2;
              DiskCache cache = open();
              FileLock lock;
              bool isThere = cache.getOrLock(key, lock) == "bytes";
              bool isOther = cache.getOrLock(Key({"other"}), lock).has_value();
              return int(!isThere || isOther || lock.isHeld() || cache.statistics().misses != 1);
            }),
            0);
}

TEST_F(DiskCacheLockTest, WhatIsNoFileIsNoLock) {
  DiskCache cache = open();
  cache.put(Key({"other"}), "bytes");
  std::string locks = folder + "/locks";
  for (int kind = 0; kind < 3; ++kind) {
    ::unlink(locks.c_str());
    if (kind == 0)
      ASSERT_EQ(::symlink("/dev/null", locks.c_str()), 0);
    else
      ASSERT_EQ(kind == 1 ? ::mkfifo(locks.c_str(), 0600) : ::mkdir(locks.c_str(), 0700), 0);
    FileLock lock;
    EXPECT_FALSE(cache.getOrLock(key, lock));
    EXPECT_FALSE(lock.isHeld());
  }
}

/// Processes that compile the same operation: the time of one of them is spent on it.
TEST_F(DiskCacheLockTest, OneProcessCompiles) {
  Operation operation;
  operation.m = operation.n = operation.k = 256;
  operation.a.leading = operation.b.leading = operation.c.leading = 256;
  std::vector<int> hundredths = together(4, [&] {
    Compiler compiler({rooftile::DeviceKind::Cuda, "h200", folder});
    std::clock_t before = std::clock();
    if (!compiler.get(operation))
      return 95;
    return int(std::min<std::clock_t>((std::clock() - before) * 100 / CLOCKS_PER_SEC, 90));
  });
  std::sort(hundredths.begin(), hundredths.end());
  EXPECT_LT(hundredths.back(), 91);
  EXPECT_GT(hundredths.back(), 3) << "nothing was compiled";
  EXPECT_LT(4 * hundredths[2], hundredths.back());
  EXPECT_EQ(names().size(), 2u);
}

} // namespace
