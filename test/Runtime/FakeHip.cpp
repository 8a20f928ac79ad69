//===- FakeHip.cpp - A libamdhip64 without a GPU --------------------------===//
//
// As FakeCuda.cpp: memory is the host's, launches do nothing. ROOFTILE_FAKE_HIP_NAME and
// ROOFTILE_FAKE_ARCHITECTURE ("gfx90a:sramecc+:xnack-") make another GPU than an MI300X of it,
// ROOFTILE_FAKE_HIP_DEVICES ("0") another number of them, ROOFTILE_FAKE_POOLS ("0") one without
// memory pools. Code objects must be for its architecture.
//
//===----------------------------------------------------------------------===//

#include "FakeHip.h"

#include <cstring>

#include <utility>

using namespace fakedriver;

fakedriver::LaunchHook fakehip::launchHook = nullptr;

static thread_local int present = 0; ///< device

/// The architecture of the GPU.
static const char *architecture() {
  return stated("ROOFTILE_FAKE_ARCHITECTURE", "gfx942:sramecc+:xnack-");
}

/// Its number in the flags of a code object. Source: LLVM, User Guide for AMDGPU Backend, e_flags.
static int machine() {
  constexpr std::pair<const char *, int> kMachines[] = {
      {"gfx906", 0x2f}, {"gfx90a", 0x3f}, {"gfx942", 0x4c}, {"gfx1100", 0x41}};
  for (auto [name, number] : kMachines)
    if (std::strncmp(architecture(), name, std::strlen(name)) == 0)
      return number;
  return 0;
}

extern "C" {

int hipInit(unsigned) { return result("hipInit"); }
const char *hipGetErrorName(int error) {
  return error == 200   ? "hipErrorInvalidImage"
         : error == 209 ? "hipErrorNoBinaryForGpu"
         : error == 719 ? "hipErrorLaunchFailure"
                        : nullptr;
}
int hipGetDeviceCount(int *count) {
  return give(count, std::atoi(stated("ROOFTILE_FAKE_HIP_DEVICES", "1")), "hipGetDeviceCount");
}
int hipGetDevice(int *device) { return give(device, present, "hipGetDevice"); }
int hipSetDevice(int device) {
  note("hipSetDevice");
  present = device;
  return result("hipSetDevice");
}
int hipDeviceGetAttribute(int *value, int attribute, int) {
  constexpr int kPoolsSupported = 88;
  int known = attribute == kPoolsSupported ? std::atoi(stated("ROOFTILE_FAKE_POOLS", "1")) : 0;
  return give(value, known, "hipDeviceGetAttribute");
}
/// hipDeviceProp_tR0600: 1472 bytes.
int hipGetDevicePropertiesR0600(void *properties, int) {
  char *bytes = static_cast<char *>(std::memset(properties, 0, 1472));
  std::strncpy(bytes, stated("ROOFTILE_FAKE_HIP_NAME", "AMD Instinct MI300X"), 255);
  std::strncpy(bytes + 1160, architecture(), 255);
  return result("hipGetDevicePropertiesR0600");
}

/// Looks at the head of the ELF file.
int hipModuleLoadData(void **module, const void *image) {
  constexpr int kMachine = 18, kFlags = 48, kAmdGpu = 224;
  auto bytes = static_cast<const unsigned char *>(image);
  note("hipModuleLoadData");
  if (std::memcmp(bytes, "\177ELF", 4) != 0 || bytes[kMachine] != kAmdGpu)
    return 200;
  if (bytes[kFlags] != machine())
    return 209;
  return give(module, newHandle(), "hipModuleLoadData");
}
int hipModuleUnload(void *) {
  note("hipModuleUnload");
  return result("hipModuleUnload");
}
int hipModuleGetFunction(void **function, void *, const char *) {
  note("hipModuleGetFunction");
  return give(function, newHandle(), "hipModuleGetFunction");
}
int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                          void *stream, void **parameters, void **) {
  const unsigned sizes[] = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes};
  note("hipModuleLaunchKernel", stream);
  if (fakehip::launchHook)
    fakehip::launchHook(sizes, function, parameters);
  return result("hipModuleLaunchKernel");
}

int hipMalloc(void **memory, size_t bytes) {
  note("hipMalloc");
  if (int failure = result("hipMalloc"))
    return failure;
  return *memory = allocate(bytes), 0;
}
int hipFree(void *memory) {
  note("hipFree");
  return std::free(memory), result("hipFree");
}
int hipMallocAsync(void **memory, size_t bytes, void *stream) {
  note("hipMallocAsync", stream);
  if (int failure = result("hipMallocAsync"))
    return failure;
  return *memory = allocate(bytes), 0;
}
int hipFreeAsync(void *memory, void *stream) {
  note("hipFreeAsync", stream);
  return std::free(memory), result("hipFreeAsync");
}
int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  note("hipMemcpyAsync", stream);
  if (kind != 4) // by the addresses
    return 1;
  return std::memcpy(to, from, bytes), result("hipMemcpyAsync");
}
int hipStreamSynchronize(void *stream) {
  note("hipStreamSynchronize", stream);
  return result("hipStreamSynchronize");
}
}
