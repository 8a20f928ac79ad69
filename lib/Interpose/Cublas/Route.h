//===- Route.h - Ours, or the real cuBLAS -----------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H

#include "Call.h"

namespace rooftile::cublas {

/// Computes the call, and then `status` is what the program gets; or returns false, no matrix has
/// been written, and the real function is to be called.
bool take(Call &call, Status &status) noexcept;

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_ROUTE_H
