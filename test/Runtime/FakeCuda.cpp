//===- FakeCuda.cpp - A libcuda without a GPU -----------------------------===//
//
// Stands in for the driver in tests: memory is the host's, launches do
// nothing. The environment says which call fails: ROOFTILE_FAKE_FAILURE names
// an exported function, which then returns an error. ROOFTILE_FAKE_NAME and
// ROOFTILE_FAKE_CAPABILITY ("80") make another GPU than an H200 of it;
// ROOFTILE_FAKE_DEVICES ("2") more than one, whose contexts are 4096, 4097 and so on.
// ROOFTILE_FAKE_LOG names a file that gets a line for each call with an effect
// on the device. A test that is linked to this library may also look at each
// launch (FakeCuda.h). ROOFTILE_FAKE_CAPTURED is the number of a stream that is
// being captured.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "rooftile/Runtime/Cuda/Driver.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

/// Notes a call, and the stream it goes to.
static void note(const char *function, const void *stream = nullptr) {
  const char *path = std::getenv("ROOFTILE_FAKE_LOG");
  FILE *log = path ? std::fopen(path, "a") : nullptr;
  if (!log)
    return;
  std::fprintf(log, "%s stream %zu\n", function, reinterpret_cast<size_t>(stream));
  std::fclose(log);
}

/// 719, CUDA_ERROR_LAUNCH_FAILED, from the function that the environment names.
static int result(const char *function) {
  const char *failing = std::getenv("ROOFTILE_FAKE_FAILURE");
  return failing && std::strcmp(failing, function) == 0 ? 719 : 0;
}

static void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

template <typename T> static int fill(uint64_t to, T value, size_t count) {
  for (T *at = static_cast<T *>(pointer(to)); count; --count)
    *at++ = value;
  return 0;
}

template <typename T> static int give(T *to, T value, const char *function) {
  *to = value;
  return result(function);
}

/// No two are the same.
static void *newHandle() {
  static std::atomic<uint64_t> last{0};
  return pointer((last += 16) + (uint64_t(1) << 40));
}

#define HANDLE(name, ...)                                                                          \
  int name(void **handle, ##__VA_ARGS__) { return give(handle, newHandle(), #name); }
#define NOTED_HANDLE(name, ...)                                                                    \
  int name(void **handle, ##__VA_ARGS__) {                                                         \
    note(#name);                                                                                   \
    return give(handle, newHandle(), #name);                                                       \
  }
#define NOTHING(name, ...)                                                                         \
  int name(__VA_ARGS__) {                                                                          \
    note(#name);                                                                                   \
    return result(#name);                                                                          \
  }

static thread_local void *present = nullptr; ///< context

fakecuda::LaunchHook fakecuda::launchHook = nullptr;

extern "C" {
NOTHING(cuInit, unsigned)
NOTHING(cuCtxSynchronize)
NOTHING(cuModuleUnload, void *)
NOTHING(cuFuncSetAttribute, void *, int, int)
NOTHING(cuStreamDestroy_v2, void *)
NOTHING(cuStreamWaitEvent, void *, void *, unsigned)
NOTHING(cuEventDestroy_v2, void *)
NOTHING(cuEventSynchronize, void *)
NOTHING(cuEventRecord, void *, void *)
NOTHING(cuMemHostRegister_v2, void *, size_t, unsigned)
NOTHING(cuMemHostUnregister, void *)
NOTED_HANDLE(cuModuleLoadDataEx, const void *, unsigned, int *, void **)
NOTED_HANDLE(cuModuleGetFunction, void *, const char *)
NOTHING(cuStreamBeginCapture_v2, void *, int)
NOTHING(cuGraphLaunch, void *, void *)
NOTHING(cuGraphExecDestroy, void *)
NOTHING(cuGraphDestroy, void *)
HANDLE(cuGraphInstantiateWithFlags, void *, unsigned long long)
NOTHING(cuMemPoolSetAttribute, void *, int, void *)
HANDLE(cuMemPoolCreate, const void *)
HANDLE(cuStreamCreate, unsigned)
HANDLE(cuEventCreate, unsigned)

int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *stream, void **, void **) {
  note("cuLaunchKernel", stream);
  return result("cuLaunchKernel");
}
int cuLaunchKernelEx(const void *config, void *function, void **parameters, void **) {
  constexpr int kStream = 4; // of 8 bytes each: grid, block and shared bytes come first
  note("cuLaunchKernelEx", static_cast<void *const *>(config)[kStream]);
  if (fakecuda::launchHook)
    fakecuda::launchHook(static_cast<const unsigned *>(config), function, parameters);
  return result("cuLaunchKernelEx");
}
/// Every array is there, so that kernels begin early.
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *, const char *) {
  return *address = 16, *bytes = 1, result("cuModuleGetGlobal_v2");
}
int cuCtxGetCurrent(void **context) { return give(context, present, "cuCtxGetCurrent"); }
int cuCtxSetCurrent(void *context) {
  present = context;
  note("cuCtxSetCurrent", context);
  return result("cuCtxSetCurrent");
}

int cuStreamSynchronize(void *stream) {
  note("cuStreamSynchronize", stream);
  return result("cuStreamSynchronize");
}
int cuStreamEndCapture(void *, void **graph) {
  note("cuStreamEndCapture");
  return give(graph, static_cast<void *>(graph), "cuStreamEndCapture");
}

int cuGetErrorName(int, const char **name) { return *name = "CUDA_ERROR_LAUNCH_FAILED", 0; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
static int devices() {
  const char *stated = std::getenv("ROOFTILE_FAKE_DEVICES");
  return stated ? std::atoi(stated) : 1;
}
int cuDeviceGetCount(int *count) { return give(count, devices(), "cuDeviceGetCount"); }
int cuDeviceGet(int *device, int ordinal) { return give(device, ordinal, "cuDeviceGet"); }
int cuDevicePrimaryCtxRetain(void **context, int device) {
  return give(context, pointer(0x1000 + device), "cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) { return result("cuDevicePrimaryCtxRelease_v2"); }
int cuDevicePrimaryCtxGetState(int, unsigned *flags, int *isActive) {
  *flags = 0;
  return give(isActive, 1, "cuDevicePrimaryCtxGetState");
}
/// Of a context that is none of the primary ones, the first.
int cuCtxGetDevice(int *device) {
  uint64_t context = reinterpret_cast<uint64_t>(present), first = 0x1000;
  bool isPrimary = context >= first && context < first + 0x1000;
  return give(device, isPrimary ? int(context - first) : 0, "cuCtxGetDevice");
}
int cuStreamIsCapturing(void *stream, int *status) {
  const char *captured = std::getenv("ROOFTILE_FAKE_CAPTURED");
  uint64_t number = captured ? std::strtoull(captured, nullptr, 10) : 0;
  return give(status, int(number != 0 && stream == pointer(number)), "cuStreamIsCapturing");
}
/// The second device is another chip.
int cuDeviceGetName(char *name, int size, int device) {
  const char *stated = std::getenv("ROOFTILE_FAKE_NAME");
  const char *own = device == 0 ? "NVIDIA H200" : "NVIDIA A100-SXM4-80GB";
  return std::strncpy(name, stated ? stated : own, size), 0;
}
/// Digit `digit` of the compute capability.
static int capability(int digit) {
  const char *stated = std::getenv("ROOFTILE_FAKE_CAPABILITY");
  return (stated ? stated : "90")[digit] - '0';
}
/// Those of an H200, as far as anybody asks.
int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr std::pair<int, int> kValues[] = {
      {1, 1024},      {10, 32},    {13, 1980000},   {87, 2},     {16, 132},
      {38, 60 << 20}, {39, 2048},  {81, 228 << 10}, {82, 65536}, {97, 232448},
      {106, 32},      {111, 1024}, {115, 1}};
  int known = attribute == 75 ? capability(0) : attribute == 76 ? capability(1) : 0;
  for (auto [number, stated] : kValues)
    if (number == attribute)
      known = stated;
  return give(value, known, "cuDeviceGetAttribute");
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  return give(bytes, size_t(1) << 30, "cuDeviceTotalMem");
}
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  return give(milliseconds, 0.25f, "cuEventElapsedTime");
}

/// Zeros, so that what nobody has written is the same in every run.
static uint64_t allocate(size_t bytes) {
  size_t whole = (bytes + 4095) / 4096 * 4096;
  void *memory = std::aligned_alloc(4096, whole);
  std::memset(memory, 0, whole);
  return reinterpret_cast<uint64_t>(memory);
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  note("cuMemAlloc_v2");
  if (int failure = result("cuMemAlloc_v2"))
    return failure;
  *address = allocate(bytes);
  return 0;
}
/// Pinned memory is memory.
int cuMemAllocHost_v2(void **memory, size_t bytes) {
  note("cuMemAllocHost_v2");
  if (int failure = result("cuMemAllocHost_v2"))
    return failure;
  *memory = pointer(allocate(bytes));
  return 0;
}
int cuMemFreeHost(void *memory) {
  note("cuMemFreeHost");
  return std::free(memory), 0;
}
int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned) {
  return cuMemAlloc_v2(address, bytes);
}
int cuMemFree_v2(uint64_t address) {
  note("cuMemFree_v2");
  return std::free(pointer(address)), 0;
}
int cuMemAllocFromPoolAsync(uint64_t *address, size_t bytes, void *, void *stream) {
  note("cuMemAllocFromPoolAsync", stream);
  if (int failure = result("cuMemAllocFromPoolAsync"))
    return failure;
  *address = allocate(bytes);
  return 0;
}
int cuMemFreeAsync(uint64_t address, void *stream) {
  note("cuMemFreeAsync", stream);
  return std::free(pointer(address)), 0;
}
int cuMemcpy(uint64_t to, uint64_t from, size_t bytes) {
  note("cuMemcpy");
  return std::memcpy(pointer(to), pointer(from), bytes), result("cuMemcpy");
}
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  note("cuMemcpyAsync", stream);
  return std::memcpy(pointer(to), pointer(from), bytes), result("cuMemcpyAsync");
}
int cuMemsetD16Async(uint64_t to, unsigned short value, size_t count, void *) {
  return fill(to, value, count);
}
int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *) {
  return fill(to, value, count);
}
}
