//===- Route.h - Ours, or the real cuBLAS -----------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H

#include "Next.h"
#include "rooftile/rooftile.h"

namespace rooftile::cublas {

/// A call of cuBLAS in the words of rooftile.h.
template <typename Args> struct Call {
  Function function;
  Handle handle;
  Args args = {};
  /// Why it cannot be said in those words; null where it is. The text is static.
  const char *whyNot = nullptr;
};

using GemmCall = Call<rooftile_gemm_args>;
using TriangularCall = Call<rooftile_triangular_args>;

/// Computes the call, and then `status` is what the program gets; or returns false, no matrix has
/// been written, and the real function is to be called.
bool take(GemmCall &call, Status &status) noexcept;
bool take(TriangularCall &call, Status &status) noexcept;

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H
