//===- Interruption.h - Ends a launch that its caller gives up --*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CPU_INTERRUPTION_H
#define ROOFTILE_LIB_RUNTIME_CPU_INTERRUPTION_H

#include <atomic>

namespace rooftile::cpu {

/// Whether the caller of a launch wants its end: it is asked on its own thread (rooftileCpuAsk),
/// and all workers see the answer.
class Interruption {
public:
  /// Asks if this is the thread of the caller and enough time has passed. Tens of nanoseconds.
  bool poll();
  bool isRequested() const { return requested.load(std::memory_order_relaxed); }

private:
  std::atomic<bool> requested{false};
};

} // namespace rooftile::cpu

#endif // ROOFTILE_LIB_RUNTIME_CPU_INTERRUPTION_H
