//===- FakeCuda.cpp - A libcuda without a GPU -----------------------------===//
//
// Stands in for the driver in tests: memory is the host's, launches do
// nothing. FakeDriver.h describes how it is made to fail and to log. ROOFTILE_FAKE_NAME and
// ROOFTILE_FAKE_CAPABILITY ("80") make another GPU than an H200 of it;
// ROOFTILE_FAKE_DEVICES ("2") more than one, whose contexts are 4096, 4097 and so on.
// A test that is linked to this library may also look at each
// launch, and at each kernel of a graph (FakeCuda.h). ROOFTILE_FAKE_CAPTURED is the number of a
// stream that is being captured.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <utility>

using namespace fakedriver;

template <typename T> static int fill(uint64_t to, T value, size_t count) {
  for (T *at = static_cast<T *>(pointer(to)); count; --count)
    *at++ = value;
  return 0;
}

#define HANDLE(name, ...)                                                                          \
  int name(void **handle, ##__VA_ARGS__) { return give(handle, newHandle(), #name); }
#define NOTED_HANDLE(name, ...)                                                                    \
  int name(void **handle, ##__VA_ARGS__) {                                                         \
    note(#name);                                                                                   \
    waitWhereBlocked(#name);                                                                       \
    return give(handle, newHandle(), #name);                                                       \
  }
#define NOTHING(name, ...)                                                                         \
  int name(__VA_ARGS__) {                                                                          \
    note(#name);                                                                                   \
    return result(#name);                                                                          \
  }

static thread_local void *current = nullptr; ///< context

fakedriver::LaunchHook fakecuda::launchHook = nullptr;

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
NOTHING(cuGraphAddDependencies_v2, void *, void *const *, void *const *, const void *, size_t)
NOTHING(cuGraphKernelNodeSetAttribute, void *, int, const void *)
NOTHING(cuThreadExchangeStreamCaptureMode, int *)
HANDLE(cuGraphCreate, unsigned)
NOTHING(cuGraphExecDestroy, void *)
NOTHING(cuGraphDestroy, void *)
HANDLE(cuGraphInstantiateWithFlags, void *, unsigned long long)
NOTHING(cuMemPoolSetAttribute, void *, int, void *)
NOTED_HANDLE(cuMemPoolCreate, const void *)
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
/// Shows a kernel of a graph: function, grid, block and shared bytes, parameters.
static void showNode(const void *node) {
  constexpr int kParameters = 5; // of 8 bytes each
  auto words = static_cast<void *const *>(node);
  if (fakecuda::launchHook)
    fakecuda::launchHook(reinterpret_cast<const unsigned *>(words + 1), words[0],
                         static_cast<void **>(words[kParameters]));
}
int cuGraphAddKernelNode_v2(void **node, void *, void *const *, size_t, const void *parameters) {
  note("cuGraphAddKernelNode_v2");
  showNode(parameters);
  return give(node, newHandle(), "cuGraphAddKernelNode_v2");
}
int cuGraphExecKernelNodeSetParams_v2(void *, void *, const void *parameters) {
  note("cuGraphExecKernelNodeSetParams_v2");
  showNode(parameters);
  return result("cuGraphExecKernelNodeSetParams_v2");
}
int cuGraphLaunch(void *, void *stream) {
  note("cuGraphLaunch", stream);
  return result("cuGraphLaunch");
}
/// Every array is there, so that kernels begin early.
int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *, const char *) {
  return *address = 16, *bytes = 1, result("cuModuleGetGlobal_v2");
}
int cuCtxGetCurrent(void **context) { return give(context, current, "cuCtxGetCurrent"); }
int cuCtxSetCurrent(void *context) {
  current = context;
  presentDevice = int(reinterpret_cast<uint64_t>(context) & 0xfff);
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
static int devices() { return std::atoi(stated("ROOFTILE_FAKE_DEVICES", "1")); }
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
/// Device 0 for a context that is none of the primary ones.
int cuCtxGetDevice(int *device) {
  uint64_t context = reinterpret_cast<uint64_t>(current), first = 0x1000;
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
  const char *own = device == 0 ? "NVIDIA H200" : "NVIDIA A100-SXM4-80GB";
  return std::strncpy(name, stated("ROOFTILE_FAKE_NAME", own), size), 0;
}
/// Digit `digit` of the compute capability.
static int capability(int digit) { return stated("ROOFTILE_FAKE_CAPABILITY", "90")[digit] - '0'; }
/// The bus of FakeNvml.cpp.
int cuDeviceGetPCIBusId(char *bus, int size, int device) {
  std::snprintf(bus, size_t(size), "00FA:%x:00.0", 0x10 + device);
  return result("cuDeviceGetPCIBusId");
}
/// Those of an H200, as far as anybody asks.
int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr std::pair<int, int> kValues[] = {
      {1, 1024},      {10, 32},    {13, 1980000},   {87, 2},     {16, 132},
      {38, 60 << 20}, {39, 2048},  {81, 228 << 10}, {82, 65536}, {97, 232448},
      {106, 32},      {111, 1024}, {115, 1}};
  int known = attribute == 75 ? capability(0) : attribute == 76 ? capability(1) : 0;
  for (auto [number, value] : kValues)
    if (number == attribute)
      known = value;
  return give(value, known, "cuDeviceGetAttribute");
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  return give(bytes, size_t(1) << 30, "cuDeviceTotalMem");
}
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  return give(milliseconds, 0.25f, "cuEventElapsedTime");
}

static uint64_t allocateAddress(size_t bytes) {
  return reinterpret_cast<uint64_t>(allocate(bytes));
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  note("cuMemAlloc_v2");
  if (int failure = result("cuMemAlloc_v2"))
    return failure;
  *address = allocateAddress(bytes);
  return 0;
}
/// Pinned memory is memory.
int cuMemAllocHost_v2(void **memory, size_t bytes) {
  note("cuMemAllocHost_v2");
  if (int failure = result("cuMemAllocHost_v2"))
    return failure;
  *memory = allocate(bytes);
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
  *address = allocateAddress(bytes);
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
