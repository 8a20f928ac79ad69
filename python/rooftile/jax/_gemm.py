"""The primitive rooftile_gemm: alpha op_a(a) op_b(b) [+ beta c], and its rules.

It is linear in each operand (with an op that conjugates, over the real numbers), so derivatives and
transposes are products again, of other ops.
"""

import jax
import numpy
from jax.interpreters import ad, batching

from ._calls import align, define, result_aval, times, to_front, vary_alike

TURNED = {"n": "t", "t": "n", "c": "j", "j": "c"}  # the op of a transposed op(x)
CONJUGATED = {"n": "j", "j": "n", "t": "c", "c": "t"}


def is_complex(array):
    return numpy.dtype(array.dtype).kind == "c"


def real_op(op, array):
    """One op for what is the same of real matrices."""
    return op if is_complex(array) else {"c": "t", "j": "n"}.get(op, op)


def result_shape(a, b, op_a, op_b):
    m = a.shape[-1 if op_a in "tc" else -2]
    n = b.shape[-2 if op_b in "tc" else -1]
    return (*numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2]), m, n)


def product(a, b, c=None, *, op_a="n", op_b="n", alpha=1 + 0j, beta=0j, dtype=None, chip=""):
    """As the primitive. beta counts where c is given; `dtype` is that of the result."""
    dtype = numpy.dtype(a.dtype if dtype is None else dtype)
    shape = result_shape(a, b, op_a, op_b)
    op_a, op_b = real_op(op_a, a), real_op(op_b, b)
    if beta == 0:
        c = None
    a, b, c = vary_alike(a, b, c)
    if 0 in shape:
        return vary_alike(jax.numpy.zeros(shape, dtype), a)[0]
    # A batch times one matrix is one product of more rows.
    if a.ndim > 2 and b.ndim == 2 and op_a in "nj" and a.size:
        a = a.reshape(-1, a.shape[-1])
        c = None if c is None else c.reshape(-1, c.shape[-1])
    operands = (a, b) if c is None else (a, b, c)
    result = gemm_p.bind(*operands, routine="gemm", op_a=op_a, op_b=op_b, alpha=complex(alpha),
                         beta=0j if c is None else complex(beta), _dtype=dtype, chip=chip)
    return result.reshape(shape)


def _abstract(a, b, *_, op_a, op_b, _dtype, **__):
    return result_aval(a, result_shape(a, b, op_a, op_b), _dtype)


gemm_p = define("rooftile_gemm", _abstract,
                in_place=lambda operands: 2 if operands == 3 else None)


def _plain(params):
    """Parameters for `product` without beta."""
    return {"op_a": params["op_a"], "op_b": params["op_b"], "alpha": params["alpha"],
            "dtype": params["_dtype"], "chip": params["chip"]}


def _jvp(primals, tangents, **params):
    a, b, *c = primals
    beta, has_tangent = params["beta"], [type(each) is not ad.Zero for each in tangents]
    result = gemm_p.bind(*primals, **params)
    sum_so_far, factor = (tangents[2], beta) if c and has_tangent[2] else (None, 0j)
    if has_tangent[0]:
        sum_so_far = product(tangents[0], b, sum_so_far, beta=factor, **_plain(params))
        factor = 1 + 0j
    if has_tangent[1]:
        sum_so_far = product(a, tangents[1], sum_so_far, beta=factor, **_plain(params))
        factor = 1 + 0j
    if sum_so_far is None:
        return result, ad.Zero.from_primal_value(result)
    return result, times(factor, sum_so_far)


def _cotangent(aval, left, right, op_left, op_right, alpha, chip):
    """alpha op(left) op(right), as that of an operand: of its type, added up over the dimensions of
    a batch in which the operand is repeated."""
    wide = jax.numpy.promote_types(left.dtype, right.dtype)
    left, right = left.astype(wide), right.astype(wide)
    shape = result_shape(left, right, op_left, op_right)
    extra = len(shape) - aval.ndim
    summed = tuple(i for i in range(len(shape) - 2)
                   if i < extra or aval.shape[i - extra] == 1 != shape[i])
    result = product(left, right, op_a=op_left, op_b=op_right, alpha=alpha, chip=chip,
                     dtype=numpy.float32 if wide.itemsize == 2 and summed else wide)
    if summed:
        result = result.sum(axis=summed).reshape(aval.shape)
    return result.astype(aval.dtype)


def _transpose_a(aval, ct, b, op_a, op_b, alpha, chip):
    """Cotangent of a of alpha op_a(a) op_b(b): for op_a "n" it is alpha ct op_b(b)^T."""
    conjugates = op_a in "cj"
    alpha = alpha.conjugate() if conjugates else alpha
    if op_a in "nj":
        op = CONJUGATED[TURNED[op_b]] if conjugates else TURNED[op_b]
        return _cotangent(aval, ct, b, op_a, op, alpha, chip)
    op = CONJUGATED[op_b] if conjugates else op_b
    return _cotangent(aval, b, ct, op, op_a, alpha, chip)


def _transpose_b(aval, ct, a, op_a, op_b, alpha, chip):
    """For op_b "n" it is alpha op_a(a)^T ct."""
    conjugates = op_b in "cj"
    alpha = alpha.conjugate() if conjugates else alpha
    if op_b in "nj":
        op = CONJUGATED[TURNED[op_a]] if conjugates else TURNED[op_a]
        return _cotangent(aval, a, ct, op, op_b, alpha, chip)
    op = CONJUGATED[op_a] if conjugates else op_a
    return _cotangent(aval, ct, a, op_b, op, alpha, chip)


def _transpose(ct, *operands, op_a, op_b, alpha, beta, chip, **_):
    a, b = operands[:2]
    cotangents = [None] * len(operands)
    if type(ct) is ad.Zero:
        return cotangents
    if len(operands) == 3 and ad.is_undefined_primal(operands[2]):
        cotangents[2] = times(beta, ct)
    if ad.is_undefined_primal(a):
        cotangents[0] = _transpose_a(a.aval, ct, b, op_a, op_b, alpha, chip)
    elif ad.is_undefined_primal(b):
        cotangents[1] = _transpose_b(b.aval, ct, a, op_a, op_b, alpha, chip)
    return cotangents


def _batch(operands, dimensions, **params):
    a, b, *c = operands
    if dimensions[0] is None and dimensions[1] is None:
        added = times(params["beta"], to_front(c[0], dimensions[2]))
        return product(a, b, **_plain(params)) + added, 0
    a, b, *c = align([a, b, *c], dimensions)
    if c:
        shape = result_shape(a, b, params["op_a"], params["op_b"])
        c = [jax.numpy.broadcast_to(c[0], shape)]
    return product(a, b, *c, beta=params["beta"], **_plain(params)), 0


ad.primitive_jvps[gemm_p] = _jvp
ad.primitive_transposes[gemm_p] = _transpose
batching.primitive_batchers[gemm_p] = _batch
