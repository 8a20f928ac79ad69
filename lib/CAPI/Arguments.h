//===- Arguments.h - What a call of the C interface states ------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_ARGUMENTS_H
#define ROOFTILE_LIB_CAPI_ARGUMENTS_H

#include "Description.h"

namespace rooftile::capi {

/// A call, by the pieces that are used separately.
struct Call {
  Description description = {};
  Addresses addresses;
  compiler::CallArguments values;
};

/// Reads `args`; what they describe is not checked.
Failure readArguments(const rooftile_gemm_args &args, Call &call);
Failure readArguments(compiler::Routine routine, const rooftile_triangular_args &args, Call &call);

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_ARGUMENTS_H
