"""torch.ops.rooftile: results, gradients, fake tensors, torch.compile, vmap, errors."""

import pytest
import rooftile
from conftest import torch_integers

torch = pytest.importorskip("torch")
import rooftile.torch as products  # noqa: E402

OPS = torch.ops.rooftile
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
TYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
         torch.complex128]
pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def integers(device):
    return torch_integers(device)


@pytest.fixture
def triangle(integers):
    """Makes a triangular matrix with a diagonal of 2, and NaN where nothing is read."""
    def make(order, upper=False, unit=False, dtype=torch.float64, grad=False):
        full = integers(order, order, dtype=dtype) / 4
        meant = full.triu(1) if upper else full.tril(-1)
        meant = meant + (1 if unit else 2) * torch.eye(order, dtype=dtype, device=full.device)
        unread = torch.ones_like(full).tril(-1) if upper else torch.ones_like(full).triu(1)
        if unit:
            unread += torch.eye(order, dtype=dtype, device=full.device)
        stored = torch.where(unread != 0, torch.nan, meant)
        return stored.requires_grad_(grad), meant.requires_grad_(grad)
    return make


def op(name, matrix):
    return {"n": matrix, "t": matrix.mT, "c": matrix.mH, "j": matrix.conj()}[name]


# Results -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", TYPES)
def test_types(integers, dtype):
    a, b, c = integers(5, 7, dtype=dtype), integers(7, 6, dtype=dtype), integers(5, 6, dtype=dtype)
    result = OPS.gemm(a, b, c, alpha=2, beta=-1)
    wide = torch.complex128
    assert result.dtype == dtype and result.is_contiguous() and result.device == a.device
    assert (result.to(wide) == 2 * (a.to(wide) @ b.to(wide)) - c.to(wide)).all()
    assert torch.equal(OPS.matmul(a, b), products.matmul(a, b))


@pytest.mark.parametrize("op_a", "ntcj")
@pytest.mark.parametrize("op_b", "ntcj")
def test_views(integers, op_a, op_b):
    """Transposed and conjugated views are read where they lie."""
    a = integers(*((5, 7) if op_a in "nj" else (7, 5)), dtype=torch.complex128)
    b = integers(*((7, 6) if op_b in "nj" else (6, 7)), dtype=torch.complex128)
    expected = op(op_a, a).resolve_conj() @ op(op_b, b).resolve_conj()
    assert torch.equal(OPS.gemm(op(op_a, a), op(op_b, b)), expected)
    assert torch.equal(products.gemm(a, b, op_a=op_a, op_b=op_b), expected)
    assert torch.equal(products.gemm(a, b, alpha=1j, op_a=op_a, op_b=op_b), 1j * expected)


def test_negated_views(integers):
    """As the imaginary part of a conjugated tensor is: elements are negated when they are read."""
    a, b = torch._neg_view(integers(5, 7)), integers(7, 6)
    assert a.is_neg() and torch.equal(OPS.gemm(a, b), a.resolve_neg() @ b)
    added = OPS.gemm(b.mT, b, torch._neg_view(integers(6, 6)), beta=1)
    assert added.shape == (6, 6) and not added.is_neg()
    with pytest.raises(ValueError, match="out is a negated view"):
        products.matmul(a, b, out=torch._neg_view(torch.zeros_like(a @ b)))


@pytest.mark.parametrize("a_shape, b_shape, c_shape", [
    ((3, 5, 7), (3, 7, 6), (3, 5, 6)), ((5, 7), (3, 7, 6), (5, 6)), ((3, 5, 7), (1, 7, 6), None)])
def test_batches(integers, a_shape, b_shape, c_shape):
    a, b = integers(*a_shape), integers(*b_shape)
    c = integers(*c_shape) if c_shape else None
    expected = a @ b if c is None else a @ b + c
    assert torch.equal(OPS.gemm(a, b, c, beta=0 if c is None else 1), expected)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", ["lower", "upper"])
@pytest.mark.parametrize("diagonal", ["nonunit", "unit"])
@pytest.mark.parametrize("form", "ntc")
def test_triangular(integers, triangle, side, name, diagonal, form):
    order = 5 if side == "left" else 4
    a, meant = triangle(order, name == "upper", diagonal == "unit")
    b, full = integers(5, 4), op(form, meant)
    product = products.trmm(a, b, side, name, diagonal, form, alpha=2)
    torch.testing.assert_close(product, 2 * (full @ b if side == "left" else b @ full))
    assert product.is_contiguous()
    solution = products.trsm(a, product, side, name, diagonal, form, alpha=0.5)
    torch.testing.assert_close(solution, b)
    torch.testing.assert_close(rooftile.trsm(a, product, side, name, diagonal, form, 0.5), b)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("form", "ntcj")
def test_complex_triangles(integers, triangle, side, form):
    """Conjugated views of both, too."""
    a, meant = triangle(5, dtype=torch.complex128)
    b, alpha = integers(5, 5, dtype=torch.complex128), 1 - 2j
    full = op(form, meant)
    product = products.trmm(a, b, side, op=form, alpha=alpha)
    torch.testing.assert_close(product, alpha * (full @ b if side == "left" else b @ full))
    solution = products.trsm(a, product, side, op=form, alpha=1 / alpha)
    torch.testing.assert_close(solution, b)
    torch.testing.assert_close(products.trsm(a.conj(), product.conj(), side, op=form,
                                             alpha=1 / alpha.conjugate()), b.conj())


def test_narrow_triangles(integers):
    for dtype in (torch.float16, torch.bfloat16):
        a, b = (integers(5, 5, dtype=dtype).tril(), integers(5, 4, dtype=dtype))
        expected = (a.double() @ b.double()).to(dtype)
        torch.testing.assert_close(OPS.trmm(a, b), expected)


def test_order_of_results(integers, triangle):
    """trmm and trsm keep the order of b."""
    a, meant = triangle(5)
    b = integers(4, 5).mT
    for operator in (OPS.trmm, OPS.trsm):
        result = operator(a, b)
        assert result.mT.is_contiguous()
        assert torch.equal(result, operator(a, b.contiguous()))


def test_out(integers, triangle):
    a, b = integers(5, 7), integers(7, 6)
    out = integers(5, 6)
    expected = 2 * (a @ b) - out
    version = out._version
    assert products.gemm(a, b, alpha=2, beta=-1, c=out, out=out) is out
    assert torch.equal(out, expected) and out._version > version
    columns = torch.full((6, 5), torch.nan, dtype=torch.float64, device=a.device).mT
    assert products.matmul(a, b, out=columns) is columns
    assert torch.equal(columns, a @ b)
    stored, meant = triangle(6, upper=True)
    products.trmm(stored, out, "right", "upper", out=out)
    torch.testing.assert_close(out, expected @ meant)
    assert products.trsm(stored, out, "right", "upper", out=out) is out
    torch.testing.assert_close(out, expected)


def test_changed_operand(integers):
    """Autograd refuses to use a tensor that out= has overwritten."""
    a, b = integers(4, 4), integers(4, 4, grad=True)
    result = OPS.gemm(a, b)
    products.gemm(a + 1, a + 1, out=a)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result.sum().backward()


# Gradients ---------------------------------------------------------------------------------------

@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
@pytest.mark.parametrize("a_shape, b_shape, c_shape", [
    ((3, 4), (4, 2), (3, 2)), ((2, 3, 4), (4, 2), (2, 3, 2)), ((3, 4), (2, 4, 2), (3, 2)),
    ((1, 3, 4), (2, 4, 2), None)])
def test_gradients(integers, dtype, a_shape, b_shape, c_shape):
    alpha, beta = (2, -0.5) if dtype == torch.float64 else (2 - 1j, 0.5j)
    operands = [integers(*shape, dtype=dtype, grad=True) for shape in (a_shape, b_shape)]
    if c_shape:
        operands.append(integers(*c_shape, dtype=dtype, grad=True))

    def function(a, b, c=None):
        return OPS.gemm(a, b, c, alpha=alpha, beta=0 if c is None else beta)

    assert torch.autograd.gradcheck(function, operands)
    assert torch.autograd.gradgradcheck(function, operands)


@pytest.mark.parametrize("op_a", "tcj")
def test_gradients_of_views(integers, op_a):
    a = integers(*((3, 4) if op_a == "j" else (4, 3)), dtype=torch.complex128, grad=True)
    b = integers(4, 2, dtype=torch.complex128, grad=True)
    assert torch.autograd.gradcheck(lambda a, b: products.gemm(a, b, op_a=op_a), (a, b))


@pytest.mark.parametrize("routine", ["trmm", "trsm"])
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", ["lower", "upper"])
@pytest.mark.parametrize("diagonal", ["nonunit", "unit"])
@pytest.mark.parametrize("form", "nt")
def test_triangular_gradients(integers, triangle, routine, side, name, diagonal, form):
    """Gradient of the triangle that is read; zero elsewhere, though NaN is stored there."""
    upper, unit = name == "upper", diagonal == "unit"
    a, meant = triangle(3, upper, unit, grad=True)
    b = integers(*((3, 2) if side == "left" else (2, 3)), grad=True)
    getattr(products, routine)(a, b, side, name, diagonal, form, 1.5).square().sum().backward()
    ours, a.grad, b.grad = (a.grad, b.grad), None, None
    full = meant.detach().triu(int(unit)) if upper else meant.detach().tril(-int(unit))
    full = full.requires_grad_()
    whole = op(form, full + torch.eye(3, dtype=a.dtype, device=a.device) if unit else full)
    inverse = torch.linalg.inv(whole) if routine == "trsm" else whole
    (1.5 * (inverse @ b if side == "left" else b @ inverse)).square().sum().backward()
    of_a = full.grad.triu(int(unit)) if upper else full.grad.tril(-int(unit))
    torch.testing.assert_close(ours, (of_a, b.grad))


@pytest.mark.parametrize("routine", ["trmm", "trsm"])
@pytest.mark.parametrize("a_shape", [(3, 3), (2, 3, 3)])
@pytest.mark.parametrize("dtype, alpha", [(torch.float64, 0.5), (torch.complex128, 0.5 - 1j)])
def test_triangular_gradients_of_batches(integers, routine, a_shape, dtype, alpha):
    a = integers(*a_shape, dtype=dtype).tril(-1) / 4 + 2 * torch.eye(3).to(integers(1, 1))
    a, b = a.requires_grad_(), integers(2, 3, 2, dtype=dtype, grad=True)
    function = getattr(OPS, routine)
    assert torch.autograd.gradcheck(lambda a, b: function(a.tril(), b, alpha=alpha), (a, b))
    assert torch.autograd.gradgradcheck(lambda a, b: function(a.tril(), b, alpha=alpha), (a, b))


def test_unread_operands(integers):
    """With alpha = 0 or beta = 0 their NaN is not in the result, nor in gradients of others."""
    a, b = torch.full_like(integers(3, 4), torch.nan), integers(4, 2, grad=True)
    c = integers(3, 2, grad=True)
    OPS.gemm(a, b, c, alpha=0, beta=2).sum().backward()
    assert (c.grad == 2).all() and (b.grad == 0).all()


# torch.library and torch.compile -----------------------------------------------------------------

def samples(integers, triangle):
    """An operator, its arguments and keyword arguments."""
    real, grad = integers(5, 7), {"grad": True}
    a, _ = triangle(4, grad=True)
    complexes = [integers(*shape, dtype=torch.complex64, grad=True) for shape in ((3, 5), (5, 2))]
    return [
        (OPS.gemm, (real, integers(7, 6)), {}),
        (OPS.gemm, (integers(5, 7, **grad), integers(7, 6, **grad), integers(5, 6, **grad)),
         {"alpha": 2.0, "beta": 3.0}),
        (OPS.gemm, tuple(complexes), {"alpha": 2j}),
        (OPS.gemm, (integers(3, 5, 7, **grad), integers(7, 6)), {}),
        (OPS.gemm, (real.mT, integers(5, 3)), {}),
        (OPS.matmul, (real, integers(7, 6, **grad)), {}),
        (OPS.gemm_out, (real, integers(7, 6), None, integers(5, 6)), {"alpha": 2.0}),
        (OPS.gemm_out, (real, integers(7, 6), integers(5, 6), integers(5, 6)), {"beta": 2.0}),
        (OPS.trmm, (a, integers(4, 3, **grad)), {}),
        (OPS.trsm, (a, integers(4, 3, **grad)), {"alpha": 2.0}),
        (OPS.trsm, (triangle(4, True, True)[0], integers(2, 3, 4).mT),
         {"upper": True, "unit": True}),
        (OPS.trmm_out, (a.detach(), integers(4, 3), integers(4, 3)), {}),
        (OPS.trsm_out, (a.detach(), integers(4, 3), integers(4, 3)), {"alpha": 2.0}),
    ]


@pytest.mark.parametrize("index", range(13))
def test_opcheck(integers, triangle, index):
    all_samples = samples(integers, triangle)
    assert len(all_samples) == 13
    operator, arguments, options = all_samples[index]
    torch.library.opcheck(operator.default, arguments, options)


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(integers, triangle, dynamic):
    def function(a, b, t):
        c = products.gemm(a, b, alpha=2, op_a="t")
        out = torch.empty_like(c.detach())
        products.gemm(a.detach(), b, out=out, op_a="t")
        return products.trsm(t, products.trmm(t, c)) + OPS.matmul(c, c.mT) @ out

    compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=dynamic)
    t, _ = triangle(5, grad=True)
    a, b = integers(7, 5, grad=True), integers(7, 6)
    expected = function(a, b, t)
    gradients = torch.autograd.grad(expected.sum(), (a, t))
    result = compiled(a, b, t)
    torch.testing.assert_close(result, expected)
    torch.testing.assert_close(torch.autograd.grad(result.sum(), (a, t)), gradients)


def test_compiled_accumulation(integers):
    """c=out in a compiled function."""
    def function(a, b, out):
        products.gemm(a, b, beta=1, c=out, out=out)
        return out + 1

    a, b, out = integers(5, 7), integers(7, 6), integers(5, 6)
    expected = a @ b + out
    result = torch.compile(function, fullgraph=True, backend="aot_eager")(a, b, out)
    assert torch.equal(out, expected) and torch.equal(result, expected + 1)


def test_vmap(integers, triangle):
    a, b, c = integers(3, 5, 7), integers(3, 7, 6), integers(5, 6)
    assert torch.equal(torch.vmap(OPS.gemm)(a, b), a @ b)
    assert torch.equal(torch.vmap(OPS.gemm, (0, None))(a, b[0]), a @ b[0])
    assert torch.equal(torch.vmap(OPS.gemm, (None, 2))(a[0], b.movedim(0, 2)), a[0] @ b)
    scaled = torch.vmap(lambda a, b, c: OPS.gemm(a, b, c, beta=1), (None, None, 0))
    assert torch.equal(scaled(a[0], b[0], integers(2, 5, 6) * 0), (a[0] @ b[0]).expand(2, 5, 6))
    batches = integers(2, 3, 5, 7)
    added = torch.vmap(lambda a, b, c: OPS.gemm(a, b, c, beta=1), (0, None, None))
    assert torch.equal(added(batches, b, c), batches @ b + c)
    twice = torch.vmap(torch.vmap(OPS.gemm, (0, None)), (0, None))
    assert torch.equal(twice(batches, b[0]), batches @ b[0])
    t, meant = triangle(5)
    torch.testing.assert_close(torch.vmap(OPS.trmm, (None, 0))(t, a), meant @ a)
    torch.testing.assert_close(meant @ torch.vmap(OPS.trsm, (0, None))(t.expand(2, 5, 5), a[0]),
                               a[0].expand(2, 5, 7))


def test_other_gradients(integers):
    """An unsupported operator raises, and gives no gradient of zero."""
    a, b = integers(3, 4), integers(4, 2)
    with pytest.raises(NotImplementedError, match="no forward-mode gradients"):
        torch.func.jvp(lambda a: OPS.gemm(a, b), (a,), (a,))
    with pytest.raises(NotImplementedError, match="no forward-mode gradients"):
        torch.func.hessian(lambda a: OPS.gemm(a, b).square().sum())(a)
    with pytest.raises(NotImplementedError, match="no forward-mode gradients"):
        with torch.autograd.forward_ad.dual_level():
            OPS.gemm(torch.autograd.forward_ad.make_dual(a, a), b)


def test_meta(device):
    """Shapes and orders, without memory."""
    a = torch.empty(5, 7, device="meta")
    result = OPS.gemm(a, torch.empty(3, 7, 6, device="meta"))
    assert result.shape == (3, 5, 6) and result.is_contiguous() and result.is_meta
    t = torch.empty(5, 5, device="meta")
    assert OPS.trsm(t, torch.empty(4, 5, device="meta").mT).stride() == (1, 5)


def skip_without_gpu(device):
    if device != "cuda":
        pytest.skip("no GPU")


def test_current_stream(integers, device):
    """Work goes to the current stream: it waits for what is there."""
    skip_without_gpu(device)
    a = torch.ones(64, 64, device=device)
    OPS.trmm(a, OPS.gemm(a, a))
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(100_000_000)
        a.add_(1)
        result = OPS.gemm(a, a)
        torch.cuda.current_stream().synchronize()
    assert (result == 4 * 64).all()


def test_graph(integers, triangle, device):
    """Calls that have been made once are captured, and replayed with what is in memory then."""
    skip_without_gpu(device)
    a, b, out = (integers(64, 64) for _ in range(3))
    (t, _), x = triangle(64), integers(64, 64)

    def work():
        products.gemm(a, b, out=out)
        return products.matmul(out, b), products.trsm(t, products.trmm(t, x))

    _, expected = work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        product, solution = work()
    a.copy_(integers(64, 64))
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(product, a @ b @ b) and torch.equal(solution, expected)


# Errors ------------------------------------------------------------------------------------------

CASES = [
    (lambda x: OPS.gemm(x(5, 7), x(6, 7)), ValueError,
     "a is 5 x 7 and b is 6 x 7.*: K is 7 and 6"),
    (lambda x: OPS.gemm(x(2, 5, 7), x(3, 7, 6)), ValueError,
     "a is 2 of 5 x 7 and b is 3 of 7 x 6.*: batches of 2 and 3 matrices"),
    (lambda x: OPS.gemm(x(5), x(5, 2)), ValueError, "a has 1 dimensions; expected a matrix"),
    (lambda x: OPS.gemm(x(5, 7), x(7, 6).float()), TypeError, "a is f64 and b is f32"),
    (lambda x: OPS.gemm(x(5, 7), x(7, 6), x(5, 6).float(), beta=1), TypeError,
     "c is f32 and a is f64"),
    (lambda x: OPS.gemm(x(5, 7), x(7, 6), x(6, 6), beta=1), ValueError,
     r"c has shape \(6, 6\); expected \(5, 6\)"),
    (lambda x: OPS.gemm(x(5, 7), x(7, 6), beta=2), ValueError, "beta is 2 and there is no c"),
    (lambda x: OPS.gemm(x(5, 7), x(7, 6), alpha=2j), TypeError, "alpha is complex and out is f64"),
    (lambda x: OPS.gemm(x(5, 7).long(), x(7, 6).long()), TypeError, "a is .*int64|a is i64"),
    (lambda x: OPS.trmm(x(5, 4), x(5, 3)), ValueError, "a is 5 x 4 and .* is 5 x 3: on the left"),
    (lambda x: OPS.trsm(x(5, 5).half(), x(5, 3).half()), TypeError,
     "a is f16; trsm accepts f32, f64, c64 and c128"),
    (lambda x: OPS.trsm(x(5, 5), x(5)), ValueError, "b has 1 dimensions"),
    (lambda x: OPS.trsm(x(3, 5, 5), x(2, 5, 4)), ValueError, "batches of 3 and 2 matrices"),
]


@pytest.mark.parametrize("call, error, message", CASES)
@pytest.mark.parametrize("place", ["memory", "fake"])
def test_errors(integers, device, call, error, message, place):
    """Errors of tensors that have no memory."""
    def make(*shape):
        return torch.empty(shape, dtype=torch.float64, device="meta") if place == "fake" \
            else integers(*shape)

    with pytest.raises(error, match=message):
        call(make)


def test_errors_of_memory(integers, device):
    a, b = integers(4, 4), integers(4, 4)
    with pytest.raises(ValueError, match=r"a: strides of \(16, 2\) elements .*make a copy"):
        OPS.gemm(integers(8, 8)[::2, ::2], b)
    with pytest.raises(ValueError, match="out: its .* bytes at 0x.* overlap a, "):
        products.gemm(a, b, out=a)
    with pytest.raises(ValueError, match="out is a conjugated view"):
        products.gemm(a.cfloat(), b.cfloat(), out=a.cfloat().conj())
    with pytest.raises(ValueError, match=r"out has shape \(4, 3\); expected \(4, 4\)"):
        products.gemm(a, b, out=integers(4, 3))
    with pytest.raises(TypeError, match="a is f64 and out is f32"):
        products.gemm(a, b, out=torch.empty(4, 4, device=device))
    if device == "cuda":
        with pytest.raises(ValueError, match="a is on the CPU and b is on CUDA device 0"):
            OPS.gemm(a.cpu(), b)


def test_lost_gradients(integers, triangle):
    """Nothing that requires a gradient loses it without a word."""
    a, b, out = integers(4, 4, grad=True), integers(4, 4), integers(4, 4)
    with pytest.raises(ValueError, match="a requires gradient, and with out= there is none"):
        products.gemm(a, b, out=out)
    with pytest.raises(ValueError, match="out requires gradient"):
        products.gemm(b, b, out=a)
    with pytest.raises(ValueError, match="b requires gradient"):
        products.trmm(out, a, out=b)
    with pytest.raises(TypeError, match="alpha is a tensor; expected a number"):
        products.gemm(b, b, alpha=a[0, 0])
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        OPS.gemm(b, b, alpha=a[0, 0])
    compiled = torch.compile(products.gemm, fullgraph=True, backend="aot_eager")
    with pytest.raises(Exception, match="a requires gradient, and with out= there is none"):
        compiled(a, b, out=out)
    with torch.no_grad():
        products.gemm(a, b, out=out)
    assert torch.equal(out, a.detach() @ b)
    with pytest.raises(ValueError, match="a: .*grad"):
        rooftile.gemm(a, b)


def test_words(integers):
    a = integers(4, 4)
    for call, message in ((lambda: products.gemm(a, a, op_a="x"), "op_a is 'x'; expected 'n'"),
                          (lambda: products.trsm(a, a, "up"), "side is 'up'; expected 'left'"),
                          (lambda: products.trsm(a, a, triangle="u"), "triangle is 'u'; expected"),
                          (lambda: products.trmm(a, a, diagonal="one"), "diagonal is 'one'")):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="b is of type builtins.list; expected a torch.Tensor"):
        products.gemm(a, [1])
