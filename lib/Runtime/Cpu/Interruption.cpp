//===- Interruption.cpp - Ends a launch that its caller gives up ----------===//

#include "Interruption.h"
#include "rooftile/Runtime/Cpu/Cpu.h"

#include <chrono>

using namespace rooftile::cpu;
using Time = std::chrono::steady_clock;

/// Between two questions: an answer may acquire a lock that other threads hold.
static constexpr std::chrono::milliseconds kPause(50);

namespace {
/// Who launches from this thread.
struct Caller {
  bool (*isGivingUp)() = nullptr;
  Time::time_point next;
};
} // namespace

static thread_local Caller caller;

void rooftileCpuAsk(bool (*isGivingUp)()) { caller = {isGivingUp, Time::now() + kPause}; }

bool Interruption::poll() {
  if (caller.isGivingUp && Time::now() >= caller.next) {
    if (caller.isGivingUp())
      requested.store(true, std::memory_order_relaxed);
    caller.next = Time::now() + kPause;
  }
  return isRequested();
}
