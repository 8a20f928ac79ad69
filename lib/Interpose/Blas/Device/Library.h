//===- Library.h - librooftile.so, opened when it is needed -----*- C++ -*-===//
//
// ROOFTILE_LIBRARY names it. Else it is the one beside this library, else the loader's. It holds
// the compiler, which programs with small matrices never load.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_LIBRARY_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_LIBRARY_H

#include "../Calls/Call.h"
#include "rooftile/rooftile.h"

namespace rooftile::interpose {

struct Library {
  decltype(&rooftile_create) create = nullptr;
  decltype(&rooftile_set_stream) setStream = nullptr;
  decltype(&rooftile_gemm) gemm = nullptr;
  decltype(&rooftile_trmm) trmm = nullptr;
  decltype(&rooftile_trsm) trsm = nullptr;
  decltype(&rooftile_message) message = nullptr;
  decltype(&rooftile_status_name) statusName = nullptr;
  rooftile_handle handle = nullptr; ///< Of the device that was asked for first.

  /// With a handle for `device`; null, and why, where there is none. The first call decides.
  static const Library *open(rooftile_device device, std::string &why);

  rooftile_status run(const Call &call) const;
  /// The status by name, and the message of this thread's last failure.
  std::string explain(rooftile_status status) const;
};

/// Whether a call that returned `status` has written to no matrix (rooftile.h).
bool isUntouched(rooftile_status status);

/// Whether librooftile.so has kernels for it.
bool hasKernel(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_LIBRARY_H
