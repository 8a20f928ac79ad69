"""trmm and trsm."""

import numpy as np
import pytest
import rooftile
from conftest import apply


def triangle_of(integers, order, dtype, triangle, diagonal):
    """The array, with NaN where nothing is read, and what it stands for. Its diagonal is 1."""
    full = integers((order, order), dtype) / 4
    full = (np.tril(full, -1) if triangle == "lower" else np.triu(full, 1)).astype(dtype)
    meant = full + np.eye(order, dtype=dtype)
    if "complex" in dtype and diagonal == "nonunit":
        meant[np.diag_indices(order)] = 2j  # shows what is conjugated
    stored = meant.copy()
    other = np.triu_indices(order, 1) if triangle == "lower" else np.tril_indices(order, -1)
    stored[other] = np.nan
    if diagonal == "unit":
        stored[np.diag_indices(order)] = np.nan
    return stored, meant


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("triangle", ["lower", "upper"])
@pytest.mark.parametrize("diagonal", ["nonunit", "unit"])
@pytest.mark.parametrize("op", "ntcj")
def test_all_forms(integers, dtype, side, triangle, diagonal, op):
    a, meant = triangle_of(integers, 5 if side == "left" else 4, dtype, triangle, diagonal)
    b = integers((5, 4), dtype)
    full, alpha = apply(op, meant), 2j if "complex" in dtype else 2
    product = rooftile.trmm(a, b, side, triangle, diagonal, op, alpha=alpha)
    expected = alpha * (full @ b if side == "left" else b @ full)
    np.testing.assert_allclose(product, expected, rtol=1e-5, atol=1e-5)
    solution = rooftile.trsm(a, product, side, triangle, diagonal, op, alpha=1 / alpha)
    np.testing.assert_allclose(solution, b, rtol=1e-4, atol=1e-4)


def test_capital_letters(integers):
    a, b = integers((7, 5), "complex64"), integers((6, 7), "complex64")
    np.testing.assert_array_equal(rooftile.gemm(a, b, op_a="T", op_b="C"), a.T @ b.conj().T)
    np.testing.assert_array_equal(rooftile.gemm(b, a, op_a="N", op_b="J"), b @ a.conj())
    t, _ = triangle_of(integers, 5, "complex64", "lower", "nonunit")
    for routine in (rooftile.trmm, rooftile.trsm):
        np.testing.assert_array_equal(routine(t, a.T, op="T"), routine(t, a.T, op="t"))


def test_narrow_products(integers):
    """Sums of f16 are f32, rounded once a block."""
    a, meant = triangle_of(integers, 20, "float16", "lower", "nonunit")
    b = integers((20, 4), "float16")
    product = rooftile.trmm(a, b, alpha=2)
    assert product.dtype == np.float16
    expected = 2 * (meant.astype("float64") @ b.astype("float64"))
    np.testing.assert_allclose(product, expected, rtol=2e-3, atol=2e-2)


def test_out_and_in_place(integers):
    a, meant = triangle_of(integers, 5, "float64", "lower", "nonunit")
    b = integers((5, 4), "float64")
    before, out = b.copy(), np.full((5, 4), np.nan, order="F")
    assert rooftile.trmm(a, b, out=out) is out
    np.testing.assert_allclose(out, meant @ before)
    np.testing.assert_array_equal(b, before)
    assert rooftile.trsm(a, b, out=b) is b
    np.testing.assert_allclose(meant @ b, before)


def test_batches(integers):
    a, meant = triangle_of(integers, 5, "float64", "lower", "nonunit")
    b = integers((3, 5, 4), "float64")
    np.testing.assert_allclose(rooftile.trmm(a, b), meant @ b)
    np.testing.assert_allclose(meant @ rooftile.trsm(np.stack([a, a, a]), b), b)


def test_errors(integers):
    a, b = integers((4, 4)), integers((5, 4))
    with pytest.raises(ValueError, match="a is 4 x 4 and b is 5 x 4: .* a is to be 5 x 5"):
        rooftile.trmm(a, b)
    with pytest.raises(TypeError, match="a is f16; trsm accepts f32, f64, c64 and c128"):
        rooftile.trsm(a.astype("float16"), b.astype("float16"), "right")
    with pytest.raises(TypeError, match="alpha is complex and out is f32"):
        rooftile.trmm(a, b, "right", alpha=1j)
    with pytest.raises(ValueError, match="side is 'up'; expected 'left' or 'right'"):
        rooftile.trsm(a, b, side="up")
    with pytest.raises(ValueError, match="triangle is 'both'; expected 'lower' or 'upper'"):
        rooftile.trsm(a, b, "right", "both")
    with pytest.raises(ValueError, match="diagonal is 'one'; expected 'nonunit' or 'unit'"):
        rooftile.trsm(a, b, "right", "lower", "one")
    with pytest.raises(ValueError, match="op is 'x'"):
        rooftile.trsm(a, b, "right", op="x")
    with pytest.raises(TypeError, match="a is f32 and b is f64"):
        rooftile.trmm(a, b.astype("float64"), "right")
    with pytest.raises(ValueError, match=r"out has shape \(4, 4\); expected \(5, 4\)"):
        rooftile.trmm(a, b, "right", out=np.empty((4, 4), "float32"))
    with pytest.raises(ValueError, match="out: its 64 bytes at 0x.* overlap a, 64 bytes"):
        rooftile.trmm(a, a.copy(), out=a)


def test_out_stays_where_a_call_fails(integers):
    a, b, out = integers((4, 4)), integers((5, 4)), np.full((5, 4), 42, "float32")
    with pytest.raises(ValueError):
        rooftile.trmm(a, b, "left", out=out)
    assert (out == 42).all()


@pytest.mark.parametrize("routine", ["trmm", "trsm"])
def test_exact_keeps_rows_apart(routine):
    """NaN of a row of b reaches the rows that depend on it, and no other."""
    order, row = 150, 70
    a = np.tril(np.full((order, order), 1 / order)) + np.eye(order)
    b = np.ones((order, 3))
    b[row, 1] = np.nan
    result = getattr(rooftile, routine)(a, b, exact=True)
    depends = np.zeros((order, 3), bool)
    depends[row:, 1] = True
    assert (np.isnan(result) == depends).all()
    plain = getattr(rooftile, routine)(a, np.ones((order, 3)), exact=True)
    np.testing.assert_allclose(result[~depends], plain[~depends])
