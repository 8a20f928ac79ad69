"""Products of matrices: gemm, matmul, trmm, trsm, solve_triangular."""

from typing import Optional, TypeVar, Union

from ._frameworks import common_framework
from ._native import core

ArrayT = TypeVar("ArrayT")


def _check_copy(shape, target, name, matrix_rank=2):
    """A copy may repeat matrices for all of a batch, and nothing else. The last `matrix_rank`
    dimensions of `target` are those of a matrix."""
    shape, target = tuple(shape), tuple(target)
    batch = len(target) - matrix_rank
    repeated = zip(shape[::-1][matrix_rank:], target[::-1][matrix_rank:])
    if (len(shape) > len(target) or shape[len(shape) - matrix_rank:] != target[batch:]
            or not all(size in (1, whole) for size, whole in repeated)):
        raise ValueError(f"{name} has shape {shape}; expected {target}")


def letter_of(op, name):
    """"n", "t", "c" or "j" of a small or a capital one."""
    letter = op.lower() if isinstance(op, str) else op
    if letter not in ("n", "t", "c", "j"):
        raise ValueError(f"{name} is '{op}'; expected 'n', 't' (transposed), 'c' (adjoint) or 'j' "
                         "(conjugated)")
    return letter


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
         copy: bool = False, chip: str = "") -> ArrayT:
    """activation(alpha op(a) op(b) + beta c + bias), in one kernel.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; batches of them, whose first
            dimensions are broadcast as NumPy does; or vectors: a one row, b one column, of which
            the result has no dimension. f16, bf16, f32, f64, c64 or c128, both the same, in row or
            column order with any leading dimension.
        alpha, beta: numbers; complex ones for complex matrices only. With beta = 0, c is not read.
        c: M x N, or a batch that is broadcast to that of the result; not changed, unless it is
            `out` too.
        out: is written and returned, of the type of a (or f32 for a of f16 and bf16). It must not
            overlap with a or b. Without it, a new array is made, in row-major order.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or capital letters. A
            vector is not changed by a transpose.
        bias: a contiguous vector of the type of the result, that broadcasts to M x N: of shape
            (N,) or (1, N) it is added to each row, of shape (M, 1) to each column; one for a whole
            batch. It must not overlap with `out`.
        activation: "relu", "gelu" (by erf), "gelu_tanh", "sigmoid", "silu" or "tanh", of a real
            result; of f64 "relu" only.
        copy: whether operands that no kernel takes as they lie (stepped, negative or overlapping
            strides, another byte order) are copied, instead of refused; `out` never is.
        chip: what is planned for; empty: the GPU present.

    Returns an array of the framework of a and b. On a GPU the work is put on the framework's
    current stream, and not waited for.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices and overlaps, RuntimeError where compiling or running fails.
    """
    framework = common_framework(a=a, b=b, c=c, out=out, bias=bias)
    native, as_array = core(), _importer(framework, copy)
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    bias_view = None if bias is None else _import_bias(framework, bias, copy)
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    is_added, has_out = c is not None and beta != 0, out is not None
    if out is None:
        shape = native.gemm_shape(a_view, b_view, op_a, op_b)
        if c is not None:
            check_addend(as_array, c, beta, shape, a_view, b_view)
        out = framework.copy_of(c, a, shape, "c") if is_added else framework.empty(a, shape)
    else:
        framework.check_out(out)
    out_view = framework.import_array(out, "out")
    call = (a_view, b_view, out_view, alpha, beta, op_a, op_b, bias_view, words_of(activation),
            _stream(framework, out, out_view), framework.waits, chip)
    if is_added and c is not out and has_out:
        native.gemm(*call, True)  # says what is wrong before out changes
        _check_copy(c.shape, out.shape, "c", _matrix_rank(a_view, b_view))
        _copy(framework, c, as_array(c, "c"), "c", out, out_view)
    native.gemm(*call)
    return out


def _importer(framework, copy):
    """What makes arrays of `_core`; with `copy` of copies, where that is needed."""
    return framework.import_copied if copy else framework.import_array


def _import_bias(framework, bias, copy):
    if copy:
        return framework.import_copied(bias, "bias", core().check_vector)
    return framework.import_array(bias, "bias")


def _matrix_rank(a_view, b_view):
    """Dimensions of a matrix of the result: a vector takes one away."""
    return 2 - (len(a_view.shape) == 1) - (len(b_view.shape) == 1)


def _check_type(view, expected, name="c", expected_name="out"):
    if view.dtype != expected.dtype:
        raise TypeError(f"{name} is {view.dtype} and {expected_name} is {expected.dtype}")


def check_addend(as_array, c, beta, shape, a_view, b_view):
    """What is wrong with c, where a new result of `shape` begins as its copy."""
    _check_copy(c.shape, shape, "c", _matrix_rank(a_view, b_view))
    if beta != 0:
        _check_type(as_array(c, "c"), a_view, expected_name="a")


def _copy(framework, source, view, name, out, out_view):
    """An operand to out, where it is not there already."""
    _check_type(view, out_view, name)
    if not core().are_same(out_view, view):
        core().check_disjoint(out_view, view)
        framework.copy(out, source, name)


def matmul(a: ArrayT, b: ArrayT, out: Optional[ArrayT] = None, *, bias: Optional[ArrayT] = None,
           activation: Optional[str] = None, copy: bool = False) -> ArrayT:
    """activation(a b + bias): as gemm(a, b, out=out, bias=bias, activation=activation, copy=copy).
    """
    return gemm(a, b, out=out, bias=bias, activation=activation, copy=copy)


def _named(routine, exact):
    """The routine as setTriangular takes it."""
    return f"exact {routine}" if exact else routine


def _triangular(routine, a, b, side, triangle, diagonal, op, alpha, out, copy, chip):
    framework = common_framework(a=a, b=b, out=out)
    native, as_array = core(), _importer(framework, copy)
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    words = (side, triangle, diagonal, op, alpha)
    shape = native.triangular_shape(routine, a_view, b_view, *words)
    has_out = out is not None
    if has_out:
        framework.check_out(out)
        if tuple(out.shape) != shape:
            raise ValueError(f"out has shape {tuple(out.shape)}; expected {shape}")
    else:
        out = framework.copy_of(b, b, shape, "b")
    out_view = framework.import_array(out, "out")
    call = (routine, a_view, out_view, *words, len(b_view.shape) == 1,
            _stream(framework, out, out_view), framework.waits, chip)
    if has_out and out is not b:
        native.triangular(*call, True)  # says what is wrong before out changes
        _copy(framework, b, b_view, "b", out, out_view)
    native.triangular(*call, False)
    return out


def trmm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, exact: bool = False, copy: bool = False,
         chip: str = "") -> ArrayT:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, of any type, in trsm f32, f64, c64 or c128; the other triangle is not read, nor
            is the diagonal with diagonal="unit".
        b: M x N, or a vector. Of a and b each may be a batch of such; the dimensions of batches are
            broadcast as NumPy does.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or a capital letter.
        out: is written and returned; it may be b itself. Without it, a new array is made.
        exact: each element is made of those elements of b that it depends on, by substitution. Else
            kernels may multiply others by zeros, which spreads NaN and infinities of a row of b to
            rows that do not depend on it, and trsm may multiply by inverses of blocks of a, whose
            error grows with the condition of these.
        copy: as of gemm.

    Orders, frameworks, streams and errors are those of gemm.
    """
    return _triangular(_named("trmm", exact), a, b, side, triangle, diagonal, op, alpha, out, copy,
                       chip)


def trsm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, exact: bool = False, copy: bool = False,
         chip: str = "") -> ArrayT:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments are those of trmm. A zero on the diagonal gives infinities, as in BLAS.
    """
    return _triangular(_named("trsm", exact), a, b, side, triangle, diagonal, op, alpha, out, copy,
                       chip)


_TRANS = {0: "n", 1: "t", 2: "c", "N": "n", "T": "t", "C": "c"}


def op_of_trans(trans: Union[int, str]) -> str:
    """The op of what SciPy calls trans."""
    key = trans.upper() if isinstance(trans, str) else trans
    if key not in _TRANS:
        raise ValueError(f"trans is {trans!r}; expected 0 or 'N', 1 or 'T' (transposed), 2 or 'C' "
                         "(adjoint)")
    return _TRANS[key]


def solve_triangular(a: ArrayT, b: ArrayT, trans: Union[int, str] = 0, lower: bool = False,
                     unit_diagonal: bool = False, *, out: Optional[ArrayT] = None,
                     exact: bool = False, copy: bool = False, chip: str = "") -> ArrayT:
    """The x of op(a) x = b, with the arguments of scipy.linalg.solve_triangular.

    Args:
        a, b, out, exact, copy, chip: as of trsm.
        trans: 0 or "N" for a x = b, 1 or "T" for a^T x = b, 2 or "C" for a^H x = b.
        lower: whether the lower triangle of a is read, or the upper one.
        unit_diagonal: whether the diagonal stands for ones, and is not read.

    A zero on the diagonal gives infinities, where SciPy raises.
    """
    return trsm(a, b, "left", "lower" if lower else "upper", "unit" if unit_diagonal else "nonunit",
                op_of_trans(trans), out=out, exact=exact, copy=copy, chip=chip)
