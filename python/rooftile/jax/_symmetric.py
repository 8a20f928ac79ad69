"""The primitives rooftile_symmetric (symm, hemm), rooftile_update (syrk, herk, syr2k, her2k) and
rooftile_trtri, and their rules."""

import jax
import numpy
from jax.interpreters import ad, batching

from ._calls import align, define, result_aval, times, to_front, vary_alike
from ._gemm import product
from ._triangular import triangular


def is_hermitian(routine):
    return routine.startswith("he")


def _adjoint(routine, matrix):
    turned = jax.numpy.swapaxes(matrix, -1, -2)
    return turned.conj() if is_hermitian(routine) else turned


def _triangle(matrix, triangle, inside=0):
    numpy_ = jax.numpy
    return numpy_.tril(matrix, -inside) if triangle == "lower" else numpy_.triu(matrix, inside)


def _diagonal(routine, matrix):
    """Zeros beside it; of a Hermitian matrix it is real."""
    diagonal = jax.numpy.where(numpy.eye(matrix.shape[-1], dtype=bool), matrix, 0)
    return diagonal.real.astype(matrix.dtype) if is_hermitian(routine) else diagonal


def _mirrored(routine, matrix, triangle):
    """The matrix that a triangle stands for."""
    strict = _triangle(matrix, triangle, 1)
    return strict + _adjoint(routine, strict) + _diagonal(routine, matrix)


def _sum_to(array, shape):
    """A cotangent, added up over the dimensions of a batch in which the operand is repeated."""
    extra = array.ndim - len(shape)
    summed = tuple(i for i in range(array.ndim - 2)
                   if i < extra or shape[i - extra] == 1 != array.shape[i])
    return array.sum(axis=summed).reshape(shape) if summed else array


def _batch_shape(*operands):
    return numpy.broadcast_shapes(*(each.shape[:-2] for each in operands))


# --------------------------------------------------------------------------------------------------
# symm, hemm
# --------------------------------------------------------------------------------------------------

def _symmetric_shape(a, b):
    return (*_batch_shape(a, b), *b.shape[-2:])


def symmetric(a, b, c=None, *, beta=0j, **params):
    """As the primitive. beta counts where c is given."""
    shape = _symmetric_shape(a, b)
    if 0 in shape:
        return jax.numpy.zeros(shape, b.dtype)
    operands = vary_alike(a, b) if c is None or beta == 0 else \
        vary_alike(a, b, jax.numpy.broadcast_to(c, shape))
    return symmetric_p.bind(*operands, beta=complex(beta) if len(operands) == 3 else 0j, **params)


def _abstract_symmetric(a, b, *_, **__):
    return result_aval(b, _symmetric_shape(a, b), b.dtype)


symmetric_p = define("rooftile_symmetric", _abstract_symmetric,
                     in_place=lambda operands: 2 if operands == 3 else None)


def _beside(whole, b, c, params, beta):
    """alpha whole b + beta c, on the side of the operation."""
    left, right = (whole, b) if params["side"] == "left" else (b, whole)
    return product(left, right, c, alpha=params["alpha"], beta=beta, chip=params["chip"])


def _symmetric_jvp(primals, tangents, *, beta, **params):
    (a, b, *c), (a_dot, b_dot, *c_dot) = primals, tangents
    result = symmetric_p.bind(*primals, beta=beta, **params)
    total, factor = None, 0j
    if c and type(c_dot[0]) is not ad.Zero:
        total, factor = c_dot[0], beta
    if type(a_dot) is not ad.Zero:
        whole = _mirrored(params["routine"], a_dot, params["triangle"])
        total, factor = _beside(whole, b, total, params, factor), 1 + 0j
    if type(b_dot) is not ad.Zero:
        total, factor = symmetric(a, b_dot, total, beta=factor, **params), 1 + 0j
    if total is None:
        return result, ad.Zero.from_primal_value(result)
    return result, times(factor, total)


def _symmetric_transpose(ct, a, b, *c, beta, **params):
    cotangents = [None, None, *(None for _ in c)]
    if type(ct) is ad.Zero:
        return cotangents
    if ad.is_undefined_primal(a):
        def of_a(a):
            whole = _mirrored(params["routine"], a, params["triangle"])
            return _beside(whole, b, None, params, 0j)

        cotangents[0], = jax.linear_transpose(of_a, a.aval)(ct)
    if ad.is_undefined_primal(b):
        turned = a.conj() if is_hermitian(params["routine"]) else a
        cotangents[1] = _sum_to(symmetric(turned, ct, **params), b.aval.shape)
    if c and ad.is_undefined_primal(c[0]):
        cotangents[2] = times(beta, ct)
    return cotangents


def _symmetric_batch(operands, dimensions, **params):
    if dimensions[0] is None and dimensions[1] is None:  # c is mapped
        a, b, c = operands
        added = times(params["beta"], to_front(c, dimensions[2]))
        return symmetric(a, b, **{**params, "beta": 0j}) + added, 0
    return symmetric(*align(operands, dimensions), **params), 0


ad.primitive_jvps[symmetric_p] = _symmetric_jvp
ad.primitive_transposes[symmetric_p] = _symmetric_transpose
batching.primitive_batchers[symmetric_p] = _symmetric_batch


# --------------------------------------------------------------------------------------------------
# syrk, herk, syr2k, her2k
# --------------------------------------------------------------------------------------------------

def _update_shape(op, *inputs):
    order = inputs[0].shape[-2 if op == "n" else -1]
    return (*_batch_shape(*inputs), order, order)


def scaled(routine, c, beta, triangle):
    """beta c in the triangle that is written, and c beside it."""
    inside = _triangle(numpy.ones(c.shape[-2:], bool), triangle)
    multiple = beta * c if isinstance(beta, jax.Array) else times(beta, c)
    if is_hermitian(routine):
        diagonal = numpy.eye(c.shape[-1], dtype=bool)
        multiple = jax.numpy.where(diagonal, multiple.real.astype(c.dtype), multiple)
    return jax.numpy.where(inside, multiple, c)


def update(*inputs, c=None, beta=0j, **params):
    """As the primitive, whose last operand is what the result begins as: zeros without c."""
    shape = _update_shape(params["op"], *inputs)
    if c is None or beta == 0:
        c, beta = jax.numpy.zeros(shape, inputs[0].dtype), 0j
    if 0 in shape:
        return jax.numpy.broadcast_to(c, shape)
    operands = vary_alike(*inputs, jax.numpy.broadcast_to(c, shape))
    return update_p.bind(*operands, beta=complex(beta), **params)


def _abstract_update(*operands, **_):
    return result_aval(operands[0], operands[-1].shape, operands[0].dtype)


update_p = define("rooftile_update", _abstract_update, in_place=lambda operands: operands - 1)


def _update_jvp(primals, tangents, *, beta, **params):
    *inputs, _ = primals
    result = update_p.bind(*primals, beta=beta, **params)
    routine = params["routine"]
    two = {**params, "routine": {"syrk": "syr2k", "herk": "her2k"}.get(routine, routine)}
    terms = [(tangents[0], inputs[-1])]
    if len(inputs) == 2:
        terms = [(tangents[0], inputs[1]), (inputs[0], tangents[1])]
    c_dot = tangents[-1]
    total, factor = (None, 0j) if type(c_dot) is ad.Zero else (c_dot, beta)
    changed = False
    for first, second in terms:
        if type(first) is not ad.Zero and type(second) is not ad.Zero:
            total = update(first, second, c=total, beta=factor, **two)
            factor, changed = 1 + 0j, True
    if total is None:
        return result, ad.Zero.from_primal_value(result)
    return result, total if changed else scaled(routine, total, beta, params["triangle"])


def _input_cotangent(aval, ct, other, alpha, params):
    """With S = G + G^T of the triangle: alpha S B, Hermitian alpha S conj(B); of the other op it is
    the product from the left."""
    routine = params["routine"]
    total = _mirrored(routine, ct, params["triangle"]) + _diagonal(routine, ct)
    op = "j" if is_hermitian(routine) else "n"
    if params["op"] == "n":
        found = product(total, other, op_b=op, alpha=alpha, chip=params["chip"])
    else:
        alpha = alpha.conjugate() if is_hermitian(routine) else alpha
        found = product(other, total, op_a=op, alpha=alpha, chip=params["chip"])
    return _sum_to(found, aval.shape)


def _update_transpose(ct, *operands, beta, **params):
    *inputs, c = operands
    cotangents = [None] * len(operands)
    if type(ct) is ad.Zero:
        return cotangents
    routine, alpha = params["routine"], params["alpha"]
    unknown = [i for i, each in enumerate(inputs) if ad.is_undefined_primal(each)]
    if unknown and len(inputs) == 1:
        raise NotImplementedError(f"{routine} is not linear in a: use jax.vjp for jax."
                                  "linear_transpose")
    for i in unknown:
        factor = alpha.conjugate() if i == 1 and is_hermitian(routine) else alpha
        cotangents[i] = _input_cotangent(inputs[i].aval, ct, inputs[1 - i], factor, params)
    if ad.is_undefined_primal(c):
        cotangents[-1] = scaled(routine, ct, beta.conjugate() if is_hermitian(routine) else beta,
                                params["triangle"])
    return cotangents


def _update_batch(operands, dimensions, *, beta, **params):
    *inputs, c = operands
    if all(place is None for place in dimensions[:-1]):  # c is mapped
        front = to_front(c, dimensions[-1])
        inputs[0] = jax.numpy.broadcast_to(inputs[0], (front.shape[0], *inputs[0].shape))
        operands, dimensions = (*inputs, front), (0, *dimensions[1:-1], 0)
    *inputs, c = align(operands, dimensions)
    shape = _update_shape(params["op"], *inputs)
    operands = vary_alike(*inputs, jax.numpy.broadcast_to(c, shape))
    return update_p.bind(*operands, beta=beta, **params), 0


ad.primitive_jvps[update_p] = _update_jvp
ad.primitive_transposes[update_p] = _update_transpose
batching.primitive_batchers[update_p] = _update_batch


# --------------------------------------------------------------------------------------------------
# trtri
# --------------------------------------------------------------------------------------------------

def trtri(a, *, triangle, diagonal, chip):
    """Zeros in the other triangle, and ones on a diagonal that is not read."""
    if 0 in a.shape:
        return a
    unit = diagonal == "unit"
    ones = numpy.eye(a.shape[-1], dtype=a.dtype) * int(unit)
    inside = _triangle(numpy.ones(a.shape[-2:], bool), triangle, int(unit))
    start = jax.numpy.where(inside, a, ones)
    return trtri_p.bind(start, routine="trtri", triangle=triangle, diagonal=diagonal, alpha=1 + 0j,
                        chip=chip)


trtri_p = define("rooftile_trtri", lambda a, **_: result_aval(a, a.shape, a.dtype),
                 in_place=lambda operands: 0)


def _trtri_jvp(primals, tangents, **params):
    """Derivative of X = T^-1: -X T' X."""
    inverse, (change,) = trtri_p.bind(*primals, **params), tangents
    if type(change) is ad.Zero:
        return inverse, ad.Zero.from_primal_value(inverse)
    triangle, inside = params["triangle"], int(params["diagonal"] == "unit")
    right = product(_triangle(change, triangle, inside), inverse, chip=params["chip"])
    both = triangular(inverse, right, routine="trmm", side="left", triangle=triangle,
                      diagonal="nonunit", op="n", alpha=-1 + 0j, chip=params["chip"])
    return inverse, _triangle(both, triangle, inside)


def _trtri_batch(operands, dimensions, **params):
    return trtri_p.bind(to_front(operands[0], dimensions[0]), **params), 0


ad.primitive_jvps[trtri_p] = _trtri_jvp
batching.primitive_batchers[trtri_p] = _trtri_batch
