"""PyTorch's own products, with the arguments of those of rooftile.torch, to be compared with."""
import torch


def _apply(op, matrix):
    matrix = matrix.mT if op in "tc" else matrix
    return matrix.conj() if op in "cj" else matrix


def gemm(a, b, *, alpha=1, beta=0, c=None, out=None, op_a="n", op_b="n"):
    a, b = _apply(op_a, a), _apply(op_b, b)
    if alpha == 1 and beta == 0:
        return torch.mm(a, b, out=out)
    return torch.addmm(c, a, b, alpha=alpha, beta=beta, out=out)


def syrk(a, triangle="lower", op="n"):
    """PyTorch has none: the whole product."""
    return a @ a.mT if op == "n" else a.mT @ a


def herk(a, triangle="lower", op="n"):
    return a @ a.mH if op == "n" else a.mH @ a


def trsm(a, b, side="left", triangle="lower", diagonal="nonunit", op="n", out=None):
    """Tall and narrow right-hand sides are multiplied by the inverse: PyTorch's solve needs 25 s
    for 10^8 x 32, where that product needs 0.1 s."""
    if side == "right" and b.shape[0] > 64 * b.shape[1]:
        ones = torch.eye(a.shape[0], dtype=a.dtype, device=a.device)
        product = b @ trsm(a, ones, side, triangle, diagonal, op)
        return product if out is None else out.copy_(product)
    return torch.linalg.solve_triangular(
        _apply(op, a), b, upper=(triangle == "upper") != (op in "tc"), left=side == "left",
        unitriangular=diagonal == "unit", out=out)
