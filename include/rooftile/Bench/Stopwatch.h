//===- Stopwatch.h - Times of the device ------------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_STOPWATCH_H
#define ROOFTILE_BENCH_STOPWATCH_H

#include "rooftile/Runtime/Device/Driver.h"
#include "llvm/ADT/STLExtras.h"

namespace rooftile::bench {

/// Two events of the device's clock. Errors are recorded, as the runtime does.
class Stopwatch {
public:
  explicit Stopwatch(const Driver &driver);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;

  /// Milliseconds between two events around what `work` puts into `stream` (null: the default one).
  /// `meanwhile` is called when all of it is on the stream, and not waited for yet.
  double milliseconds(void *stream, llvm::function_ref<void()> work,
                      llvm::function_ref<void()> meanwhile = nullptr);

private:
  const Driver &driver;
  void *begin = nullptr, *end = nullptr;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_STOPWATCH_H
