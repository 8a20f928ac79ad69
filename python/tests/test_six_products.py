"""Six products of bf16 for one of f32, on the CPU: errors, infinities, NaN, small numbers."""

import numpy as np
import pytest
import rooftile

M, N, K = 40, 24, 600
PATH = "<via = shared, vector = 8, pack = 1>"
MODULE = rooftile.compile(f"""
func.func @six(%a: memref<{M}x{K}xf32>, %b: memref<{K}x{N}xf32>, %c: memref<{M}x{N}xf32>) {{
  blas.gemm math<emulated> ins(%a, %b : memref<{M}x{K}xf32>, memref<{K}x{N}xf32>)
                           outs(%c : memref<{M}x{N}xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], vector = 2, mma = m16n8k16_bf16,
          products = 6, promote = 96, a = {PATH}, b = {PATH}>)
  return
}}
""")


def product(a, b):
    c = np.empty((M, N), "float32")
    MODULE(a, b, c)
    return c


@pytest.mark.parametrize("graded, units", [(False, 3), (True, 13)])
def test_errors(rng, graded, units):
    """In units of 2^-24 |A| |B|: of numpy's f32 product they are 1.3, and 4.1 of graded data."""
    a, b = (rng.uniform(-1, 1, shape).astype("float32") for shape in ((M, K), (K, N)))
    if graded:
        a *= np.exp2(rng.integers(-40, 40, a.shape)).astype("float32")
        b *= np.exp2(rng.integers(-40, 40, b.shape)).astype("float32")
    wide = a.astype("float64"), b.astype("float64")
    error = np.abs(product(a, b) - wide[0] @ wide[1])
    assert (error <= units * 2.0**-24 * (np.abs(wide[0]) @ np.abs(wide[1]))).all()


def tf32_product(a, b, mma, vector, path):
    m, k, n = *a.shape, b.shape[1]
    module = rooftile.compile(f"""
func.func @tf32(%a: memref<{m}x{k}xf32>, %b: memref<{n}x{k}xf32>, %c: memref<{m}x{n}xf32>) {{
  blas.gemm opB<t> math<tf32> ins(%a, %b : memref<{m}x{k}xf32>, memref<{n}x{k}xf32>)
                              outs(%c : memref<{m}x{n}xf32>)
    plan(<macro = [64, 32, 32], {mma}, vector = {vector}, a = <{path}>, b = <{path}>>)
  return
}}
""", chip="h200")
    c = np.empty((m, n), "float32")
    module(a, np.ascontiguousarray(b.T), c)
    return c


@pytest.mark.parametrize("least", [-1, 0])
@pytest.mark.parametrize("plan", [
    ("micro = [2, 8], lanes = [32, 4], mma = wgmma_m64k8_tf32", 2,
     "via = shared, copy = tensor, vector = 4, swizzle = 4, major = k"),
    ("micro = [4, 4], lanes = [8, 4], mma = m16n8k8_tf32", 1, "via = shared, major = k")])
def test_tf32(rng, plan, least):
    """Rounded to 11 bits: errors are larger than those of f32. Of positive numbers they are small
    where factors are rounded to the nearest; cut off these lose 2^-10.5 of the product."""
    a, b = (rng.uniform(least, 1, shape).astype("float32") for shape in ((96, 512), (512, 40)))
    wide = a.astype("float64"), b.astype("float64")
    units = np.abs(tf32_product(a, b, *plan) - wide[0] @ wide[1])
    units /= np.abs(wide[0]) @ np.abs(wide[1])
    assert 2.0**-17 < units.max() < 2.0**-12


def test_special_values(rng):
    """As in f32: infinity times 0 is NaN, and infinity times anything else is infinity."""
    a, b = (rng.uniform(0.5, 1, shape).astype("float32") for shape in ((M, K), (K, N)))
    b[:, 1::2] *= -1
    a[0, 1], a[1, K - 1], a[2, 0] = np.inf, -np.inf, np.nan
    a[3].view("uint32")[5] = 0x7F800001  # a NaN whose upper 16 bits are those of infinity
    a[4, 7], a[5, 513] = np.finfo("float32").max, np.finfo("float32").smallest_subnormal
    b[9, 4], b[K - 1, 5], b[1, 6] = np.inf, np.nan, 0
    a[6], a[6, 8] = 0, 2.0**-120  # small elements keep what bf16 can hold
    with np.errstate(invalid="ignore", over="ignore"):
        expected = a.astype("float64") @ b.astype("float64")
    assert np.isnan(expected[0, 6]) and np.isinf(expected[0, 0]) and np.isinf(expected[7, 4])
    np.testing.assert_allclose(product(a, b), expected, rtol=1e-5, atol=2.0**-133)
