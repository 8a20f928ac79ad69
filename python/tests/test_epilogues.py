"""A bias and an activation in the kernel of a product."""

import math

import numpy as np
import pytest
import rooftile

erf = np.vectorize(math.erf)
FUNCTIONS = {
    None: lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "gelu": lambda x: x * (1 + erf(x / math.sqrt(2))) / 2,
    "gelu_tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "tanh": np.tanh,
}


@pytest.fixture
def operands(integers):
    """a, b and c, such that activations are neither 0 nor saturated."""
    return integers((5, 7)) / 8, integers((7, 6)) / 4, integers((5, 6)) / 4


@pytest.mark.parametrize("activation", FUNCTIONS)
@pytest.mark.parametrize("shape", [None, (6,), (1, 6), (5, 1)])
def test_functions(operands, integers, activation, shape):
    a, b, c = operands
    bias = None if shape is None else integers(shape) / 2
    result = rooftile.gemm(a, b, alpha=2, beta=-1, c=c, bias=bias, activation=activation)
    expected = FUNCTIONS[activation](2 * (a @ b) - c + (0 if bias is None else bias))
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("order", "CF")
def test_order_of_out(operands, integers, order):
    a, b, _ = operands
    bias, out = integers((5, 1)), np.empty((5, 6), "float32", order)
    assert rooftile.matmul(a, b, out, bias=bias, activation="relu") is out
    np.testing.assert_array_equal(out, np.maximum(a @ b + bias, 0))


@pytest.mark.parametrize("dtype", ["float16", "float64", "complex64", "complex128"])
def test_types(integers, dtype):
    a, b, bias = integers((5, 7), dtype), integers((7, 6), dtype), integers(6, dtype)
    np.testing.assert_array_equal(rooftile.matmul(a, b, bias=bias), a @ b + bias)


def test_wider_result(integers):
    """A bias is of the type of the result."""
    a, b = integers((5, 7), "float16"), integers((7, 6), "float16")
    bias, out = integers(6) / 3, np.empty((5, 6), "float32")
    rooftile.gemm(a, b, bias=bias, out=out)
    np.testing.assert_allclose(out, a.astype("float32") @ b + bias, rtol=1e-6)


def test_one_bias_for_a_batch(integers):
    a, b, bias = integers((3, 5, 7)), integers((7, 6)), integers((5, 1))
    result = rooftile.matmul(a, b, bias=bias, activation="relu")
    np.testing.assert_array_equal(result, np.maximum(a @ b + bias, 0))


@pytest.mark.parametrize("m, n, shape", [(1, 6, (1, 1)), (5, 1, (1,)), (5, 1, (5, 1)),
                                         (1, 1, (1, 1))])
def test_broadcasting_of_one(integers, m, n, shape):
    a, b, bias = integers((m, 7)), integers((7, n)), integers(shape)
    np.testing.assert_array_equal(rooftile.matmul(a, b, bias=bias), a @ b + bias)


def test_no_product(integers):
    """Where K or alpha is 0, a and b are not read, and the epilogue is applied all the same."""
    nan, bias, c = np.full((4, 4), np.nan, "float32"), integers(4), integers((4, 4))
    result = rooftile.gemm(nan, nan, alpha=0, beta=2, c=c, bias=bias, activation="relu")
    np.testing.assert_array_equal(result, np.maximum(2 * c + bias, 0))
    result = rooftile.matmul(nan[:, :0], nan[:0], bias=bias)
    np.testing.assert_array_equal(result, np.broadcast_to(bias, (4, 4)))
    assert rooftile.matmul(nan[:0], nan, bias=bias).shape == (0, 4)


def test_each_has_a_kernel(integers):
    """Calls that differ in the epilogue only, one after the other."""
    a, b = integers((4, 4)), integers((4, 4))
    row, column = integers(4), integers((4, 1))
    for _ in range(2):
        for bias in (row, column):
            for activation in (None, "relu"):
                expected = a @ b + bias
                expected = np.maximum(expected, 0) if activation else expected
                np.testing.assert_array_equal(
                    rooftile.matmul(a, b, bias=bias, activation=activation), expected)


def test_unaligned_bias(integers):
    a, b, bias = integers((5, 7)), integers((7, 6)), integers(10)
    for start in range(4):
        part = bias[start:start + 6]
        np.testing.assert_array_equal(rooftile.matmul(a, b, bias=part), a @ b + part)


def test_stateful(operands, integers):
    a, b, c = operands
    bias, other = integers(6), integers((5, 1))
    with rooftile.Gemm(a, b, c, beta=1, bias=bias, activation="relu", chip="h200") as product:
        plans = product.plan().report
        assert plans["chip"] == "h200" and plans["operations"][0]["n"] == 6
        assert plans["operations"][0]["source"] == "the model"
        assert plans["operations"][0]["plans"][0]["plan"].startswith("#blas.plan<")
        np.testing.assert_array_equal(product.execute(), np.maximum(a @ b + c + bias, 0))
        product.reset_operands(bias=other, alpha=2, beta=0)
        np.testing.assert_array_equal(product.execute(), np.maximum(2 * (a @ b) + other, 0))
        with pytest.raises(ValueError, match=r"bias has shape \(7,\)"):
            product.reset_operands(bias=integers(7), alpha=3)
        np.testing.assert_array_equal(product.execute(), np.maximum(2 * (a @ b) + other, 0))
    with pytest.raises(RuntimeError, match="this Gemm is closed"):
        product.report
    empty = rooftile.Gemm(a[:0], b).plan()
    assert empty.report == {"chip": "", "operations": []} and empty.execute().shape == (0, 6)


def test_stateful_refuses_at_once(operands, integers):
    a, b, _ = operands
    with pytest.raises(ValueError, match="activation is 'elu'"):
        rooftile.Gemm(a, b, activation="elu")
    with pytest.raises(TypeError, match="bias is f64 and out is f32"):
        rooftile.Gemm(a, b, bias=np.ones(6))
    with pytest.raises(TypeError, match="c is f64 and a is f32"):
        rooftile.Gemm(a, b, np.ones((5, 6)), beta=1)
    with pytest.raises(ValueError, match="h20o"):
        rooftile.Gemm(a, b, chip="h20o").report


@pytest.mark.parametrize("kind, text, make", [
    (TypeError, "bias is f64 and out is f32", lambda out: np.ones(6)),
    (TypeError, "bias is of type builtins.list", lambda out: [1.0] * 6),
    (ValueError, r"bias has shape \(5,\); expected \(6,\) or \(1, 6\), for each column, or "
     r"\(5, 1\), for each row", lambda out: np.ones(5, "float32")),
    (ValueError, r"bias has shape \(1,\)", lambda out: np.ones(1, "float32")),
    (ValueError, r"bias has shape \(6, 1\)", lambda out: np.ones((6, 1), "float32")),
    (ValueError, r"bias has shape \(5, 6\)", lambda out: np.ones((5, 6), "float32")),
    (ValueError, r"bias has shape \(\)", lambda out: np.ones((), "float32")),
    (ValueError, "bias: a stride of 2 elements; expected a contiguous",
     lambda out: np.ones(12, "float32")[::2]),
    (ValueError, "bias: a stride of -1 elements", lambda out: np.ones(6, "float32")[::-1]),
    (ValueError, "bias: a stride of 0 elements",
     lambda out: np.broadcast_to(np.float32(1), (6,))),
    (ValueError, "bias: the address 0x.*1 is no multiple of 4 bytes, the size",
     lambda out: np.frombuffer(bytes(25), "u1")[1:].view("float32")),
    (ValueError, "out: its 120 bytes at 0x.* overlap bias, 24 bytes at 0x", lambda out: out[2]),
    (ValueError, "out: its 120 bytes at 0x.* overlap bias, 24 bytes at 0x",
     lambda out: out.reshape(30)[-6:]),
])
def test_refused_bias(integers, kind, text, make):
    a, b, out = integers((5, 7)), integers((7, 6)), np.full((5, 6), 42, "float32")
    with pytest.raises(kind, match=text):
        rooftile.gemm(a, b, beta=1, c=np.zeros((5, 6), "float32"), bias=make(out), out=out)
    assert (out == 42).all()


@pytest.mark.parametrize("dtype, activation, kind, text", [
    ("float32", "elu", ValueError, "activation is 'elu'; expected 'relu', 'gelu', 'gelu_tanh'"),
    ("float32", np.tanh, TypeError, "activation is of type ufunc; expected a name"),
    ("complex64", "relu", TypeError, "out is c64; activations are functions of real values"),
    ("float64", "gelu", TypeError, "out is f64; the only activation of f64 is relu, not gelu")])
def test_refused_activation(integers, dtype, activation, kind, text):
    a, b = integers((5, 7), dtype), integers((7, 6), dtype)
    with pytest.raises(kind, match=text):
        rooftile.gemm(a, b, activation=activation)
