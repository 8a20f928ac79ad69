"""gemm, matmul and Gemm on NumPy arrays, on the CPU device."""

import numpy as np
import pytest
import rooftile
from conftest import DTYPES, apply


@pytest.mark.parametrize("dtype", DTYPES)
def test_types(integers, dtype):
    a, b = integers((5, 7), dtype), integers((7, 6), dtype)
    result = rooftile.gemm(a, b)
    assert type(result) is np.ndarray and result.dtype == dtype
    np.testing.assert_array_equal(result, a @ b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op_a", "ntcj")
@pytest.mark.parametrize("op_b", "nc")
def test_ops(integers, dtype, op_a, op_b):
    a = apply(op_a, integers((5, 7), dtype)).copy()
    b = apply(op_b, integers((7, 6), dtype)).copy()
    result = rooftile.gemm(a, b, op_a=op_a, op_b=op_b)
    np.testing.assert_array_equal(result, apply(op_a, a) @ apply(op_b, b))


@pytest.mark.parametrize("dtype", ["float16", "float64", "complex64"])
@pytest.mark.parametrize("alpha", [0, 1, -2])
@pytest.mark.parametrize("beta", [0, 1, 3])
def test_scalars(integers, dtype, alpha, beta):
    a, b, c = integers((5, 7), dtype), integers((7, 6), dtype), integers((5, 6), dtype)
    before = c.copy()
    result = rooftile.gemm(a, b, alpha=alpha, beta=beta, c=c)
    np.testing.assert_array_equal(result, alpha * (a @ b) + beta * c)
    np.testing.assert_array_equal(c, before)


def test_complex_scalars(integers):
    a, b, c = (integers((4, 4), "complex128") for _ in range(3))
    result = rooftile.gemm(a, b, alpha=2 - 1j, beta=np.complex64(1j), c=c)
    np.testing.assert_array_equal(result, (2 - 1j) * (a @ b) + 1j * c)


@pytest.mark.parametrize("order_a", "CF")
@pytest.mark.parametrize("order_b", "CF")
@pytest.mark.parametrize("order_out", "CF")
def test_orders(integers, order_a, order_b, order_out):
    a, b = integers((5, 7)), integers((7, 6))
    out = np.full((5, 6), np.nan, "float32", order_out)
    result = rooftile.gemm(np.asarray(a, order=order_a), np.asarray(b, order=order_b), out=out)
    assert result is out
    np.testing.assert_array_equal(out, a @ b)


def test_leading_dimensions(integers):
    """Parts of larger arrays, and nothing beside the part of `out` is written."""
    a, b = integers((9, 20))[2:7, 3:10], integers((30, 8)).T[1:8, 5:11]
    whole = np.full((8, 11), 42, "float32")
    rooftile.gemm(a, b, out=whole[1:6, 4:10])
    np.testing.assert_array_equal(whole[1:6, 4:10], a @ b)
    whole[1:6, 4:10] = 42
    assert (whole == 42).all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_addresses_of_real_parts(integers, dtype):
    """NumPy aligns complex numbers to their real parts only."""
    size = np.dtype(dtype).itemsize

    def shifted(array):
        memory = np.zeros(array.nbytes + 32, "u1")
        start = -memory.ctypes.data % 16 + size // 2
        moved = memory[start:start + array.nbytes].view(dtype).reshape(array.shape)
        moved[...] = array
        return moved

    a, b, c = (integers(shape, dtype) for shape in ((5, 7), (7, 6), (5, 6)))
    out = shifted(c)
    rooftile.gemm(shifted(a), b, c=out, out=out, alpha=2j, beta=3)
    assert (out == 2j * (a @ b) + 3 * c).all()


def test_unaligned_addresses(integers):
    """Each address modulo 16 has its own kernel."""
    for offset in range(5):
        a = integers(offset + 35)[offset:].reshape(5, 7)
        b, out = integers((7, 6)), np.empty(offset + 30, "float32")[offset:].reshape(5, 6)
        np.testing.assert_array_equal(rooftile.gemm(a, b, out=out), a @ b)


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 7, 1), (5, 1, 6), (1, 3, 9), (9, 3, 1)])
def test_vectors(integers, shape):
    m, k, n = shape
    a, b = integers((m, 2 * k))[:, ::2], integers((2 * k, n))[::2]
    if k > 1 and m > 1:
        a = np.ascontiguousarray(a)
    np.testing.assert_array_equal(rooftile.gemm(a, b), a @ b)


@pytest.mark.parametrize("shape", [(0, 3, 4), (4, 3, 0), (4, 0, 3), (0, 0, 0)])
def test_empty(integers, shape):
    m, k, n = shape
    out = np.full((m, n), np.nan, "float32")
    assert rooftile.gemm(integers((m, k)), integers((k, n)), out=out) is out
    np.testing.assert_array_equal(out, np.zeros((m, n)))


def test_no_step_of_k_scales_c(integers):
    c = integers((4, 3))
    result = rooftile.gemm(integers((4, 0)), integers((0, 3)), beta=2, c=c)
    np.testing.assert_array_equal(result, 2 * c)


def test_special_values():
    """With beta = 0 the result does not depend on out, and with alpha = 0 not on a and b."""
    nan, ones = np.full((4, 4), np.nan, "float32"), np.ones((4, 4), "float32")
    np.testing.assert_array_equal(rooftile.gemm(ones, ones, out=nan.copy()), 4 * ones)
    np.testing.assert_array_equal(rooftile.gemm(nan, nan, alpha=0, beta=2, c=ones), 2 * ones)
    np.testing.assert_array_equal(rooftile.gemm(ones, ones, beta=0, c=nan), 4 * ones)
    assert np.isnan(rooftile.gemm(ones, ones, beta=1, c=nan)).all()
    ones[1, 2] = np.inf
    assert (rooftile.gemm(ones, np.eye(4, dtype="float32"))[1, 2]) == np.inf


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_emulated(integers, dtype):
    a, b, c = integers((5, 7), dtype), integers((7, 6), dtype), integers((5, 6), dtype)
    result = rooftile.gemm(a, b, alpha=2, beta=-1, c=c, math="emulated")
    np.testing.assert_array_equal(result, 2 * a @ b - c)
    with pytest.raises(ValueError, match="math is 'fast'; expected 'strict', 'emulated' or 'tf32'"):
        rooftile.gemm(a, b, math="fast")


def test_adding_in_place(integers):
    a, b, c = integers((5, 7)), integers((7, 6)), integers((5, 6))
    expected = a @ b + 2 * c
    assert rooftile.gemm(a, b, beta=2, c=c, out=c) is c
    np.testing.assert_array_equal(c, expected)
    out, addend = np.empty((5, 6), "float32"), integers((5, 6))
    rooftile.gemm(a, b, beta=1, c=addend, out=out)
    np.testing.assert_array_equal(out, a @ b + addend)


def test_wider_result(integers):
    a, b = integers((5, 700), "float16"), integers((700, 6), "float16")
    out = np.empty((5, 6), "float32")
    rooftile.gemm(a, b, out=out)
    np.testing.assert_array_equal(out, a.astype("float32") @ b.astype("float32"))


@pytest.mark.parametrize("shapes", [
    ((3, 5, 7), (3, 7, 6)), ((3, 5, 7), (7, 6)), ((5, 7), (3, 7, 6)), ((1, 5, 7), (3, 7, 6)),
    ((1, 5, 7), (7, 6)), ((0, 5, 7), (7, 6))])
def test_batches(integers, shapes):
    a, b = (integers(shape) for shape in shapes)
    np.testing.assert_array_equal(rooftile.matmul(a, b), a @ b)


def test_strided_batches(integers):
    """Batches that are the middle dimension in memory, and ones that repeat one matrix."""
    a = integers((5, 3, 7)).transpose(1, 0, 2)
    b = np.broadcast_to(integers((7, 6)), (3, 7, 6))
    out = np.empty((5, 3, 6), "float32").transpose(1, 0, 2)
    np.testing.assert_array_equal(rooftile.matmul(a, b, out=out), a @ b)
    c = integers((5, 6))
    np.testing.assert_array_equal(rooftile.gemm(a, b, beta=2, c=c), a @ b + 2 * c)


def test_batches_between_lines(integers):
    """The lines of each matrix lie between those of the others, three elements further."""
    whole = np.full(200, 42, "float32")
    out = np.lib.stride_tricks.as_strided(whole, (4, 5, 3), (4 * 23, 4 * 20, 4))
    a, b = integers((4, 5, 7)), integers((4, 7, 3))
    rooftile.matmul(a, b, out=out)
    np.testing.assert_array_equal(out, a @ b)
    assert (whole == 42).sum() >= 200 - 60


def test_read_only_inputs(integers):
    a, b = integers((5, 7)), integers((7, 6))
    a.flags.writeable = False
    np.testing.assert_array_equal(rooftile.gemm(a, b), a @ b)


def test_blocks_of_one_array(integers):
    """Columns beside each other are no overlap."""
    whole = integers((4, 12))
    expected = whole[:, :4] @ whole[:, 4:8]
    rooftile.gemm(whole[:, :4], whole[:, 4:8], out=whole[:, 8:])
    np.testing.assert_array_equal(whole[:, 8:], expected)


class Tensor:
    """An array of an unknown package."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_any_dlpack(integers):
    a, b, out = integers((5, 7)), integers((7, 6)).T.copy().T, np.empty((5, 6), "float32")
    rooftile.gemm(Tensor(a), Tensor(b), out=Tensor(out))
    np.testing.assert_array_equal(out, a @ b)
    with pytest.raises(TypeError, match="test_products.Tensor need out="):
        rooftile.gemm(Tensor(a), Tensor(b))


def test_stateful(integers):
    a, b, c = integers((5, 7)), integers((7, 6)), integers((5, 6))
    with rooftile.Gemm(a, b, c, alpha=2, beta=3, chip="h200") as product:
        assert product.plan() is product
        assert "f32 nn 5x6x7 on h200" in product.description
        np.testing.assert_array_equal(product.execute(), 2 * (a @ b) + 3 * c)
        other = integers((5, 7))
        assert product.reset_operands(a=other) is product
        out = np.empty((5, 6), "float32")
        assert product.execute(out=out) is out
        np.testing.assert_array_equal(out, 2 * (other @ b) + 3 * c)
        with pytest.raises(ValueError, match="K is 6 and 7"):
            product.reset_operands(a=integers((5, 6)))
        np.testing.assert_array_equal(product.execute(), 2 * (other @ b) + 3 * c)
    with pytest.raises(RuntimeError, match="this Gemm is closed"):
        product.execute()
