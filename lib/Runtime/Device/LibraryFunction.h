//===- LibraryFunction.h - A function of a vendor's library -----*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_DEVICE_LIBRARYFUNCTION_H
#define ROOFTILE_LIB_RUNTIME_DEVICE_LIBRARYFUNCTION_H

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

#include <algorithm>
#include <string>

namespace rooftile {

template <typename Signature> struct LibraryFunction;

/// An address that dlsym found, or null, under the exported name. Drivers return 0 or an error
/// number.
template <typename... Parameters> struct LibraryFunction<int(Parameters...)> {
  int (*address)(Parameters...) = nullptr;
  const char *name;

  explicit LibraryFunction(const char *name) : name(name) {}
  explicit operator bool() const { return address; }
  int operator()(Parameters... parameters) const { return address(parameters...); }
};

/// Records "`call` failed on CUDA device 1: `error`" (followed by `detail`), without the suffix
/// that CUDA gives to exported names, as in cuMemAlloc_v2.
inline void recordFailure(const Driver &driver, std::string call, const std::string &error,
                          const std::string &detail) {
  call.resize(std::min(call.find("_v2"), call.size()));
  recordError(call + " failed on " + describe({driver.kind, driver.device()}) + ": " + error +
              (detail.empty() ? "" : " (" + detail + ")"));
}

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_DEVICE_LIBRARYFUNCTION_H
