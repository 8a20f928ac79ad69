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

/// hipErrorInvalidValue: an argument that the real driver would refuse.
static constexpr int kInvalid = 1;
static constexpr int kByAddresses = 4; // hipMemcpyDefault

extern "C" {

/// A function that notes its call and does nothing else.
#define NOTHING(name, ...)                                                                         \
  int name(__VA_ARGS__) {                                                                          \
    note(#name);                                                                                   \
    return result(#name);                                                                          \
  }
NOTHING(hipDeviceSynchronize)
NOTHING(hipStreamDestroy, void *)
NOTHING(hipEventDestroy, void *)
NOTHING(hipHostUnregister, void *)

int hipRuntimeGetVersion(int *version) { return *version = 60032830, 0; }
int hipStreamCreateWithFlags(void **stream, unsigned flags) {
  return flags == 1 ? give(stream, newHandle(), "hipStreamCreateWithFlags") : kInvalid;
}
int hipStreamIsCapturing(void *, int *status) { return give(status, 0, "hipStreamIsCapturing"); }
int hipEventCreateWithFlags(void **event, unsigned flags) {
  bool isKnown = flags == 0 || flags == 2; // hipEventDisableTiming
  return isKnown ? give(event, newHandle(), "hipEventCreateWithFlags") : kInvalid;
}
int hipEventRecord(void *event, void *stream) {
  note("hipEventRecord", stream);
  return event ? result("hipEventRecord") : kInvalid;
}
int hipEventSynchronize(void *event) { return event ? result("hipEventSynchronize") : kInvalid; }
int hipStreamWaitEvent(void *, void *event, unsigned flags) {
  note("hipStreamWaitEvent");
  return event && flags == 0 ? result("hipStreamWaitEvent") : kInvalid;
}
int hipEventElapsedTime(float *milliseconds, void *begin, void *end) {
  return begin && end ? give(milliseconds, 0.25f, "hipEventElapsedTime") : kInvalid;
}

int hipInit(unsigned) { return result("hipInit"); }
const char *hipGetErrorName(int error) {
  return error == 1     ? "hipErrorInvalidValue"
         : error == 200 ? "hipErrorInvalidImage"
         : error == 209 ? "hipErrorNoBinaryForGpu"
         : error == 719 ? "hipErrorLaunchFailure"
                        : nullptr;
}
int hipGetDeviceCount(int *count) {
  return give(count, std::atoi(stated("ROOFTILE_FAKE_HIP_DEVICES", "1")), "hipGetDeviceCount");
}
int hipGetDevice(int *device) { return give(device, presentDevice, "hipGetDevice"); }
int hipSetDevice(int device) {
  note("hipSetDevice");
  presentDevice = device;
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
  const size_t memoryBytes = size_t(192) << 30, sharedBytes = 65536;
  const int subgroup = 64, threads = 1024, clockKilohertz = 2100000, units = 304;
  std::memcpy(bytes + 288, &memoryBytes, 8);
  std::memcpy(bytes + 296, &sharedBytes, 8);
  std::memcpy(bytes + 308, &subgroup, 4);
  std::memcpy(bytes + 320, &threads, 4);
  std::memcpy(bytes + 348, &clockKilohertz, 4);
  std::memcpy(bytes + 388, &units, 4);
  return result("hipGetDevicePropertiesR0600");
}

/// Looks at the head of the ELF file.
int hipModuleLoadData(void **module, const void *image) {
  constexpr int kMachine = 18, kFlags = 48, kAmdGpu = 224;
  auto bytes = static_cast<const unsigned char *>(image);
  note("hipModuleLoadData");
  waitWhereBlocked("hipModuleLoadData");
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
int hipMallocManaged(void **memory, size_t bytes, unsigned flags) {
  note("hipMallocManaged");
  return flags == 1 ? (*memory = allocate(bytes), result("hipMallocManaged")) : kInvalid;
}
int hipHostMalloc(void **memory, size_t bytes, unsigned flags) {
  note("hipHostMalloc");
  return flags == 0 ? (*memory = allocate(bytes), result("hipHostMalloc")) : kInvalid;
}
int hipHostFree(void *memory) {
  note("hipHostFree");
  return std::free(memory), result("hipHostFree");
}
int hipHostRegister(void *memory, size_t, unsigned flags) {
  note("hipHostRegister");
  return memory && flags == 0 ? result("hipHostRegister") : kInvalid;
}
int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  note("hipMemcpy");
  if (kind != kByAddresses)
    return kInvalid;
  return std::memcpy(to, from, bytes), result("hipMemcpy");
}
int hipMemsetD16Async(void *to, unsigned short value, size_t count, void *) {
  for (size_t i = 0; i < count; ++i)
    static_cast<unsigned short *>(to)[i] = value;
  return result("hipMemsetD16Async");
}
int hipMemsetD32Async(void *to, int value, size_t count, void *) {
  for (size_t i = 0; i < count; ++i)
    static_cast<int *>(to)[i] = value;
  return result("hipMemsetD32Async");
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
  if (kind != kByAddresses)
    return kInvalid;
  return std::memcpy(to, from, bytes), result("hipMemcpyAsync");
}
int hipStreamSynchronize(void *stream) {
  note("hipStreamSynchronize", stream);
  return result("hipStreamSynchronize");
}
}
