"""JAX, where it is installed."""

import numpy as np
import pytest
import rooftile

jax = pytest.importorskip("jax")


@pytest.fixture
def abc():
    jnp = jax.numpy
    return jnp.arange(12.0).reshape(3, 4), jnp.arange(8.0).reshape(4, 2), jnp.ones((3, 2))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64"])
def test_products(abc, dtype):
    a, b, c = (x.astype(dtype) for x in abc)
    result = rooftile.gemm(a, b, beta=2, c=c)
    assert isinstance(result, jax.Array) and result.dtype == dtype
    assert (result == a @ b + 2 * c).all() and (c == 1).all()


def test_triangular(abc):
    np.testing.assert_array_equal(rooftile.trsm(2 * jax.numpy.eye(3), abc[0]), abc[0] / 2)


def test_errors(abc):
    a, b, c = abc
    with pytest.raises(ValueError, match="out is a JAX array, which must not be written to"):
        rooftile.gemm(a, b, out=c)
    with pytest.raises(TypeError, match="a has no memory: it is traced.*rooftile.jax"):
        jax.jit(rooftile.gemm)(a, b)
    c.delete()
    with pytest.raises(RuntimeError, match="c: this array has been deleted"):
        rooftile.gemm(a, b, beta=1, c=c)
    module = rooftile.compile("func.func @f(%a: memref<4x4xf32>) { return }")
    with pytest.raises(ValueError, match="argument 0 of f is a JAX array"):
        module(jax.numpy.eye(4))
