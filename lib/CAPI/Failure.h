//===- Failure.h - Why a call of the C interface fails ----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_FAILURE_H
#define ROOFTILE_LIB_CAPI_FAILURE_H

#include "rooftile/rooftile.h"

#include <string>

namespace rooftile::capi {

/// A status with its message. It is true where something failed.
struct Failure {
  rooftile_status status = ROOFTILE_SUCCESS;
  std::string message;

  explicit operator bool() const { return status != ROOFTILE_SUCCESS; }
};

inline Failure invalid(std::string message) {
  return {ROOFTILE_INVALID_ARGUMENT, std::move(message)};
}
inline Failure unsupported(std::string message) {
  return {ROOFTILE_UNSUPPORTED, std::move(message)};
}

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_FAILURE_H
