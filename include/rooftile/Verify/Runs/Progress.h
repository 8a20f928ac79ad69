//===- Progress.h - What is done of long work, and time left ----*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_RUNS_PROGRESS_H
#define ROOFTILE_VERIFY_RUNS_PROGRESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <string>

namespace rooftile::verify {

/// Lines on stderr, at most one in ten seconds:
/// `fuzz: 994 of 2500 cases, 95 kernels, 118 plans refused, 0 failed, 270 s left`.
class Progress {
public:
  Progress(llvm::StringRef name, int64_t total) : name(name), total(total) {}

  /// After `done` cases. `details`: further text; empty for none.
  void show(int64_t done, int64_t failed, llvm::function_ref<std::string()> details);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }

private:
  using Clock = std::chrono::steady_clock;
  std::string name;
  int64_t total;
  Clock::time_point begin = Clock::now(), shown = begin;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_RUNS_PROGRESS_H
