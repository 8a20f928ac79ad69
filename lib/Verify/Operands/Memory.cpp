//===- Memory.cpp - Memory that is watched --------------------------------===//

#include "rooftile/Verify/Operands/Memory.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <signal.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::verify;

int64_t verify::availableBytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (int64_t kilobytes; file >> name >> kilobytes && std::getline(file, unit);)
    if (name == "MemAvailable:")
      return kilobytes * 1024;
  return std::numeric_limits<int64_t>::max();
}

void verify::synchronize(DeviceKind device) { Driver::of(device).waitForDevice(); }

/// A copy from pageable memory may return while it is still on its way, and kernels run on streams
/// that do not wait for it.
void verify::copyBytes(DeviceKind device, void *to, const void *from, int64_t bytes) {
  const Driver &driver = Driver::of(device);
  if (bytes > 0 && driver.copy(to, from, uint64_t(bytes)))
    driver.waitForDevice();
}

static char *allocate(DeviceKind device, int64_t bytes) {
  if (device != DeviceKind::Cpu)
    return static_cast<char *>(Driver::of(device).allocate(uint64_t(bytes)));
  char *pointer = allocateFenced(bytes);
  if (!pointer)
    recordError("out of memory: " + std::to_string(bytes) + " bytes");
  return pointer;
}

/// All bytes 0xFF, in a multiple of 4 bytes.
static void poison(DeviceKind device, char *pointer, int64_t bytes) {
  Driver::of(device).fill(pointer, 0xFFFFFFFFu, 4, size_t(bytes / 4), nullptr);
}

std::unique_ptr<Buffer> Buffer::create(DeviceKind device, int64_t bytes) {
  bytes = (bytes + 15) / 16 * 16;
  int64_t after = device == DeviceKind::Cpu && isFenced ? 0 : kGuardBytes;
  char *base = allocate(device, kGuardBytes + bytes + after);
  if (!base)
    return nullptr;
  std::unique_ptr<Buffer> buffer(new Buffer(device, base, bytes, after));
  poison(device, base, buffer->totalBytes());
  return buffer;
}

Buffer::~Buffer() {
  if (device == DeviceKind::Cpu) {
    freeFenced(base);
    return;
  }
  Driver::of(device).free(base);
}

std::string Buffer::brokenGuard() const {
  unsigned char guard[kGuardBytes];
  copyBytes(device, guard, base, kGuardBytes);
  for (int64_t i = 0; i < kGuardBytes; ++i)
    if (guard[i] != 0xFF)
      return std::to_string(kGuardBytes - i) + " bytes before its start";
  copyBytes(device, guard, payload() + bytes, after);
  for (int64_t i = 0; i < after; ++i)
    if (guard[i] != 0xFF)
      return std::to_string(i) + " bytes after its end";
  return "";
}

void Mirror::read(DeviceKind device, char *from, int64_t size) {
  if (size != bytes || !data)
    data.reset(new char[size > 0 ? size : 1]);
  origin = from;
  bytes = size;
  copyBytes(device, data.get(), from, size);
}

//===----------------------------------------------------------------------===//
// Host memory that ends where it ends
//
// A kernel that reads after an operand computes the right result: what it reads is not used.
// On a GPU it is killed where nothing is mapped there, which is seldom; here always.
//===----------------------------------------------------------------------===//

/// Bytes after the memory that cannot be touched: more than whole tiles have.
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
static std::mutex fenceMutex;
static struct sigaction previous;
static std::string running; // set while no kernel runs

static void onFault(int signal, siginfo_t *info, void *) {
  char *address = static_cast<char *>(info->si_addr);
  for (const auto &[memory, fenced] : fences()) {
    if (address < fenced.end() || address >= fenced.end() + kFenceBytes)
      continue;
    char text[160];
    int length = std::snprintf(text, sizeof(text),
                               "error: memory %lld bytes after the end of an operand was read or "
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

char *verify::allocateFenced(int64_t bytes) {
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
  std::lock_guard<std::mutex> lock(fenceMutex);
  static std::once_flag watching;
  std::call_once(watching, watchFaults);
  fences().emplace(memory, fenced);
  return memory;
}

void verify::sayRunning(const std::string &what) { running = "while running: " + what + "\n"; }

void verify::freeFenced(char *memory) {
  std::lock_guard<std::mutex> lock(fenceMutex);
  auto found = fences().find(memory);
  if (found == fences().end())
    return;
  munmap(found->second.mapping, found->second.bytes + kFenceBytes);
  fences().erase(found);
}

//===----------------------------------------------------------------------===//
// Allocations of compiled host code
//
//   size | guard zone | payload | guard zone
//===----------------------------------------------------------------------===//

static constexpr int64_t kHeapGuardBytes = 1024, kSizeBytes = 16;
static constexpr uint8_t kGuardByte = 0xFE, kPayloadByte = 0xFF; // floats of 0xFF are NaN

/// Allocations by address: to free anything else is an error.
static std::mutex heapMutex;
static std::set<void *> allocated;

static void *allocateOnHeap(size_t bytes) {
  auto *base = static_cast<uint8_t *>(std::malloc(kSizeBytes + 2 * kHeapGuardBytes + bytes));
  if (!base)
    return nullptr;
  std::memcpy(base, &bytes, sizeof(bytes));
  uint8_t *payload = base + kSizeBytes + kHeapGuardBytes;
  std::memset(payload - kHeapGuardBytes, kGuardByte, kHeapGuardBytes);
  std::memset(payload, kPayloadByte, bytes);
  std::memset(payload + bytes, kGuardByte, kHeapGuardBytes);
  std::lock_guard<std::mutex> lock(heapMutex);
  allocated.insert(payload);
  return payload;
}

/// LLVM makes one call of an allocation and of zeros written to it.
static void *allocateZeros(size_t count, size_t bytes) {
  void *payload = allocateOnHeap(count * bytes);
  if (payload)
    std::memset(payload, 0, count * bytes);
  return payload;
}

/// Each byte of a zone is the one after it, and the first is right.
static bool isGuard(const uint8_t *zone) {
  return zone[0] == kGuardByte && std::memcmp(zone, zone + 1, kHeapGuardBytes - 1) == 0;
}

void verify::releaseHeap(void *address) {
  if (!address)
    return;
  {
    std::lock_guard<std::mutex> lock(heapMutex);
    if (allocated.erase(address) == 0)
      return recordError("host memory was freed that is not allocated");
  }
  auto *payload = static_cast<uint8_t *>(address);
  uint8_t *base = payload - kHeapGuardBytes - kSizeBytes;
  size_t bytes;
  std::memcpy(&bytes, base, sizeof(bytes));
  for (bool after : {false, true})
    if (!isGuard(after ? payload + bytes : payload - kHeapGuardBytes))
      recordError("host memory of " + std::to_string(bytes) + " bytes was written " +
                  (after ? "after its end" : "before its beginning"));
  std::free(base);
}

void verify::releaseLeftovers() {
  while (!allocated.empty())
    releaseHeap(*allocated.begin());
}

std::vector<std::pair<std::string, void *>> verify::heapSymbols() {
  return {{"malloc", reinterpret_cast<void *>(allocateOnHeap)},
          {"calloc", reinterpret_cast<void *>(allocateZeros)},
          {"free", reinterpret_cast<void *>(releaseHeap)}};
}
