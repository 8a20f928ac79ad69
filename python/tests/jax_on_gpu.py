"""rooftile.jax on a GPU, beside jax.numpy: one line a case, and times. Needs JAX with CUDA.

    python3 -m pip install --no-index --no-deps --target site build-wheel/dist/*.whl
    PYTHONPATH=site python3 python/tests/jax_on_gpu.py

Exits 1 where a case fails. Results are compared with f64 (or c128) on the host.
"""

import os
import sys
import threading
import time
import traceback
from functools import partial

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # kernels allocate, too

import jax  # noqa: E402
import numpy as np  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")

import rooftile.jax as rj  # noqa: E402

jnp = jax.numpy
RNG = np.random.default_rng(7)
EPSILONS = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53,
            "complex64": 2.0**-24, "complex128": 2.0**-53}
CASES = []


def case(*parameters):
    """A function that is called once for each parameter, and fails by an exception."""
    def add(function):
        CASES.extend((function, parameter) for parameter in parameters or [None])
        return function
    return add


def random(*shape, dtype="float32"):
    values = RNG.standard_normal(shape)
    if "complex" in dtype:
        values = values + 1j * RNG.standard_normal(shape)
    return jax.device_put(jnp.asarray(values).astype(dtype))


def exact(array):
    array = np.asarray(array)
    return array.astype("complex128" if array.dtype.kind == "c" else "float64")


def check(result, expected, scale, dtype):
    """Within the rounding errors of a sum of scale^2 products of size 1: those of partial sums,
    which add up like a random walk, and of the result."""
    error = np.abs(exact(result) - expected).max() if expected.size else 0
    bound = 2 * EPSILONS[dtype] * (scale + 3) * (scale + np.abs(expected).max())
    assert np.isfinite(error) and error <= bound, f"error {error:.3g}, bound {bound:.3g}"


def apply(op, matrix):
    turned = np.swapaxes(matrix, -1, -2) if op in "tc" else matrix
    return turned.conj() if op in "cj" else turned


SHAPES = [(64, 64, 64), (257, 129, 511), (1024, 1024, 1024), (32, 32, 100_000), (100_000, 16, 16)]


@case(*[(dtype, shape) for dtype in EPSILONS for shape in SHAPES])
def gemm(parameter):
    dtype, (m, n, k) = parameter
    a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
    check(jax.jit(rj.matmul)(a, b), exact(a) @ exact(b), k**0.5, dtype)


@case(*[(dtype, op_a, op_b) for dtype in ("float32", "complex64") for op_a in "ntcj"
        for op_b in "ntcj"])
def ops(parameter):
    dtype, op_a, op_b = parameter
    a = random(*((70, 50) if op_a in "tc" else (50, 70)), dtype=dtype)
    b = random(*((60, 70) if op_b in "tc" else (70, 60)), dtype=dtype)
    result = jax.jit(partial(rj.gemm, op_a=op_a, op_b=op_b))(a, b)
    check(result, apply(op_a, exact(a)) @ apply(op_b, exact(b)), 70**0.5, dtype)


@case("float32", "bfloat16", "complex128")
def scalars(dtype):
    """Known ones, traced ones, and c in place of the result."""
    a, b, c = (random(96, 96, dtype=dtype) for _ in range(3))
    expected = 2 * exact(a) @ exact(b) + 3 * exact(c)
    known = jax.jit(lambda a, b, c: rj.gemm(a, b, alpha=2, beta=3, c=c))
    traced = jax.jit(lambda a, b, c, x, y: rj.gemm(a, b, alpha=x, beta=y, c=c))
    donated = jax.jit(lambda c, a, b: rj.gemm(a, b, alpha=2, beta=3, c=c), donate_argnums=0)
    check(known(a, b, c), expected, 10, dtype)
    check(traced(a, b, c, 2.0, 3.0), expected, 10, dtype)
    check(donated(jnp.array(c, copy=True), a, b), expected, 10, dtype)
    check(known(a, b, c), expected, 10, dtype)  # c has not changed


@case(*[(dtype, activation) for dtype in ("float16", "bfloat16", "float32")
        for activation in (None, "relu", "gelu", "gelu_tanh", "sigmoid", "silu", "tanh")],
      ("float64", "relu"), ("complex64", None))
def linear(parameter):
    """And its gradients."""
    dtype, activation = parameter
    x, kernel, bias = (random(*shape, dtype=dtype) for shape in ((200, 70), (70, 130), (130,)))
    host = jax.devices("cpu")[0]
    wide = [jax.device_put(exact(each), host) for each in (x, kernel, bias)]
    function = getattr(jax.nn, activation.partition("_")[0]) if activation else lambda z: z
    function = partial(function, approximate=activation != "gelu") if activation in (
        "gelu", "gelu_tanh") else function
    expected, backward = jax.vjp(lambda x, w, b: function(x @ w + b), *wide)
    result, ours = jax.vjp(lambda *all: rj.linear(*all, activation), x, kernel, bias)
    check(result, np.asarray(expected), 10, dtype)
    ones = np.ones_like(expected)
    for mine, other in zip(ours(jnp.ones_like(result)), backward(jax.device_put(ones, host))):
        check(mine, np.asarray(other), 200, dtype)


@case("float16", "bfloat16")
def wider(dtype):
    a, b = random(128, 256, dtype=dtype), random(256, 64, dtype=dtype)
    result = jax.jit(partial(rj.gemm, dtype="float32"))(a, b)
    assert result.dtype == "float32"
    check(result, exact(a) @ exact(b), 16, "float32")


@case(*[(name, side, triangle, diagonal, op) for name in ("trmm", "trsm")
        for side in ("left", "right") for triangle in ("lower", "upper")
        for diagonal in ("nonunit", "unit") for op in "nt"])
def triangular(parameter):
    name, side, triangle, diagonal, op = parameter
    order = 65 if side == "left" else 40
    a, b = random(order, order) / 20 + 2 * jnp.eye(order, dtype="float32"), random(65, 40)
    result = jax.jit(lambda a, b: getattr(rj, name)(a, b, side, triangle, diagonal, op, 2))(a, b)
    matrix = np.tril(exact(a)) if triangle == "lower" else np.triu(exact(a))
    if diagonal == "unit":
        np.fill_diagonal(matrix, 1)
    matrix = apply(op, matrix)
    matrix = matrix if name == "trmm" else np.linalg.inv(matrix)
    check(result, 2 * (matrix @ exact(b) if side == "left" else exact(b) @ matrix), 10, "float32")


@case(*EPSILONS)
def gradients(dtype):
    a, b, c, weights = (random(64, 64, dtype=dtype) for _ in range(4))
    _, ours = jax.vjp(lambda a, b, c: rj.gemm(a, b, alpha=2, beta=3, c=c), a, b, c)
    weight = exact(weights)
    expected = 2 * weight @ exact(b).T, 2 * exact(a).T @ weight, 3 * weight
    for mine, other in zip(jax.jit(ours)(weights), expected):
        check(mine, other, 40, dtype)
    forward = jax.jit(lambda a, b: jax.jvp(rj.matmul, (a, b), (b, a))[1])(a, b)
    check(forward, exact(b) @ exact(b) + exact(a) @ exact(a), 40, dtype)


@case("trmm", "trsm")
def gradients_of_triangles(name):
    a = random(24, 24, dtype="float64") / 10 + 2 * jnp.eye(24)
    b, weights = random(24, 8, dtype="float64"), random(24, 8, dtype="float64")

    def theirs(a, b):
        return jnp.tril(a) @ b if name == "trmm" else jnp.linalg.solve(jnp.tril(a), b)

    for mine, other in zip(*(jax.jit(jax.grad(lambda a, b: (weights * f(a, b)**2).sum(), (0, 1)))(
            a, b) for f in (getattr(rj, name), theirs))):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-9)


@case((0, 0), (0, None), (None, 0), (1, 2))
def vmap(axes):
    a = random(*((65, 33) if axes[0] is None else (6, 65, 33) if axes[0] == 0 else (65, 6, 33)))
    b = random(*((33, 17) if axes[1] is None else (6, 33, 17) if axes[1] == 0 else (33, 17, 6)))
    left = exact(a) if axes[0] is None else np.moveaxis(exact(a), axes[0], 0)
    right = exact(b) if axes[1] is None else np.moveaxis(exact(b), axes[1], 0)
    check(jax.jit(jax.vmap(rj.matmul, axes))(a, b), left @ right, 6, "float32")


@case()
def order_of_the_stream(_):
    """Products between other operations of one program, many times, with no wait between."""
    a, step = random(256, 256) / 16, jax.jit(lambda a, x: rj.matmul(a, x + 1) * 0.5 - 1)
    x = expected = np.zeros((256, 256), "float32")
    for _ in range(100):
        x = step(a, x)
    for _ in range(100):
        expected = exact(a) @ (expected + 1) * 0.5 - 1
    np.testing.assert_allclose(x, expected, rtol=1e-3, atol=1e-3)


@case()
def loops(_):
    """In loops of XLA, which may be graphs of CUDA around the calls."""
    a, x = random(64, 64, dtype="float64") / 8, random(64, 64, dtype="float64")
    loop = jax.jit(lambda a, x: jax.lax.fori_loop(
        0, 20, lambda _, x: rj.gemm(a, jnp.tanh(x), beta=0.5, c=x), x))
    scan = jax.jit(lambda a, x: jax.lax.scan(
        lambda x, _: (rj.matmul(a, x), x.sum()), x, None, 5)[0])
    for _ in range(3):
        got, powers = loop(a, x), scan(a, x)
    expected = exact(x)
    for _ in range(20):
        expected = exact(a) @ np.tanh(expected) + 0.5 * expected
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(powers, np.linalg.matrix_power(exact(a), 5) @ exact(x), rtol=1e-9,
                               atol=1e-9)


@case()
def threads(_):
    """Two programs at once, which need kernels that the process has not."""
    problems, start = [], threading.Barrier(2)

    def work(size):
        call = jax.jit(lambda a, b: rj.matmul(a, b) + 1)
        start.wait()
        for i in range(20):
            a, b = random(size + i % 5, 40), random(40, size)
            if not np.allclose(call(a, b), exact(a) @ exact(b) + 1, rtol=1e-4, atol=1e-4):
                problems.append(a.shape)

    workers = [threading.Thread(target=work, args=(size,)) for size in (123, 77)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not problems, problems


@case(*range(1, 8))
def other_devices(number):
    """On each further GPU of the machine."""
    if number >= len(jax.devices()):
        return
    a, b = (jax.device_put(random(64, 64), jax.devices()[number]) for _ in range(2))
    result = jax.jit(rj.matmul)(a, b)
    assert result.devices() == {jax.devices()[number]}
    check(result, exact(a) @ exact(b), 8, "float32")


@case()
def errors(_):
    a = random(4, 4)
    for call, kind in ((lambda: jax.jit(rj.matmul)(a, a[:3]), ValueError),
                       (lambda: jax.jit(partial(rj.gemm, chip="h300"))(a, a), ValueError)):
        try:
            call()
        except kind:
            continue
        raise AssertionError("no error")


def median_us(call, *operands, repeats=30):
    jax.block_until_ready(call(*operands))
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(10):
            result = call(*operands)
        jax.block_until_ready(result)
        times.append((time.perf_counter() - start) / 10)
    return 1e6 * sorted(times)[repeats // 2]


def show_times():
    print("\nmicroseconds a call, ten at a time, the median of 30")
    for dtype in ("float32", "float64", "complex64", "complex128"):
        for m, n, k in ((64, 64, 64), (256, 256, 256), (1024, 1024, 1024), (16, 16, 200_000)):
            a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
            ours, theirs = (median_us(jax.jit(f), a, b) for f in (rj.matmul, jnp.matmul))
            print(f"  {dtype:>10} {m}x{n}x{k}: rooftile {ours:9.1f}  jnp {theirs:9.1f}")


def main():
    device = jax.devices()[0]
    print(f"JAX {jax.__version__} on {device.device_kind}, {len(jax.devices())} device(s), Python "
          f"{sys.version.split()[0]}")
    failures, start = 0, time.time()
    for function, parameter in CASES:
        name = function.__name__ + ("" if parameter is None else f" {parameter}")
        try:
            function(parameter)
            print(f"pass  {name}")
        except Exception as error:
            failures += 1
            print(f"FAIL  {name}: {type(error).__name__}: {str(error)[:300]}")
            if failures <= 3:
                traceback.print_exc()
    print(f"{len(CASES) - failures} of {len(CASES)} passed, {time.time() - start:.0f} s")
    if device.platform == "gpu":
        show_times()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
