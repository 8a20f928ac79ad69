"""Vectors, and batches of any number of dimensions, as numpy.matmul and SciPy broadcast them."""

import itertools

import numpy as np
import pytest
import rooftile
from conftest import apply

# Sizes of batches: what is repeated, what is empty, and what is neither.
SIZES = (0, 1, 2, 3)


def draw_batches(rng):
    """Two batches that broadcast: a size in one of them may be 1, or missing at its front."""
    whole = [int(rng.choice(SIZES, p=(0.1, 0.2, 0.4, 0.3))) for _ in range(rng.integers(0, 5))]
    both = []
    for _ in range(2):
        own = [1 if rng.random() < 0.3 else size for size in whole]
        both.append(tuple(own[rng.integers(0, len(own) + 1):] if rng.random() < 0.4 else own))
    return both


def draw_product(rng, integers, dtype):
    """Operands that numpy.matmul accepts, each a vector at times."""
    (m, n), k = rng.integers(1, 4, 2), int(rng.choice((0, 1, 2, 5), p=(0.05, 0.15, 0.4, 0.4)))
    batch_a, batch_b = draw_batches(rng)
    a = integers((k,) if rng.random() < 0.15 else (*batch_a, int(m), k), dtype)
    b = integers((k,) if rng.random() < 0.15 else (*batch_b, k, int(n)), dtype)
    return a, b


def laid_out(rng, array):
    """Equal elements, with the dimensions of the batch in another order in memory."""
    if array.ndim < 3:
        return array
    order = [*rng.permutation(array.ndim - 2), array.ndim - 2, array.ndim - 1]
    if rng.random() < 0.3:
        order[-1], order[-2] = order[-2], order[-1]
    return array.transpose(order).copy().transpose(np.argsort(order))


@pytest.mark.parametrize("seed", range(60))
def test_products_like_numpy(seed):
    rng = np.random.default_rng(seed)
    dtype = ("float32", "float64", "complex64")[seed % 3]

    def integers(shape, dtype):
        return rng.integers(-4, 5, shape).astype(dtype)

    a, b = draw_product(rng, integers, dtype)
    a, b = laid_out(rng, a), laid_out(rng, b)
    expected = np.matmul(a, b)
    result = rooftile.matmul(a, b)
    assert result.dtype == expected.dtype and result.shape == expected.shape, (a.shape, b.shape)
    np.testing.assert_array_equal(result, expected, err_msg=f"{a.shape} {b.shape}")
    out = laid_out(rng, np.full(expected.shape, 42, dtype))
    assert rooftile.matmul(a, b, out=out) is out
    np.testing.assert_array_equal(out, expected, err_msg=f"{a.shape} {b.shape}")


def broken(rng, shape_a, shape_b):
    """Shapes, one size of which is changed, or which are of no dimensions."""
    shapes = [list(shape_a), list(shape_b)]
    which = int(rng.integers(2))
    if rng.random() < 0.1:
        shapes[which] = []
    elif shapes[which]:
        shapes[which][rng.integers(len(shapes[which]))] += int(rng.integers(1, 4))
    return shapes


@pytest.mark.parametrize("seed", range(20))
def test_what_numpy_refuses(seed):
    """Equal pairs of shapes are refused, with the operands and their sizes."""
    rng, refused = np.random.default_rng(1000 + seed), 0
    for _ in range(25):
        a, b = draw_product(rng, lambda shape, dtype: np.zeros(shape, dtype), "float32")
        a, b = (np.zeros(shape, "float32") for shape in broken(rng, a.shape, b.shape))
        try:
            np.matmul(a, b)
        except ValueError:
            refused += 1
            with pytest.raises(ValueError) as error:
                rooftile.matmul(a, b)
            text = str(error.value)
            assert "K is" in text or "batches of" in text or "0 dimensions" in text
            wrong = [each for each in (a, b) if each.ndim == 0]
            numbers = [str(size) for each in (a, b) for size in each.shape[-2:]]
            assert wrong or all(number in text for number in numbers), (a.shape, b.shape, text)
    assert refused > 5


def test_messages(integers):
    def refuses(text, *shapes, **options):
        with pytest.raises(ValueError, match=text):
            rooftile.gemm(*(integers(shape) for shape in shapes), **options)

    refuses(r"a has 0 dimensions; expected a vector \(1\), a matrix \(2\) or a batch", (), (3,))
    refuses("b has 0 dimensions", (3,), ())
    refuses(r"a is a vector of 7 and b is 5 x 6 \(op nn\): K is 7 and 5", (7,), (5, 6))
    refuses("a is 5 x 7 and b is a vector of 6 .*: K is 7 and 6", (5, 7), (6,))
    refuses("a is a vector of 3 and b is a vector of 4 .*: K is 3 and 4", (3,), (4,))
    refuses(r"a is \(2, 3\) of 5 x 7 and b is \(2, 4\) of 7 x 6: batches of \(2, 3\) and \(2, 4\) "
            "matrices; expected equal sizes, or 1", (2, 3, 5, 7), (2, 4, 7, 6))
    refuses(r"out has shape \(6,\); expected \(5,\)", (5, 7), (7,), out=np.zeros(6, "float32"))
    refuses(r"out has shape \(3, 5, 6\); expected \(2, 3, 5, 6\)", (2, 1, 5, 7), (3, 7, 6),
            out=np.zeros((3, 5, 6), "float32"))


@pytest.mark.parametrize("op_a, op_b", list(itertools.product("ntcj", repeat=2)))
def test_vectors_are_not_transposed(integers, op_a, op_b):
    x, y, matrix = (integers(shape, "complex128") for shape in ((7,), (7,), (7, 5)))

    def conjugated(op, vector):
        return vector.conj() if op in "cj" else vector

    stored = apply(op_b, matrix).copy()
    np.testing.assert_array_equal(rooftile.gemm(x, stored, op_a=op_a, op_b=op_b),
                                  conjugated(op_a, x) @ apply(op_b, stored))
    stored = apply(op_a, matrix.T).copy()
    np.testing.assert_array_equal(rooftile.gemm(stored, y, op_a=op_a, op_b=op_b),
                                  apply(op_a, stored) @ conjugated(op_b, y))
    np.testing.assert_array_equal(rooftile.gemm(x, y, op_a=op_a, op_b=op_b),
                                  conjugated(op_a, x) @ conjugated(op_b, y))


def test_vectors_with_strides(integers):
    a, columns, out = integers((5, 7)), integers((7, 3)), np.zeros((5, 2), "float32")
    rooftile.matmul(a, columns[:, 1], out=out[:, 1])
    np.testing.assert_array_equal(out[:, 1], a @ columns[:, 1])
    assert (out[:, 0] == 0).all()
    row = integers(10)[::2]
    np.testing.assert_array_equal(rooftile.matmul(row, a), row @ a)


@pytest.mark.parametrize("shapes", [
    ((2, 3, 5, 7), (2, 3, 7, 6), (2, 3, 5, 6)), ((2, 1, 5, 7), (3, 7, 6), (3, 5, 6)),
    ((2, 1, 5, 7), (3, 7, 6), (2, 1, 5, 6)), ((2, 3, 5, 7), (7,), (3, 5)), ((7,), (2, 7, 6), (6,)),
    ((7,), (7,), ())])
def test_addends_are_broadcast(integers, shapes):
    a, b, c = (integers(shape) for shape in shapes)
    expected = 2 * (a @ b) + 3 * c
    np.testing.assert_array_equal(rooftile.gemm(a, b, alpha=2, beta=3, c=c), expected)
    out = np.empty(expected.shape, "float32")
    rooftile.gemm(a, b, alpha=2, beta=3, c=c, out=out)
    np.testing.assert_array_equal(out, expected)
    with pytest.raises(ValueError, match="c has shape .*; expected"):
        rooftile.gemm(a, b, beta=1, c=integers((4, *c.shape)))


@pytest.mark.parametrize("shapes, bias", [
    (((2, 3, 5, 7), (7, 6)), (6,)), (((2, 3, 5, 7), (7, 6)), (5, 1)), (((7,), (7, 6)), (6,)),
    (((3, 5, 7), (7,)), (5,)), (((7,), (7,)), ())])
def test_bias(integers, shapes, bias):
    a, b, bias = integers(shapes[0]), integers(shapes[1]), integers(bias)
    expected = np.maximum(a @ b + bias, 0)
    np.testing.assert_array_equal(rooftile.matmul(a, b, bias=bias, activation="relu"), expected)


def test_bias_of_vectors_is_checked(integers):
    with pytest.raises(ValueError, match=r"bias has shape \(6,\); expected \(5,\), for each row$"):
        rooftile.matmul(integers((5, 7)), integers(7), bias=integers(6))


def test_out_between_lines(integers):
    """Dimensions of the batch that lie inside and outside of the rows of a matrix."""
    a, b = integers((2, 3, 5, 7)), integers((3, 7, 4))
    memory = np.full((2, 5, 3, 9), 42, "float32")
    out = memory.transpose(0, 2, 1, 3)[..., 2:6]
    rooftile.matmul(a, b, out=out)
    np.testing.assert_array_equal(out, a @ b)
    assert (memory == 42).sum() >= 2 * 5 * 3 * 5
    shared = np.lib.stride_tricks.as_strided(memory, (2, 2, 5, 4), (4 * 18, 4 * 9, 4 * 27, 4))
    with pytest.raises(ValueError, match="out: matrices of the batch overlap, since their stride"):
        rooftile.matmul(a[:, :2], b[:2], out=np.lib.stride_tricks.as_strided(
            memory, (2, 2, 5, 4), (4 * 3, 4 * 9, 4 * 27, 4)))
    far = np.lib.stride_tricks.as_strided(memory, (2, 2, 5, 4), (4 * 66, 4 * 60, 4 * 6, 4))
    with pytest.raises(ValueError, match="out: matrices of the batch .* stride is 66 elements"):
        rooftile.matmul(a[:, :2], b[:2], out=far)
    rooftile.matmul(a[:1, :2], b[:2], out=shared[:1])
    np.testing.assert_array_equal(shared[:1], a[:1, :2] @ b[:2])


def test_launches_at_other_alignments(integers):
    """The first matrix lies at a multiple of 16 bytes, the next ones do not."""
    memory = np.zeros(4 * 257 + 4, "float32")
    start = -memory.ctypes.data % 16 // 4
    a = np.lib.stride_tricks.as_strided(memory[start:], (2, 1, 16, 16), (4 * 257, 4, 64, 4))
    b = integers((3, 16, 16))
    a[...] = integers(a.shape)
    assert a.ctypes.data % 16 == 0
    np.testing.assert_array_equal(rooftile.matmul(a, b), a @ b)


def test_blocks_of_batches(integers):
    """Columns of one array of four dimensions are no overlap."""
    whole = integers((2, 3, 4, 12))
    expected = whole[..., :4] @ whole[..., 4:8]
    rooftile.gemm(whole[..., :4], whole[..., 4:8], out=whole[..., 8:])
    np.testing.assert_array_equal(whole[..., 8:], expected)


# --------------------------------------------------------------------------------------------------
# Triangular operations
# --------------------------------------------------------------------------------------------------

def triangles(rng, shape):
    """Lower triangles, with NaN where nothing is read, and what they stand for."""
    meant = np.tril(rng.integers(-2, 3, shape) / 4.0, -1) + np.eye(shape[-1])
    stored = meant.copy()
    stored[..., np.triu_indices(shape[-1], 1)[0], np.triu_indices(shape[-1], 1)[1]] = np.nan
    return stored, meant


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("side", ["left", "right"])
def test_triangles(seed, side):
    rng = np.random.default_rng(seed)
    order, others = (int(size) for size in rng.integers(1, 5, 2))
    batch_a, batch_b = draw_batches(rng)
    is_vector = rng.random() < 0.3
    a, meant = triangles(rng, (*batch_a, order, order))
    shape = (order, others) if side == "left" else (others, order)
    b = rng.integers(-4, 5, (order,) if is_vector else (*batch_b, *shape)).astype("float64")
    column = b[:, None] if is_vector and side == "left" else b[None] if is_vector else b
    expected = meant @ column if side == "left" else column @ meant
    if is_vector:
        expected = expected[..., 0] if side == "left" else expected[..., 0, :]
    product = rooftile.trmm(a, b, side)
    assert product.shape == expected.shape, (a.shape, b.shape)
    np.testing.assert_allclose(product, expected)
    if not is_vector or a.ndim == 2:
        solution = rooftile.trsm(a, product, side)
        np.testing.assert_allclose(solution, np.broadcast_to(b, expected.shape), atol=1e-12)


def test_one_right_side_for_many_triangles(integers):
    rng = np.random.default_rng(3)
    a, meant = triangles(rng, (2, 3, 5, 5))
    b, before = integers((5, 4), "float64"), None
    x = rooftile.trsm(a, b)
    assert x.shape == (2, 3, 5, 4)
    np.testing.assert_allclose(meant @ x, np.broadcast_to(b, x.shape), atol=1e-12)
    out, before = np.empty((2, 3, 5, 4)), b.copy()
    assert rooftile.trsm(a, b, out=out) is out
    np.testing.assert_array_equal(out, x)
    np.testing.assert_array_equal(b, before)
    vector = rooftile.trsm(a, b[:, 1])
    np.testing.assert_allclose(vector, x[..., 1], atol=1e-12)
    for target in (b, np.empty((3, 5, 4)), np.empty((7, 2, 3, 5, 4))):
        with pytest.raises(ValueError, match=r"out has shape .*; expected \(2, 3, 5, 4\)"):
            rooftile.trsm(a, b, out=target)
    with pytest.raises(ValueError, match=r"a is \(2, 3\) of 5 x 5 and b is 2 of 5 x 4: batches of "
                                         r"\(2, 3\) and 2 matrices"):
        rooftile.trsm(a, integers((2, 5, 4), "float64"))
    with pytest.raises(ValueError, match="a is 5 x 5 and b is a vector of 4: on the left a is to"):
        rooftile.trsm(a[0, 0], integers((4,), "float64"))
    with pytest.raises(ValueError, match=r"a has 1 dimensions; expected a matrix \(2\)"):
        rooftile.trsm(b[:, 0], b)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_solve_triangular_like_scipy(integers, dtype, trans, lower, unit):
    linalg = pytest.importorskip("scipy.linalg")
    a = integers((5, 5), dtype) / 4 + 3 * np.eye(5).astype(dtype)
    for b in (integers((5,), dtype), integers((5, 3), dtype)):
        options = {"trans": trans, "lower": lower, "unit_diagonal": unit}
        x = rooftile.solve_triangular(a, b, **options)
        np.testing.assert_allclose(x, linalg.solve_triangular(a, b, **options), rtol=1e-10)
        np.testing.assert_array_equal(x, rooftile.solve_triangular(a, b, trans, lower, unit))


def test_solve_triangular_errors(integers):
    a, b = integers((4, 4)), integers((4, 3))
    with pytest.raises(ValueError, match="trans is 'J'; expected 0 or 'N', 1 or 'T'"):
        rooftile.solve_triangular(a, b, trans="J")
    with pytest.raises(ValueError, match="trans is 3"):
        rooftile.solve_triangular(a, b, trans=3)
