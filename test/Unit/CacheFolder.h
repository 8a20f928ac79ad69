//===- CacheFolder.h - A folder for tests of the disk cache -----*- C++ -*-===//
#ifndef ROOFTILE_UNIT_CACHEFOLDER_H
#define ROOFTILE_UNIT_CACHEFOLDER_H

#include "rooftile/Compiler/DiskCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rooftile::compiler {

using Key = DiskCache::Key;

/// A temporary folder `root`, the cache's folder `folder` in it, which does not exist yet, and an
/// environment without the variables that the cache reads.
struct CacheFolder : ::testing::Test {
  CacheFolder() {
    llvm::SmallString<128> path;
    // Not in $TMPDIR, which may be closed to the other user that some tests become.
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("/tmp/rooftile-cache", path));
    root = path.str().str();
    folder = root + "/cache";
    for (const char *name : {"ROOFTILE_CACHE_DIR", "ROOFTILE_CACHE_SIZE", "XDG_CACHE_HOME", "HOME"})
      set(name, nullptr);
  }

  ~CacheFolder() override {
    llvm::sys::fs::remove_directories(root);
    for (auto &[name, value] : before)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }

  /// Sets a variable of the environment until the end of the test; null: it is not set.
  void set(const char *name, const char *value) {
    const char *old = std::getenv(name);
    before.try_emplace(name, old ? std::optional<std::string>(old) : std::nullopt);
    value ? setenv(name, value, 1) : unsetenv(name);
  }

  DiskCache open() { return DiskCache::open(folder); }

  std::string file(const Key &key) const { return folder + "/" + key.hex() + ".rooftile"; }

  /// Names of what is in the cache's folder.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error))
      found.push_back(llvm::sys::path::filename(at->path()).str());
    std::sort(found.begin(), found.end());
    return found;
  }

  static std::string read(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  /// Writes `bytes` into the file that is there, or a new one.
  static void write(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static bool exists(const std::string &path) {
    struct stat status;
    return ::lstat(path.c_str(), &status) == 0;
  }

  /// Sets the time of the last use of a file, in seconds before now.
  static void age(const std::string &path, time_t seconds) {
    struct timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = std::time(nullptr) - seconds;
    EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0) << path;
  }

  /// The exit status of `body` in a process of its own, or minus the signal that ended it.
  template <typename Body> static int inProcess(const Body &body) {
    pid_t child = fork();
    if (child == 0)
      _exit(body());
    return wait(child);
  }

  static int wait(pid_t child) {
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string root, folder;
  std::map<std::string, std::optional<std::string>> before;
};

} // namespace rooftile::compiler

#endif // ROOFTILE_UNIT_CACHEFOLDER_H
