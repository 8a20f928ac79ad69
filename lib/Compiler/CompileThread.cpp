//===- CompileThread.cpp - Where and when LLVM may run --------------------===//

#include "CompileThread.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace rooftile;

/// Without a lock: a process may fork at any time.
static std::atomic<bool> isGone{false};
static std::atomic<int> running{0};
/// The process that `running` is of.
static std::atomic<pid_t> process{0};
/// LLVM ends the process where it fails in a way that it did not foresee.
static thread_local bool isCompiling = false;

bool compiler::isCompilerGone() { return isGone; }

/// Runs before the destructors of all static objects that were made before it was registered.
static void end() {
  constexpr int kMostSeconds = 10;
  isGone = true;
  auto last = std::chrono::steady_clock::now() + std::chrono::seconds(kMostSeconds);
  while (running > 0 && !isCompiling && process == getpid() &&
         std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool compiler::runOnCompileThread(llvm::function_ref<void()> work) {
  if (process.exchange(getpid()) != getpid())
    running = 0; // Threads of the parent are not in a child.
  ++running;
  bool isRun = !isGone;
  if (isRun) {
    std::thread([&] {
      isCompiling = true;
      work();
    }).join();
    std::atexit(end); // Any work may have made static objects.
  }
  --running;
  return isRun;
}
