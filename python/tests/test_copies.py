"""Arrays that no kernel accepts: copied with copy=True, else refused. And bfloat16, of
which NumPy has no buffer."""

import numpy as np
import pytest
import rooftile

# By name, an array with the elements of another one, with a layout that no kernel accepts.
AWKWARD = {
    "stepped": lambda x: np.repeat(np.repeat(x, 2, -1), 2, -2)[..., ::2, ::2],
    "negative rows": lambda x: x[..., ::-1, :].copy()[..., ::-1, :],
    "negative columns": lambda x: x[..., ::-1].copy()[..., ::-1],
    "negative batch": lambda x: x[::-1].copy()[::-1],
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "in a record": lambda x: record(x),
    "unaligned": lambda x: unaligned(x),
}


def unaligned(x):
    return np.frombuffer(b"\0" + x.tobytes(), "u1")[1:].view(x.dtype).reshape(x.shape)


def record(x):
    records = np.zeros(x.shape, [("x", x.dtype), ("y", "i1")])
    records["x"] = x
    return records["x"]


@pytest.mark.parametrize("lie", AWKWARD)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_operands(integers, lie, dtype):
    a, b, c = integers((3, 5, 7), dtype), integers((3, 7, 6), dtype), integers((3, 5, 6), dtype)
    other, expected = AWKWARD[lie](b), a @ b + 2 * c
    np.testing.assert_array_equal(other, b)
    with pytest.raises((TypeError, ValueError), match="^b: "):
        rooftile.gemm(a, other)
    before = other.copy()
    result = rooftile.gemm(AWKWARD[lie](a), other, beta=2, c=AWKWARD[lie](c), copy=True)
    assert result.dtype == dtype and result.dtype.isnative
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(other, before)
    out = np.empty((3, 5, 6), dtype)
    np.testing.assert_array_equal(rooftile.matmul(a, other, out, copy=True), a @ b)
    bias = AWKWARD[lie](integers((2, 3, 6), dtype))[0, 0]
    np.testing.assert_array_equal(rooftile.matmul(a, b, bias=bias, copy=True), a @ b + bias)


@pytest.mark.parametrize("lie", AWKWARD)
def test_triangles(integers, lie):
    a = np.tril(integers((2, 5, 5), "float64"), -1) / 4 + np.eye(5)
    b = integers((2, 5, 4), "float64")
    with pytest.raises((TypeError, ValueError), match="^a: "):
        rooftile.trsm(AWKWARD[lie](a), b)
    x = rooftile.trsm(AWKWARD[lie](a), AWKWARD[lie](b), copy=True)
    np.testing.assert_allclose(a @ x, b, atol=1e-12)
    np.testing.assert_array_equal(
        rooftile.solve_triangular(AWKWARD[lie](a), AWKWARD[lie](b), lower=True, copy=True), x)
    np.testing.assert_allclose(rooftile.trmm(AWKWARD[lie](a), x, copy=True), b, atol=1e-12)


def test_vectors(integers):
    a, x = integers((5, 7)), integers(7)
    with pytest.raises(ValueError, match="b: the stride of dimension 0 is -1 elements"):
        rooftile.matmul(a, x[::-1])
    np.testing.assert_array_equal(rooftile.matmul(a, x[::-1], copy=True), a @ x[::-1])
    np.testing.assert_array_equal(rooftile.matmul(a[0], x[::-1], copy=True), a[0] @ x[::-1])


def test_bias_that_is_aligned_to_real_parts(integers):
    """Kernels read its numbers at once, and it is not split as matrices are."""
    a, b, bias = (integers(shape, "complex128") for shape in ((5, 7), (7, 6), (6,)))
    memory = np.zeros(bias.nbytes + 32, "u1")
    start = -memory.ctypes.data % 16 + 8
    shifted = memory[start:start + bias.nbytes].view("complex128")
    shifted[...] = bias
    with pytest.raises(ValueError, match="bias: the address 0x.* is a multiple of 8 bytes only"):
        rooftile.matmul(a, b, bias=shifted)
    np.testing.assert_array_equal(rooftile.matmul(a, b, bias=shifted, copy=True), a @ b + bias)


def test_what_a_copy_does_not_help(integers):
    a, b = integers((5, 7)), integers((7, 6))
    with pytest.raises(TypeError, match="a is i64; expected f16"):
        rooftile.matmul(a.astype("int64"), b.astype("int64"), copy=True)
    with pytest.raises(ValueError, match="a has 0 dimensions"):
        rooftile.matmul(np.float32(3), b, copy=True)
    with pytest.raises(ValueError, match="K is 7 and 6"):
        rooftile.matmul(a[::-1], b[:6], copy=True)
    with pytest.raises(ValueError, match="out: the stride of dimension 1 is -1 elements"):
        rooftile.matmul(a, b, np.zeros((5, 6), "float32")[:, ::-1], copy=True)


def test_repeated_rows(integers):
    rows = np.broadcast_to(integers(7), (5, 7))
    b = integers((7, 6))
    np.testing.assert_array_equal(rooftile.matmul(rows, b, copy=True), rows @ b)


# --------------------------------------------------------------------------------------------------
# bfloat16 of ml_dtypes
# --------------------------------------------------------------------------------------------------

@pytest.fixture
def bfloat16():
    return np.dtype(pytest.importorskip("ml_dtypes").bfloat16)


def test_bfloat16(integers, bfloat16):
    a, b, c = integers((2, 5, 7)), integers((7, 6)), integers((2, 5, 6))
    narrow = [array.astype(bfloat16) for array in (a, b, c)]
    result = rooftile.gemm(*narrow[:2], alpha=2, beta=-1, c=narrow[2])
    assert result.dtype == bfloat16
    np.testing.assert_array_equal(result, (2 * (a @ b) - c).astype(bfloat16))
    out = np.empty((2, 5, 6), "float32")
    np.testing.assert_array_equal(rooftile.matmul(*narrow[:2], out), a @ b)
    out = np.empty((2, 5, 6), bfloat16)
    assert rooftile.matmul(*narrow[:2], out) is out
    np.testing.assert_array_equal(out, (a @ b).astype(bfloat16))
    stepped = np.repeat(np.repeat(narrow[1], 2, 0), 2, 1)[::2, ::2]
    np.testing.assert_array_equal(rooftile.matmul(narrow[0], stepped, copy=True), out)
    assert rooftile.plan(5, 6, 7, bfloat16).json["shape"].startswith("bf16 nn")


def test_bfloat16_is_no_other_type(integers, bfloat16):
    a = integers((4, 4)).astype(bfloat16)
    with pytest.raises(TypeError, match="a is bf16 and b is f16"):
        rooftile.matmul(a, a.astype("float16"))
    with pytest.raises(TypeError, match="a is bf16; trsm accepts f32"):
        rooftile.trsm(a, a)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        rooftile.matmul(a.copy(), a.copy(), out=a)
    with pytest.raises(TypeError, match="a: no array of a type that is known"):
        rooftile.matmul(np.zeros((4, 4), pytest.importorskip("ml_dtypes").float8_e4m3fn), a)
