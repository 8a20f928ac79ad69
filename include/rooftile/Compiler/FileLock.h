//===- FileLock.h - One process at a time, by a file ------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_FILELOCK_H
#define ROOFTILE_COMPILER_FILELOCK_H

#include <chrono>
#include <cstdint>

namespace rooftile::compiler {

/// A lock on one of 2^63 bytes of a file, among all processes and threads: of each open file
/// description, so that it ends with its holder, however that ends. Nothing is written to the file.
class FileLock {
public:
  FileLock() = default;
  FileLock(FileLock &&other) noexcept { *this = static_cast<FileLock &&>(other); }
  FileLock &operator=(FileLock &&other) noexcept;
  ~FileLock() { release(); }

  /// Waits until nobody else holds byte `place` of the file `name` in an open folder. Not held
  /// where the folder cannot be written, where its file system has no locks, and after `longest`.
  static FileLock acquire(int folder, const char *name, int64_t place,
                          std::chrono::milliseconds longest);

  bool isHeld() const { return file >= 0; }
  void release();

private:
  int file = -1;
  int64_t place = 0;
};

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_FILELOCK_H
