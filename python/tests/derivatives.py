"""Derivatives of JAX, compiled as few programs: most of the time of a test is that of compiling
each operation by itself."""

import jax
from jax.test_util import check_grads


def check_derivatives(function, operands, order=2, **tolerances):
    """Compares derivatives up to `order`, forward and backward, with differences of values."""
    check_grads(jax.jit(function), operands, order, modes=["fwd", "rev"], **tolerances)


def value_and_cotangents(function, *operands):
    """The value of `function`, and it carried back to each of the operands."""
    def both(*operands):
        value, back = jax.vjp(function, *operands)
        return value, *back(value)
    return jax.jit(both)(*operands)
