"""Products of PyTorch's tensors as operators: with gradients, in torch.compile, under torch.func.

    import rooftile.torch
    c = rooftile.torch.gemm(a, b, alpha=2)       # or torch.ops.rooftile.gemm(a, b, alpha=2)
    c.sum().backward()

Importing this registers torch.ops.rooftile.gemm, linear, matmul, trmm, trsm, symm, hemm, syrk,
herk, syr2k, her2k and trtri, and gemm_out and so on, which write to their tensor `out`. The
functions of this module have the arguments of those of `rooftile`, and call the operators.
`rooftile.torch.sharding` adds rules for DTensor.
docs/PyTorch.md of the project has more.
"""

from typing import Optional

from torch import Tensor

from .._products import letter_of
from . import _autocast, _gradients, _operators, _symmetric, _vmap  # noqa: F401
from ._operators import check_number, check_rank

__all__ = ["gemm", "hemm", "her2k", "herk", "linear", "matmul", "symm", "syr2k", "syrk", "trmm",
           "trsm", "trtri"]


def _apply(op, matrix, name, op_name):
    """op(matrix), as a view."""
    op = letter_of(op, op_name)
    check_rank(matrix, name)
    turned = matrix.mT if op in "tc" else matrix
    return turned.conj() if op in "cj" else turned


def _as_matrix(value, dimension):
    """A vector as a matrix with the size 1 in `dimension`, -2 or -1; what else there is stays."""
    return value.unsqueeze(dimension) if isinstance(value, Tensor) and value.dim() == 1 else value


def _op_of(value, op, name):
    """A vector has nothing to transpose."""
    if isinstance(value, Tensor) and value.dim() == 1:
        return {"t": "n", "c": "j"}.get(letter_of(op, name), op)
    return op


def gemm(a: Tensor, b: Tensor, *, alpha: complex = 1, beta: complex = 0,
         c: Optional[Tensor] = None, out: Optional[Tensor] = None, op_a: str = "n",
         op_b: str = "n") -> Tensor:
    """alpha op(a) op(b) + beta c.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; batches of them, whose first
            dimensions are broadcast as torch.matmul does; or vectors: a one row, b one column, of
            which the result has no dimension. float16, bfloat16, float32, float64, complex64 or
            complex128, both the same.
        alpha, beta: numbers, not tensors; complex ones for complex matrices only.
        c: M x N, or a batch that is broadcast to that of the result. With beta = 0 it is not read.
        out: is written and returned; it must not overlap with a or b, and nothing may require a
            gradient. Without it the result is a new tensor, in row-major order.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or capital letters.

    Gradients: of a, b and c, also of higher order. Under torch.autocast operands of float32,
    float16 and bfloat16 are cast to its type.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices, overlaps and gradients with `out`, RuntimeError where compiling or running fails.
    """
    check_number(alpha, "alpha")
    check_number(beta, "beta")
    missing = [-1] * (getattr(b, "ndim", 2) == 1) + [-2] * (getattr(a, "ndim", 2) == 1)
    op_a, op_b = _op_of(a, op_a, "op_a"), _op_of(b, op_b, "op_b")
    a = _apply(op_a, _as_matrix(a, -2), "a", "op_a")
    b = _apply(op_b, _as_matrix(b, -1), "b", "op_b")
    for dimension in missing:
        c = None if c is None else c.unsqueeze(dimension)
    if out is None:
        result = _operators.gemm(a, b, c, alpha=alpha, beta=beta)
        for dimension in reversed(missing):
            result = result.squeeze(dimension)
        return result
    target = out
    for dimension in missing:
        target = target.unsqueeze(dimension)
    _operators.gemm_out(a, b, c, target, alpha=alpha, beta=beta)
    return out


def matmul(a: Tensor, b: Tensor, out: Optional[Tensor] = None) -> Tensor:
    """a b: as gemm(a, b, out=out)."""
    return gemm(a, b, out=out)


def linear(input: Tensor, weight: Tensor, bias: Optional[Tensor] = None,
           activation: Optional[str] = None) -> Tensor:
    """activation(input weight^T + bias) in one kernel, as of torch.nn.functional.linear.

    Args:
        input: of shape (..., K).
        weight: N x K, of the type of input. bias: of shape (N,).
        activation: "relu", "gelu" (by erf), "gelu_tanh", "sigmoid", "silu" or "tanh", of real
            tensors; of float64 "relu" only.

    Gradients: of all three, also of higher order. The backward pass of "gelu", "gelu_tanh" and
    "silu" computes the product again instead of keeping it.

    Returns a tensor of shape (..., N). Errors are those of gemm.
    """
    if not isinstance(input, Tensor):
        raise TypeError(f"input is of type {type(input).__module__}.{type(input).__name__}; "
                        "expected a torch.Tensor")
    if input.dim() == 0:
        raise ValueError("input has 0 dimensions; expected one or more")
    rows = input.unsqueeze(0) if input.dim() == 1 else input.flatten(0, -2)
    result = _operators.linear(rows, weight, bias, activation=activation or "")
    return result.reshape(*input.shape[:-1], weight.shape[0])


def _choice(value, name, first, second):
    """True for the second of two words."""
    if value not in (first, second):
        raise ValueError(f"{name} is '{value}'; expected '{first}' or '{second}'")
    return value == second


def _triangular(routine, a, b, side, triangle, diagonal, op, alpha, out):
    """The triangle on the left: X op(A) = alpha B is op(A)^T X^T = alpha B^T."""
    is_right = _choice(side, "side", "left", "right")
    is_upper = _choice(triangle, "triangle", "lower", "upper")
    is_unit = _choice(diagonal, "diagonal", "nonunit", "unit")
    check_number(alpha, "alpha")
    a = _apply(op, a, "a", "op")
    if letter_of(op, "op") in "tc":
        is_upper = not is_upper
    has_vector = isinstance(b, Tensor) and b.dim() == 1
    b = _as_matrix(b, -1)  # on the right it is one row, which is turned
    if is_right:
        a, is_upper = a.mT, not is_upper
        b = b if has_vector else _apply("t", b, "b", "op")
    arguments = {"upper": is_upper, "unit": is_unit, "alpha": alpha}
    is_turned = is_right and not has_vector
    if out is None:
        result = getattr(_operators, routine)(a, b, **arguments)
        return result.squeeze(-1) if has_vector else result.mT if is_turned else result
    target = out.unsqueeze(-1) if has_vector else out
    check_rank(target, "out")
    getattr(_operators, f"{routine}_out")(a, b, target.mT if is_turned else target, **arguments)
    return out


def trmm(a: Tensor, b: Tensor, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[Tensor] = None) -> Tensor:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, of any type, in trsm float32, float64, complex64 or complex128; the other
            triangle is not read, nor is the diagonal with diagonal="unit".
        b: M x N, or a vector. Of a and b each may be a batch of such; the dimensions of batches are
            broadcast.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated), or a capital letter.
        out: is written and returned; it may be b itself. Without it the result is a new tensor, in
            the order of b.

    Gradients: of a, in the triangle that is read and zero elsewhere, and of b. Errors are those of
    gemm.
    """
    return _triangular("trmm", a, b, side, triangle, diagonal, op, alpha, out)


def trsm(a: Tensor, b: Tensor, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[Tensor] = None) -> Tensor:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments, gradients and errors are those of trmm. A zero on the diagonal gives infinities.
    """
    return _triangular("trsm", a, b, side, triangle, diagonal, op, alpha, out)


# --------------------------------------------------------------------------------------------------
# One triangle
# --------------------------------------------------------------------------------------------------

def _symmetric_product(name, a, b, side, triangle, alpha, beta, c, out):
    """A on the left: B A is (A^T B^T)^T, and A^T has the other triangle of a."""
    is_right = _choice(side, "side", "left", "right")
    is_upper = _choice(triangle, "triangle", "lower", "upper")
    tensors = [("a", a), ("b", b), *([] if c is None else [("c", c)]),
               *([] if out is None else [("out", out)])]
    turned = {each: _apply("t" if is_right else "n", tensor, each, "side")
              for each, tensor in tensors}
    result = _with_addend(name, [turned["a"], turned["b"]], is_upper != is_right, alpha, beta,
                          turned.get("c"), turned.get("out"))
    return out if out is not None else result.mT if is_right else result


def _with_addend(name, inputs, upper, alpha, beta, c, out):
    check_number(alpha, "alpha")
    check_number(beta, "beta")
    scalars = {"upper": upper, "alpha": alpha, "beta": beta}
    if out is None:
        return getattr(_symmetric, name)(*inputs, c, **scalars)
    getattr(_symmetric, f"{name}_out")(*inputs, c, out, **scalars)
    return out


def _update(name, inputs, triangle, op, alpha, beta, c, out):
    upper = _choice(triangle, "triangle", "lower", "upper")
    turned, kind = ("c", "adjoint") if _symmetric.is_hermitian(name) else ("t", "transposed")
    if letter_of(op, "op") not in ("n", turned):
        raise ValueError(f"op is '{op}'; expected 'n' or '{turned}' ({kind})")
    inputs = [_apply(op, each, letter, "op") for each, letter in zip(inputs, "ab")]
    return _with_addend(name, inputs, upper, alpha, beta, c, out)


def symm(a: Tensor, b: Tensor, side: str = "left", triangle: str = "lower", *, alpha: complex = 1,
         beta: complex = 0, c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """alpha a b + beta c, or alpha b a + beta c with side="right", of a symmetric matrix a.

    Arguments are those of rooftile.symm. Without `out` the result is in the order of b. Gradients:
    of a in the triangle that is read, zero elsewhere, of b and of c. Errors are those of gemm.
    """
    return _symmetric_product("symm", a, b, side, triangle, alpha, beta, c, out)


def hemm(a: Tensor, b: Tensor, side: str = "left", triangle: str = "lower", *, alpha: complex = 1,
         beta: complex = 0, c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """As symm, of a Hermitian matrix a, whose diagonal is real, as its gradient is."""
    return _symmetric_product("hemm", a, b, side, triangle, alpha, beta, c, out)


def syrk(a: Tensor, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
         beta: complex = 0, c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """One triangle of alpha op(a) op(a)^T + beta c; zeros beside it, or what c has there.

    Arguments are those of rooftile.syrk. Gradients: of a and c. Errors are those of gemm.
    """
    return _update("syrk", [a], triangle, op, alpha, beta, c, out)


def herk(a: Tensor, triangle: str = "lower", op: str = "n", *, alpha: float = 1, beta: float = 0,
         c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """One triangle of alpha op(a) op(a)^H + beta c, with a real diagonal: as syrk."""
    return _update("herk", [a], triangle, op, alpha, beta, c, out)


def syr2k(a: Tensor, b: Tensor, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
          beta: complex = 0, c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """One triangle of alpha (op(a) op(b)^T + op(b) op(a)^T) + beta c: as syrk."""
    return _update("syr2k", [a, b], triangle, op, alpha, beta, c, out)


def her2k(a: Tensor, b: Tensor, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
          beta: float = 0, c: Optional[Tensor] = None, out: Optional[Tensor] = None) -> Tensor:
    """One triangle of alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c: as herk."""
    return _update("her2k", [a, b], triangle, op, alpha, beta, c, out)


def trtri(a: Tensor, lower: bool = True, unit: bool = False, *,
          out: Optional[Tensor] = None) -> Tensor:
    """The inverse of a triangular matrix, of float32 or float64, or of a batch of them.

    Arguments are those of rooftile.trtri. Gradients: in the triangle that is read, zero elsewhere.
    """
    check_rank(a, "a")
    if out is None:
        return _symmetric.trtri(a, upper=not lower, unit=unit)
    _symmetric.trtri_out(a, out, upper=not lower, unit=unit)
    return out
