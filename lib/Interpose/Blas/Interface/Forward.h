//===- Forward.h - Calls that go on with their arguments as they came -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_FORWARD_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_FORWARD_H

#include "../Next/Next.h"
#include "Arguments.h"

#define ROOFTILE_BLAS_NAME extern "C" __attribute__((visibility("default"))) void
/// In the exported function itself, whose caller it is.
#define ROOFTILE_CALL_SITE(symbol) &symbol.at(__builtin_return_address(0))

namespace rooftile::interpose {

template <typename Int> constexpr Width widthOf() {
  return sizeof(Int) == 8 ? Width::Ilp64 : Width::Lp64;
}

/// Calls the function of the same name in the next BLAS, or another one for the same.
template <typename... Args> void forward(const Arguments &arguments, Args... args) {
  if (!arguments.site->function)
    return callNext(read(arguments).call);
  NextScope inside;
  reinterpret_cast<void (*)(Args...)>(arguments.site->function)(args...);
}

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_FORWARD_H
