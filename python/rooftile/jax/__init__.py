"""Products of matrices in programs that JAX compiles: inside jax.jit, jax.grad and jax.vmap.

    import jax, rooftile.jax
    loss = jax.jit(lambda a, b: rooftile.jax.matmul(a, b).sum())
    gradients = jax.grad(loss, argnums=(0, 1))(a, b)

On the CPU, and on CUDA GPUs, where the kernels go to the stream that XLA gives. Types and shapes
are checked when a function is traced. docs/Python.md of the project has more.
"""

import functools
import math
from typing import Any, Optional, Union

import jax
import numpy

from .._calls import words_of
from .._native import core
from .._products import letter_of, op_of_trans
from . import _symmetric
from ._calls import as_matrix, as_operand, split_scalar, times, view, view_of
from ._gemm import product
from ._linear import linear as _bind_linear
from ._triangular import for_batch_of
from ._triangular import triangular as _bind_triangular

__all__ = ["gemm", "hemm", "her2k", "herk", "linear", "matmul", "solve_triangular", "symm",
           "syr2k", "syrk", "trmm", "trsm", "trtri"]

Scalar = Union[complex, jax.Array]


def _request(routine, alpha=1, beta=0, **choices):
    return core().Request(routine, choices, alpha, beta)


def _result_type(a, c, **asked):
    """`asked`: names by which the caller may ask for a type, and None or that type."""
    given = {name: numpy.dtype(dtype) for name, dtype in asked.items() if dtype is not None}
    if c is not None:
        given = {"c": numpy.dtype(c.dtype), **given}
    kinds = list(given.items()) or [("a", numpy.dtype(a.dtype))]
    for name, kind in kinds[1:]:
        if kind != kinds[0][1]:
            raise TypeError(f"{kinds[0][0]} is {kinds[0][1]} and {name} is {kind}")
    return kinds[0][1]


def _addend(c, shape, missing):
    """c as the primitive accepts it: with all matrices of the batch, and dimensions of vectors."""
    full = c
    for dimension in missing:
        full = jax.numpy.expand_dims(full, dimension)
    fits = full.ndim <= len(shape) and full.shape[-2:] == shape[-2:]
    fits = fits and all(size in (1, whole) for size, whole
                        in zip(full.shape[-3::-1], shape[-3::-1]))
    if not fits:
        expected = tuple(size for place, size in enumerate(shape, -len(shape))
                         if place not in missing)
        raise ValueError(f"c has shape {c.shape}; expected {expected}")
    return jax.numpy.broadcast_to(full, shape)


def gemm(a: jax.Array, b: jax.Array, *, alpha: Scalar = 1, beta: Scalar = 0,
         c: Optional[jax.Array] = None, op_a: str = "n", op_b: str = "n", dtype: Any = None,
         preferred_element_type: Any = None, chip: str = "") -> jax.Array:
    """alpha op(a) op(b) + beta c.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; batches of them, whose first
            dimensions are broadcast as jax.numpy.matmul does; or vectors: a one row, b one column,
            of which the result has no dimension. f16, bf16, f32, f64, c64 or c128, both the same.
        alpha, beta: numbers; complex ones for complex matrices only. Those of Python and NumPy are
            part of the kernel's call. Arrays of no dimensions, traced ones too, are multiplied by
            XLA, in a pass over the result.
        c: M x N, or a batch that is broadcast to that of the result. Its memory is that of the
            result where XLA needs it no more.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or capital letters.
        dtype, preferred_element_type: of the result, by either name: that of a and b (or of c).
            Those of f16 and bf16 may have f32.
        chip: what is planned for; empty: the GPU present.

    Derivatives of any order, forward and backward, are products of the same kind. jax.vmap makes
    batches, or one product of more rows where it maps a alone.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, when the
    function is traced. A program raises RuntimeError where compiling or running a kernel fails.
    """
    a, b = as_operand(a, "a"), as_operand(b, "b")
    c = None if c is None else as_operand(c, "c")
    kind = _result_type(a, c, dtype=dtype, preferred_element_type=preferred_element_type)
    op_a, op_b = letter_of(op_a, "op_a"), letter_of(op_b, "op_b")
    views = view_of("a", a), view_of("b", b)
    result_shape = core().shape(_request("gemm", op_a=op_a, op_b=op_b), *views, None)
    missing = [-1] * (b.ndim == 1) + [-2] * (a.ndim == 1)
    op_a = {"t": "n", "c": "j"}.get(op_a, op_a) if a.ndim == 1 else op_a
    op_b = {"t": "n", "c": "j"}.get(op_b, op_b) if b.ndim == 1 else op_b
    a, b = as_matrix(a, -2), as_matrix(b, -1)
    views = view_of("a", a), view_of("b", b)
    shape = core().shape(_request("gemm", op_a=op_a, op_b=op_b), *views, None)
    c = None if c is None else _addend(c, shape, missing)
    result = view("c", shape, kind)
    wide = numpy.dtype("float32") if kind.itemsize == 2 else kind
    alpha, alpha_later = split_scalar(alpha, "alpha", wide)
    beta, beta_later = split_scalar(beta, "beta", wide)
    if c is None and (beta_later is not None or beta != 0):
        raise ValueError(f"beta is {'an array' if beta_later is not None else beta} and there is "
                         "no c")
    request = _request("gemm", alpha, beta, op_a=op_a, op_b=op_b)
    core().check(request, *views, result, None)
    core().check_chip(chip)
    options = {"op_a": op_a, "op_b": op_b, "alpha": alpha, "chip": chip}
    beta = 0j if c is None else beta
    if alpha_later is None and beta_later is None:
        return product(a, b, c, beta=beta, dtype=kind, **options).reshape(result_shape)
    total = product(a, b, dtype=wide, **options)
    total = total if alpha_later is None else alpha_later * total
    if beta_later is not None:
        total = total + beta_later * c.astype(wide)
    elif beta != 0:
        total = total + times(beta, c.astype(wide))
    return total.astype(kind).reshape(result_shape)


def matmul(a: jax.Array, b: jax.Array, *, preferred_element_type: Any = None) -> jax.Array:
    """a b: as gemm(a, b, preferred_element_type=preferred_element_type)."""
    return gemm(a, b, preferred_element_type=preferred_element_type)


def linear(x: jax.Array, kernel: jax.Array, bias: Optional[jax.Array] = None,
           activation: Optional[str] = None, *, chip: str = "") -> jax.Array:
    """activation(x kernel + bias), in one kernel.

    Args:
        x: of shape (..., K). kernel: K x N, of the type of x. bias: of shape (N,).
        activation: "relu", "gelu" (by erf), "gelu_tanh", "sigmoid", "silu" or "tanh", of real
            arrays; of f64 "relu" only.
        chip: as of gemm.

    Returns an array of shape (..., N). Derivatives are of any order; those of "gelu", "gelu_tanh"
    and "silu" compute the product again. Errors are those of gemm.
    """
    x, kernel = as_operand(x, "x"), as_operand(kernel, "kernel")
    bias = None if bias is None else as_operand(bias, "bias")
    if x.ndim == 0:
        raise ValueError("x has 0 dimensions; expected one or more")
    if kernel.ndim != 2:
        raise ValueError(f"kernel has {kernel.ndim} dimensions; expected a matrix (2)")
    if bias is not None and bias.ndim != 1:
        raise ValueError(f"bias has {bias.ndim} dimensions; expected a vector (1)")
    shape = x.shape[:-1] + kernel.shape[1:]
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
    result = view("out", (rows.shape[0], kernel.shape[1]), x.dtype)
    core().check(_request("gemm", activation=words_of(activation)), view_of("x", rows),
                 view_of("kernel", kernel), result, None if bias is None else view_of("bias", bias))
    core().check_chip(chip)
    return _bind_linear(rows, kernel, bias, activation or "", chip).reshape(shape)


def _triangular(routine, a, b, alpha, chip, **choices):
    a, b = as_operand(a, "a"), as_operand(b, "b")
    alpha, alpha_later = split_scalar(alpha, "alpha", b.dtype)
    choices["op"] = letter_of(choices["op"], "op")
    request = core().Request(routine, choices, alpha, vector=b.ndim == 1)
    shape = core().shape(request, view_of("a", a), None, view_of("b", b))
    b = for_batch_of(a, as_matrix(b, -2 if choices["side"] == "right" else -1))
    core().check(_request(routine, alpha, **choices), view_of("a", a), None, view_of("b", b), None)
    core().check_chip(chip)
    if alpha_later is not None:
        b = alpha_later * b
    return _bind_triangular(a, b, routine=routine, alpha=alpha, chip=chip, **choices).reshape(shape)


def trmm(a: jax.Array, b: jax.Array, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: Scalar = 1, *,
         chip: str = "") -> jax.Array:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, of any type, in trsm f32, f64, c64 or c128; the other triangle is not read, nor
            is the diagonal with diagonal="unit". Their derivatives are zeros.
        b: M x N, or a vector. Of a and b each may be a batch of such; the dimensions of batches are
            broadcast. The memory of b is that of the result where XLA needs it no more.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or a capital letter.
        alpha, chip, derivatives, vmap and errors: as of gemm.
    """
    return _triangular("trmm", a, b, alpha, chip, side=side, triangle=triangle, diagonal=diagonal,
                       op=op)


def trsm(a: jax.Array, b: jax.Array, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: Scalar = 1, *,
         chip: str = "") -> jax.Array:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments are those of trmm. A zero on the diagonal gives infinities, as in BLAS.
    """
    return _triangular("trsm", a, b, alpha, chip, side=side, triangle=triangle, diagonal=diagonal,
                       op=op)


def solve_triangular(a: jax.Array, b: jax.Array, trans: Union[int, str] = 0, lower: bool = False,
                     unit_diagonal: bool = False, *, chip: str = "") -> jax.Array:
    """The x of op(a) x = b, with the arguments of jax.scipy.linalg.solve_triangular: trsm with op
    "n", "t" or "c" for a trans of 0 or "N", 1 or "T", 2 or "C"."""
    return trsm(a, b, "left", "lower" if lower else "upper", "unit" if unit_diagonal else "nonunit",
                op_of_trans(trans), chip=chip)


# --------------------------------------------------------------------------------------------------
# One triangle
# --------------------------------------------------------------------------------------------------

def _scalars(a, alpha, beta, c):
    """Numbers known now, and those that the program computes, or None."""
    alpha, alpha_later = split_scalar(alpha, "alpha", a.dtype)
    beta, beta_later = split_scalar(beta, "beta", a.dtype)
    if c is None and (beta_later is not None or beta != 0):
        raise ValueError(f"beta is {'an array' if beta_later is not None else beta} and there is "
                         "no c")
    return alpha, alpha_later, beta, beta_later


def _checked(request, a, b, c, chip):
    """The shape of the result, where c fits it."""
    views = view_of("a", a), None if b is None else view_of("b", b)
    shape = core().shape(request, *views, None)
    core().check(request, *views, view("out", shape, a.dtype), None)
    core().check_chip(chip)
    if c is None:
        return shape, None
    if c.dtype != a.dtype:
        raise TypeError(f"c is {c.dtype} and a is {a.dtype}")
    return shape, _addend(c, shape, [])


def _symmetric_product(routine, a, b, alpha, beta, c, chip, **choices):
    a, b = as_operand(a, "a"), as_operand(b, "b")
    c = None if c is None else as_operand(c, "c")
    alpha, alpha_later, beta, beta_later = _scalars(a, alpha, beta, c)
    _, c = _checked(_request(routine, alpha, beta, **choices), a, b, c, chip)
    bind = functools.partial(_symmetric.symmetric, a, b, routine=routine, alpha=alpha, chip=chip,
                             **choices)
    if alpha_later is None and beta_later is None:
        return bind(c, beta=beta)
    total = bind() if alpha_later is None else alpha_later * bind()
    if beta_later is not None:
        return total + beta_later * c
    return total if c is None or beta == 0 else total + times(beta, c)


def _update(routine, a, b, alpha, beta, c, chip, **choices):
    inputs = [as_operand(each, name) for each, name in ((a, "a"), (b, "b")) if each is not None]
    c = None if c is None else as_operand(c, "c")
    alpha, alpha_later, beta, beta_later = _scalars(inputs[0], alpha, beta, c)
    choices["op"] = letter_of(choices["op"], "op")
    _, c = _checked(_request(routine, alpha, beta, **choices), inputs[0], (*inputs, None)[1], c,
                    chip)
    bind = functools.partial(_symmetric.update, routine=routine, alpha=alpha, chip=chip, **choices)
    if alpha_later is None and beta_later is None:
        return bind(*inputs, c=c, beta=beta)
    if alpha_later is None:
        total = bind(*inputs)
    elif routine == "her2k":  # not linear in alpha, but in what multiplies op(a)
        factor = alpha_later if choices["op"] == "n" else alpha_later.conj()
        total = bind(factor * inputs[0], inputs[1])
    else:
        total = alpha_later * bind(*inputs)
    if c is None or (beta_later is None and beta == 0):
        return total
    factor = beta if beta_later is None else beta_later
    return total + _symmetric.scaled(routine, c, factor, choices["triangle"])


def symm(a: jax.Array, b: jax.Array, side: str = "left", triangle: str = "lower", *,
         alpha: Scalar = 1, beta: Scalar = 0, c: Optional[jax.Array] = None,
         chip: str = "") -> jax.Array:
    """alpha a b + beta c, or alpha b a + beta c with side="right", of a symmetric matrix a.

    Arguments are those of rooftile.symm, alpha and beta as of gemm. Derivatives of a are those of
    the triangle that is read.
    """
    return _symmetric_product("symm", a, b, alpha, beta, c, chip, side=side, triangle=triangle)


def hemm(a: jax.Array, b: jax.Array, side: str = "left", triangle: str = "lower", *,
         alpha: Scalar = 1, beta: Scalar = 0, c: Optional[jax.Array] = None,
         chip: str = "") -> jax.Array:
    """As symm, of a Hermitian matrix a."""
    return _symmetric_product("hemm", a, b, alpha, beta, c, chip, side=side, triangle=triangle)


def syrk(a: jax.Array, triangle: str = "lower", op: str = "n", *, alpha: Scalar = 1,
         beta: Scalar = 0, c: Optional[jax.Array] = None, chip: str = "") -> jax.Array:
    """One triangle of alpha op(a) op(a)^T + beta c; zeros beside it, or what c has there.

    Arguments are those of rooftile.syrk, alpha and beta as of gemm.
    """
    return _update("syrk", a, None, alpha, beta, c, chip, triangle=triangle, op=op)


def herk(a: jax.Array, triangle: str = "lower", op: str = "n", *, alpha: Scalar = 1,
         beta: Scalar = 0, c: Optional[jax.Array] = None, chip: str = "") -> jax.Array:
    """One triangle of alpha op(a) op(a)^H + beta c, with a real diagonal: as syrk."""
    return _update("herk", a, None, alpha, beta, c, chip, triangle=triangle, op=op)


def syr2k(a: jax.Array, b: jax.Array, triangle: str = "lower", op: str = "n", *, alpha: Scalar = 1,
          beta: Scalar = 0, c: Optional[jax.Array] = None, chip: str = "") -> jax.Array:
    """One triangle of alpha (op(a) op(b)^T + op(b) op(a)^T) + beta c: as syrk."""
    return _update("syr2k", a, b, alpha, beta, c, chip, triangle=triangle, op=op)


def her2k(a: jax.Array, b: jax.Array, triangle: str = "lower", op: str = "n", *, alpha: Scalar = 1,
          beta: Scalar = 0, c: Optional[jax.Array] = None, chip: str = "") -> jax.Array:
    """One triangle of alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c: as herk."""
    return _update("her2k", a, b, alpha, beta, c, chip, triangle=triangle, op=op)


def trtri(a: jax.Array, lower: bool = True, unit: bool = False, *, chip: str = "") -> jax.Array:
    """The inverse of a triangular matrix: as rooftile.trtri."""
    a = as_operand(a, "a")
    choices = {"triangle": "lower" if lower else "upper", "diagonal": "unit" if unit else "nonunit"}
    request = _request("trtri", **choices)
    core().check(request, None, None, view_of("a", a), None)
    core().check_chip(chip)
    return _symmetric.trtri(a, chip=chip, **choices)
