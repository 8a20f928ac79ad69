//===- Kernels.h - Kernels that calls run -----------------------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_KERNELS_H
#define ROOFTILE_PYTHON_KERNELS_H

#include "Call.h"
#include "Session.h"

namespace rooftile::python {

/// Compiles what has not been compiled, and runs it where the request is not only to prepare: then
/// kernels are loaded.
void perform(const Call &call, const Request &request, const Place &place);

/// The plans of a call as JSON, as rooftile_plan_gemm gives them; nothing is compiled.
std::string reportOf(const Call &call, const Request &request, Device device);

/// perform for a thread that need not hold the GIL, which is acquired where something is
/// compiled. Why it failed, or an empty string.
std::string performWithoutLock(const Call &call, const Request &request, const Place &place);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_KERNELS_H
