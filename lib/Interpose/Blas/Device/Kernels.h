//===- Kernels.h - The kernels of librooftile.so ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_KERNELS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_KERNELS_H

#include "../../Loader.h"
#include "../Calls/Call.h"
#include "rooftile/Runtime/Device/DeviceFacts.h"

namespace rooftile::interpose {

/// librooftile.so with a handle of one device. It holds the compiler, which programs with small
/// matrices never load.
struct Kernels {
  const Library *library = nullptr;
  rooftile_handle handle = nullptr;

  /// Null, and why, where there is none. It is never destroyed: programs call after main.
  static const Kernels *open(Device device, void *stream, std::string &why);

  rooftile_status run(const Call &call) const;
  /// The status by name, and the message of this thread's last failure.
  std::string explain(rooftile_status status) const;
};

/// Whether a call that returned `status` has written to no matrix (rooftile.h).
bool isUntouched(rooftile_status status);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_KERNELS_H
