"""rooftile.jax.symm, hemm, syrk, herk, syr2k, her2k and trtri, beside jax.numpy."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
rj = pytest.importorskip("rooftile.jax")

from derivatives import check_derivatives, value_and_cotangents  # noqa: E402

UPDATES = ["syrk", "herk", "syr2k", "her2k"]
NAMES = ["symm", "hemm", *UPDATES]
WORDS = ["lower", "upper"]


def is_hermitian(name):
    return name.startswith("he")


def adjoint(name, matrix):
    turned = jnp.swapaxes(matrix, -1, -2)
    return turned.conj() if is_hermitian(name) else turned


def half(matrix, word, inside=0):
    return jnp.tril(matrix, -inside) if word == "lower" else jnp.triu(matrix, inside)


def diagonal_of(name, matrix):
    diagonal = matrix * np.eye(matrix.shape[-1])
    return diagonal.real + 0 * diagonal if is_hermitian(name) else diagonal


def composed(name, inputs, c=None, word="lower", side="left", op="n", alpha=1, beta=0):
    a, b = inputs[0], inputs[-1]
    c = 0 if c is None else c
    if name.endswith("mm"):
        strict = half(a, word, 1)
        whole = strict + adjoint(name, strict) + diagonal_of(name, a)
        return alpha * (whole @ b if side == "left" else b @ whole) + beta * c
    a, b = (each if op == "n" else adjoint(name, each) for each in (a, b))
    result = alpha * (a @ adjoint(name, b))
    if name.endswith("2k"):
        result += (jnp.conj(alpha) if is_hermitian(name) else alpha) * (b @ adjoint(name, a))
    result = result + beta * c
    result = result - 0 * result if not is_hermitian(name) else \
        result - result * np.eye(result.shape[-1]) + diagonal_of(name, result)
    inside = half(np.ones(result.shape[-2:]), word) != 0
    return jnp.where(inside, result, c)


def call(name, inputs, c=None, word="lower", side="left", op="n", alpha=1, beta=0):
    more = {"side": side} if name.endswith("mm") else {"op": op}
    return getattr(rj, name)(*inputs, triangle=word, alpha=alpha, beta=beta, c=c, **more)


@pytest.fixture
def operands(rng):
    """Makes inputs and c."""
    def make(name, dtype, side="left", turned=False, batch=()):
        def array(*shape):
            values = rng.standard_normal(shape)
            if dtype == "complex128":
                values = values + 1j * rng.standard_normal(shape)
            return values.astype(dtype)

        if name.endswith("mm"):
            order = 3 if side == "left" else 2
            return [array(order, order), array(*batch, 3, 2)], array(3, 2)
        count = 2 if name.endswith("2k") else 1
        shape = (2, 3) if turned else (3, 2)
        return [array(*batch, *shape), *(array(*shape) for _ in range(count - 1))], array(3, 3)
    return make


def scalars_of(name, dtype):
    if dtype == "float64":
        return {"alpha": 1.5, "beta": -0.5}
    return {"alpha": 1.5 if name == "herk" else 1.5 - 0.5j,
            "beta": -0.5 if name in ("herk", "her2k") else 0.5j}


CASES = [(name, dtype) for name in NAMES for dtype in ("float64", "complex128")
         if dtype == "complex128" or not is_hermitian(name)]
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@pytest.mark.parametrize("name, dtype", CASES)
@pytest.mark.parametrize("word, other", [("lower", False), ("upper", True)])
def test_results_and_derivatives(operands, name, dtype, word, other):
    """The other side or op, too. Of first and second order, forward and backward."""
    form = {"word": word, "side": "right" if other else "left",
            "op": ("c" if is_hermitian(name) else "t") if other else "n"}
    inputs, c = operands(name, dtype, form["side"], other)
    scalars = scalars_of(name, dtype)
    expected = jax.jit(lambda *all: composed(name, all, **form))(*inputs)
    np.testing.assert_allclose(call(name, inputs, **form), expected, **CLOSE)

    def ours(*all):
        return call(name, all[:-1], all[-1], **form, **scalars)

    def theirs(*all):
        return composed(name, all[:-1], all[-1], **form, **scalars)

    all_operands = (*inputs, c)
    np.testing.assert_allclose(jax.jit(ours)(*all_operands), jax.jit(theirs)(*all_operands),
                               **CLOSE)
    check_derivatives(ours, all_operands, rtol=1e-4, atol=1e-4)
    for found, expected in zip(value_and_cotangents(ours, *all_operands),
                               value_and_cotangents(theirs, *all_operands)):
        np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("name, dtype", CASES)
def test_batches(operands, name, dtype):
    """vmap of each operand, and gradients of one that is the same for all."""
    inputs, c = operands(name, dtype)
    scalars, all_operands = scalars_of(name, dtype), (*inputs, c)

    def ours(*all):
        return call(name, all[:-1], all[-1], **scalars)

    def theirs(*all):
        return composed(name, all[:-1], all[-1], **scalars)

    for places in [(0,) * len(all_operands), (1, *[None] * len(inputs)),
                   (*[None] * len(inputs), 0)]:
        mapped = [each if place is None else np.stack([each, 2 * each, -each], place)
                  for each, place in zip(all_operands, places)]
        mine, others = jax.vmap(ours, places), jax.vmap(theirs, places)
        expected, *cotangents = value_and_cotangents(others, *mapped)
        np.testing.assert_allclose(jax.jit(mine)(*mapped), expected, **CLOSE)
        for one, other in zip(value_and_cotangents(mine, *mapped), [expected, *cotangents]):
            np.testing.assert_allclose(one, other, **CLOSE)
    inputs, c = operands(name, dtype, batch=(2, 1))
    np.testing.assert_allclose(ours(*inputs, c), jax.jit(theirs)(*inputs, c), **CLOSE)


@pytest.mark.parametrize("name, dtype", CASES)
def test_traced_scalars(operands, name, dtype):
    inputs, c = operands(name, dtype)
    scalars = scalars_of(name, dtype)
    arrays = {key: jnp.asarray(value) for key, value in scalars.items()}
    expected = jax.jit(lambda *all: composed(name, all[:-1], all[-1], **scalars))(*inputs, c)
    found = jax.jit(lambda alpha, beta: call(name, inputs, c, alpha=alpha, beta=beta))(**arrays)
    np.testing.assert_allclose(found, expected, **CLOSE)
    for key in arrays:
        found = call(name, inputs, c, **{**scalars, key: arrays[key]})
        np.testing.assert_allclose(found, expected, **CLOSE)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit", [True, False])
def test_inverse(rng, lower, unit):
    word, inside = "lower" if lower else "upper", int(unit)
    a = jnp.asarray(rng.standard_normal((2, 4, 4)) / 4 + 2 * np.eye(4))

    def meant(a):
        return half(a, word, inside) + inside * np.eye(4)

    def ours(a):
        return rj.trtri(a, lower, unit)

    np.testing.assert_allclose(ours(a), np.linalg.inv(meant(a)), **CLOSE)
    np.testing.assert_allclose(jax.jit(jax.vmap(ours, 1))(a.swapaxes(0, 1)), ours(a), **CLOSE)
    check_derivatives(ours, (a,), rtol=1e-4, atol=1e-4)
    found = jax.grad(lambda a: ours(a).sum())(a)
    expected = jax.grad(lambda a: jnp.linalg.inv(meant(a)).sum())(a)
    np.testing.assert_allclose(found, expected, **CLOSE)


def test_linear_transposes(operands):
    inputs, _ = operands("symm", "float64")
    for i in (0, 1):
        def one(x, i=i):
            return rj.symm(*[x if i == j else each for j, each in enumerate(inputs)])

        value, back = jax.vjp(one, inputs[i])
        found, = jax.linear_transpose(one, inputs[i])(value)
        np.testing.assert_allclose(found, back(value)[0], **CLOSE)
    with pytest.raises(NotImplementedError, match="syrk is not linear in a"):
        jax.linear_transpose(rj.syrk, inputs[0])(inputs[0])


def test_unread_triangles(rng):
    """Their NaN is not in results, and their derivatives are zeros."""
    inside = np.tril(np.ones((3, 3))) != 0
    a = jnp.asarray(np.where(inside, rng.standard_normal((3, 3)) + 3 * np.eye(3), np.nan))
    for function in (rj.trtri, lambda a: rj.symm(a, np.ones((3, 2)))):
        assert np.isfinite(function(a)).all()
        gradient = jax.grad(lambda a: function(a).sum())(a)
        assert np.isfinite(gradient).all() and (gradient[~inside] == 0).all()


ONES = np.ones((4, 4))
ERRORS = [
    (lambda: rj.symm(ONES, np.ones((5, 4))), ValueError, "on the left a is to be 5 x 5"),
    (lambda: rj.hemm(ONES, ONES), TypeError, "a is f64; hemm accepts c64 and c128"),
    (lambda: rj.syrk(ONES, op="c"), ValueError, "op is 'c'; expected 'n' or 't'"),
    (lambda: rj.syr2k(ONES, ONES[:3]), ValueError, "expected equal rows and columns"),
    (lambda: rj.trtri(ONES[:3]), ValueError, "a is 3 x 4; expected a square matrix"),
    (lambda: rj.syrk(ONES, beta=1), ValueError, "beta is .* and there is no c"),
    (lambda: rj.syrk(ONES, beta=1, c=ONES[:3]), ValueError, r"c has shape \(3, 4\)"),
    (lambda: rj.syrk(ONES, beta=1, c=ONES.astype("f4")), TypeError,
     "c is float32 and a is float64"),
    (lambda: rj.syrk(ONES, alpha=1j), TypeError, "alpha is complex and out is f64"),
    (lambda: rj.herk(ONES + 0j, alpha=1j), TypeError, "alpha is complex; that of herk is real"),
]


@pytest.mark.parametrize("function, error, message", ERRORS)
def test_errors(function, error, message):
    """Raised when a function is traced."""
    with pytest.raises(error, match=message):
        jax.jit(function)()
