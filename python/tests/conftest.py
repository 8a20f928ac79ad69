"""Test data: small integers, so that results are exact in every order of summation."""

import ctypes

import numpy as np
import pytest

DTYPES = ["float16", "float32", "float64", "complex64", "complex128"]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def integers(rng):
    """Makes an array of small integers."""
    def make(shape, dtype="float32"):
        values = rng.integers(-4, 5, shape).astype(dtype)
        if np.dtype(dtype).kind == "c":
            values = values + (1j * rng.integers(-4, 5, shape)).astype(dtype)
        return values
    return make


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def apply(op, matrix):
    """op(matrix), of a batch too."""
    turned = matrix.swapaxes(-1, -2) if op in "tc" else matrix
    return turned.conj() if op in "cj" else turned
