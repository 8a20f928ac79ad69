"""Products of PyTorch's tensors as operators: with gradients, in torch.compile, under torch.func.

    import rooftile.torch
    c = rooftile.torch.gemm(a, b, alpha=2)       # or torch.ops.rooftile.gemm(a, b, alpha=2)
    c.sum().backward()

Importing this registers torch.ops.rooftile.gemm, linear, matmul, trmm, trsm, and gemm_out, trmm_out
and trsm_out, which write to their tensor `out`. The functions of this module have the arguments of
those of `rooftile`, and call the operators. `rooftile.torch.sharding` adds rules for DTensor.
docs/PyTorch.md of the project has more.
"""

from typing import Optional

from torch import Tensor

from . import _gradients, _operators, _vmap  # noqa: F401
from ._operators import check_number, check_rank

__all__ = ["gemm", "linear", "matmul", "trmm", "trsm"]


def _apply(op, matrix, name, op_name):
    """op(matrix), as a view."""
    check_rank(matrix, name)
    if op == "n":
        return matrix
    if op == "t":
        return matrix.mT
    if op == "c":
        return matrix.mH
    if op == "j":
        return matrix.conj()
    raise ValueError(f"{op_name} is '{op}'; expected 'n', 't' (transposed), 'c' (adjoint) or 'j' "
                     "(conjugated)")


def gemm(a: Tensor, b: Tensor, *, alpha: complex = 1, beta: complex = 0,
         c: Optional[Tensor] = None, out: Optional[Tensor] = None, op_a: str = "n",
         op_b: str = "n") -> Tensor:
    """alpha op(a) op(b) + beta c.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; or batches of them, of three
            dimensions, of which one may be a matrix (or a batch of one) for all of the other.
            float16, bfloat16, float32, float64, complex64 or complex128, both the same.
        alpha, beta: numbers, not tensors; complex ones for complex matrices only.
        c: M x N, or the batch. With beta = 0 it is not read.
        out: is written and returned; it must not overlap with a or b, and nothing may require a
            gradient. Without it the result is a new tensor, in row-major order.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).

    Gradients: of a, b and c, also of higher order.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices, overlaps and gradients with `out`, RuntimeError where compiling or running fails.
    """
    a, b = _apply(op_a, a, "a", "op_a"), _apply(op_b, b, "b", "op_b")
    check_number(alpha, "alpha")
    check_number(beta, "beta")
    if out is None:
        return _operators.gemm(a, b, c, alpha=alpha, beta=beta)
    _operators.gemm_out(a, b, c, out, alpha=alpha, beta=beta)
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
    if op in ("t", "c"):
        is_upper = not is_upper
    if is_right:
        check_rank(b, "b")
        a, b, is_upper = a.mT, b.mT, not is_upper
    arguments = {"upper": is_upper, "unit": is_unit, "alpha": alpha}
    if out is None:
        result = getattr(_operators, routine)(a, b, **arguments)
        return result.mT if is_right else result
    check_rank(out, "out")
    target = out.mT if is_right else out
    getattr(_operators, f"{routine}_out")(a, b, target, **arguments)
    return out


def trmm(a: Tensor, b: Tensor, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[Tensor] = None) -> Tensor:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, of any type, in trsm float32, float64, complex64 or complex128; the other
            triangle is not read, nor is the diagonal with diagonal="unit".
        b: M x N, or a batch of such matrices; a is one for all of them, or a batch as well.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).
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
