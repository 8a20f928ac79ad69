//===- Wrappers.cpp - The functions of compiled host code ---------------===//
//
// MLIR's gpu-to-llvm and its translation of gpu.launch_func call these names.
// They record errors instead of aborting, so that a caller can report which
// kernel failed and why.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Cuda/Driver.h"
#include <vector>

using namespace rooftile;

/// The stream of this thread's calls; null is CUDA's default stream.
static thread_local void *callersStream = nullptr;

static uint64_t address(void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

extern "C" {

ROOFTILE_EXPORT void rooftileSetDefaultDevice(int32_t device) { setDefaultCudaDevice(device); }

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *rooftileGetStream() { return callersStream; }

void rooftileSetStream(void *stream) { callersStream = stream; }

ROOFTILE_EXPORT void *rooftileStreamCreate() {
  constexpr unsigned kNonBlocking = 1;
  void *stream = nullptr;
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->streamCreate(&stream, kNonBlocking), "cuStreamCreate");
  return stream;
}

ROOFTILE_EXPORT void rooftileStreamDestroy(void *stream) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && stream)
    cuda->check(cuda->streamDestroy(stream), "cuStreamDestroy");
}

ROOFTILE_EXPORT void rooftileStreamSynchronize(void *stream) {
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->streamSynchronize(stream), "cuStreamSynchronize",
                "a kernel or a copy in the stream failed");
}

ROOFTILE_EXPORT void rooftileStreamWaitEvent(void *stream, void *event) {
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->streamWaitEvent(stream, event, 0), "cuStreamWaitEvent");
}

ROOFTILE_EXPORT void *rooftileEventCreate() {
  constexpr unsigned kDisableTiming = 2;
  void *event = nullptr;
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->eventCreate(&event, kDisableTiming), "cuEventCreate");
  return event;
}

ROOFTILE_EXPORT void rooftileEventDestroy(void *event) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && event)
    cuda->check(cuda->eventDestroy(event), "cuEventDestroy");
}

ROOFTILE_EXPORT void rooftileEventSynchronize(void *event) {
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->eventSynchronize(event), "cuEventSynchronize");
}

ROOFTILE_EXPORT void rooftileEventRecord(void *event, void *stream) {
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->eventRecord(event, stream), "cuEventRecord");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ROOFTILE_EXPORT void rooftileMemcpy(void *to, void *from, uint64_t sizeBytes, void *stream) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && sizeBytes)
    cuda->check(cuda->memcpyAsync(address(to), address(from), sizeBytes, stream), "cuMemcpyAsync",
                std::to_string(sizeBytes) + " bytes");
}

ROOFTILE_EXPORT void rooftileMemset32(void *to, unsigned value, size_t count, void *stream) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && count)
    cuda->check(cuda->memsetD32Async(address(to), value, count, stream), "cuMemsetD32Async");
}

ROOFTILE_EXPORT void rooftileMemset16(void *to, unsigned short value, size_t count, void *stream) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && count)
    cuda->check(cuda->memsetD16Async(address(to), value, count, stream), "cuMemsetD16Async");
}

ROOFTILE_EXPORT void rooftileMemHostRegister(void *pointer, uint64_t sizeBytes) {
  const CudaDriver *cuda = CudaDriver::current();
  if (cuda && sizeBytes)
    cuda->check(cuda->memHostRegister(pointer, sizeBytes, 0), "cuMemHostRegister");
}

ROOFTILE_EXPORT void rooftileMemHostUnregister(void *pointer) {
  if (const CudaDriver *cuda = CudaDriver::current())
    cuda->check(cuda->memHostUnregister(pointer), "cuMemHostUnregister");
}

/// A ranked memref as compiled code passes it: { allocated, aligned, offset, sizes, strides }.
struct RankedMemRef {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

ROOFTILE_EXPORT void rooftileMemHostRegisterMemRef(int64_t rank, RankedMemRef *memref,
                                                   int64_t elementBytes) {
  int64_t elements = 1;
  for (int64_t dim = 0; dim < rank; ++dim)
    elements *= memref->sizesAndStrides[dim];
  rooftileMemHostRegister(memref->aligned + memref->offset * elementBytes, elements * elementBytes);
}

ROOFTILE_EXPORT void rooftileMemHostUnregisterMemRef(int64_t rank, RankedMemRef *memref,
                                                     int64_t elementBytes) {
  rooftileMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}

} // extern "C"
