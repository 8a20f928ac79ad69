//===- Fence.cpp - Host memory that ends where it ends --------------------===//
//
// A kernel that reads behind an operand computes the right result: what it reads is not used.
// On a GPU it is killed where nothing is mapped there, which is seldom; here always.
//
//===----------------------------------------------------------------------===//

#include "Fence.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <signal.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace rooftile;

/// Bytes behind the memory that cannot be touched: more than whole tiles have.
static constexpr int64_t kFenceBytes = 1 << 18;

namespace {
struct Fenced {
  char *mapping;
  int64_t bytes; // of the mapping, without the fence
  char *end() const { return mapping + bytes; }
};
} // namespace

/// By the address of their memory. Only read in the handler: the thread that faults runs a kernel.
static std::map<char *, Fenced> &fences() {
  static std::map<char *, Fenced> all;
  return all;
}
static std::mutex mutex;
static struct sigaction previous;
static std::string running; // set while no kernel runs

static void onFault(int signal, siginfo_t *info, void *) {
  char *address = static_cast<char *>(info->si_addr);
  for (const auto &[memory, fenced] : fences()) {
    if (address < fenced.end() || address >= fenced.end() + kFenceBytes)
      continue;
    char text[160];
    int length = std::snprintf(text, sizeof(text),
                               "error: memory %lld bytes behind the end of an operand was read or "
                               "written\n",
                               static_cast<long long>(address - fenced.end()));
    if (write(STDERR_FILENO, text, length) < 0 ||
        write(STDERR_FILENO, running.data(), running.size()) < 0)
      break;
  }
  // The instruction runs again, and whoever was there before handles its signal.
  sigaction(signal, &previous, nullptr);
}

static void watchFaults() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &previous);
}

char *run::allocateFenced(int64_t bytes) {
  int64_t page = sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
  void *mapping = mmap(nullptr, whole + kFenceBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  Fenced fenced{static_cast<char *>(mapping), whole};
  if (mprotect(fenced.end(), kFenceBytes, PROT_NONE) != 0) {
    munmap(mapping, whole + kFenceBytes);
    return nullptr;
  }
  char *memory = fenced.end() - bytes;
  std::lock_guard<std::mutex> lock(mutex);
  static std::once_flag watching;
  std::call_once(watching, watchFaults);
  fences().emplace(memory, fenced);
  return memory;
}

void run::sayRunning(const std::string &what) { running = "while running: " + what + "\n"; }

void run::freeFenced(char *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = fences().find(memory);
  if (found == fences().end())
    return;
  munmap(found->second.mapping, found->second.bytes + kFenceBytes);
  fences().erase(found);
}
