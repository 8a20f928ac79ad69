//===- Jax.h - Products in programs of XLA ----------------------*- C++ -*-===//
//
// A handler of custom calls, by which programs that JAX compiles call kernels. Its arguments are A
// and B as far as the routine has them, then the bias. What the result begins as precedes the bias,
// and the result reuses its memory: C where beta is not 0 or one triangle is written, the operand
// in place. Attributes are the routine and its choices as texts (Request.h), the chip, and alpha
// and beta as pairs of values: alpha and alpha_imaginary.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_JAX_H
#define ROOFTILE_PYTHON_JAX_H

#include <nanobind/nanobind.h>

namespace rooftile::python {

/// Capsules with the handler, {"cpu": .., "CUDA": ..}, as jax.ffi.register_ffi_target expects them.
nanobind::dict xlaHandlers();

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_JAX_H
