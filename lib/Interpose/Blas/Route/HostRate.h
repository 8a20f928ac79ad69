//===- HostRate.h - How fast the next BLAS is -------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_HOST_RATE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_HOST_RATE_H

#include "../Calls/Call.h"

namespace rooftile::interpose {

/// Real additions and multiplications a second in products of the call's type by the BLAS that the
/// call is forwarded to, measured when it is first asked for; 0 where there is none.
double hostFlops(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_HOST_RATE_H
