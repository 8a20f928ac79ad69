//===- CudaStyleDriver.h - Calls that CUDA and HIP have in common -*- C++ -*-===//
//
// HIP has CUDA's driver interface under other names. `Library` is the table of a vendor's functions
// with common member names; `current` is the table with this thread's device current, or null with
// a recorded error.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_RUNTIME_DEVICE_CUDASTYLEDRIVER_H
#define ROOFTILE_LIB_RUNTIME_DEVICE_CUDASTYLEDRIVER_H

#include "LibraryFunction.h"

namespace rooftile {

inline std::string inBytes(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

template <typename Library> class CudaStyleDriver : public Driver {
public:
  using Driver::Driver;

  bool open(std::string &why) const override { return Library::open(&why) != nullptr; }
  int count() const override {
    const Library *library = Library::open();
    int count = 0;
    return library && library->deviceGetCount(&count) == 0 ? count : 0;
  }

  //===--- Streams and events ----------------------------------------------===//

  void *createStream() const override {
    constexpr unsigned kNonBlocking = 1; // CU_STREAM_NON_BLOCKING, hipStreamNonBlocking
    return made(&Library::streamCreate, "", kNonBlocking);
  }
  void destroyStream(void *stream) const override {
    if (stream)
      run(&Library::streamDestroy, "", stream);
  }
  bool waitForStream(void *stream) const override {
    return run(&Library::streamSynchronize, "a kernel or a copy in the stream failed", stream);
  }
  bool waitForDevice() const override { return run(&Library::synchronize, "a kernel failed"); }
  /// A driver refuses to answer for the default stream while another one is captured.
  bool isCaptured(void *stream) const override {
    const Library *library = Library::open();
    int status = 0;
    return !library || !library->streamIsCapturing ||
           library->streamIsCapturing(stream, &status) != 0 || status != 0;
  }
  void *createEvent(bool isTimed) const override {
    constexpr unsigned kDisableTiming = 2; // CU_EVENT_DISABLE_TIMING, hipEventDisableTiming
    return made(&Library::eventCreate, "", isTimed ? 0 : kDisableTiming);
  }
  void destroyEvent(void *event) const override {
    if (event)
      run(&Library::eventDestroy, "", event);
  }
  bool recordEvent(void *event, void *stream) const override {
    return run(&Library::eventRecord, "", event, stream);
  }
  bool waitForEvent(void *event) const override {
    return run(&Library::eventSynchronize, "", event);
  }
  bool streamWaitsFor(void *stream, void *event) const override {
    return run(&Library::streamWaitEvent, "", stream, event, 0u);
  }
  bool elapsed(void *begin, void *end, float &milliseconds) const override {
    return run(&Library::eventElapsedTime, "", &milliseconds, begin, end);
  }

  //===--- Memory ----------------------------------------------------------===//

  void *allocate(uint64_t bytes) const override {
    return bytes ? made(&Library::memAlloc, inBytes(bytes), size_t(bytes)) : nullptr;
  }
  void free(void *memory) const override {
    if (memory)
      run(&Library::memFree, "", memory);
  }
  void freePinned(void *memory) const override {
    if (memory)
      run(&Library::memFreeHost, "", memory);
  }
  void pin(void *memory, uint64_t bytes) const override {
    if (bytes)
      run(&Library::memHostRegister, inBytes(bytes), memory, size_t(bytes), 0u);
  }
  void unpin(void *memory) const override { run(&Library::memHostUnregister, "", memory); }
  bool fill(void *to, uint32_t value, int valueBytes, size_t count, void *stream) const override {
    if (count == 0)
      return Library::current() != nullptr;
    if (valueBytes == 2)
      return run(&Library::memsetD16Async, "", to, uint16_t(value), count, stream);
    return run(&Library::memsetD32Async, "", to, value, count, stream);
  }

protected:
  /// Calls a function on this thread's device; false, with a recorded error, where that fails.
  template <typename... Parameters, typename... Arguments>
  static bool run(LibraryFunction<int(Parameters...)> Library::*function, const std::string &detail,
                  Arguments... arguments) {
    const Library *library = Library::current();
    return library &&
           library->check((library->*function)(arguments...), (library->*function).name, detail);
  }
  /// Calls a function that makes something, and returns that; null where it fails.
  template <typename... Parameters, typename... Arguments>
  static void *made(LibraryFunction<int(void **, Parameters...)> Library::*function,
                    const std::string &detail, Arguments... arguments) {
    void *result = nullptr;
    return run(function, detail, &result, arguments...) ? result : nullptr;
  }
};

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_DEVICE_CUDASTYLEDRIVER_H
