"""Symmetric and Hermitian matrices, of which one triangle is stored, and the inverse of a triangle:
symm, hemm, syrk, herk, syr2k, her2k, trtri."""

from typing import Optional, TypeVar

from ._calls import call

ArrayT = TypeVar("ArrayT")


def symm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower", *,
         alpha: complex = 1, beta: complex = 0, c: Optional[ArrayT] = None,
         out: Optional[ArrayT] = None, copy: bool = False, chip: str = "") -> ArrayT:
    """alpha a b + beta c, or alpha b a + beta c with side="right", of a symmetric matrix a.

    Args:
        a: square, of f32, f64, c64 or c128, in hemm c64 or c128; one triangle is read, which stands
            for both.
        b: M x N, of the type of a. Of a and b each may be a batch; the dimensions of batches are
            broadcast as NumPy does.
        side: "left" or "right". triangle: "lower" or "upper", the one of a that is read.
        alpha, beta, c, out, copy, chip: as of gemm.

    Orders, frameworks, streams and errors are those of gemm.
    """
    return call("symm", a, b, c, out, side=side, triangle=triangle, alpha=alpha, beta=beta,
                copy=copy, chip=chip)


def hemm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower", *,
         alpha: complex = 1, beta: complex = 0, c: Optional[ArrayT] = None,
         out: Optional[ArrayT] = None, copy: bool = False, chip: str = "") -> ArrayT:
    """As symm, of a Hermitian matrix a: imaginary components of its diagonal are not read."""
    return call("hemm", a, b, c, out, side=side, triangle=triangle, alpha=alpha, beta=beta,
                copy=copy, chip=chip)


def syrk(a: ArrayT, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
         beta: complex = 0, c: Optional[ArrayT] = None, out: Optional[ArrayT] = None,
         copy: bool = False, chip: str = "") -> ArrayT:
    """One triangle of alpha op(a) op(a)^T + beta c.

    Args:
        a: of f32, f64, c64 or c128, in herk and her2k c64 or c128, with op(a) of N x K; or a batch.
        triangle: "lower" or "upper", the one that is computed, with the diagonal. The other one of
            `out` and `c` is neither read nor written; of a new array it is that of c, else zeros.
        op: "n" or "t" (transposed), in herk and her2k "n" or "c" (adjoint), or a capital letter.
        alpha, beta: numbers; of herk both, and beta of her2k, are real.
        c: N x N, or a batch that is broadcast to that of the result. With beta = 0 it is not read.
        out, copy, chip: as of gemm.

    Orders, frameworks, streams and errors are those of gemm.
    """
    return call("syrk", a, None, c, out, triangle=triangle, op=op, alpha=alpha, beta=beta,
                copy=copy, chip=chip)


def herk(a: ArrayT, triangle: str = "lower", op: str = "n", *, alpha: float = 1, beta: float = 0,
         c: Optional[ArrayT] = None, out: Optional[ArrayT] = None, copy: bool = False,
         chip: str = "") -> ArrayT:
    """One triangle of alpha op(a) op(a)^H + beta c, with a real diagonal: as syrk."""
    return call("herk", a, None, c, out, triangle=triangle, op=op, alpha=alpha, beta=beta,
                copy=copy, chip=chip)


def syr2k(a: ArrayT, b: ArrayT, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
          beta: complex = 0, c: Optional[ArrayT] = None, out: Optional[ArrayT] = None,
          copy: bool = False, chip: str = "") -> ArrayT:
    """One triangle of alpha (op(a) op(b)^T + op(b) op(a)^T) + beta c: as syrk, with a b of the
    shape of a, but for their batches, which are broadcast."""
    return call("syr2k", a, b, c, out, triangle=triangle, op=op, alpha=alpha, beta=beta, copy=copy,
                chip=chip)


def her2k(a: ArrayT, b: ArrayT, triangle: str = "lower", op: str = "n", *, alpha: complex = 1,
          beta: float = 0, c: Optional[ArrayT] = None, out: Optional[ArrayT] = None,
          copy: bool = False, chip: str = "") -> ArrayT:
    """One triangle of alpha op(a) op(b)^H + conj(alpha) op(b) op(a)^H + beta c, with a real
    diagonal: as syr2k."""
    return call("her2k", a, b, c, out, triangle=triangle, op=op, alpha=alpha, beta=beta, copy=copy,
                chip=chip)


def trtri(a: ArrayT, lower: bool = True, unit: bool = False, *, out: Optional[ArrayT] = None,
          copy: bool = False, chip: str = "") -> ArrayT:
    """The inverse of a triangular matrix, or of a batch of them.

    Args:
        a: square, of f32 or f64.
        lower: whether the lower triangle of a is read and inverted, or the upper one.
        unit: whether the diagonal stands for ones, and is neither read nor written.
        out: is written in that triangle, and returned; it may be a itself. Of a new array the other
            triangle is zeros, and the diagonal ones with `unit`.
        copy, chip: as of gemm.

    A zero on the diagonal gives infinities. Orders, frameworks, streams and errors are those of
    gemm.
    """
    return call("trtri", a, out=out, triangle="lower" if lower else "upper",
                diagonal="unit" if unit else "nonunit", copy=copy, chip=chip)
