//===- Jax.h - Products in programs of XLA ----------------------*- C++ -*-===//
//
// Handlers of custom calls, by which programs that JAX compiles call kernels:
//   gemm        (a, b) -> c, or (a, b, c) -> c in the memory of the argument c; behind these
//               may be a bias, and "activation" may be an attribute
//   triangular  (a, b) -> x in the memory of b
// Attributes are those of the functions of the package, as texts, and numbers as
// pairs: alpha and alpha_imaginary.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_JAX_H
#define ROOFTILE_PYTHON_JAX_H

#include <nanobind/nanobind.h>

namespace rooftile::python {

/// Capsules with handlers, {"gemm": {"cpu": .., "CUDA": ..}, "triangular": ..}, as
/// jax.ffi.register_ffi_target takes them.
nanobind::dict xlaHandlers();

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_JAX_H
