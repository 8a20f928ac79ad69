//===- DiskCache.cpp - Compiled code, kept between processes --------------===//
//
// An entry is the file <key>.rooftile, header and payload. All files are reached
// from a descriptor of the folder, which is checked each time it is opened: a
// folder that is exchanged meanwhile leads nowhere else. LLVM's TempFile is not
// used: it installs signal handlers in the process of the caller, and copies
// where it cannot rename.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Compiler/DiskCache.h"
#include "rooftile/Compiler/Bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/resource.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

using namespace rooftile::compiler;
using llvm::StringRef;
using Key = DiskCache::Key;

static constexpr StringRef kMagic = "rooftile", kSuffix = ".rooftile", kTemporary = ".tmp";
/// The file whose bytes are locked, one for each key.
static constexpr const char *kLocks = "locks";
/// In place of a folder: no cache.
static constexpr StringRef kOff = "off";
/// Part of every key: builds with different formats do not meet.
static constexpr uint32_t kVersion = 1;
static constexpr uint64_t kDefaultLimitBytes = uint64_t(1) << 30;
/// The size of the folder is looked at whenever a process has added this share of the limit.
static constexpr uint64_t kPartsOfLimit = 16;
static constexpr time_t kLeftoverSeconds = 3600;

namespace {

/// A file descriptor that is closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() { close(); }
  bool isOpen() const { return number >= 0; }
  operator int() const { return number; }
  /// Whether all that was written has been accepted.
  bool close() { return !isOpen() || ::close(std::exchange(number, -1)) == 0; }

private:
  int number;
};

/// An entry of the folder.
struct Entry {
  std::string name;
  uint64_t bytes;
  std::pair<time_t, long> used;
};

} // namespace

//===----------------------------------------------------------------------===//
// Keys and headers
//===----------------------------------------------------------------------===//

static std::string littleEndian(uint64_t number) {
  char bytes[sizeof number];
  llvm::support::endian::write64le(bytes, number);
  return std::string(bytes, sizeof bytes);
}

Key::Key(const std::vector<std::string_view> &parts) {
  llvm::SHA256 hash;
  hash.update(littleEndian(kVersion));
  for (std::string_view part : parts) {
    hash.update(littleEndian(part.size()));
    hash.update(StringRef(part));
  }
  bytes = hash.final();
}

std::string Key::hex() const { return llvm::toHex(bytes, /*LowerCase=*/true); }

static std::string fileName(const Key &key) { return key.hex() + kSuffix.str(); }

/// Header of `payload` in its file: every byte of a file is given by its key and its payload.
/// The checksum is BLAKE3, which needs a fifteenth of the time of SHA-256.
static std::string headerOf(const Key &key, StringRef payload) {
  std::string header = kMagic.str() + littleEndian(kVersion) + littleEndian(payload.size());
  header += llvm::toStringRef(key.digest());
  header += llvm::toStringRef(llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(payload)));
  return header;
}

static constexpr uint64_t kHeaderBytes = 8 + 8 + 8 + 32 + 32;

//===----------------------------------------------------------------------===//
// Where the cache is
//===----------------------------------------------------------------------===//

static uint64_t limitFromEnvironment(std::string &why) {
  const char *text = std::getenv("ROOFTILE_CACHE_SIZE");
  if (!text || !*text)
    return kDefaultLimitBytes;
  if (std::optional<uint64_t> bytes = parseBytes(text))
    return *bytes;
  why = std::string("ROOFTILE_CACHE_SIZE is '") + text + "', not a size such as 512M: taken as 1G";
  return kDefaultLimitBytes;
}

/// `name` in the environment if it is an absolute path, else empty.
static std::string absoluteFromEnvironment(const char *name) {
  const char *path = std::getenv(name);
  return path && llvm::sys::path::is_absolute(path) ? path : "";
}

/// Empty: no cache, with an error in `why` unless the user wants none.
static std::string folderFromEnvironment(std::string &why) {
  if (const char *given = std::getenv("ROOFTILE_CACHE_DIR"))
    return given;
  std::string base = absoluteFromEnvironment("XDG_CACHE_HOME");
  if (base.empty()) {
    base = absoluteFromEnvironment("HOME");
    if (base.empty()) {
      why = "no folder for compiled code: none of ROOFTILE_CACHE_DIR, XDG_CACHE_HOME and HOME is "
            "set to one";
      return "";
    }
    base += "/.cache";
  }
  return base + "/rooftile";
}

DiskCache DiskCache::open(std::string folder) {
  std::string why;
  uint64_t limit = limitFromEnvironment(why);
  if (folder.empty())
    folder = folderFromEnvironment(why);
  if (folder == kOff)
    folder.clear();
  llvm::SmallString<128> absolute(folder);
  if (!folder.empty()) {
    if (std::error_code error = llvm::sys::fs::make_absolute(absolute)) {
      why = "cannot find " + folder + ": " + error.message();
      absolute.clear();
    }
  }
  return DiskCache(absolute.str().str(), limit, std::move(why));
}

DiskCache::DiskCache(std::string path, uint64_t limitBytes, std::string why)
    : folder(std::move(path)), limitBytes(limitBytes), uncheckedBytes(limitBytes / kPartsOfLimit) {
  if (!why.empty())
    keepReason(std::move(why));
  if (isOn())
    Descriptor checked(openFolder());
}

DiskCache::~DiskCache() { delete untold.load(); }

void DiskCache::keepReason(std::string why) {
  if (!hasReason.exchange(true))
    untold = new std::string(std::move(why));
}

std::string DiskCache::reason() {
  std::unique_ptr<std::string> why(untold.exchange(nullptr));
  return why ? *why : "";
}

DiskCache::Statistics DiskCache::statistics() const {
  return {hits, misses, damaged, stored, failed};
}

/// "cannot WHAT: the system's reason"
static std::string systemError(const std::string &what) {
  return "cannot " + what + ": " + llvm::sys::StrError();
}

/// Whether nobody but this user and root can have written a file, or into a folder.
static bool isOurs(const struct stat &status) {
  bool owned = status.st_uid == ::geteuid() || status.st_uid == 0;
  return owned && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

int DiskCache::openFolder() {
  int opened = llvm::sys::RetryAfterSignal(-1, ::open, folder.c_str(),
                                           O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (opened < 0) {
    if (errno != ENOENT)
      keepReason(systemError("open the folder " + folder));
    return -1;
  }
  struct stat status;
  if (::fstat(opened, &status) == 0 && isOurs(status))
    return opened;
  keepReason(folder + " is not used: it belongs to another user, or others may write to it");
  ::close(opened);
  return -1;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool readAll(int file, char *data, size_t size) {
  while (size > 0) {
    ssize_t count = llvm::sys::RetryAfterSignal(-1, ::read, file, data, size);
    if (count <= 0)
      return false;
    data += count;
    size -= count;
  }
  return true;
}

/// The payload, if `file` is an entry that was stored under `key` and is as it was.
static std::optional<std::string> readEntry(int file, const Key &key) {
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !isOurs(status))
    return std::nullopt;
  uint64_t bytes = status.st_size;
  if (bytes < kHeaderBytes || bytes > DiskCache::kLargestEntryBytes)
    return std::nullopt;
  std::string header(kHeaderBytes, '\0'), payload(bytes - kHeaderBytes, '\0');
  if (!readAll(file, header.data(), header.size()) ||
      !readAll(file, payload.data(), payload.size()) || header != headerOf(key, payload))
    return std::nullopt;
  return payload;
}

/// Whether a file that cannot be opened, by errno, is something that we have not put there.
static bool isForeign(int error) {
  return error == ELOOP || error == ENXIO || error == ENODEV || error == EACCES;
}

DiskCache::Found DiskCache::find(const Key &key) {
  Descriptor opened(isOn() ? openFolder() : -1);
  if (!opened.isOpen())
    return {std::nullopt, &misses};
  // A symbolic link is not followed, and a FIFO does not wait for a writer.
  std::string name = fileName(key);
  int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(llvm::sys::RetryAfterSignal(-1, ::openat, opened, name.c_str(), flags));
  if (!file.isOpen() && !isForeign(errno))
    return {std::nullopt, &misses};
  std::optional<std::string> payload;
  if (file.isOpen())
    payload = readEntry(file, key);
  if (!payload) {
    if (::unlinkat(opened, name.c_str(), 0) != 0)
      ::unlinkat(opened, name.c_str(), AT_REMOVEDIR);
    return {std::nullopt, &damaged};
  }
  ::futimens(file, nullptr); // Used now; the time of access is not kept on every file system.
  return {std::move(payload), &hits};
}

std::optional<std::string> DiskCache::get(const Key &key) {
  Found found = find(key);
  ++*found.outcome;
  return std::move(found.bytes);
}

/// Where in the file of locks that of `key` is.
static int64_t placeOf(const Key &key) {
  return int64_t(llvm::support::endian::read64le(key.digest().data()) >> 1);
}

std::optional<std::string> DiskCache::getOrLock(const Key &key, FileLock &lock) {
  Found found = find(key);
  std::string why; // put() will report it
  Descriptor opened(isOn() && !found.bytes ? createFolder(why) : -1);
  if (opened.isOpen())
    lock = FileLock::acquire(opened, kLocks, placeOf(key), kLongestWait);
  if (lock.isHeld()) {
    Found again = find(key);
    found = {std::move(again.bytes), found.outcome == &misses ? again.outcome : found.outcome};
  }
  ++*found.outcome;
  if (found.bytes)
    lock.release();
  return std::move(found.bytes);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool writeAll(int file, StringRef data) {
  while (!data.empty()) {
    ssize_t count = llvm::sys::RetryAfterSignal(-1, ::write, file, data.data(), data.size());
    if (count < 0)
      return false;
    data = data.drop_front(count);
  }
  return true;
}

/// Whether a file of `bytes` may be written. Past the limit of the process, write() would not only
/// fail: it kills a process that does not handle SIGXFSZ.
static bool fitsProcessLimit(uint64_t bytes) {
  struct rlimit limit;
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         bytes <= limit.rlim_cur;
}

/// Creates a file that nobody else has, named for `entry` in `name`.
static int createTemporary(int folder, const std::string &entry, std::string &name) {
  static constexpr int kAttempts = 100;
  int file = -1;
  for (int i = 0; i < kAttempts && file < 0; ++i) {
    auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    name = entry + "." + std::to_string(::getpid()) + "." + std::to_string(now) + kTemporary.str();
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file = llvm::sys::RetryAfterSignal(-1, ::openat, folder, name.c_str(), flags, 0600);
    if (file < 0 && errno != EEXIST)
      break;
  }
  return file;
}

/// Writes an entry under another name and renames it. Without fsync: a file cut short by a
/// power failure is noticed by its checksum.
static bool writeEntry(int folder, const Key &key, StringRef payload) {
  std::string name = fileName(key), temporary;
  Descriptor file(createTemporary(folder, name, temporary));
  if (!file.isOpen())
    return false;
  if (writeAll(file, headerOf(key, payload)) && writeAll(file, payload) && file.close() &&
      ::renameat(folder, temporary.c_str(), folder, name.c_str()) == 0)
    return true;
  int error = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  errno = error;
  return false;
}

int DiskCache::createFolder(std::string &why) {
  std::error_code error =
      llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all);
  if (error) {
    why = "cannot create the folder " + folder + ": " + error.message();
    return -1;
  }
  int opened = openFolder();
  if (opened < 0)
    why = "cannot open the folder " + folder;
  return opened;
}

bool DiskCache::store(const Key &key, std::string_view payload, std::string &why) {
  uint64_t bytes = kHeaderBytes + payload.size();
  if (bytes > std::min(kLargestEntryBytes, limitBytes - limitBytes / kPartsOfLimit)) {
    why = "an entry of " + std::to_string(bytes) + " bytes is too large for the cache";
    return false;
  }
  if (!fitsProcessLimit(bytes)) {
    why = "the process may not write a file of " + std::to_string(bytes) + " bytes (RLIMIT_FSIZE)";
    return false;
  }
  Descriptor opened(createFolder(why));
  if (!opened.isOpen())
    return false;
  if (!writeEntry(opened, key, payload)) {
    why = systemError("write to the folder " + folder);
    return false;
  }
  limitSize(opened, bytes);
  return true;
}

void DiskCache::put(const Key &key, std::string_view bytes) {
  if (!isOn())
    return;
  std::string why;
  if (store(key, bytes, why)) {
    ++stored;
    return;
  }
  ++failed;
  keepReason(std::move(why));
}

//===----------------------------------------------------------------------===//
// Pruning
//===----------------------------------------------------------------------===//

/// Whether `name` is that of an entry, or with `rest` begins as one.
static bool splitName(StringRef name, StringRef &rest) {
  rest = name.drop_while([](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'f'); });
  return name.size() - rest.size() == 2 * sizeof(Key) && rest.consume_front(kSuffix);
}

/// Adds a file to `entries` if it is one; removes it if a process that has ended left it.
/// Other files are none of ours.
static void examine(int folder, const std::string &name, std::vector<Entry> &entries) {
  StringRef rest;
  struct stat status;
  if (!splitName(name, rest) ||
      ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISREG(status.st_mode))
    return;
  if (rest.empty())
    entries.push_back(
        {name, uint64_t(status.st_size), {status.st_mtim.tv_sec, status.st_mtim.tv_nsec}});
  else if (rest.ends_with(kTemporary) && std::time(nullptr) - status.st_mtime > kLeftoverSeconds)
    ::unlinkat(folder, name.c_str(), 0);
}

static std::vector<Entry> listEntries(int folder) {
  std::vector<Entry> entries;
  // The stream owns a descriptor of its own.
  int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = again < 0 ? nullptr : ::fdopendir(again);
  if (!stream) {
    if (again >= 0)
      ::close(again);
    return entries;
  }
  while (const dirent *file = ::readdir(stream))
    examine(folder, file->d_name, entries);
  ::closedir(stream);
  return entries;
}

/// Removes entries, those that were used longest ago first, until `bytes` are left at most.
static void removeOldest(int folder, uint64_t bytes) {
  std::vector<Entry> entries = listEntries(folder);
  uint64_t total = 0;
  for (const Entry &entry : entries)
    total += entry.bytes;
  llvm::sort(entries, [](const Entry &one, const Entry &other) {
    return std::tie(one.used, one.name) < std::tie(other.used, other.name);
  });
  for (const Entry &entry : entries) {
    if (total <= bytes)
      return;
    if (::unlinkat(folder, entry.name.c_str(), 0) == 0 || errno == ENOENT)
      total -= entry.bytes;
  }
}

/// Looks at the size of the folder at the first entry of a process, and then after each sixteenth
/// of the limit. That much room is left each time, so that one process never exceeds the limit.
void DiskCache::limitSize(int opened, uint64_t addedBytes) {
  uint64_t room = limitBytes / kPartsOfLimit;
  if (uncheckedBytes.fetch_add(addedBytes) + addedBytes <= room)
    return;
  uncheckedBytes = 0;
  removeOldest(opened, limitBytes - room);
}
