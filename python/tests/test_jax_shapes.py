"""rooftile.jax beside jax.numpy: vectors, broadcasting, and the types of results."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
rj = pytest.importorskip("rooftile.jax")

from derivatives import check_derivatives  # noqa: E402


@pytest.fixture
def exact(integers):
    return lambda *shape, dtype="float64": jnp.asarray(integers(shape, "float64")).astype(dtype)


def lower(exact, *shape):
    return jnp.tril(exact(*shape), -1) / 4 + 2 * jnp.eye(shape[-1])


SHAPES = [((7,), (7,)), ((7,), (7, 6)), ((5, 7), (7,)), ((7,), (3, 7, 6)), ((3, 5, 7), (7,)),
          ((2, 3, 5, 7), (2, 3, 7, 6)), ((2, 1, 5, 7), (3, 7, 6)), ((2, 5, 7), (2, 3, 1, 7, 6)),
          ((4, 1, 3, 5, 7), (2, 1, 7, 6)), ((2, 0, 5, 7), (1, 7, 6)), ((2, 3, 5, 7), (7, 6)),
          ((2, 3, 5, 7), (7,))]


@pytest.mark.parametrize("a_shape, b_shape", SHAPES)
def test_shapes_of_matmul(exact, a_shape, b_shape):
    a, b = exact(*a_shape), exact(*b_shape)
    expected = jnp.matmul(a, b)
    result = jax.jit(rj.matmul)(a, b)
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected)
    traced = jax.jit(lambda a, b, c, alpha: rj.gemm(a, b, alpha=alpha, beta=2, c=c))
    np.testing.assert_array_equal(traced(a, b, expected, 3.0), 5 * expected)
    np.testing.assert_array_equal(rj.gemm(a, b, beta=-1, c=expected), 0 * expected)


@pytest.mark.parametrize("a_shape, b_shape", [((2, 1, 2, 3), (2, 3, 2)), ((3,), (2, 3, 2)),
                                              ((2, 2, 2, 3), (3,)), ((2, 3), (1, 2, 3, 2)),
                                              ((3,), (3,))])
def test_gradients_are_added_up(exact, a_shape, b_shape):
    a, b = exact(*a_shape) / 8, exact(*b_shape) / 8
    check_derivatives(lambda a, b: jnp.sin(rj.matmul(a, b)), (a, b))


def test_addends_are_broadcast(exact):
    a, b, c = exact(2, 1, 2, 3), exact(2, 3, 2), exact(1, 2, 2)
    np.testing.assert_array_equal(rj.gemm(a, b, beta=2, c=c), a @ b + 2 * c)
    check_derivatives(lambda c: rj.gemm(a, b, beta=2, c=c), (c,), 1)
    for wrong in ((2, 2, 2, 2, 2), (3, 2, 2), (2, 3)):
        with pytest.raises(ValueError, match=r"c has shape .*; expected \(2, 2, 2, 2\)"):
            rj.gemm(a, b, beta=2, c=exact(*wrong))


@pytest.mark.parametrize("routine", ["trmm", "trsm"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("a_shape, b_shape", [
    ((3, 3), (3,)), ((2, 3, 3), (3,)), ((2, 3, 3), (3, 3)), ((2, 1, 3, 3), (2, 3, 3))])
def test_triangles(exact, routine, side, a_shape, b_shape):
    a, b = lower(exact, *a_shape), exact(*b_shape)
    matrix = a if routine == "trmm" else jnp.linalg.inv(a)
    column = b if b.ndim > 1 else b[:, None] if side == "left" else b[None]
    expected = matrix @ column if side == "left" else column @ matrix
    if b.ndim == 1:
        expected = expected[..., 0] if side == "left" else expected[..., 0, :]
    result = jax.jit(getattr(rj, routine), static_argnums=2)(a, b, side)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, atol=1e-12)
    check_derivatives(lambda a, b: getattr(rj, routine)(jnp.tril(a), b, side), (a, b))


@pytest.mark.parametrize("in_axes, a_shape, b_shape", [
    ((0, None), (2, 3, 5, 7), (3, 7, 6)), ((1, 0), (2, 3, 5, 7), (3, 7, 6)),
    ((None, 1), (2, 1, 5, 7), (3, 4, 7, 6)), ((0, None), (3, 7), (7,)), ((0, 0), (3, 7), (3, 7))])
def test_vmap(exact, in_axes, a_shape, b_shape):
    a, b = exact(*a_shape), exact(*b_shape)
    np.testing.assert_array_equal(jax.vmap(rj.matmul, in_axes)(a, b),
                                  jax.vmap(jnp.matmul, in_axes)(a, b))


def test_vmap_of_one_right_side(exact):
    a, b = lower(exact, 2, 3, 4, 4), exact(3, 4, 2)
    result = jax.vmap(rj.trsm, (0, None))(a, b)
    np.testing.assert_allclose(a @ result, jnp.broadcast_to(b, (2, 3, 4, 2)), atol=1e-12)


def test_broadcast_is_no_copy(exact):
    """A matrix that is one for all goes into the call as it is."""
    a, b = exact(2, 1, 5, 7), exact(3, 7, 6)
    text = jax.jit(rj.matmul).lower(a, b).as_text()
    assert "rooftile_gemm" in text and "broadcast" not in text


def test_messages(exact):
    with pytest.raises(ValueError, match="a has 0 dimensions; expected a vector"):
        rj.matmul(exact(), exact(3))
    with pytest.raises(ValueError, match="a is a vector of 3 and b is 4 x 2.*K is 3 and 4"):
        rj.matmul(exact(3), exact(4, 2))
    with pytest.raises(ValueError, match=r"batches of \(2, 3\) and \(2, 4\) matrices"):
        rj.matmul(exact(2, 3, 5, 7), exact(2, 4, 7, 6))
    with pytest.raises(ValueError, match="a is 4 x 4 and b is a vector of 3: on the left"):
        rj.trsm(exact(4, 4), exact(3))


# Types -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_preferred_element_type(exact, dtype):
    a, b, c = exact(5, 7, dtype=dtype), exact(7, 6, dtype=dtype), exact(5, 6, dtype="float32")
    wide = jnp.matmul(a, b, preferred_element_type="float32")
    for result in (rj.matmul(a, b, preferred_element_type=jnp.float32),
                   rj.gemm(a, b, preferred_element_type="float32"),
                   rj.gemm(a, b, dtype="float32", preferred_element_type=np.float32)):
        assert result.dtype == wide.dtype == jnp.float32
        np.testing.assert_array_equal(result, wide)
    added = rj.gemm(a, b, beta=1, c=c, preferred_element_type=jnp.float32)
    np.testing.assert_array_equal(added, wide + c)
    assert rj.matmul(a, b, preferred_element_type=dtype).dtype == dtype
    gradient = jax.grad(lambda a: rj.matmul(a, b, preferred_element_type=jnp.float32).sum())(a)
    assert gradient.dtype == dtype


def test_types_that_are_refused(exact):
    a, b = exact(5, 7, dtype="float32"), exact(7, 6, dtype="float32")
    with pytest.raises(TypeError, match="a is f32 and c is f64"):
        rj.matmul(a, b, preferred_element_type=jnp.float64)
    with pytest.raises(TypeError, match="dtype is float32 and preferred_element_type is float64"):
        rj.gemm(a, b, dtype="float32", preferred_element_type="float64")
    with pytest.raises(TypeError, match="c is float64 and preferred_element_type is float32"):
        rj.gemm(a, b, beta=1, c=exact(5, 6), preferred_element_type="float32")


@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
def test_solve_triangular(exact, trans):
    a, b = exact(4, 4) / 4 + 3 * jnp.eye(4), exact(4, 3)
    for right in (b, b[:, 0]):
        for is_lower in (False, True):
            expected = jax.scipy.linalg.solve_triangular(a, right, trans, is_lower)
            np.testing.assert_allclose(rj.solve_triangular(a, right, trans, is_lower), expected,
                                       rtol=1e-10)


def test_capital_letters(exact):
    a, b = exact(7, 5), exact(6, 7)
    np.testing.assert_array_equal(rj.gemm(a, b, op_a="T", op_b="C"), a.T @ b.T)
    t = lower(exact, 5, 5)
    np.testing.assert_array_equal(rj.trmm(t, a.T, op="T"), rj.trmm(t, a.T, op="t"))
