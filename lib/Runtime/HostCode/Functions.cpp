//===- Functions.cpp - What compiled host code asks of devices ------------===//

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/HostCode.h"

#include <atomic>
#include <mutex>

using namespace rooftile;

/// The stream of this thread's calls; null is the default stream.
static thread_local void *callersStream = nullptr;

void *rooftileGetStream() { return callersStream; }

void rooftileSetStream(void *stream) { callersStream = stream; }

void rooftileSetDefaultDevice(int32_t device) { Driver::ofThread().setDevice(device); }

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void *rooftileStreamCreate() { return Driver::ofThread().createStream(); }

void rooftileStreamDestroy(void *stream) { Driver::ofThread().destroyStream(stream); }

void rooftileStreamSynchronize(void *stream) { Driver::ofThread().waitForStream(stream); }

void rooftileStreamWaitEvent(void *stream, void *event) {
  Driver::ofThread().streamWaitsFor(stream, event);
}

void *rooftileEventCreate() { return Driver::ofThread().createEvent(/*isTimed=*/false); }

void rooftileEventDestroy(void *event) { Driver::ofThread().destroyEvent(event); }

void rooftileEventSynchronize(void *event) { Driver::ofThread().waitForEvent(event); }

void rooftileEventRecord(void *event, void *stream) {
  Driver::ofThread().recordEvent(event, stream);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *rooftileMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared) {
  const Driver &driver = Driver::ofThread();
  return isHostShared ? driver.allocateShared(sizeBytes)
                      : driver.allocateInOrder(sizeBytes, stream);
}

void rooftileMemFree(void *pointer, void *stream) {
  Driver::ofThread().freeInOrder(pointer, stream);
}

void rooftileMemcpy(void *to, void *from, uint64_t sizeBytes, void *stream) {
  Driver::ofThread().copyInOrder(to, from, sizeBytes, stream);
}

void rooftileMemset32(void *to, unsigned value, size_t count, void *stream) {
  Driver::ofThread().fill(to, value, 4, count, stream);
}

void rooftileMemset16(void *to, unsigned short value, size_t count, void *stream) {
  Driver::ofThread().fill(to, value, 2, count, stream);
}

void rooftileMemHostRegister(void *pointer, uint64_t sizeBytes) {
  Driver::ofThread().pin(pointer, sizeBytes);
}

void rooftileMemHostUnregister(void *pointer) { Driver::ofThread().unpin(pointer); }

void rooftileMemHostRegisterMemRef(int64_t rank, Descriptor *memref, int64_t elementBytes) {
  int64_t elements = 1;
  for (int64_t dim = 0; dim < rank; ++dim)
    elements *= memref->sizesAndStrides[dim];
  rooftileMemHostRegister(memref->aligned + memref->offset * elementBytes, elements * elementBytes);
}

void rooftileMemHostUnregisterMemRef(int64_t rank, Descriptor *memref, int64_t elementBytes) {
  rooftileMemHostUnregister(memref->aligned + memref->offset * elementBytes);
}

/// Devices do not wait for each other.
void *rooftileGlobal(void **copies, const void *host, int64_t sizeBytes) {
  static std::mutex *mutexes = new std::mutex[kMostDevices];
  const Driver &driver = Driver::ofThread();
  int device = driver.device();
  std::lock_guard<std::mutex> lock(mutexes[device]);
  void *&copy = copies[device];
  void *memory = copy || sizeBytes <= 0 ? nullptr : driver.allocate(uint64_t(sizeBytes));
  if (memory && driver.copy(memory, host, uint64_t(sizeBytes)))
    copy = memory;
  return copy;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

bool rooftileTensorMap(void *descriptor, int64_t address, int64_t realBytes, int64_t length,
                       int64_t vectors, int64_t vectorBytes, int64_t boxLength, int64_t boxVectors,
                       int64_t swizzleBytes) {
  return Driver::ofThread().makeDescriptor(
      descriptor,
      {address, realBytes, length, vectors, vectorBytes, boxLength, boxVectors, swizzleBytes});
}
