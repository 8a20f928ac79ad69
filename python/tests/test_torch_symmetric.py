"""torch.ops.rooftile.symm, hemm, syrk, herk, syr2k, her2k and trtri, beside PyTorch."""

import pytest
from conftest import torch_integers

torch = pytest.importorskip("torch")
import rooftile.torch as products  # noqa: E402

OPS = torch.ops.rooftile
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
NAMES = ["symm", "hemm", "syrk", "herk", "syr2k", "her2k"]
pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def integers(device):
    return torch_integers(device)


def is_hermitian(name):
    return name.startswith("he")


def adjoint(name, matrix):
    return matrix.mH if is_hermitian(name) else matrix.mT


def triangle_of(matrix, upper):
    return matrix.triu() if upper else matrix.tril()


def mirrored(name, a, upper):
    """The matrix that a triangle stands for."""
    strict = a.triu(1) if upper else a.tril(-1)
    diagonal = torch.diag_embed(a.diagonal(dim1=-2, dim2=-1))
    if is_hermitian(name):
        diagonal = diagonal.real.to(a.dtype)
    return strict + adjoint(name, strict) + diagonal


def composed(name, inputs, c=None, upper=False, alpha=1, beta=0):
    """The operator, of PyTorch's functions."""
    a, b = inputs[0], inputs[-1]
    if name.endswith("mm"):
        result = alpha * (mirrored(name, a, upper) @ b)
        return result if c is None else result + beta * c
    result = alpha * (a @ adjoint(name, b))
    if name.endswith("2k"):
        other = alpha.conjugate() if is_hermitian(name) else alpha
        result = result + other * (b @ adjoint(name, a))
    if c is not None:
        result = result + beta * c
    if is_hermitian(name):
        diagonal = torch.diag_embed(result.diagonal(dim1=-2, dim2=-1))
        result = result - 1j * diagonal.imag
    inside = triangle_of(torch.ones(result.shape[-2:], device=result.device), upper) != 0
    return torch.where(inside, result, torch.zeros_like(result) if c is None else c)


def types_of(name):
    return [torch.complex128] if is_hermitian(name) else [torch.float64, torch.complex128]


def scalars_of(name, dtype):
    alpha = 2 - 1j if dtype.is_complex and name != "herk" else 2.0
    return {"alpha": alpha, "beta": 3j if name == "hemm" or
            dtype.is_complex and not is_hermitian(name) else 3.0}


def samples(name, integers, dtype, grad=False, batch=()):
    """Inputs and c."""
    more = {"dtype": dtype, "grad": grad}
    if name.endswith("mm"):
        return [integers(3, 3, **more), integers(*batch, 3, 2, **more)], \
            integers(3, 2, **more)
    inputs = [integers(*batch, 3, 2, **more)]
    if name.endswith("2k"):
        inputs.append(integers(3, 2, **more))
    return inputs, integers(3, 3, **more)


CASES = [(name, dtype) for name in NAMES for dtype in types_of(name)]


@pytest.mark.parametrize("name, dtype", CASES)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_results(integers, name, dtype, upper, batch):
    inputs, c = samples(name, integers, dtype, batch=batch)
    options = {"upper": upper, **scalars_of(name, dtype)}
    operator = getattr(OPS, name)
    result = operator(*inputs, c, **options)
    assert result.is_contiguous()
    assert torch.equal(result, composed(name, inputs, c, **options))
    assert torch.equal(operator(*inputs, upper=upper), composed(name, inputs, upper=upper))
    out = torch.full_like(result, 42)
    getattr(OPS, f"{name}_out")(*inputs, None, out, upper=upper)
    expected, inside = composed(name, inputs, upper=upper), torch.ones_like(out)
    if not name.endswith("mm"):
        inside = triangle_of(inside, upper)
    assert torch.equal(out, torch.where(inside != 0, expected, 42))


@pytest.mark.parametrize("name, dtype", CASES)
def test_views(integers, name, dtype):
    """Transposed, negated and conjugated ones."""
    inputs, _ = samples(name, integers, dtype)
    views = [each.mT.contiguous().mT.conj() for each in inputs]
    assert torch.equal(getattr(OPS, name)(*views), composed(name, [x.conj() for x in inputs]))
    views[0] = torch.complex(inputs[0].real, -inputs[0].imag).conj() if dtype.is_complex else \
        inputs[0]
    expected = composed(name, [inputs[0], *views[1:]])
    assert torch.equal(getattr(OPS, name)(*views), expected)


@pytest.mark.parametrize("name, dtype", CASES)
@pytest.mark.parametrize("word", ["lower", "upper"])
def test_functions(integers, name, dtype, word):
    """Sides and ops."""
    upper, scalars = word == "upper", scalars_of(name, dtype)
    function = getattr(products, name)
    if name.endswith("mm"):
        a, b, c = (integers(*shape, dtype=dtype) for shape in ((3, 3), (2, 3), (2, 3)))
        expected = scalars["alpha"] * (b @ mirrored(name, a, upper)) + scalars["beta"] * c
        result = function(a, b, "right", word, c=c, **scalars)
        assert result.is_contiguous() and torch.equal(result, expected)
        assert function(a, b, "right", word, c=c, out=c, **scalars) is c
        assert torch.equal(c, expected)
        return
    inputs, c = samples(name, integers, dtype)
    expected = composed(name, inputs, c, upper, **scalars)
    assert torch.equal(function(*inputs, word, c=c, **scalars), expected)
    turned = [adjoint(name, each).resolve_conj() for each in inputs]
    op = "C" if is_hermitian(name) else "t"
    assert torch.equal(function(*turned, word, op, c=c, **scalars), expected)
    assert function(*turned, word, op, c=c, out=c, **scalars) is c
    assert torch.equal(c, expected)


@pytest.mark.parametrize("name, dtype", CASES)
@pytest.mark.parametrize("upper, batch", [(False, (2,)), (True, ())])
def test_gradients(integers, name, dtype, upper, batch):
    inputs, c = samples(name, integers, dtype, True, batch)
    options = {"upper": upper, **scalars_of(name, dtype)}

    def function(*tensors):
        return getattr(OPS, name)(*tensors, **options)

    assert torch.autograd.gradcheck(function, (*inputs, c))
    assert torch.autograd.gradgradcheck(function, (*inputs, c))


def triangle(integers, upper=False, unit=False, batch=()):
    ones = torch.eye(4).to(integers(1, 1))
    full = integers(*batch, 4, 4) / 8
    full = full.triu(1) if upper else full.tril(-1)
    return full + (1 if unit else 2) * ones


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_inverse(integers, upper, unit, batch):
    a = triangle(integers, upper, unit, batch).requires_grad_()
    result = OPS.trtri(a, upper=upper, unit=unit)
    torch.testing.assert_close(result, torch.linalg.inv(a))
    assert torch.equal(products.trtri(a, not upper, unit), result)

    def function(a):
        read = a.triu(int(unit)) if upper else a.tril(-int(unit))
        return OPS.trtri(read, upper=upper, unit=unit)

    assert torch.autograd.gradcheck(function, a)
    assert torch.autograd.gradgradcheck(function, a)
    gradient, = torch.autograd.grad(result.sum(), a)  # zero where nothing is read
    assert torch.equal(gradient, gradient.triu(int(unit)) if upper else gradient.tril(-int(unit)))
    out = torch.full_like(a.detach(), 42)
    assert products.trtri(a.detach(), not upper, unit, out=out) is out
    ones = torch.ones_like(out)
    inside = ones.triu(int(unit)) if upper else ones.tril(-int(unit))
    torch.testing.assert_close(out, torch.where(inside != 0, result.detach(), 42))


@pytest.mark.parametrize("name", [*NAMES, "trtri"])
def test_opcheck(integers, name):
    """Schemas, fake tensors, autograd and torch.compile."""
    if name == "trtri":
        a = triangle(integers)
        torch.library.opcheck(OPS.trtri.default, (a.requires_grad_(),), {"unit": True})
        torch.library.opcheck(OPS.trtri_out.default, (a.detach(), torch.zeros_like(a)))
        return
    dtype = types_of(name)[-1]
    inputs, c = samples(name, integers, dtype, True, (2,))
    operator, options = getattr(OPS, name).default, scalars_of(name, dtype)
    torch.library.opcheck(operator, tuple(inputs), {"upper": True})
    torch.library.opcheck(operator, (*inputs, c), options)
    inputs = [each.detach() for each in inputs]
    out = torch.zeros_like(operator(*inputs))
    torch.library.opcheck(getattr(OPS, f"{name}_out").default, (*inputs, c.detach(), out), options)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mapped", ["first", "c", "all"])
def test_vmap(integers, name, mapped):
    dtype = types_of(name)[0]
    inputs, c = samples(name, integers, dtype)
    tensors = [*inputs, c]
    places = [0 if mapped == "all" or (mapped == "first") == (i == 0) and i in (0, len(inputs))
              else None for i in range(len(tensors))]
    tensors = [each if place is None else torch.stack([each, 2 * each, -each])
               for each, place in zip(tensors, places)]
    options = scalars_of(name, dtype)
    found = torch.vmap(lambda *all: getattr(OPS, name)(*all, **options), tuple(places))(*tensors)
    one = [[each if place is None else each[i] for each, place in zip(tensors, places)]
           for i in range(3)]
    expected = torch.stack([composed(name, each[:-1], each[-1], **options) for each in one])
    assert torch.equal(found, expected)


def test_func(integers):
    """torch.func: gradients for each sample, nested."""
    a = integers(5, 3, 2)

    def loss(function):
        return lambda a: function(a).square().sum()

    def ours(a):
        return products.symm(products.syrk(a, alpha=0.5), a)

    def theirs(a):
        return 0.5 * a @ a.mT @ a

    close = torch.testing.assert_close
    for wrap in (torch.func.grad, lambda f: torch.func.grad(lambda a: torch.func.grad(f)(a).sum())):
        close(torch.vmap(wrap(loss(ours)))(a), torch.vmap(wrap(loss(theirs)))(a))
    inverse, expected = torch.func.vmap(torch.func.grad(lambda a: OPS.trtri(a).sum())), \
        torch.func.vmap(torch.func.grad(lambda a: torch.linalg.inv(a.tril()).sum()))
    matrices = triangle(integers, batch=(3,))
    close(inverse(matrices), expected(matrices))


def test_autocast(integers, device):
    a = integers(4, 3, dtype=torch.float32)
    with torch.autocast(device, dtype=torch.bfloat16):
        assert products.syrk(a.bfloat16()).dtype == torch.float32
    assert torch.equal(products.syrk(a), (a @ a.mT).tril())


def test_lost_gradients(integers):
    a, out = integers(3, 3, grad=True), integers(3, 3)
    for call in (lambda: products.syrk(a, out=out), lambda: products.trtri(a, out=out)):
        with pytest.raises(ValueError, match="a requires gradient, and with out= there is none"):
            call()
    with pytest.raises(TypeError, match="alpha is a tensor; expected a number"):
        products.syrk(a, alpha=torch.ones(()))
    kept = a.exp()  # its backward pass needs it as it is
    with torch.no_grad():
        products.syrk(a, out=kept)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        kept.sum().backward()


ERRORS = [
    (lambda x: OPS.symm(x(4, 4), x(5, 4)), ValueError,
     "a is 4 x 4 and b is 5 x 4: on the left a is to be 5 x 5"),
    (lambda x: OPS.hemm(x(4, 4), x(4, 4)), TypeError, "a is f64; hemm accepts c64 and c128"),
    (lambda x: OPS.syrk(x(4, 4).half()), TypeError, "a is f16; syrk accepts f32, f64, c64"),
    (lambda x: OPS.trtri(x(4, 4).cfloat()), TypeError, "a is c64; trtri accepts f32 and f64"),
    (lambda x: OPS.trtri(x(4, 5)), ValueError, "a is 4 x 5; expected a square matrix"),
    (lambda x: OPS.syrk(x(4)), ValueError, "a has 1 dimensions; expected a matrix"),
    (lambda x: OPS.syr2k(x(4, 5), x(4, 4)), ValueError,
     "a is 4 x 5 and b is 4 x 4; expected equal rows and columns"),
    (lambda x: OPS.syr2k(x(2, 4, 5), x(3, 4, 5)), ValueError, "batches of 2 and 3 matrices"),
    (lambda x: OPS.syr2k(x(4, 5), x(4, 5).float()), TypeError, "a is f64 and b is f32"),
    (lambda x: OPS.syrk(x(4, 5), x(5, 5), beta=1), ValueError,
     r"c has shape \(5, 5\); expected \(4, 4\)"),
    (lambda x: OPS.syrk(x(4, 5), beta=1), ValueError, "beta is 1 and there is no c"),
    (lambda x: OPS.syrk(x(4, 5), x(4, 4).float(), beta=1), TypeError, "c is f32 and a is f64"),
    (lambda x: OPS.syrk(x(4, 5), alpha=1j), TypeError, "alpha is complex and out is f64"),
    (lambda x: OPS.herk(x(4, 5).cfloat(), alpha=1j), TypeError,
     "alpha is complex; that of herk is real"),
    (lambda x: products.syrk(x(4, 5), op="c"), ValueError, "op is 'c'; expected 'n' or 't'"),
    (lambda x: products.symm(x(4, 4), x(4, 4), "up"), ValueError, "side is 'up'; expected 'left'"),
    (lambda x: products.syrk([1.0]), TypeError, "a is of type builtins.list"),
]


@pytest.mark.parametrize("call, error, message", ERRORS)
@pytest.mark.parametrize("place", ["memory", "fake"])
def test_errors(integers, call, error, message, place):
    """Errors of tensors that have no memory."""
    make = integers if place == "memory" else \
        lambda *shape: torch.empty(shape, dtype=torch.float64, device="meta")
    with pytest.raises(error, match=message):
        call(make)
