"""rooftile.jax: products in programs that JAX compiles, on the CPU."""

import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest
import rooftile

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
rj = pytest.importorskip("rooftile.jax")

from conftest import apply  # noqa: E402
from derivatives import check_derivatives  # noqa: E402

TYPES = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
TRIANGLES = [(side, triangle, diagonal, op) for side in ("left", "right")
             for triangle in ("lower", "upper") for diagonal in ("nonunit", "unit")
             for op in ("n", "t")]


@pytest.fixture
def normal(rng):
    """Makes an array of random numbers."""
    def make(*shape, dtype="float64"):
        values = rng.standard_normal(shape)
        if "complex" in dtype:
            values = values + 1j * rng.standard_normal(shape)
        return jnp.asarray(values).astype(dtype)
    return make


@pytest.fixture
def exact(integers):
    """Makes a JAX array of small integers."""
    return lambda *shape, dtype="float64": jnp.asarray(
        integers(shape, "complex128" if "complex" in dtype else "float64")).astype(dtype)


def product(a, b, alpha=1, beta=0, c=0, op_a="n", op_b="n"):
    return alpha * (apply(op_a, a) @ apply(op_b, b)) + beta * c


def stored(op, rows, columns):
    return (columns, rows) if op in "tc" else (rows, columns)


def triangle_of(a, triangle, diagonal):
    part = jnp.tril(a) if triangle == "lower" else jnp.triu(a)
    return part - jnp.diag(jnp.diag(part)) + jnp.eye(len(a)) if diagonal == "unit" else part


def expected_trmm(a, b, side, triangle, diagonal, op, alpha=1):
    matrix = apply(op, triangle_of(a, triangle, diagonal))
    return alpha * (matrix @ b if side == "left" else b @ matrix)


def expected_trsm(a, b, side, triangle, diagonal, op, alpha=1):
    matrix = apply(op, triangle_of(a, triangle, diagonal))
    solved = (jnp.linalg.solve(matrix, b) if side == "left" else
              jnp.linalg.solve(matrix.T, b.T).T)
    return alpha * solved


#
# Values
#


@pytest.mark.parametrize("dtype", TYPES)
def test_gemm(exact, dtype):
    a, b, c = exact(5, 7, dtype=dtype), exact(7, 6, dtype=dtype), exact(5, 6, dtype=dtype)
    result = jax.jit(partial(rj.gemm, alpha=2, beta=-3))(a, b, c=c)
    assert result.dtype == a.dtype
    assert (result == product(a, b, 2, -3, c)).all()
    assert (rj.matmul(a, b) == a @ b).all()


@pytest.mark.parametrize("op_a", "ntcj")
@pytest.mark.parametrize("op_b", "ntcj")
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_ops(exact, dtype, op_a, op_b):
    a = exact(*stored(op_a, 5, 7), dtype=dtype)
    b = exact(*stored(op_b, 7, 6), dtype=dtype)
    call = jax.jit(rj.gemm, static_argnames=("op_a", "op_b"))
    assert (call(a, b, op_a=op_a, op_b=op_b) == product(a, b, op_a=op_a, op_b=op_b)).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_wider_result(exact, dtype):
    a, b = exact(5, 7, dtype=dtype), exact(7, 6, dtype=dtype)
    result = jax.jit(partial(rj.gemm, dtype="float32"))(a, b)
    assert result.dtype == "float32"
    assert (result == a.astype("float32") @ b.astype("float32")).all()
    assert (rj.gemm(a, b, c=result, beta=2) == 3 * result).all()


@pytest.mark.parametrize("dtype", ["bfloat16", "float32", "complex128"])
def test_traced_scalars(exact, dtype):
    a, b, c = exact(5, 7, dtype=dtype), exact(7, 6, dtype=dtype), exact(5, 6, dtype=dtype)
    call = jax.jit(lambda alpha, beta: rj.gemm(a, b, alpha=alpha, beta=beta, c=c))
    result = call(2.0, 3.0)
    assert result.dtype == a.dtype
    wide = [x.astype("complex128") for x in (a, b, c)]
    expected = product(wide[0], wide[1], 2, 3, wide[2]).astype("complex128")
    np.testing.assert_allclose(result.astype("complex128"), expected, rtol=1e-2)
    again = jax.jit(lambda alpha: rj.gemm(a, b, alpha=alpha, beta=3, c=c))(2.0)
    np.testing.assert_array_equal(result.astype("complex128"), again.astype("complex128"))


def test_complex_scalar(exact):
    a, b, c = (exact(4, 4, dtype="complex128") for _ in range(3))
    assert (rj.gemm(a, b, alpha=2j, beta=1 - 1j, c=c) == product(a, b, 2j, 1 - 1j, c)).all()
    traced = jax.jit(lambda alpha: rj.gemm(a, b, alpha=alpha))(jnp.asarray(2j))
    assert (traced == product(a, b, 2j)).all()


@pytest.mark.parametrize("shapes", [((3, 5, 7), (3, 7, 6)), ((3, 5, 7), (7, 6)),
                                    ((5, 7), (3, 7, 6)), ((1, 5, 7), (3, 7, 6))])
def test_batches(exact, shapes):
    a, b = (exact(*shape) for shape in shapes)
    result = jax.jit(rj.gemm)(a, b)
    assert result.shape == (3, 5, 6) and (result == a @ b).all()


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (4, 3, 0)])
def test_empty(exact, shape):
    m, k, n = shape
    a, b, c = exact(m, k), exact(k, n), exact(m, n)
    assert (jax.jit(partial(rj.gemm, beta=2))(a, b, c=c) == 2 * c).all()
    assert (rj.gemm(a, b) == 0).all()
    gradients = jax.grad(lambda a, b: rj.gemm(a, b).sum(), argnums=(0, 1))(a, b)
    assert [x.shape for x in gradients] == [a.shape, b.shape]


@pytest.mark.parametrize("side, triangle, diagonal, op", TRIANGLES)
def test_triangular(normal, side, triangle, diagonal, op):
    order = 5 if side == "left" else 4
    a, b = normal(order, order) / 4 + 2 * jnp.eye(order), normal(5, 4)
    options = (side, triangle, diagonal, op)
    for name, expected in (("trmm", expected_trmm), ("trsm", expected_trsm)):
        result = jax.jit(lambda a, b: getattr(rj, name)(a, b, *options, alpha=2))(a, b)
        np.testing.assert_allclose(result, expected(a, b, *options, 2), rtol=1e-12, atol=1e-12)
        later = jax.jit(lambda alpha: getattr(rj, name)(a, b, *options, alpha))(2.0)
        np.testing.assert_allclose(later, result, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("op", "ntcj")
def test_complex_triangles(exact, side, op):
    a, b = exact(5, 5, dtype="complex128") / 8 + 2j * jnp.eye(5), exact(5, 5, dtype="complex128")
    options, alpha = (side, "upper", "nonunit", op), 1 - 2j
    for name, expected in (("trmm", expected_trmm), ("trsm", expected_trsm)):
        result = jax.jit(lambda a, b: getattr(rj, name)(a, b, *options, alpha=alpha))(a, b)
        np.testing.assert_allclose(result, expected(a, b, *options, alpha), rtol=1e-12, atol=1e-12)
        check_derivatives(lambda a, b: getattr(rj, name)(a, b, *options, alpha=alpha), (a, b), 1)


def test_narrow_triangles(exact):
    a, b = exact(5, 5, dtype="bfloat16"), exact(5, 4, dtype="bfloat16")
    expected = jnp.tril(a).astype("float64") @ b.astype("float64")
    np.testing.assert_array_equal(jax.jit(rj.trmm)(a, b), expected.astype("bfloat16"))
    with pytest.raises(TypeError, match="a is bf16; trsm accepts f32, f64, c64 and c128"):
        rj.trsm(a, b)


def test_arguments_stay(exact):
    """c and b are overwritten in place only where nobody else sees them."""
    a, b, c = exact(6, 6), exact(6, 6), exact(6, 6)
    triangle, before = jnp.eye(6) * 2, [np.array(x) for x in (b, c)]
    result, solved = jax.jit(lambda b, c: (rj.gemm(a, b, beta=1, c=c), rj.trsm(triangle, b)))(b, c)
    assert (result == a @ before[0] + before[1]).all() and (solved == before[0] / 2).all()
    assert (b == before[0]).all() and (c == before[1]).all()
    donated = jax.jit(lambda c: rj.gemm(a, b, beta=1, c=c), donate_argnums=0)(c)
    assert (donated == result).all()


def test_in_loops(exact):
    """A product in a loop of XLA, whose carried array is worked on in place."""
    a, c = exact(4, 4) / 8, exact(4, 4)
    result = jax.lax.fori_loop(0, 3, lambda _, c: rj.gemm(a, a, beta=1, c=c), c)
    np.testing.assert_allclose(result, 3 * a @ a + c, rtol=1e-12)


#
# Derivatives
#


@pytest.mark.parametrize("op_a", "ntcj")
@pytest.mark.parametrize("op_b", "ntcj")
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_gradients(normal, dtype, op_a, op_b):
    a, b = normal(*stored(op_a, 3, 5), dtype=dtype), normal(*stored(op_b, 5, 4), dtype=dtype)
    c = normal(3, 4, dtype=dtype)
    alpha, beta = (1.5, 0.5) if dtype == "float64" else (1.5 - 1j, 0.5j)

    def ours(a, b, c):
        return rj.gemm(a, b, alpha=alpha, beta=beta, c=c, op_a=op_a, op_b=op_b)

    def theirs(a, b, c):
        return product(a, b, alpha, beta, c, op_a, op_b)

    if op_a == op_b:
        check_derivatives(ours, (a, b, c))
    cotangent, tangents = normal(3, 4, dtype=dtype), (2 * a, -b, c)
    for mine, other in zip(jax.vjp(ours, a, b, c)[1](cotangent),
                           jax.vjp(theirs, a, b, c)[1](cotangent)):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    np.testing.assert_allclose(jax.jvp(ours, (a, b, c), tangents)[1],
                               jax.jvp(theirs, (a, b, c), tangents)[1], rtol=1e-12)


@pytest.mark.parametrize("shapes", [((3, 5, 4), (3, 4, 2)), ((3, 5, 4), (4, 2)),
                                    ((5, 4), (3, 4, 2)), ((1, 5, 4), (3, 4, 2))])
def test_gradients_of_batches(normal, shapes):
    operands = [normal(*shape) for shape in shapes]
    check_derivatives(rj.matmul, operands)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_gradients_keep_types(exact, dtype):
    """Also of a result that is wider."""
    a, b = exact(5, 7, dtype=dtype), exact(3, 7, 6, dtype=dtype)
    for wide in (dtype, "float32"):
        gradients = jax.grad(lambda a, b: rj.gemm(a, b, dtype=wide).sum(), argnums=(0, 1))(a, b)
        assert [x.dtype for x in gradients] == [a.dtype, b.dtype]
        expected = jnp.einsum("bkn->k", b.astype("float32"))
        assert (gradients[0][2].astype("float32") == expected).all()


def test_gradients_of_scalars(normal):
    a, b, c = normal(3, 5), normal(5, 4), normal(3, 4)
    check_derivatives(lambda alpha, beta: rj.gemm(a, b, alpha=alpha, beta=beta, c=c),
                      (jnp.float64(1.5), jnp.float64(0.5)))


@pytest.mark.parametrize("side, triangle, diagonal, op", TRIANGLES)
@pytest.mark.parametrize("name", ["trmm", "trsm"])
def test_gradients_of_triangles(normal, name, side, triangle, diagonal, op):
    order = 3 if side == "left" else 4
    a, b = normal(order, order) / 4 + 2 * jnp.eye(order), normal(3, 4)
    options = (side, triangle, diagonal, op)
    ours = partial(getattr(rj, name), side=side, triangle=triangle, diagonal=diagonal, op=op,
                   alpha=1.5)
    order = 2 if (diagonal, op) == ("unit", "t") else 1
    check_derivatives(ours, (a, b), order)
    theirs = expected_trmm if name == "trmm" else expected_trsm
    weights = normal(3, 4)
    mine = jax.grad(lambda a, b: (weights * ours(a, b)).sum(), argnums=(0, 1))(a, b)
    others = jax.grad(lambda a, b: (weights * theirs(a, b, *options, 1.5)).sum(),
                      argnums=(0, 1))(a, b)
    for one, other in zip(mine, others):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_hessian_and_jacobians(normal):
    a, b = normal(2, 3), normal(3, 2)
    forward = jax.jacfwd(rj.matmul, argnums=(0, 1))(a, b)
    backward = jax.jacrev(rj.matmul, argnums=(0, 1))(a, b)
    for one, other in zip(forward, backward):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    ours = jax.hessian(lambda a: (rj.matmul(a, b) ** 2).sum())(a)
    np.testing.assert_allclose(ours, jax.hessian(lambda a: ((a @ b) ** 2).sum())(a), rtol=1e-12)


def test_linear_transpose(normal):
    a, b = normal(3, 5), normal(5, 4)
    transposed = jax.linear_transpose(lambda b: rj.matmul(a, b), b)
    np.testing.assert_allclose(transposed(normal(3, 4) * 0 + 1)[0], a.T @ jnp.ones((3, 4)))
    with pytest.raises(NotImplementedError, match="trmm is not linear in a"):
        jax.linear_transpose(lambda a: rj.trmm(a, jnp.ones((3, 2))), normal(3, 3))(jnp.ones((3, 2)))


#
# vmap
#

AXES = [(0, 0, 0), (0, None, None), (None, 0, None), (None, None, 0), (0, 0, None), (1, 2, 0),
        (None, 1, 2), (2, None, 1)]


def mapped(normal, shape, axis, size=3):
    return normal(*(shape if axis is None else shape[:axis] + (size,) + shape[axis:]))


@pytest.mark.parametrize("axes", AXES)
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("op_a", "nt")
def test_vmap(normal, axes, batch, op_a):
    """Also of what is a batch already."""
    shapes = batch + stored(op_a, 5, 4), batch + (4, 6), batch + (5, 6)
    operands = [mapped(normal, shape, axis) for shape, axis in zip(shapes, axes)]
    ours = jax.vmap(lambda a, b, c: rj.gemm(a, b, alpha=2, beta=3, c=c, op_a=op_a), axes)
    theirs = jax.vmap(lambda a, b, c: product(a, b, 2, 3, c, op_a), axes)
    np.testing.assert_allclose(jax.jit(ours)(*operands), theirs(*operands), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shapes", [((5, 4), (2, 4, 6)), ((2, 5, 4), (4, 6)),
                                    ((1, 5, 4), (2, 4, 6))])
@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_vmap_of_shared_matrices(normal, shapes, axes):
    operands = [mapped(normal, shape, axis) for shape, axis in zip(shapes, axes)]
    np.testing.assert_allclose(jax.vmap(rj.matmul, axes)(*operands),
                               jax.vmap(jnp.matmul, axes)(*operands), rtol=1e-12, atol=1e-12)


def test_vmap_twice(normal):
    a, b = normal(2, 3, 5, 4), normal(3, 4, 6)
    ours = jax.vmap(jax.vmap(rj.matmul), in_axes=(0, None))(a, b)
    np.testing.assert_allclose(ours, a @ b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["trmm", "trsm"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0), (1, 2)])
def test_vmap_of_triangles(normal, name, side, axes):
    order = 5 if side == "left" else 4
    a, b = mapped(normal, (order, order), axes[0]), mapped(normal, (5, 4), axes[1])
    a = a / 8 + 2 * (jnp.eye(order) if axes[0] != 1 else jnp.eye(order)[:, None])
    theirs = expected_trmm if name == "trmm" else expected_trsm
    ours = jax.jit(jax.vmap(partial(getattr(rj, name), side=side), axes))(a, b)
    expected = jax.vmap(lambda a, b: theirs(a, b, side, "lower", "nonunit", "n"), axes)(a, b)
    np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)
    twice = jax.vmap(jax.vmap(partial(getattr(rj, name), side=side), axes), (None, 0))(
        a, jnp.stack([b, b]))
    np.testing.assert_allclose(twice[1], expected, rtol=1e-11, atol=1e-12)


def test_one_product_of_more_rows(normal):
    """Where a alone is mapped, and its batches lie one after the other."""
    a, b = normal(3, 5, 4), normal(4, 6)
    text = str(jax.make_jaxpr(jax.vmap(rj.matmul, (0, None)))(a, b))
    assert "f64[15,6] = rooftile_gemm" in text


def test_gradients_of_vmap(normal):
    a, b = normal(3, 5, 4), normal(4, 6)
    check_derivatives(jax.vmap(rj.matmul, (0, None)), (a, b))
    triangle = normal(5, 5) / 8 + 2 * jnp.eye(5)
    check_derivatives(jax.vmap(rj.trsm, (None, 0)), (triangle, a))


#
# Errors
#


@pytest.mark.parametrize("call, kind, message", [
    (lambda a, b: rj.gemm(a, a), ValueError, r"a is 3 x 4 and b is 3 x 4 \(op nn\): K is 4 and 3"),
    (lambda a, b: rj.gemm(a, b, op_a="t"), ValueError, r"\(op tn\): K is 3 and 4"),
    (lambda a, b: rj.gemm(a, b, op_b="x"), ValueError, "op_b is 'x'; expected 'n', 't'"),
    (lambda a, b: rj.gemm(a, b.astype("float32")), TypeError, "a is f64 and b is f32"),
    (lambda a, b: rj.gemm(a.astype("int32"), b), TypeError, "a is int32; expected f16, bf16"),
    (lambda a, b: rj.gemm(a, b, dtype="float16"), TypeError, "a is f64 and c is f16"),
    (lambda a, b: rj.gemm(a, b, c=a, beta=1), ValueError,
     r"c has shape \(3, 4\); expected \(3, 2\)"),
    (lambda a, b: rj.gemm(a, b, c=jnp.ones((3, 2)), dtype="float32"), TypeError,
     "c is float64 and dtype is float32"),
    (lambda a, b: rj.gemm(a, b, beta=1), ValueError, "beta is .* and there is no c"),
    (lambda a, b: rj.gemm(a, b, beta=a[0, 0]), ValueError, "beta is an array and there is no c"),
    (lambda a, b: rj.gemm(a, b, alpha=a), ValueError, r"alpha has shape \(3, 4\); expected a num"),
    (lambda a, b: rj.gemm(a, b, alpha="2"), TypeError, "alpha is of type str; expected a number"),
    (lambda a, b: rj.gemm(a, b, alpha=1j), TypeError, "alpha is complex and c is f64"),
    (lambda a, b: rj.gemm(a, b, alpha=a[0, 0] * 1j), TypeError, "alpha is complex and the result"),
    (lambda a, b: rj.gemm(a[0, 0], b), ValueError, "a has 0 dimensions; expected a vector"),
    (lambda a, b: rj.gemm([[1.0]], b), TypeError, "a is of type builtins.list; expected an array"),
    (lambda a, b: rj.gemm(a, b, chip="h300"), ValueError, "chip: .*h300"),
    (lambda a, b: rj.gemm(jnp.ones((2, 3, 4)), jnp.ones((3, 4, 2))), ValueError,
     "batches of 2 and 3 matrices"),
    (lambda a, b: rj.trsm(a, b), ValueError, "a is 3 x 4 and b is 4 x 2: on the left a is to be 4"),
    (lambda a, b: rj.trsm(a.astype("float16"), b.astype("float16")), TypeError,
     "a is f16; trsm accepts f32, f64, c64 and c128"),
    (lambda a, b: rj.trmm(b, b, side="up"), ValueError, "side is 'up'; expected 'left' or 'right'"),
])
def test_errors_when_traced(call, kind, message):
    a, b = jnp.ones((3, 4)), jnp.ones((4, 2))
    for traced in (call, jax.jit(call)):
        with pytest.raises(kind, match=message):
            traced(a, b)


def test_foreign_handler_calls():
    """A handler that is called otherwise than by this package reports what it misses."""
    def call(*operands, **attributes):
        kind = jax.ShapeDtypeStruct((2, 2), jnp.float64)
        return jax.jit(jax.ffi.ffi_call("rooftile_gemm", kind), static_argnames=attributes)(
            *operands, **attributes)

    a = jnp.ones((2, 2))
    zero = np.float64(0)
    attributes = dict(routine="gemm", alpha=np.float64(1), alpha_imaginary=zero, beta=zero,
                      beta_imaginary=zero, op_a="n", op_b="n", chip="")
    assert (call(a, a, **attributes) == 2).all()
    with pytest.raises(Exception, match="there is no attribute routine"):
        call(a, a)
    with pytest.raises(Exception, match="there is no attribute alpha"):
        call(a, a, routine="gemm")
    with pytest.raises(Exception, match="there is no buffer b"):
        call(a, **attributes)
    with pytest.raises(Exception, match="K is 2 and 3"):
        call(a, jnp.ones((3, 2)), **attributes)
    with pytest.raises(Exception, match="b is of type 4"):
        call(a, jnp.ones((2, 2), "int32"), **attributes)
    with pytest.raises(Exception, match="op_a is 'q'"):
        call(a, a, **{**attributes, "op_a": "q"})
    with pytest.raises(Exception, match="there is no buffer c"):
        call(a, a, **{**attributes, "beta": np.float64(1)})
    with pytest.raises(Exception, match="given c and the result different memory"):
        call(a, a, a, **{**attributes, "beta": np.float64(1)})


# Processes and threads


def test_threads(exact):
    """Two compiled functions at once, of which each needs kernels that the process has not."""
    problems, start = [], threading.Barrier(2)

    def work(size):
        operands = [(exact(size + i, 7), exact(7, size)) for i in range(6)]
        call = jax.jit(lambda a, b: rj.matmul(a, b) + rj.gemm(b, a, op_a="t", op_b="t").T)
        start.wait()
        for a, b in operands * 2:
            if not (call(a, b) == 2 * (a @ b)).all():
                problems.append(a.shape)

    threads = [threading.Thread(target=work, args=(size,)) for size in (31, 43)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


SHARDED = """
import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax, numpy as np, rooftile.jax as rj
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
jnp = jax.numpy
shard_map = getattr(jax, "shard_map", None)
if shard_map is None:
    from jax.experimental.shard_map import shard_map
mesh = Mesh(np.array(jax.devices()), ("x",))
a = jax.device_put(jnp.arange(32.0).reshape(8, 4), NamedSharding(mesh, P("x", None)))
b, c, t = jnp.arange(12.0).reshape(4, 3), jnp.ones((8, 3)), jnp.eye(3) + jnp.ones((3, 3))
print((jax.jit(rj.matmul)(a, b) == a @ b).all())

def ours(a, b, c, t):
    return rj.trsm(t, rj.gemm(a, b, beta=2, c=c), side="right")

def theirs(a, b, c, t):
    return jnp.linalg.solve(jnp.tril(t).T, (a @ b + 2 * c).T).T

rows, whole = P("x", None), P(None, None)
mapped = shard_map(ours, mesh=mesh, in_specs=(rows, whole, rows, whole), out_specs=rows)
print(np.allclose(jax.jit(mapped)(a, b, c, t), theirs(a, b, c, t), rtol=1e-4))
for place in range(4):
    mine, other = (jax.jit(jax.grad(lambda *x: (f(*x) ** 2).sum() / 1e4, argnums=place))(a, b, c, t)
                   for f in (mapped, theirs))
    print(np.allclose(mine, other, rtol=1e-3, atol=1e-3))
"""


def test_devices():
    """Operands on several devices: XLA gathers them, or jax.shard_map works on the parts of each,
    where what is the same for all has the sum of their derivatives."""
    done = subprocess.run([sys.executable, "-c", SHARDED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == 6 * ["True"]


def test_export(exact):
    """A program for other machines, of which one has a GPU."""
    a, b, c = exact(5, 7), exact(7, 6), exact(5, 6)
    exporter = pytest.importorskip("jax.export")  # needs flatbuffers in some versions
    checks = [exporter.DisabledSafetyCheck.custom_call("rooftile_gemm")]
    call = jax.jit(lambda a, b, c: rj.gemm(a, b, c=c, beta=1, alpha=2))
    exported = exporter.export(call, platforms=["cpu", "cuda"], disabled_checks=checks)(a, b, c)
    assert (exported.call(a, b, c) == 2 * (a @ b) + c).all()
    text = exporter.export(call, platforms=["cuda"], disabled_checks=checks)(a, b, c).mlir_module()
    assert "@rooftile_gemm" in text and "operand_index = 2" in text


def test_import_is_lazy():
    code = ("import sys, rooftile; print('jax' in sys.modules);"
            "import rooftile.jax; print('jax' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_same_results_as_the_package(exact):
    a, b = exact(5, 7), exact(7, 6)
    assert (rj.matmul(a, b) == rooftile.matmul(np.asarray(a), np.asarray(b))).all()
