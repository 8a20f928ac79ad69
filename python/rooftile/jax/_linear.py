"""The primitive rooftile_linear: activation(x kernel + bias), and its rules.

Derivatives are those of what it is composed of: products, and functions of elements.
"""

import functools
import math

import jax
from jax.custom_derivatives import SymbolicZero
from jax.interpreters import batching

from ._calls import define, result_aval, to_front, vary_alike
from ._gemm import product

_ACTIVATIONS = {"": lambda z: z, "relu": jax.nn.relu, "sigmoid": jax.nn.sigmoid,
                "silu": jax.nn.silu, "tanh": jax.numpy.tanh,
                "gelu": functools.partial(jax.nn.gelu, approximate=False),
                "gelu_tanh": functools.partial(jax.nn.gelu, approximate=True)}

# Derivatives of the activations whose derivative is a function of their value.
_SLOPES = {"": jax.numpy.ones_like, "relu": lambda y: (y > 0).astype(y.dtype),
           "sigmoid": lambda y: y * (1 - y), "tanh": lambda y: 1 - y * y}


@functools.partial(jax.custom_jvp, nondiff_argnums=(3, 4))
def linear(x, kernel, bias, activation, chip):
    """The layer of matrices x and kernel and a vector bias, or None."""
    shape = x.shape[:1] + kernel.shape[1:]
    if 0 in shape:
        return jax.numpy.zeros(shape, x.dtype)
    operands = (x, kernel) if bias is None else (x, kernel, bias)
    return linear_p.bind(*vary_alike(*operands), routine="gemm", op_a="n", op_b="n", alpha=1 + 0j,
                         beta=0j, activation=activation, chip=chip)


def _jvp(activation, chip, primals, tangents):
    x, kernel, bias = primals
    result = linear(x, kernel, bias, activation, chip)
    change = jax.numpy.zeros_like(result)
    if type(tangents[0]) is not SymbolicZero:
        change += product(tangents[0], kernel, chip=chip)
    if type(tangents[1]) is not SymbolicZero:
        change += product(x, tangents[1], chip=chip)
    if bias is not None and type(tangents[2]) is not SymbolicZero:
        change += tangents[2]
    if activation in _SLOPES:
        return result, _SLOPES[activation](result) * change
    argument = linear(x, kernel, bias, "", chip)
    return result, jax.jvp(_ACTIVATIONS[activation], (argument,), (change,))[1]


linear.defjvp(_jvp, symbolic_zeros=True)


def _abstract(x, kernel, *_, **__):
    return result_aval(x, x.shape[:1] + kernel.shape[1:], x.dtype)


linear_p = define("rooftile_linear", _abstract, in_place=lambda operands: None)


def _batch(operands, dimensions, *, activation, chip, **_):
    """Where x alone is mapped it is one call of more rows; else a batch, and the rest after it."""
    x, kernel, *bias = (to_front(each, place) for each, place in zip(operands, dimensions))
    if all(place is None for place in dimensions[1:]):
        rows = x.reshape(math.prod(x.shape[:2]), x.shape[2])
        result = linear(rows, kernel, *(bias or [None]), activation, chip)
        return result.reshape(x.shape[:2] + kernel.shape[1:]), 0
    result = product(x, kernel, chip=chip)
    if bias:
        result = result + (bias[0] if dimensions[2] is None else bias[0][:, None])
    return _ACTIVATIONS[activation](result), 0


batching.primitive_batchers[linear_p] = _batch
