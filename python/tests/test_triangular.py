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
    stored = meant.copy()
    other = np.triu_indices(order, 1) if triangle == "lower" else np.tril_indices(order, -1)
    stored[other] = np.nan
    if diagonal == "unit":
        stored[np.diag_indices(order)] = np.nan
    return stored, meant


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("triangle", ["lower", "upper"])
@pytest.mark.parametrize("diagonal", ["nonunit", "unit"])
@pytest.mark.parametrize("op", "ntcj")
def test_all_forms(integers, dtype, side, triangle, diagonal, op):
    a, meant = triangle_of(integers, 5 if side == "left" else 4, dtype, triangle, diagonal)
    b = integers((5, 4), dtype)
    full = apply(op, meant)
    product = rooftile.trmm(a, b, side, triangle, diagonal, op, alpha=2)
    np.testing.assert_allclose(product, 2 * (full @ b if side == "left" else b @ full), rtol=1e-5)
    solution = rooftile.trsm(a, product, side, triangle, diagonal, op, alpha=0.5)
    np.testing.assert_allclose(solution, b, rtol=1e-4, atol=1e-4)


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
    with pytest.raises(ValueError, match="a is 4 x 4 and out is 5 x 4: .* a is to be 5 x 5"):
        rooftile.trmm(a, b)
    with pytest.raises(TypeError, match="a is c64; triangular operations take f32 and f64"):
        rooftile.trmm(a.astype("complex64"), b.astype("complex64"), "right")
    with pytest.raises(ValueError, match="side is 'up'; expected 'left' or 'right'"):
        rooftile.trsm(a, b, side="up")
    with pytest.raises(ValueError, match="triangle is 'both'; expected 'lower' or 'upper'"):
        rooftile.trsm(a, b, "right", "both")
    with pytest.raises(ValueError, match="diagonal is 'one'; expected 'nonunit' or 'unit'"):
        rooftile.trsm(a, b, "right", "lower", "one")
    with pytest.raises(ValueError, match="op is 'x'"):
        rooftile.trsm(a, b, "right", op="x")
    with pytest.raises(TypeError, match="a is f32 and out is f64"):
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
