//===- KeptMemory.cpp - Memory between kernels, from call to call ----------===//

#include "KeptMemory.h"
#include "rooftile/Runtime/CudaDriver.h"
#include "rooftile/Runtime/Symbols.h"

#include <map>

using namespace rooftile;

namespace {
/// Memory between kernels, by size; calls come from one thread.
struct KeptMemory {
  std::multimap<uint64_t, void *> free;
  std::map<void *, uint64_t> sizes;
};
} // namespace

static KeptMemory &kept() {
  static KeptMemory instance;
  return instance;
}

static void *allocate(uint64_t bytes, void *, bool) {
  auto found = kept().free.find(bytes);
  if (found != kept().free.end()) {
    void *memory = found->second;
    kept().free.erase(found);
    return memory;
  }
  const CudaDriver *cuda = CudaDriver::current();
  uint64_t address = 0;
  if (!cuda || !bytes ||
      !cuda->check(cuda->memAlloc(&address, bytes), "cuMemAlloc", std::to_string(bytes) + " bytes"))
    return nullptr;
  void *memory = reinterpret_cast<void *>(address);
  kept().sizes[memory] = bytes;
  return memory;
}

static void release(void *memory, void *) {
  auto found = kept().sizes.find(memory);
  if (found != kept().sizes.end())
    kept().free.insert({found->second, memory});
}

void rooftile::bench::releaseKeptMemory() {
  const CudaDriver *cuda = kept().sizes.empty() ? nullptr : CudaDriver::current();
  for (auto &[memory, bytes] : kept().sizes)
    if (cuda)
      cuda->memFree(reinterpret_cast<uint64_t>(memory));
  kept() = {};
}

std::vector<std::pair<std::string, void *>> rooftile::bench::symbolsWithKeptMemory() {
  const std::map<std::string, void *> ours = {{"mgpuMemAlloc", reinterpret_cast<void *>(allocate)},
                                              {"mgpuMemFree", reinterpret_cast<void *>(release)}};
  auto symbols = runtimeSymbols();
  for (auto &[name, address] : symbols)
    if (auto found = ours.find(name); found != ours.end())
      address = found->second;
  return symbols;
}
