"""symm, hemm, syrk, herk, syr2k, her2k and trtri, beside NumPy."""

import ml_dtypes
import numpy as np
import pytest
import rooftile
from conftest import apply

REAL, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]
TYPES = {"symm": REAL + COMPLEX, "hemm": COMPLEX, "syrk": REAL + COMPLEX, "herk": COMPLEX,
         "syr2k": REAL + COMPLEX, "her2k": COMPLEX, "trtri": REAL}
UPDATES = ["syrk", "herk", "syr2k", "her2k"]
TRIANGLES = ["lower", "upper"]


def forms(*routines):
    return [(routine, dtype) for routine in routines for dtype in TYPES[routine]]


def is_inside(order, triangle):
    ones = np.ones((order, order), bool)
    return np.tril(ones) if triangle == "lower" else np.triu(ones)


def triangle_of(matrix, triangle):
    return np.tril(matrix) if triangle == "lower" else np.triu(matrix)


def stored(matrix, triangle):
    """NaN where nothing is read."""
    return np.where(is_inside(matrix.shape[-1], triangle), matrix, np.nan).astype(matrix.dtype)


def mirrored(routine, matrix, triangle):
    """The matrix that a triangle stands for; of a Hermitian matrix the diagonal is real."""
    half = triangle_of(matrix, triangle)
    if routine == "symm":
        return half + half.swapaxes(-1, -2) - half * np.eye(matrix.shape[-1], dtype=matrix.dtype)
    strict = half * (1 - np.eye(matrix.shape[-1], dtype=matrix.dtype))
    return strict + strict.conj().swapaxes(-1, -2) + (half - strict).real


def updated(routine, a, b, op, alpha, c=0, beta=0):
    """alpha op(a) op(a)^T + beta c as NumPy has it, both triangles."""
    a = apply(op, a)
    b = a if b is None else apply(op, b)
    turn = (lambda x: x.swapaxes(-1, -2).conj()) if routine[:2] == "he" \
        else lambda x: x.swapaxes(-1, -2)
    result = alpha * (a @ turn(b))
    if routine[-2:] == "2k":
        result = result + (np.conj(alpha) if routine[:2] == "he" else alpha) * (b @ turn(a))
    result = result + beta * c
    if routine[:2] == "he":
        order = result.shape[-1]
        result[..., range(order), range(order)] = result[..., range(order), range(order)].real
    return result


def inputs_of(routine, integers, shape, dtype):
    both = routine[-2:] == "2k"
    return integers(shape, dtype), integers(shape, dtype) if both else None


def call(routine, a, b, *words, **options):
    function = getattr(rooftile, routine)
    return function(a, *words, **options) if b is None else function(a, b, *words, **options)


def scalars(routine, dtype):
    """alpha and beta, complex where they may be."""
    is_complex = dtype in COMPLEX
    return (2 - 1j if is_complex and routine != "herk" else 2,
            3 + 1j if is_complex and routine[:2] != "he" or routine == "hemm" else 3)


@pytest.mark.parametrize("routine, dtype", forms("symm", "hemm"))
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("triangle", TRIANGLES)
def test_symmetric_factor(integers, routine, dtype, side, triangle):
    order = 5 if side == "left" else 7
    a, b, c = integers((order, order), dtype), integers((5, 7), dtype), integers((5, 7), dtype)
    whole, (alpha, beta) = mirrored(routine, a, triangle), scalars(routine, dtype)
    product = whole @ b if side == "left" else b @ whole
    function = getattr(rooftile, routine)
    result = function(stored(a, triangle), b, side, triangle)
    assert result.dtype == a.dtype and result.flags.c_contiguous
    np.testing.assert_array_equal(result, product)
    before, out = c.copy(), np.full((5, 7), np.nan, dtype, order="F")
    assert function(stored(a, triangle), b, side, triangle, alpha=alpha, beta=beta, c=c,
                    out=out) is out
    np.testing.assert_array_equal(out, alpha * product + beta * c)
    np.testing.assert_array_equal(c, before)
    function(stored(a, triangle), b, side, triangle, beta=beta, c=c, out=c)
    np.testing.assert_array_equal(c, product + beta * before)


@pytest.mark.parametrize("routine, dtype", forms(*UPDATES))
@pytest.mark.parametrize("triangle", TRIANGLES)
@pytest.mark.parametrize("turned", [False, True])
def test_updates(integers, routine, dtype, triangle, turned):
    op = ("c" if routine[:2] == "he" else "t") if turned else "n"
    a, b = inputs_of(routine, integers, (7, 5) if turned else (5, 7), dtype)
    (alpha, beta), inside = scalars(routine, dtype), is_inside(5, triangle)
    result = call(routine, a, b, triangle, op, alpha=alpha)
    assert result.dtype == a.dtype and result.flags.c_contiguous
    expected = updated(routine, a, b, op, alpha)
    np.testing.assert_array_equal(result, np.where(inside, expected, 0))
    c = integers((5, 5), dtype)
    expected = updated(routine, a, b, op, alpha, c, beta)
    result = call(routine, a, b, triangle, op.upper(), alpha=alpha, beta=beta, c=c)
    np.testing.assert_array_equal(result, np.where(inside, expected, c))
    out = np.full((5, 5), 42, dtype, order="F")  # its other triangle stays
    assert call(routine, a, b, triangle, op, alpha=alpha, beta=beta, c=c, out=out) is out
    np.testing.assert_array_equal(out, np.where(inside, expected, 42))
    out = np.full((5, 5), np.nan, dtype)
    call(routine, a, b, triangle, op, alpha=alpha, out=out)
    expected = updated(routine, a, b, op, alpha)
    np.testing.assert_array_equal(out, np.where(inside, expected, np.nan))


@pytest.mark.parametrize("dtype", TYPES["trtri"])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [False, True])
def test_inverse(integers, dtype, lower, unit):
    full = integers((6, 6), dtype) / 4 + 8 * np.eye(6, dtype=dtype)
    triangle = "lower" if lower else "upper"
    meant = triangle_of(full, triangle)
    if unit:
        meant[np.diag_indices(6)] = 1
    inside = is_inside(6, triangle) & ~(np.eye(6, dtype=bool) & unit)
    a = np.where(inside, meant, np.nan)
    inverse = np.linalg.inv(meant)
    result = rooftile.trtri(a, lower, unit)
    assert result.dtype == a.dtype and result.flags.c_contiguous
    assert (result[~is_inside(6, triangle)] == 0).all()
    np.testing.assert_allclose(result, inverse, rtol=1e-4, atol=1e-5)
    out = np.full((6, 6), 42, dtype, order="F")
    assert rooftile.trtri(a, lower, unit, out=out) is out
    np.testing.assert_allclose(out, np.where(inside, inverse, 42), rtol=1e-4, atol=1e-5)
    assert rooftile.trtri(a, lower, unit, out=a) is a
    np.testing.assert_allclose(a[inside], inverse[inside], rtol=1e-4, atol=1e-5)
    assert np.isnan(a[~inside]).all()


@pytest.mark.parametrize("triangle", TRIANGLES)
def test_views(integers, triangle):
    """Column-major operands and leading dimensions: nothing is copied."""
    whole = integers((8, 9), "complex64")
    a, b = whole[1:6, 1:6].T, whole.T[:5, :7]
    expected = mirrored("hemm", a, triangle) @ b
    np.testing.assert_array_equal(rooftile.hemm(a, b, triangle=triangle), expected)
    out = np.zeros((9, 8), "complex64").T[2:7, 1:6]
    rooftile.her2k(whole[:5, :3].T, whole[3:8, 2:5].T, triangle, "c", alpha=1j, out=out)
    expected = updated("her2k", whole[:5, :3].T, whole[3:8, 2:5].T, "c", 1j)
    np.testing.assert_array_equal(out, triangle_of(expected, triangle))


def test_batches(integers):
    a, b = integers((2, 1, 4, 4)), integers((3, 4, 5))
    result = rooftile.symm(a, b, c=integers((4, 5)) * 0 + 1, beta=2)
    np.testing.assert_array_equal(result, mirrored("symm", a, "lower") @ b + 2)
    a, c = integers((2, 3, 4, 5)), integers((3, 4, 4))
    expected = updated("syrk", a, None, "n", 1, c, 1)
    result = rooftile.syrk(a, beta=1, c=c)
    np.testing.assert_array_equal(result, np.where(is_inside(4, "lower"), expected, c))
    a, b = integers((3, 4, 5), "complex64"), integers((4, 5), "complex64")
    expected = updated("her2k", a, b, "n", 1j)
    np.testing.assert_array_equal(rooftile.her2k(a, b, "upper", alpha=1j), np.triu(expected))
    a = integers((3, 4, 4), "float64") / 4 + 8 * np.eye(4)
    np.testing.assert_allclose(rooftile.trtri(a), np.linalg.inv(np.tril(a)), atol=1e-12)


@pytest.mark.parametrize("alpha, k", [(0, 5), (1, 0), (0, 0)])
def test_no_terms(integers, alpha, k):
    """beta c: a and b, with their NaN, are not read."""
    a, c, inside = np.full((4, k), np.nan), integers((4, 4), "float64"), is_inside(4, "lower")
    for routine in ("syrk", "syr2k"):
        b = a.copy() if routine == "syr2k" else None
        result = call(routine, a, b, alpha=alpha, beta=2, c=c)
        np.testing.assert_array_equal(result, np.where(inside, 2 * c, c))
        assert (call(routine, a, b, alpha=alpha) == 0).all()
    for side, order in (("left", 3), ("right", 4)):
        square, c = np.full((order, order), np.nan, order="F"), integers((3, 4), "float64")
        result = rooftile.symm(square, np.full((3, 4), np.nan), side, alpha=0, beta=2, c=c)
        np.testing.assert_array_equal(result, 2 * c)


def test_empty():
    assert rooftile.syrk(np.ones((0, 3))).shape == (0, 0)
    assert rooftile.symm(np.ones((0, 0)), np.ones((0, 3))).shape == (0, 3)
    assert rooftile.trtri(np.ones((2, 0, 0))).shape == (2, 0, 0)


def test_copy(integers):
    a = integers((4, 10))[:, ::2]
    with pytest.raises(ValueError, match="a: strides of"):
        rooftile.syrk(a)
    np.testing.assert_array_equal(rooftile.syrk(a, copy=True), np.tril(a @ a.T))
    big = (integers((4, 4)) / 4 + 8 * np.eye(4)).astype(">f4")
    np.testing.assert_allclose(rooftile.trtri(big, copy=True), np.linalg.inv(np.tril(big)),
                               rtol=1e-4, atol=1e-5)


F4, C8 = np.ones((4, 4), "f4"), np.ones((4, 4), "c8")
RECT = np.ones((4, 5), "f4")
CASES = [
    (lambda: rooftile.symm(F4, np.ones((5, 4), "f4")), ValueError,
     "a is 4 x 4 and b is 5 x 4: on the left a is to be 5 x 5"),
    (lambda: rooftile.symm(F4, RECT, "right"), ValueError,
     "a is 4 x 4 and b is 4 x 5: on the right a is to be 5 x 5"),
    (lambda: rooftile.symm(F4, RECT, "up"), ValueError,
     "side is 'up'; expected 'left' or 'right'"),
    (lambda: rooftile.symm(F4, RECT, triangle="both"), ValueError,
     "triangle is 'both'; expected 'lower' or 'upper'"),
    (lambda: rooftile.syrk(F4, 1), TypeError, "triangle is no word"),
    (lambda: rooftile.hemm(F4, F4), TypeError, "a is f32; hemm accepts c64 and c128"),
    (lambda: rooftile.syrk(F4.astype("f2")), TypeError,
     "a is f16; syrk accepts f32, f64, c64 and c128"),
    (lambda: rooftile.syr2k(F4.astype(ml_dtypes.bfloat16), F4.astype(ml_dtypes.bfloat16)),
     TypeError, "a is bf16; syr2k accepts f32, f64, c64 and c128"),
    (lambda: rooftile.trtri(C8), TypeError, "a is c64; trtri accepts f32 and f64"),
    (lambda: rooftile.syrk(F4, op="c"), ValueError, r"op is 'c'; expected 'n' or 't' \(transposed"),
    (lambda: rooftile.herk(C8, op="t"), ValueError, r"op is 't'; expected 'n' or 'c' \(adjoint"),
    (lambda: rooftile.syr2k(F4, RECT), ValueError,
     "a is 4 x 4 and b is 4 x 5; expected equal rows and columns"),
    (lambda: rooftile.syr2k(F4, C8), TypeError, "a is f32 and b is c64"),
    (lambda: rooftile.syr2k(F4, None), TypeError, "b is missing"),
    (lambda: rooftile.trtri(RECT), ValueError, "a is 4 x 5; expected a square matrix"),
    (lambda: rooftile.trtri(F4[0]), ValueError, "a has 1 dimensions; expected a matrix"),
    (lambda: rooftile.syrk(F4[0]), ValueError, "a has 1 dimensions; expected a matrix"),
    (lambda: rooftile.syrk(F4, alpha=1j), TypeError, "alpha is complex and out is f32"),
    (lambda: rooftile.herk(C8, alpha=1j), TypeError, "alpha is complex; that of herk is real"),
    (lambda: rooftile.her2k(C8, C8, beta=1j, c=C8), TypeError,
     "beta is complex; that of her2k is real"),
    (lambda: rooftile.syrk(F4, beta=1), ValueError, "beta is 1 and there is no c; c=out adds"),
    (lambda: rooftile.syrk(F4, beta=1, c=RECT), ValueError,
     r"c has shape \(4, 5\); expected \(4, 4\)"),
    (lambda: rooftile.syrk(RECT, out=RECT.copy()), ValueError,
     r"out has shape \(4, 5\); expected \(4, 4\)"),
    (lambda: rooftile.trtri(F4, out=RECT.copy()), ValueError,
     r"out has shape \(4, 5\); expected \(4, 4\)"),
    (lambda: rooftile.syrk(F4, out=np.ones((4, 4))), TypeError, "a is f32 and out is f64"),
    (lambda: rooftile.syrk(F4, out=F4), ValueError, "out: its 64 bytes at 0x.* overlap a, 64"),
    (lambda: rooftile.symm(F4.copy(), F4, out=F4), ValueError, "out: its 64 bytes .* overlap b"),
]


@pytest.mark.parametrize("function, error, message", CASES)
def test_errors(function, error, message):
    with pytest.raises(error, match=message):
        function()


def test_out_stays_where_a_call_fails():
    out = np.full((4, 4), 42, "f4")
    with pytest.raises(TypeError, match="alpha is complex"):
        rooftile.syrk(F4, alpha=1j, beta=1, c=F4, out=out)
    with pytest.raises(ValueError):
        rooftile.trtri(np.ones((2, 4, 4), "f4"), out=out)
    assert (out == 42).all()
