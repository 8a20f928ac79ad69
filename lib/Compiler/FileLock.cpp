//===- FileLock.cpp - One process at a time, by a file --------------------===//

#include "rooftile/Compiler/FileLock.h"
#include "llvm/Support/Errno.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace rooftile::compiler;
using std::chrono::milliseconds;

/// Pauses before asking again: a wait cannot be given up in the midst of one call.
static constexpr milliseconds kFirstPause(1), kLongestPause(50);

/// Locks or unlocks a byte, without waiting.
static bool set(int file, short type, int64_t place) {
  struct flock range = {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = place;
  range.l_len = 1;
  return ::fcntl(file, F_OFD_SETLK, &range) == 0;
}

static bool takeBefore(int file, int64_t place, std::chrono::steady_clock::time_point end) {
  for (milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    if (set(file, F_WRLCK, place))
      return true;
    bool isTaken = errno == EAGAIN || errno == EACCES || errno == EINTR;
    if (!isTaken || std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::sleep_for(pause);
  }
}

FileLock FileLock::acquire(int folder, const char *name, int64_t place, milliseconds longest) {
  FileLock lock;
  auto end = std::chrono::steady_clock::now() + longest;
  int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  int file = llvm::sys::RetryAfterSignal(-1, ::openat, folder, name, flags, 0600);
  struct stat status;
  if (file < 0)
    return lock;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !takeBefore(file, place, end)) {
    ::close(file);
    return lock;
  }
  lock.file = file;
  lock.place = place;
  return lock;
}

FileLock &FileLock::operator=(FileLock &&other) noexcept {
  std::swap(file, other.file);
  std::swap(place, other.place);
  return *this;
}

void FileLock::release() {
  if (!isHeld())
    return;
  set(file, F_UNLCK, place); // a child of fork may have the file open, too
  ::close(std::exchange(file, -1));
}
