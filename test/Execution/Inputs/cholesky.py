"""Compares the factors of examples/cholesky.mlir, compiled into a library, with LAPACK's.

cholesky.py LIBRARY: a line per order. Exits 1 where an element differs by more than the bound, or where memory
that is not the lower triangle has changed.

Each computed factor is the exact one of a matrix A + D, |D| <= (n + 1) u |L| |L^T|, element by element (Higham,
Accuracy and Stability of Numerical Algorithms, theorem 10.3); ours may have twice that, as sums of a kernel are
added to C in a second rounding. To first order L changes by L Phi(L^-1 D L^-T), where Phi is the lower triangle
with half of its diagonal. So two factors differ by at most

    |L| Phi(|L^-1| E |L^-T|),    E = 3 (n + 1) u |L| |L^T|
"""

import ctypes
import sys

import numpy

BLOCK = 64  # of the example


class Matrix(ctypes.Structure):
    """memref<?x?xf64, strided<[?, 1], offset: ?>>"""
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * 2),
                ("strides", ctypes.c_int64 * 2)]


def positive_definite(order):
    """Eigenvalues between 1 and 1000."""
    generator = numpy.random.default_rng(order)
    basis = numpy.linalg.qr(generator.standard_normal((order, order)))[0]
    matrix = (basis * numpy.logspace(0, 3, order)) @ basis.T
    return (matrix + matrix.T) / 2


def bound_of(lower):
    order, unit = len(lower), 2.0**-53
    inverse, size = abs(numpy.linalg.inv(lower)), abs(lower)
    change = inverse @ (3 * (order + 1) * unit * size @ size.T) @ inverse.T
    change = numpy.tril(change, -1) + numpy.diag(numpy.diag(change) / 2)
    return size @ change


def factorize(cholesky, matrix, gap):
    """The factor, and whether nothing but the lower triangle was written: all else is NaN."""
    order = len(matrix)
    memory = numpy.full(3 + order * (order + gap), numpy.nan)
    rows = memory[3:].reshape(order, order + gap)
    triangle = numpy.tril_indices(order)
    rows[triangle] = matrix[triangle]
    base = memory.ctypes.data
    cholesky(ctypes.byref(Matrix(base, base, 3, (order, order), (order + gap, 1))))
    lower = numpy.zeros((order, order))
    lower[triangle] = rows[triangle]
    rows[triangle] = numpy.nan
    return lower, numpy.isnan(memory).all()


def main():
    cholesky = ctypes.CDLL(sys.argv[1])._mlir_ciface_cholesky
    failed = False
    for order, gap in ((1, 0), (5, 2), (BLOCK - 1, 0), (BLOCK, 0), (BLOCK + 1, 3), (2 * BLOCK, 0),
                       (5 * BLOCK, 1), (300, 0), (333, 7)):
        matrix = positive_definite(order)
        lower, untouched = factorize(cholesky, matrix, gap)
        reference = numpy.linalg.cholesky(matrix)
        inside = numpy.tril(numpy.ones((order, order), bool))
        ratio = (abs(lower - reference)[inside] / bound_of(reference)[inside]).max()
        passed = ratio <= 1 and untouched  # false for NaN
        failed |= not passed
        print(f"{'PASS' if passed else 'FAIL'} order {order}: {ratio:.3g} of the bound" +
              ("" if untouched else ", and wrote beside the lower triangle"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
