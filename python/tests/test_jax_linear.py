"""rooftile.jax.linear: a product with bias and activation in one kernel, beside jax.nn."""

import subprocess
import sys

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
rj = pytest.importorskip("rooftile.jax")

from derivatives import check_derivatives  # noqa: E402

FUNCTIONS = {None: lambda z: z, "relu": jax.nn.relu, "sigmoid": jax.nn.sigmoid,
             "silu": jax.nn.silu, "tanh": jnp.tanh,
             "gelu": lambda z: jax.nn.gelu(z, approximate=False),
             "gelu_tanh": lambda z: jax.nn.gelu(z, approximate=True)}
CLOSE = {"rtol": 2e-4, "atol": 2e-5}


@pytest.fixture
def normal(rng):
    """Makes an array of random numbers."""
    return lambda *shape, dtype="float32": jnp.asarray(rng.standard_normal(shape)).astype(dtype)


def composed(x, kernel, bias, activation):
    product = jnp.matmul(x, kernel, precision="highest")
    return FUNCTIONS[activation](product if bias is None else product + bias)


@pytest.mark.parametrize("activation, has_bias",
                         [*((each, True) for each in FUNCTIONS), (None, False), ("gelu", False)])
def test_functions(normal, activation, has_bias):
    """Results, gradients of all operands, and a Hessian times a vector."""
    operands = normal(5, 7), normal(7, 6), normal(6) if has_bias else None
    arguments = (0, 1, 2) if has_bias else (0, 1)

    def all_of(function):
        def loss(x, kernel, bias):
            return (function(x, kernel, bias, activation) ** 2).sum()

        gradients = jax.grad(loss, arguments)
        second = jax.jvp(lambda x: gradients(x, *operands[1:]), operands[:1], operands[:1])[1]
        result = jax.jit(function, static_argnums=3)(*operands, activation)
        return result, gradients(*operands), second

    for ours, theirs in zip(jax.tree.leaves(all_of(rj.linear)), jax.tree.leaves(all_of(composed))):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


def test_gradients_of_doubles(normal):
    operands = [normal(*shape, dtype="float64") for shape in ((3, 4), (4, 2), (2,))]
    check_derivatives(lambda *all: rj.linear(*all, "relu"), operands)
    check_derivatives(lambda *all: rj.linear(*all), operands)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "complex64"])
def test_types(normal, dtype):
    x, kernel, bias = normal(5, 7, dtype=dtype), normal(7, 6, dtype=dtype), normal(6, dtype=dtype)
    activation = None if dtype == "complex64" else "tanh"
    result = rj.linear(x, kernel, bias, activation)
    assert result.dtype == dtype
    wide = [each.astype("complex128") for each in (x, kernel, bias)]
    expected = FUNCTIONS[activation](wide[0] @ wide[1] + wide[2])
    np.testing.assert_allclose(result.astype("complex128"), expected, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("shape", [(7,), (5, 7), (2, 3, 7), (2, 0, 7)])
def test_shapes(normal, shape):
    x, kernel, bias = normal(*shape), normal(7, 6), normal(6)
    result = rj.linear(x, kernel, bias, "silu")
    assert result.shape == shape[:-1] + (6,)
    np.testing.assert_allclose(result, composed(x, kernel, bias, "silu"), **CLOSE)


def test_no_term(normal):
    bias = normal(6)
    result = jax.jit(rj.linear)(normal(5, 0), normal(0, 6), bias)
    np.testing.assert_array_equal(result, np.broadcast_to(bias, (5, 6)))


@pytest.mark.parametrize("axes", [(0, None, None), (1, None, None), (0, 0, None), (0, 0, 0),
                                  (None, 1, 0), (None, None, 0)])
def test_vmap(normal, axes):
    operands = []
    for shape, place in zip(((5, 7), (7, 6), (6,)), axes):
        size = list(shape)
        if place is not None:
            size.insert(place, 3)
        operands.append(normal(*size))

    def function(linear):
        mapped = jax.vmap(lambda *all: linear(*all, "gelu"), axes)
        return mapped(*operands), jax.grad(lambda *all: mapped(*all).sum(), (0, 1, 2))(*operands)

    for ours, theirs in zip(jax.tree.leaves(function(rj.linear)),
                            jax.tree.leaves(function(composed))):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


def test_one_kernel(normal):
    """Also where a batch is mapped; and no product for a derivative that nobody asks for."""
    def calls(function, *arguments):
        return str(jax.make_jaxpr(function)(*arguments)).count("rooftile_")

    x, kernel, bias = normal(3, 5, 7), normal(7, 6), normal(6)
    layer = lambda x: rj.linear(x, kernel, bias, "relu")  # noqa: E731
    assert calls(layer, x) == calls(jax.vmap(layer), x) == 1
    assert calls(jax.grad(lambda x: layer(x).sum()), x) == 2


CASES = [
    (lambda x: rj.linear(x(5, 7), x(8, 6)), ValueError,
     "x is 5 x 7 and kernel is 8 x 6 .*: K is 7 and 8"),
    (lambda x: rj.linear(x(5, 7), x(2, 7, 6)), ValueError, "kernel has 3 dimensions"),
    (lambda x: rj.linear(x(1)[0], x(7, 6)), ValueError, "x has 0 dimensions"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), x(6, 1)), ValueError, "bias has 2 dimensions"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), x(5)), ValueError, r"bias has shape \(5,\)"),
    (lambda x: rj.linear(x(5, 7), x(7, 6).astype("float64")), TypeError,
     "x is f32 and kernel is f64"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), x(6).astype("float64")), TypeError,
     "bias is f64 and out is f32"),
    (lambda x: rj.linear(x(5, 7).astype("float64"), x(7, 6).astype("float64"), None, "silu"),
     TypeError, "out is f64; the only activation of f64 is relu, not silu"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), None, "elu"), ValueError, "activation is 'elu'"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), None, jnp.tanh), TypeError, "activation is of type"),
    (lambda x: rj.linear(x(5, 7), x(7, 6), chip="h20o"), ValueError, "h20o"),
    (lambda x: rj.linear([1.0], x(7, 6)), TypeError, "x is of type builtins.list"),
]


@pytest.mark.parametrize("call, kind, message", CASES)
def test_errors_when_traced(normal, call, kind, message):
    with pytest.raises(kind, match=message):
        jax.make_jaxpr(lambda: call(normal))()


SHARDED = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax, numpy as np, rooftile.jax as rj
from jax.sharding import Mesh, PartitionSpec as P
shard_map = getattr(jax, "shard_map", None)
if shard_map is None:
    from jax.experimental.shard_map import shard_map
rows, kernel, bias = np.ones((4, 3), "f4"), np.ones((3, 2), "f4"), np.ones(2, "f4")
layer = shard_map(lambda *all: rj.linear(*all, "relu"), mesh=Mesh(np.array(jax.devices()), ("x",)),
                  in_specs=(P("x"), P(), P()), out_specs=P("x"))
gradients = jax.grad(lambda *all: layer(*all).sum(), (1, 2))(rows, kernel, bias)
print((layer(rows, kernel, bias) == 4).all(), *((each == 4).all() for each in gradients))
"""


def test_devices():
    """jax.shard_map: the gradient of a kernel that is everywhere has the sum over the devices."""
    done = subprocess.run([sys.executable, "-c", SHARDED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == 3 * ["True"]
