//===- DiskCacheAttackTest.cpp - What the disk cache does not trust -------===//
//
// Damaged entries, files that are no entries, folders that are not ours, and
// folders that cannot be written to.
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

using namespace rooftile::compiler;

namespace {

constexpr uid_t kNobody = 65534;

struct DiskCacheAttackTest : CacheFolder {
  const Key key{{"a kernel", "of a chip"}};

  /// One entry is there, whose file holds what is returned.
  std::string stored(const std::string &payload = "sixteen bytes...") {
    open().put(key, payload);
    return read(file(key));
  }

  /// get() finds nothing, removes what was there, and counts it as damaged.
  void expectRefused(const std::string &what) {
    DiskCache cache = open();
    EXPECT_FALSE(cache.get(key)) << what;
    EXPECT_EQ(cache.statistics().damaged, 1u) << what;
    EXPECT_EQ(cache.statistics().misses, 0u) << what;
    EXPECT_EQ(cache.reason(), "") << what;
    EXPECT_FALSE(exists(file(key))) << what;
  }

  /// The folder is of no use: nothing found, stored or left in it, and a reason with `expected`.
  void expectUnusable(const std::string &expected) {
    std::vector<std::string> before = names();
    DiskCache cache = open();
    EXPECT_FALSE(cache.get(key));
    cache.put(key, "bytes");
    EXPECT_FALSE(cache.get(key));
    std::string why = cache.reason();
    EXPECT_NE(why.find(expected), std::string::npos) << why;
    cache.put(key, "bytes");
    EXPECT_EQ(cache.reason(), "") << "the first reason is the only one";
    EXPECT_EQ(cache.statistics().failed, 2u);
    EXPECT_EQ(cache.statistics().stored + cache.statistics().hits, 0u);
    EXPECT_EQ(names(), before);
  }
};

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

TEST_F(DiskCacheAttackTest, EveryDamagedByteIsNoticed) {
  std::string whole = stored();
  ASSERT_EQ(whole.size(), 104u);
  for (size_t at = 0; at < whole.size(); ++at)
    for (char change : {1, 32, 127, -1}) {
      std::string damaged = whole;
      damaged[at] ^= change;
      write(file(key), damaged);
      expectRefused("byte " + std::to_string(at));
    }
  write(file(key), whole);
  EXPECT_TRUE(open().get(key));
}

TEST_F(DiskCacheAttackTest, EveryOtherLengthIsNoticed) {
  std::string whole = stored();
  for (size_t size = 0; size < whole.size(); ++size) {
    write(file(key), whole.substr(0, size));
    expectRefused("the first " + std::to_string(size) + " bytes");
  }
  write(file(key), whole + '\0');
  expectRefused("a byte too many");
  write(file(key), whole + whole);
  expectRefused("twice");
}

TEST_F(DiskCacheAttackTest, EntryOfAnotherKeyIsNoticed) {
  stored();
  open().put(Key({"another"}), "other bytes");
  ASSERT_EQ(::rename(file(Key({"another"})).c_str(), file(key).c_str()), 0);
  expectRefused("renamed");
}

TEST_F(DiskCacheAttackTest, ForeignFilesAreNoticed) {
  stored();
  for (const std::string &text : {std::string("root:x:0:0:root:/root:/bin/sh\n"),
                                  std::string(88, '\0'), std::string(1000, 'r')}) {
    write(file(key), text);
    expectRefused(text.substr(0, 10));
  }
}

TEST_F(DiskCacheAttackTest, LinksAreNotFollowed) {
  std::string whole = stored(), valid = root + "/valid";
  write(valid, whole);
  for (const std::string &target : {std::string("/etc/passwd"), valid, root + "/nothing"}) {
    std::string before = read(target);
    ::unlink(file(key).c_str());
    ASSERT_EQ(::symlink(target.c_str(), file(key).c_str()), 0);
    expectRefused(target);
    ASSERT_EQ(::symlink(target.c_str(), file(key).c_str()), 0);
    open().put(key, "new");
    EXPECT_EQ(open().get(key), "new");
    EXPECT_EQ(read(target), before);
  }
}

TEST_F(DiskCacheAttackTest, FifoSocketAndFolderAreNotRead) {
  stored();
  ::unlink(file(key).c_str());
  ASSERT_EQ(::mkfifo(file(key).c_str(), 0600), 0);
  expectRefused("FIFO"); // And does not hang.
  ASSERT_EQ(::mkdir(file(key).c_str(), 0700), 0);
  expectRefused("folder");
  // A path of a socket is short.
  int bound = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {AF_UNIX, "socket"};
  int here = ::open(".", O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::chdir(root.c_str()), 0);
  EXPECT_EQ(::bind(bound, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  EXPECT_EQ(::fchdir(here), 0);
  ::close(here);
  ASSERT_EQ(::rename((root + "/socket").c_str(), file(key).c_str()), 0);
  expectRefused("socket");
  ::close(bound);
}

TEST_F(DiskCacheAttackTest, FullFolderInPlaceOfAnEntryIsNoEntry) {
  stored();
  ::unlink(file(key).c_str());
  ASSERT_EQ(::mkdir(file(key).c_str(), 0700), 0);
  write(file(key) + "/thesis.txt", "text");
  expectUnusable("Is a directory");
  EXPECT_EQ(read(file(key) + "/thesis.txt"), "text");
}

TEST_F(DiskCacheAttackTest, HugeEntriesAreNeitherReadNorStored) {
  stored();
  ASSERT_EQ(::truncate(file(key).c_str(), DiskCache::kLargestEntryBytes + 1), 0);
  EXPECT_EQ(inProcess([&] {
              struct rusage before, after;
              ::getrusage(RUSAGE_SELF, &before);
              expectRefused("huge");
              ::getrusage(RUSAGE_SELF, &after);
              return int(HasFailure() || after.ru_maxrss - before.ru_maxrss > 100 * 1024);
            }),
            0);
  // Memory that nobody touches.
  size_t bytes = DiskCache::kLargestEntryBytes;
  void *memory = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  DiskCache cache = open();
  cache.put(key, std::string_view(static_cast<char *>(memory), bytes));
  ::munmap(memory, bytes);
  EXPECT_EQ(cache.statistics().failed, 1u);
  EXPECT_NE(cache.reason().find("too large"), std::string::npos);
}

TEST_F(DiskCacheAttackTest, FilesThatOthersMayWriteAreNotRead) {
  std::string whole = stored();
  for (mode_t mode : {0620, 0602, 0666}) {
    write(file(key), whole);
    ASSERT_EQ(::chmod(file(key).c_str(), mode), 0);
    expectRefused(std::to_string(mode));
  }
}

TEST_F(DiskCacheAttackTest, FilesOfOthersAreNotRead) {
  stored();
  if (::chown(file(key).c_str(), kNobody, -1) != 0)
    GTEST_SKIP() << "only root can give a file away";
  expectRefused("of another user");
}

TEST_F(DiskCacheAttackTest, FilesOfRootAreRead) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  stored();
  ::chmod(root.c_str(), 0755);
  ::chmod(folder.c_str(), 0755);
  ::chmod(file(key).c_str(), 0644);
  EXPECT_EQ(inProcess([&] {
              if (::setuid(kNobody) != 0)
                return 2;
              DiskCache cache = open();
              bool found = cache.get(key).has_value();
              cache.put(key, "no permission");
              return int(!found || cache.statistics().failed != 1);
            }),
            0);
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

TEST_F(DiskCacheAttackTest, FolderThatOthersMayWriteIsNotUsed) {
  stored();
  for (mode_t mode : {0770, 0702, 0777, 01777}) {
    ASSERT_EQ(::chmod(folder.c_str(), mode), 0);
    EXPECT_NE(open().reason(), "") << "before the first use";
    expectUnusable("others may write");
  }
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  EXPECT_TRUE(open().get(key));
}

TEST_F(DiskCacheAttackTest, FolderOfAnotherUserIsNotUsed) {
  stored();
  if (::chown(folder.c_str(), kNobody, -1) != 0)
    GTEST_SKIP() << "only root can give a folder away";
  expectUnusable("belongs to another user");
}

TEST_F(DiskCacheAttackTest, FileInPlaceOfAFolder) {
  write(root + "/file", "text");
  for (const char *path : {"/file", "/file/cache", "/file/a/b"}) {
    folder = root + path;
    expectUnusable("Not a directory");
    EXPECT_EQ(read(root + "/file"), "text");
  }
}

/// Runs `body` as a user whom permissions bind.
template <typename Body> int asNobody(const std::string &root, const Body &body) {
  return CacheFolder::inProcess([&] {
    if (::geteuid() == 0 && (::chmod(root.c_str(), 0755) != 0 || ::setuid(kNobody) != 0))
      return 2;
    return body();
  });
}

TEST_F(DiskCacheAttackTest, ReadOnlyFolderIsStillRead) {
  stored("bytes");
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file(key).c_str(), kNobody, -1), 0);
    ASSERT_EQ(::chown(folder.c_str(), kNobody, -1), 0);
  }
  ASSERT_EQ(::chmod(folder.c_str(), 0500), 0);
  EXPECT_EQ(asNobody(root,
                     [&] {
                       DiskCache cache = open();
                       bool found = cache.get(key) == "bytes";
                       cache.put(Key({"other"}), "bytes");
                       bool said = cache.reason().find("Permission denied") != std::string::npos;
                       return int(!found || !said || cache.statistics().failed != 1);
                     }),
            0);
  EXPECT_EQ(names().size(), 1u);
  ::chmod(folder.c_str(), 0700);
}

TEST_F(DiskCacheAttackTest, FolderThatCannotBeCreated) {
  ASSERT_EQ(::mkdir((root + "/closed").c_str(), 0555), 0);
  folder = root + "/closed/cache";
  EXPECT_EQ(asNobody(root,
                     [&] {
                       DiskCache cache = open();
                       cache.put(key, "bytes");
                       bool said = cache.reason().find("Permission denied") != std::string::npos;
                       return int(!said || cache.get(key));
                     }),
            0);
  EXPECT_FALSE(exists(folder));
}

//===----------------------------------------------------------------------===//
// No room
//===----------------------------------------------------------------------===//

TEST_F(DiskCacheAttackTest, LimitOfFilesDoesNotKillTheProcess) {
  EXPECT_EQ(inProcess([&] {
              struct rlimit limit = {1000, 1000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              DiskCache cache = open();
              cache.put(key, std::string(2000, 'x'));
              bool refused = cache.statistics().failed == 1 && names().empty();
              cache.put(key, std::string(500, 'x'));
              return int(!refused || cache.statistics().stored != 1);
            }),
            0);
}

/// A file system of 64 KB on `folder`, for this process alone. False where that is not allowed.
bool mountSmall(const std::string &folder) {
  if (::unshare(CLONE_NEWNS) != 0) {
    std::string users = "0 " + std::to_string(::getuid()) + " 1";
    std::string groups = "0 " + std::to_string(::getgid()) + " 1";
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return false;
    CacheFolder::write("/proc/self/setgroups", "deny");
    CacheFolder::write("/proc/self/uid_map", users);
    CacheFolder::write("/proc/self/gid_map", groups);
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0;
}

TEST_F(DiskCacheAttackTest, FullDiskLeavesNothingBehind) {
  ASSERT_EQ(::mkdir(folder.c_str(), 0700), 0);
  enum { Fine, Mount, Room, Said, Left, Small };
  int result = inProcess([&] {
    if (!mountSmall(folder))
      return Mount;
    DiskCache cache = open();
    cache.put(key, std::string(200000, 'x'));
    if (cache.statistics().failed != 1)
      return Room;
    if (cache.reason().find("No space left") == std::string::npos)
      return Said;
    if (!names().empty() || cache.get(key))
      return Left;
    cache.put(key, "small");
    return cache.get(key) == "small" ? Fine : Small;
  });
  if (result == Mount)
    GTEST_SKIP() << "no permission to mount a small file system";
  EXPECT_EQ(result, Fine);
}

TEST_F(DiskCacheAttackTest, DescriptorsAreClosed) {
  auto count = [] {
    std::error_code error;
    int open = 0;
    for (llvm::sys::fs::directory_iterator at("/proc/self/fd", error), end; !error && at != end;
         at.increment(error))
      ++open;
    return open;
  };
  int before = count();
  std::string whole = stored();
  DiskCache cache = open();
  for (int i = 0; i < 10; ++i) {
    cache.put(key, "bytes");
    cache.get(key);
    cache.get(Key({"none"}));
    write(file(key), whole.substr(0, 10 * i));
    cache.get(key);
    ::chmod(folder.c_str(), 0777);
    cache.put(key, "bytes");
    ::chmod(folder.c_str(), 0700);
  }
  EXPECT_EQ(count(), before);
  EXPECT_EQ(cache.statistics().stored, 10u);
  EXPECT_EQ(cache.statistics().failed, 10u);
}

} // namespace
