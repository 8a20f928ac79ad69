"""The primitive rooftile_triangular: trmm and trsm, and their rules."""

import jax
import numpy
from jax.interpreters import ad, batching

from ._calls import align, define, result_aval, vary_alike
from ._gemm import TURNED, product, real_op


def for_batch_of(a, b):
    """b, repeated where a has more matrices: the result overwrites it."""
    batch = numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return jax.numpy.broadcast_to(b, batch + b.shape[-2:])


def triangular(a, b, **params):
    """As the primitive."""
    if 0 in b.shape:
        return b
    params["op"] = real_op(params["op"], a)
    a, b = vary_alike(a, b)
    shape = b.shape
    # On the right a batch times one matrix is one operation of more rows.
    if params["side"] == "right" and a.ndim == 2 and b.ndim > 2:
        b = b.reshape(-1, shape[-1])
    return triangular_p.bind(a, b, **params).reshape(shape)


def _abstract(a, b, **_):
    return result_aval(b, b.shape, b.dtype)


triangular_p = define("rooftile_triangular", _abstract, in_place=lambda operands: 1)


def _triangle(a, triangle, diagonal):
    """Elements of a that count for derivatives: a diagonal of ones stays as it is."""
    inside = 1 if diagonal == "unit" else 0
    return jax.numpy.tril(a, -inside) if triangle == "lower" else jax.numpy.triu(a, inside)


def _apply(matrix, x, c, params, alpha, beta=0j):
    """alpha op(matrix) x + beta c, on the side of the operation."""
    if params["side"] == "left":
        return product(matrix, x, c, op_a=params["op"], alpha=alpha, beta=beta, chip=params["chip"])
    return product(x, matrix, c, op_b=params["op"], alpha=alpha, beta=beta, chip=params["chip"])


def _jvp(primals, tangents, **params):
    (a, b), (a_dot, b_dot) = primals, tangents
    result = triangular_p.bind(a, b, **params)
    has_a, has_b = type(a_dot) is not ad.Zero, type(b_dot) is not ad.Zero
    alpha = params["alpha"]
    if not has_a and not has_b:
        return result, ad.Zero.from_primal_value(result)
    if not has_a:
        return result, triangular(a, b_dot, **params)
    change = _triangle(a_dot, params["triangle"], params["diagonal"])
    if params["routine"] == "trmm":
        moved = triangular(a, b_dot, **params) if has_b else None
        return result, _apply(change, b, moved, params, alpha, beta=1 + 0j if has_b else 0j)
    # op(a) x = alpha b, so op(a) x' = alpha b' - op(a') x.
    right = _apply(change, result, b_dot if has_b else None, params, -1 + 0j,
                   beta=alpha if has_b else 0j)
    return result, triangular(a, right, **{**params, "alpha": 1 + 0j})


def _transpose(ct, a, b, **params):
    if ad.is_undefined_primal(a):
        raise NotImplementedError(f"{params['routine']} is not linear in a: use jax.vjp for jax."
                                  "linear_transpose")
    if type(ct) is ad.Zero:
        return [None, None]
    return [None, triangular(a, ct, **{**params, "op": TURNED[params["op"]]})]


def _batch(operands, dimensions, **params):
    a, b = align(operands, dimensions)
    return triangular(a, for_batch_of(a, b), **params), 0


ad.primitive_jvps[triangular_p] = _jvp
ad.primitive_transposes[triangular_p] = _transpose
batching.primitive_batchers[triangular_p] = _batch
