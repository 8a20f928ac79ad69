//===- Execute.h - One call of BLAS, whoever computes it --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_EXECUTE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_EXECUTE_H

#include "../Calls/Call.h"

namespace rooftile::interpose {

/// Does what the call, whose arguments are valid, describes. False where it is the next BLAS's, and
/// nothing was written. Never throws.
bool execute(const Call &call) noexcept;

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_EXECUTE_H
