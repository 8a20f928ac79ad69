"""torch.ops.rooftile.linear: a product with bias and activation in one kernel, beside PyTorch."""

import pytest

torch = pytest.importorskip("torch")
import rooftile.torch as products  # noqa: E402
from rooftile.torch._operators import ACTIVATIONS  # noqa: E402

OP = torch.ops.rooftile.linear
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def numbers(device):
    """Makes tensors on the device."""
    generator = torch.Generator().manual_seed(7)

    def make(*shape, dtype=torch.float32, grad=False):
        kind = dtype if dtype.is_complex else torch.float64
        values = torch.randn(shape, generator=generator, dtype=kind)
        return values.to(device, dtype).requires_grad_(grad)
    return make


def composed(x, weight, bias=None, activation=""):
    return ACTIVATIONS[activation](torch.nn.functional.linear(x, weight, bias))


@pytest.mark.parametrize("activation, has_bias",
                         [*((each, True) for each in ACTIVATIONS), ("", False), ("gelu", False)])
def test_functions(numbers, activation, has_bias):
    """Results, and derivatives of first and second order."""
    operands = [numbers(5, 7, grad=True), numbers(6, 7, grad=True)]
    operands += [numbers(6, grad=True)] if has_bias else []
    found = []
    for function in (OP, composed):
        result = function(*operands, activation=activation)
        first = torch.autograd.grad(result.square().sum(), operands, create_graph=True)
        second = torch.autograd.grad(sum(each.square().sum() for each in first), operands)
        found.append((result, *first, *second))
    torch.testing.assert_close(found[0], found[1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype, activation", [
    (torch.float64, "relu"), (torch.float64, ""), (torch.complex128, "")])
def test_gradients(numbers, dtype, activation):
    operands = [numbers(*shape, dtype=dtype, grad=True) for shape in ((3, 4), (2, 4), (2,))]
    assert torch.autograd.gradcheck(lambda *all: OP(*all, activation=activation), operands)
    assert torch.autograd.gradgradcheck(lambda *all: OP(*all, activation=activation), operands)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_types(numbers, dtype):
    x, weight, bias = (numbers(*shape, dtype=dtype) for shape in ((5, 7), (6, 7), (6,)))
    result = OP(x, weight, bias, activation="silu")
    assert result.dtype == dtype
    expected = composed(x.double(), weight.double(), bias.double(), "silu")
    torch.testing.assert_close(result.double(), expected, rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize("shape", [(7,), (5, 7), (2, 3, 7), (2, 0, 7)])
def test_shapes(numbers, shape):
    x, weight, bias = numbers(*shape), numbers(6, 7), numbers(6)
    result = products.linear(x, weight, bias, "tanh")
    assert result.shape == (*shape[:-1], 6)
    torch.testing.assert_close(result, composed(x, weight, bias, "tanh"), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(products.linear(x, weight), x @ weight.mT, rtol=1e-5, atol=1e-5)


def test_views(numbers):
    """Transposed operands are read where they lie; a bias that is not contiguous is copied."""
    x, weight = numbers(7, 5).mT, numbers(7, 6).mT
    bias = numbers(6, 2)[:, 1]
    expected = composed(x, weight, bias, "relu")
    torch.testing.assert_close(OP(x, weight, bias, activation="relu"), expected)


@pytest.mark.parametrize("in_dims", [(0, None, None), (1, None, None), (0, 0, None), (0, 0, 0),
                                     (None, 0, 0), (None, None, 0)])
def test_vmap(numbers, in_dims):
    shapes = ((5, 7), (6, 7), (6,))
    operands = []
    for shape, place in zip(shapes, in_dims):
        size = list(shape)
        if place is not None:
            size.insert(place, 3)
        operands.append(numbers(*size))

    def function(operator):
        return torch.vmap(lambda *all: operator(*all, activation="gelu"), in_dims)(*operands)

    torch.testing.assert_close(function(OP), function(composed), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("activation", ["", "gelu", "relu"])
def test_opcheck(numbers, activation):
    operands = (numbers(5, 7, grad=True), numbers(6, 7, grad=True), numbers(6, grad=True))
    torch.library.opcheck(OP.default, operands, {"activation": activation})
    torch.library.opcheck(OP.default, operands[:2], {"activation": activation})


def test_compile(numbers):
    def function(x, weight, bias):
        return products.linear(products.linear(x, weight, bias, "silu"), weight).sum()

    operands = [numbers(2, 5, 7, grad=True), numbers(7, 7, grad=True), numbers(7, grad=True)]
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(torch.autograd.grad(compiled(*operands), operands),
                               torch.autograd.grad(function(*operands), operands))


CASES = [
    (lambda x: OP(x(5, 7), x(6, 8)), ValueError,
     "input is 5 x 7 and weight is 6 x 8: K is 7 and 8"),
    (lambda x: OP(x(5), x(6, 5)), ValueError, r"input has 1 dimensions; expected a matrix \(2\)"),
    (lambda x: OP(x(5, 7), x(2, 6, 7)), ValueError, "weight has 3 dimensions"),
    (lambda x: OP(x(5, 7), x(6, 7).double()), TypeError, "weight is f64 and input is f32"),
    (lambda x: OP(x(5, 7).int(), x(6, 7).int()), TypeError, "input is torch.int32; expected f16"),
    (lambda x: OP(x(5, 7), x(6, 7), x(6).double()), TypeError, "bias is f64 and input is f32"),
    (lambda x: OP(x(5, 7), x(6, 7), x(5)), ValueError, r"bias has shape \(5,\); expected \(6,\)"),
    (lambda x: OP(x(5, 7), x(6, 7), activation="elu"), ValueError,
     "activation is 'elu'; expected 'relu', 'gelu'"),
    (lambda x: OP(x(5, 7).cfloat(), x(6, 7).cfloat(), activation="relu"), TypeError,
     "input is c64; activations are functions of real values"),
    (lambda x: OP(x(5, 7).double(), x(6, 7).double(), activation="tanh"), TypeError,
     "input is f64; the only activation of f64 is relu, not tanh"),
    (lambda x: products.linear(x(1)[0], x(6, 7)), ValueError, "input has 0 dimensions"),
    (lambda x: products.linear([1.0], x(6, 7)), TypeError, "input is of type builtins.list"),
]


@pytest.mark.parametrize("call, error, message", CASES)
@pytest.mark.parametrize("place", ["memory", "fake"])
def test_errors(numbers, call, error, message, place):
    """Errors of tensors that have no memory."""
    make = numbers if place == "memory" else lambda *shape: torch.empty(shape, device="meta")
    with pytest.raises(error, match=message):
        call(make)
