//===- Sessions.h - Handles of librooftile.so -------------------*- C++ -*-===//
//
// All threads that use a handle share its stream. So a call has a handle for
// itself, the one that was used last where it is free: a program whose calls do
// not overlap uses one handle for all threads and streams, and loads a kernel
// once.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_SESSIONS_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_SESSIONS_H

#include "../Loader.h"
#include "State.h"

namespace rooftile::cublas {

struct Session {
  const interpose::Library *library = nullptr;
  rooftile_handle handle = nullptr;
  int device = 0;
  uint64_t bit = 0; ///< One of 64, no other session's of the device.
};

/// A session of a device, until the end of the scope.
class Lease {
public:
  explicit Lease(int device);
  ~Lease();
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;

  explicit operator bool() const { return session; }
  const Session &operator*() const { return *session; }
  const Session *operator->() const { return session; }
  /// Why there is none; valid for good.
  const char *why() const { return reason; }

private:
  Session *session = nullptr;
  const char *reason = "";
};

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_SESSIONS_H
