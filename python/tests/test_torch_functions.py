"""rooftile.torch beside torch.matmul and torch.linalg: vectors, batches, torch.func, autocast."""

import pytest

torch = pytest.importorskip("torch")
import rooftile.torch as products  # noqa: E402

OPS = torch.ops.rooftile
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def integers(device):
    generator = torch.Generator().manual_seed(11)

    def make(*shape, dtype=torch.float64, grad=False):
        values = torch.randint(-4, 5, shape, generator=generator).to(device, dtype)
        return values.requires_grad_(grad)
    return make


def triangles(integers, *shape):
    return integers(*shape).tril(-1) / 4 + 2 * torch.eye(shape[-1]).to(integers(1))


# Shapes ------------------------------------------------------------------------------------------

SHAPES = [((7,), (7,)), ((7,), (7, 6)), ((5, 7), (7,)), ((7,), (3, 7, 6)), ((3, 5, 7), (7,)),
          ((2, 3, 5, 7), (2, 3, 7, 6)), ((2, 1, 5, 7), (3, 7, 6)), ((5, 7), (2, 3, 7, 6)),
          ((4, 1, 3, 5, 7), (2, 1, 7, 6)), ((2, 0, 5, 7), (1, 7, 6)), ((2, 3, 5, 7), (7,))]


@pytest.mark.parametrize("a_shape, b_shape", SHAPES)
def test_shapes_of_matmul(integers, a_shape, b_shape):
    a, b = integers(*a_shape), integers(*b_shape)
    expected = torch.matmul(a, b)
    for call in (products.matmul, products.gemm, OPS.matmul):
        result = call(a, b)
        assert result.shape == expected.shape and torch.equal(result, expected)
    out = torch.full_like(expected, torch.nan)
    assert products.matmul(a, b, out=out) is out and torch.equal(out, expected)
    added = products.gemm(a, b, beta=2, c=expected, alpha=-1)
    assert torch.equal(added, expected)
    meta = products.matmul(a.to("meta"), b.to("meta"))
    assert meta.shape == expected.shape


@pytest.mark.parametrize("a_shape, b_shape", [((2, 1, 2, 3), (2, 3, 2)), ((3,), (2, 3, 2)),
                                              ((2, 2, 2, 3), (3,)), ((2, 3), (1, 2, 3, 2))])
def test_gradients_are_added_up(integers, a_shape, b_shape):
    a, b = integers(*a_shape, grad=True), integers(*b_shape, grad=True)
    c = integers(*torch.matmul(a, b).shape[-1:], grad=True)
    assert torch.autograd.gradcheck(products.matmul, (a, b))
    assert torch.autograd.gradgradcheck(products.matmul, (a, b))
    if a.dim() == 1 or b.dim() == 1:
        assert torch.autograd.gradcheck(lambda c: products.gemm(a, b, beta=2, c=c), (c,))


@pytest.mark.parametrize("routine", ["trmm", "trsm"])
@pytest.mark.parametrize("a_shape, b_shape", [
    ((3, 3), (3,)), ((2, 3, 3), (3,)), ((2, 3, 3), (3, 2)), ((2, 1, 3, 3), (2, 3, 2))])
def test_triangles(integers, routine, a_shape, b_shape):
    a, b = triangles(integers, *a_shape).requires_grad_(), integers(*b_shape, grad=True)
    function = getattr(products, routine)
    column = b.unsqueeze(-1) if b.dim() == 1 else b
    expected = a @ column if routine == "trmm" else torch.linalg.solve_triangular(
        a, column, upper=False)
    expected = expected.squeeze(-1) if b.dim() == 1 else expected
    torch.testing.assert_close(function(a, b), expected)
    out = torch.full_like(expected, torch.nan).detach()
    function(a.detach(), b.detach(), out=out)
    torch.testing.assert_close(out, expected.detach())
    assert torch.autograd.gradcheck(lambda a, b: function(a.tril(), b), (a, b))


def test_vectors_on_the_right(integers):
    a, b = triangles(integers, 5, 5), integers(5)
    torch.testing.assert_close(products.trmm(a, b, "right"), b @ a)
    torch.testing.assert_close(products.trsm(a, b, "right", op="T") @ a.T, b)


def test_capital_letters(integers):
    a, b = integers(7, 5, dtype=torch.complex64), integers(6, 7, dtype=torch.complex64)
    assert torch.equal(products.gemm(a, b, op_a="T", op_b="C"), a.mT @ b.mH)
    assert torch.equal(products.gemm(a[:, 0], b, op_a="T", op_b="T"), a[:, 0] @ b.mT)
    t = triangles(integers, 5, 5)
    c = integers(5, 3)
    torch.testing.assert_close(products.trsm(t, c, op="T"), products.trsm(t, c, op="t"))


def test_messages(integers):
    for a, b, text in (((), (3,), "a has 0 dimensions"), ((3,), (4,), "K is 3 and 4"),
                       ((2, 3, 5, 7), (2, 4, 7, 6), r"a is \(2, 3\) of 5 x 7 and b is \(2, 4\) of "
                        r"7 x 6: batches of \(2, 3\) and \(2, 4\) matrices")):
        for place in ("cpu", "meta"):
            with pytest.raises(ValueError, match=text):
                products.matmul(integers(*a).to(place), integers(*b).to(place))
    with pytest.raises(ValueError, match=r"c has shape \(2, 5, 6\); expected \(3, 5, 6\)"):
        products.gemm(integers(3, 5, 7), integers(7, 6), beta=1, c=integers(2, 5, 6))


def test_dynamic_batches(integers):
    def function(a, b):
        return products.matmul(a, b).sum(0)

    compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=True)
    for count in (2, 3):
        a, b = integers(count, 1, 5, 7), integers(4, 7, 6)
        assert torch.equal(compiled(a, b), function(a, b))


def test_vmap_of_batches(integers):
    a, b = integers(2, 3, 5, 7), integers(3, 7, 6)
    assert torch.equal(torch.vmap(products.matmul, (0, None))(a, b), a @ b)
    assert torch.equal(torch.vmap(products.matmul, (1, 0))(a, b), (a @ b).movedim(1, 0))
    assert torch.equal(torch.vmap(products.matmul, (0, None))(b[:, :, 0], b[0]),
                       b[:, :, 0] @ b[0])
    assert torch.equal(torch.vmap(torch.vmap(products.matmul, (0, None)), (0, None))(
        a, b[0, :, 0]), a @ b[0, :, 0])


# torch.func --------------------------------------------------------------------------------------

FUNCTIONS = {
    "gemm": (lambda a, b: products.gemm(a, b, alpha=2, beta=3, c=b),
             lambda a, b: 2 * a @ b + 3 * b),
    "trmm": (lambda a, b: products.trmm(a, b, alpha=2), lambda a, b: 2 * a.tril() @ b),
    "trsm": (products.trsm, lambda a, b: torch.linalg.solve_triangular(a, b, upper=False)),
    "linear": (lambda a, b: products.linear(b.mT, a, a[0], "gelu"),
               lambda a, b: torch.nn.functional.gelu(torch.nn.functional.linear(b.mT, a, a[0]))),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_func_grad(integers, name):
    """As of torch's own functions: of both arguments, nested, under vmap, with vjp and jacrev."""
    ours, theirs = FUNCTIONS[name]
    dtype = torch.float32 if name == "linear" else torch.float64
    a, b = triangles(integers, 4, 4).to(dtype), (integers(4, 3) / 8).to(dtype)

    def loss(function):
        return lambda a, b: function(a, b).square().sum()

    def penalty(function):
        return lambda a, b: torch.func.grad(loss(function))(a, b).square().sum()

    close = torch.testing.assert_close
    close(torch.func.grad(loss(ours), (0, 1))(a, b), torch.func.grad(loss(theirs), (0, 1))(a, b))
    close(torch.func.grad(penalty(ours), (0, 1))(a, b),
          torch.func.grad(penalty(theirs), (0, 1))(a, b))
    value, back = torch.func.vjp(ours, a, b)
    expected, their_back = torch.func.vjp(theirs, a, b)
    close(value, expected)
    close(back(value), their_back(value))
    close(torch.func.jacrev(ours)(a, b), torch.func.jacrev(theirs)(a, b))
    batch = torch.stack([b, 2 * b])
    close(torch.func.vmap(torch.func.grad(loss(ours)), (None, 0))(a, batch),
          torch.func.vmap(torch.func.grad(loss(theirs)), (None, 0))(a, batch))
    close(torch.func.grad(lambda a: torch.func.vmap(ours, (None, 0))(a, batch).square().sum())(a),
          torch.func.grad(lambda a: torch.func.vmap(theirs, (None, 0))(a, batch).square().sum())(a))


def test_func_grad_beside_backward(integers):
    """torch.func on tensors that require a gradient of autograd, too."""
    a, b = integers(4, 3, grad=True), integers(3, 2)
    inner = torch.func.grad(lambda a: products.matmul(a, b).square().sum())(a)
    inner.square().sum().backward()
    ours, a.grad = a.grad, None
    (2 * a @ b @ b.mT).square().sum().backward()
    torch.testing.assert_close(ours, a.grad)


def test_functional_call(integers):
    """Gradients for each sample, as for a module of a model."""
    weight, inputs = integers(3, 4), integers(5, 4)

    def loss(weight, row):
        return products.linear(row, weight, activation="relu").sum()

    gradients = torch.func.vmap(torch.func.grad(loss), (None, 0))(weight, inputs)
    expected = (inputs @ weight.mT > 0)[:, :, None] * inputs[:, None]
    assert torch.equal(gradients, expected.to(gradients.dtype))


# torch.autocast ----------------------------------------------------------------------------------

NARROW = [torch.bfloat16, torch.float16]


@pytest.mark.parametrize("dtype", NARROW)
def test_autocast(integers, device, dtype):
    a, b, c = (integers(*shape, dtype=torch.float32) for shape in ((5, 7), (7, 6), (5, 6)))
    t = triangles(integers, 5, 5).float()
    with torch.autocast(device, dtype=dtype):
        results = [products.matmul(a, b), products.gemm(a, b.to(dtype), beta=1, c=c),
                   products.linear(a, b.mT, c[0], "relu"), products.trmm(t, a)]
        expected = [a @ b, (a @ b) + c.to(dtype),
                    torch.nn.functional.linear(a, b.mT, c[0]).relu(), t @ a]
        solved = products.trsm(t, results[0])
        unchanged = products.matmul(a.double(), b.double())
    for result, right in zip(results, expected):
        assert result.dtype == dtype == right.dtype
        torch.testing.assert_close(result, right, rtol=2e-2, atol=1e-1)
    assert solved.dtype == torch.float32 and unchanged.dtype == torch.float64
    assert products.matmul(a, b).dtype == torch.float32


def test_autocast_of_two_types(integers, device):
    """Arguments that are refused elsewhere."""
    a, b = integers(5, 7, dtype=torch.float32), integers(7, 6, dtype=torch.float16)
    with pytest.raises(TypeError, match="a is f32 and b is f16"):
        products.matmul(a, b)
    with torch.autocast(device, dtype=torch.bfloat16):
        assert products.matmul(a, b).dtype == torch.bfloat16
        with torch.autocast(device, enabled=False):
            with pytest.raises(TypeError, match="a is f32 and b is f16"):
                products.matmul(a, b)


def test_autocast_gradients(integers, device):
    """Zeros of the type of the operands."""
    a, b = (integers(*shape, dtype=torch.float32, grad=True) for shape in ((5, 7), (7, 6)))
    with torch.autocast(device, dtype=torch.bfloat16):
        products.matmul(a, b).float().sum().backward()
    assert a.grad.dtype == torch.float32
    torch.testing.assert_close(a.grad, b.detach().sum(1).expand(5, 7))


def test_compiled_autocast(integers, device):
    def function(a, b):
        with torch.autocast(device, dtype=torch.bfloat16):
            return products.matmul(a, b)

    a, b = integers(5, 7, dtype=torch.float32), integers(7, 6, dtype=torch.float32)
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(a, b), function(a, b))
    assert compiled(a, b).dtype == torch.bfloat16
