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
    return torch.linalg.solve_triangular(
        _apply(op, a), b, upper=(triangle == "upper") != (op in "tc"), left=side == "left",
        unitriangular=diagonal == "unit", out=out)
