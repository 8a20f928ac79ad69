"""Products of matrices: gemm, matmul, trmm, trsm."""

from typing import Optional, TypeVar

from ._frameworks import common_framework
from ._native import core

ArrayT = TypeVar("ArrayT")


def _check_copy(shape, target_shape, name):
    """A copy may repeat a matrix for all of a batch, and nothing else."""
    if tuple(shape) not in (tuple(target_shape), tuple(target_shape)[-2:]):
        raise ValueError(f"{name} has shape {tuple(shape)}; expected {tuple(target_shape)}")


def words_of(activation):
    """The text that `_core` takes for an activation."""
    if activation is not None and not isinstance(activation, str):
        raise TypeError(f"activation is of type {type(activation).__name__}; expected a name")
    return activation or ""


def _stream(framework, source, view):
    return framework.stream(source, view.device) if view.device >= 0 else 0


def gemm(a: ArrayT, b: ArrayT, *, alpha: complex = 1, beta: complex = 0,
         c: Optional[ArrayT] = None, out: Optional[ArrayT] = None, op_a: str = "n",
         op_b: str = "n", bias: Optional[ArrayT] = None, activation: Optional[str] = None,
         chip: str = "") -> ArrayT:
    """activation(alpha op(a) op(b) + beta c + bias), in one kernel.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; or batches of them, of three
            dimensions, of which one may be a matrix (or a batch of one) for all of the other.
            f16, bf16, f32, f64, c64 or c128, both the same, in row or column order with any
            leading dimension.
        alpha, beta: numbers; complex ones for complex matrices only. With beta = 0, c is not read.
        c: M x N, or the batch; not changed, unless it is `out` too.
        out: is written and returned, of the type of a (or f32 for a of f16 and bf16). It must not
            overlap with a or b. Without it, a new array is made, in row-major order.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).
        bias: a contiguous vector of the type of the result, that broadcasts to M x N: of shape
            (N,) or (1, N) it is added to each row, of shape (M, 1) to each column; one for a whole
            batch. It must not overlap with `out`.
        activation: "relu", "gelu" (by erf), "gelu_tanh", "sigmoid", "silu" or "tanh", of a real
            result; of f64 "relu" only.
        chip: what is planned for; empty: the GPU present.

    Returns an array of the framework of a and b. On a GPU the work is put on the framework's
    current stream, and not waited for.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices and overlaps, RuntimeError where compiling or running fails.
    """
    framework = common_framework(a=a, b=b, c=c, out=out, bias=bias)
    native, as_array = core(), framework.import_array
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    bias_view = None if bias is None else as_array(bias, "bias")
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    is_added, has_out = c is not None and beta != 0, out is not None
    if out is None:
        shape = native.gemm_shape(a_view, b_view, op_a, op_b)
        if c is not None:
            check_addend(framework, c, beta, shape, a_view)
        out = framework.copy_of(c, a, shape, "c") if is_added else framework.empty(a, shape)
    else:
        framework.check_out(out)
    out_view = as_array(out, "out")
    call = (a_view, b_view, out_view, alpha, beta, op_a, op_b, bias_view, words_of(activation),
            _stream(framework, out, out_view), framework.waits, chip)
    if is_added and c is not out and has_out:
        native.gemm(*call, True)  # says what is wrong before out changes
        _copy_addend(framework, c, out, out_view)
    native.gemm(*call)
    return out


def _check_type(view, expected, name="c", expected_name="out"):
    if view.dtype != expected.dtype:
        raise TypeError(f"{name} is {view.dtype} and {expected_name} is {expected.dtype}")


def check_addend(framework, c, beta, shape, a_view):
    """What is wrong with c, where a new result of `shape` begins as its copy."""
    _check_copy(c.shape, shape, "c")
    if beta != 0:
        _check_type(framework.import_array(c, "c"), a_view, expected_name="a")


def _copy_addend(framework, c, out, out_view):
    """c to out, where it is not there already."""
    _check_copy(c.shape, out.shape, "c")
    c_view = framework.import_array(c, "c")
    _check_type(c_view, out_view)
    if not core().are_same(out_view, c_view):
        core().check_disjoint(out_view, c_view)
        framework.copy(out, c, "c")


def matmul(a: ArrayT, b: ArrayT, out: Optional[ArrayT] = None, *, bias: Optional[ArrayT] = None,
           activation: Optional[str] = None) -> ArrayT:
    """activation(a b + bias): as gemm(a, b, out=out, bias=bias, activation=activation)."""
    return gemm(a, b, out=out, bias=bias, activation=activation)


def _copy_operand(framework, b, b_view, out, out_view):
    """b to out, where it is not there already."""
    if tuple(out_view.shape) != tuple(b_view.shape):
        raise ValueError(f"out has shape {out_view.shape}; expected {b_view.shape}")
    _check_type(b_view, out_view, "b")
    if not core().are_same(out_view, b_view):
        core().check_disjoint(out_view, b_view)
        framework.copy(out, b, "b")


def _named(routine, exact):
    """The routine as setTriangular takes it."""
    return f"exact {routine}" if exact else routine


def _triangular(routine, a, b, side, triangle, diagonal, op, alpha, out, chip):
    framework = common_framework(a=a, b=b, out=out)
    native, as_array = core(), framework.import_array
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    native.check_matrix(b_view)
    has_out = out is not None
    if has_out:
        framework.check_out(out)
    else:
        out = framework.copy_of(b, b, tuple(b.shape), "b")
    out_view = as_array(out, "out")
    call = (routine, a_view, out_view, side, triangle, diagonal, op, alpha,
            _stream(framework, out, out_view), framework.waits, chip)
    if has_out and out is not b:
        native.triangular(*call, True)  # says what is wrong before out changes
        _copy_operand(framework, b, b_view, out, out_view)
    native.triangular(*call, False)
    return out


def trmm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, exact: bool = False, chip: str = "") -> ArrayT:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, of any type, in trsm f32, f64, c64 or c128; the other triangle is not read, nor
            is the diagonal with diagonal="unit".
        b: M x N, or a batch of such matrices; a is one for all of them, or a batch as well.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).
        out: is written and returned; it may be b itself. Without it, a new array is made.
        exact: each element is made of those elements of b that it depends on, by substitution. Else
            kernels may multiply others by zeros, which spreads NaN and infinities of a row of b to
            rows that do not depend on it, and trsm may multiply by inverses of blocks of a, whose
            error grows with the condition of these.

    Orders, frameworks, streams and errors are those of gemm.
    """
    return _triangular(_named("trmm", exact), a, b, side, triangle, diagonal, op, alpha, out, chip)


def trsm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, exact: bool = False, chip: str = "") -> ArrayT:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments are those of trmm. A zero on the diagonal gives infinities, as in BLAS.
    """
    return _triangular(_named("trsm", exact), a, b, side, triangle, diagonal, op, alpha, out, chip)
