"""Products and solves: gemm, matmul, trmm, trsm, solve_triangular."""

from typing import Optional, TypeVar, Union

from ._calls import call, words_of

ArrayT = TypeVar("ArrayT")


def letter_of(op, name):
    """"n", "t", "c" or "j" of a small or a capital one."""
    letter = op.lower() if isinstance(op, str) else op
    if letter not in ("n", "t", "c", "j"):
        raise ValueError(f"{name} is '{op}'; expected 'n', 't' (transposed), 'c' (adjoint) or 'j' "
                         "(conjugated)")
    return letter


def gemm(a: ArrayT, b: ArrayT, *, alpha: complex = 1, beta: complex = 0,
         c: Optional[ArrayT] = None, out: Optional[ArrayT] = None, op_a: str = "n",
         op_b: str = "n", bias: Optional[ArrayT] = None, activation: Optional[str] = None,
         math: str = "strict", copy: bool = False, chip: str = "") -> ArrayT:
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
        math: "emulated": products of another kind with an error bound of the same size are allowed
            where they are faster, six of bf16 numbers for one of f32 (of c64, too), three real ones
            for a complex one; "tf32": elements of f32 matrices are rounded to 11 significant bits
            where tensor cores multiply them, others are as with "strict"; or "strict".
        copy: whether operands that no kernel accepts (stepped, negative or overlapping
            strides, another byte order) are copied, instead of refused; `out` never is.
        chip: what is planned for; empty: the GPU present.

    Returns an array of the framework of a and b. On a GPU the work is put on the framework's
    current stream, and not waited for.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices and overlaps, RuntimeError where compiling or running fails.
    """
    return call("gemm", a, b, c, out, alpha=alpha, beta=beta, bias=bias, op_a=op_a, op_b=op_b,
                activation=words_of(activation), math=math, copy=copy, chip=chip)


def matmul(a: ArrayT, b: ArrayT, out: Optional[ArrayT] = None, *, bias: Optional[ArrayT] = None,
           activation: Optional[str] = None, copy: bool = False) -> ArrayT:
    """activation(a b + bias): as gemm(a, b, out=out, bias=bias, activation=activation, copy=copy).
    """
    return gemm(a, b, out=out, bias=bias, activation=activation, copy=copy)


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
    return call("trmm", a, b, out=out, side=side, triangle=triangle, diagonal=diagonal, op=op,
                alpha=alpha, dependence="exact" if exact else "any", copy=copy, chip=chip)


def trsm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, exact: bool = False, copy: bool = False,
         chip: str = "") -> ArrayT:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments are those of trmm. A zero on the diagonal gives infinities, as in BLAS.
    """
    return call("trsm", a, b, out=out, side=side, triangle=triangle, diagonal=diagonal, op=op,
                alpha=alpha, dependence="exact" if exact else "any", copy=copy, chip=chip)


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
