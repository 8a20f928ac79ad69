//===- Call.h - A call of the C interface -----------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_CALL_H
#define ROOFTILE_LIB_CAPI_CALL_H

#include "Failure.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Operation/Extent.h"

namespace rooftile::capi {

/// A call as it was stated. Sizes, leading dimensions and alignments are those of the call; alpha
/// and beta of 0 and 1 are known.
struct Call {
  operation::Operation operation;
  bool isDynamic = false; ///< Kernels are for all sizes: ROOFTILE_SIZES_ANY.
  compiler::CallArguments values;
};

/// Reads the arguments of any routine, and checks that each choice is one; what they describe is
/// not checked. The other two are rows of this one with fewer members.
Failure readArguments(const rooftile_operation &args, Call &call);
Failure readArguments(const rooftile_gemm_args &args, Call &call);
Failure readArguments(rooftile_routine routine, const rooftile_triangular_args &args, Call &call);

/// A call that was checked.
struct Checked {
  operation::Operation operation; ///< That is compiled.
  bool doesNothing = false;       ///< There is no element, or C = C.
  bool readsOperands = true;      ///< A, and B where there is one.
  operation::Extent extents[3];   ///< Extents of A, B and C.
};

/// The fault of the operation of `call` and the alignments of its addresses; else `checked`.
Failure check(const Call &call, Checked &checked);

/// Whether a call can be run with its addresses: nothing is null that is read or written, C does
/// not surely overlap A or B, and scalars in memory are aligned.
Failure checkAddresses(const Call &call, const Checked &checked);

/// The operation whose kernels serve all sizes, addresses and scalars of a checked call.
operation::Operation dynamicOperation(const Call &call, const Checked &checked);

/// The arguments of kernels. Matrices that are not read are C's memory, without an element.
compiler::CallArguments argumentsOf(const Call &call, const Checked &checked);

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_CALL_H
