"""torch.ops.rooftile: schemas, checks, kernels, and shapes of fake tensors.

Operators have no options for transposes, adjoints and the right side: in PyTorch these are views.
A kernel sees a transposed matrix by its strides, a conjugated one by its conjugate bit.
"""

import functools

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _products

library = torch.library.Library("rooftile", "DEF")
_SCALARS = "*, Scalar alpha=1, Scalar beta=0"
_TRIANGLE = "*, bool upper=False, bool unit=False, Scalar alpha=1"
_NAMES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
          torch.float64: "f64", torch.complex64: "c64", torch.complex128: "c128"}

# By name, what PyTorch has for them.
ACTIVATIONS = {"": lambda x: x, "relu": torch.relu, "gelu": torch.nn.functional.gelu,
               "gelu_tanh": functools.partial(torch.nn.functional.gelu, approximate="tanh"),
               "sigmoid": torch.sigmoid, "silu": torch.nn.functional.silu, "tanh": torch.tanh}


def _define(name, arguments, result, kernel):
    """Defines an operator with one kernel for the CPU and CUDA."""
    library.define(f"{name}({arguments}) -> {result}",
                   tags=[torch.Tag.pt2_compliant_tag, torch.Tag.needs_exact_strides])
    for device in ("CPU", "CUDA"):
        library.impl(name, kernel, device)
    # A kernel accepts conjugated views instead of copies, and refuses to write to them.
    for view in ("Conjugate", "Negative"):
        library.impl(name, torch.library.fallthrough_kernel, view)
    return getattr(torch.ops.rooftile, name).default


# --------------------------------------------------------------------------------------------------
# Checks
# --------------------------------------------------------------------------------------------------

def check_number(value, name):
    """Refuses tensors: their gradient would be lost."""
    if isinstance(value, Tensor):
        raise TypeError(f"{name} is a tensor; expected a number ({name}.item())")


def check_rank(matrix, name):
    """A matrix, or a batch of matrices."""
    if not isinstance(matrix, Tensor):
        raise TypeError(f"{name} is of type {type(matrix).__module__}.{type(matrix).__name__}; "
                        "expected a torch.Tensor")
    if matrix.dim() < 2:
        raise ValueError(f"{name} has {matrix.dim()} dimensions; expected a matrix (2) or a batch "
                         "of matrices (3 or more)")


def _type_name(tensor):
    return _NAMES.get(tensor.dtype, str(tensor.dtype))


def _check_types(first, first_name, second, second_name):
    if first.dtype != second.dtype:
        raise TypeError(f"{first_name} is {_type_name(first)} and {second_name} is "
                        f"{_type_name(second)}")


def _sizes(matrix):
    sizes = f"{matrix.shape[-2]} x {matrix.shape[-1]}"
    return sizes if matrix.dim() == 2 else f"{_batch(matrix)} of {sizes}"


def _batch(matrix):
    """The sizes of a batch, in messages."""
    return matrix.shape[0] if matrix.dim() == 3 else tuple(matrix.shape[:-2])


def _batch_shape(a, b):
    """Dimensions before the last two, broadcast."""
    try:
        return torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except RuntimeError:
        raise ValueError(f"a is {_sizes(a)} and b is {_sizes(b)}: batches of {_batch(a)} and "
                         f"{_batch(b)} matrices; expected equal sizes, or 1") from None


def _product_shape(a, b):
    """The shape of a b; that of `_core.gemm_shape` for tensors that have memory."""
    for matrix, name in ((a, "a"), (b, "b")):
        check_rank(matrix, name)
        if matrix.dtype not in _NAMES:
            raise TypeError(f"{name} is {matrix.dtype}; expected f16, bf16, f32, f64, c64 or c128")
    _check_types(a, "a", b, "b")
    both = f"a is {_sizes(a)} and b is {_sizes(b)}"
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"{both}: K is {a.shape[-1]} and {b.shape[-2]}")
    return (*_batch_shape(a, b), a.shape[-2], b.shape[-1])


def _check_shape(tensor, name, expected):
    if tuple(tensor.shape) != tuple(expected):
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}; expected {tuple(expected)}")


def _check_addend(c, shape):
    """Its matrix is that of the result, and its batch is broadcast."""
    own = tuple(c.shape)
    fits = len(own) <= len(shape) and own[-2:] == tuple(shape[-2:])
    if not fits or any(size not in (1, whole) for size, whole in zip(own[-3::-1], shape[-3::-1])):
        raise ValueError(f"c has shape {own}; expected {tuple(shape)}")


def _check_scalar(value, name, tensor):
    if isinstance(value, complex) and value.imag != 0 and not tensor.is_complex():
        raise TypeError(f"{name} is complex and out is {_type_name(tensor)}")


def _triangular_shape(routine, a, b):
    """The shape of the result; that of the kernel for tensors that have memory."""
    check_rank(a, "a")
    check_rank(b, "b")
    if a.dtype not in _NAMES:
        raise TypeError(f"a is {a.dtype}; expected f16, bf16, f32, f64, c64 or c128")
    if routine == "trsm" and a.dtype in (torch.float16, torch.bfloat16):
        raise TypeError(f"a is {_type_name(a)}; trsm accepts f32, f64, c64 and c128")
    _check_types(a, "a", b, "b")
    both, order = f"a is {_sizes(a)} and b is {_sizes(b)}", b.shape[-2]
    if a.shape[-2] != order or a.shape[-1] != order:
        raise ValueError(f"{both}: on the left a is to be {order} x {order}")
    return (*_batch_shape(a, b), *b.shape[-2:])


def _check_activation(activation, tensor):
    """Checks of the kernel for `out`."""
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation is '{activation}'; expected 'relu', 'gelu', 'gelu_tanh', "
                         "'sigmoid', 'silu' or 'tanh'")
    if activation and tensor.is_complex():
        raise TypeError(f"input is {_type_name(tensor)}; activations are functions of real values")
    if activation not in ("", "relu") and tensor.dtype == torch.float64:
        raise TypeError(f"input is f64; the only activation of f64 is relu, not {activation}")


def _linear_shape(input, weight, bias, activation):
    """Rows and columns of the result."""
    for matrix, name in ((input, "input"), (weight, "weight")):
        if matrix.dim() != 2:
            raise ValueError(f"{name} has {matrix.dim()} dimensions; expected a matrix (2)")
    if input.dtype not in _NAMES:
        raise TypeError(f"input is {input.dtype}; expected f16, bf16, f32, f64, c64 or c128")
    _check_types(weight, "weight", input, "input")
    if input.shape[1] != weight.shape[1]:
        raise ValueError(f"input is {_sizes(input)} and weight is {_sizes(weight)}: K is "
                         f"{input.shape[1]} and {weight.shape[1]}")
    if bias is not None:
        _check_types(bias, "bias", input, "input")
        _check_shape(bias, "bias", (weight.shape[0],))
    _check_activation(activation, input)
    return input.shape[0], weight.shape[0]


# --------------------------------------------------------------------------------------------------
# Kernels
# --------------------------------------------------------------------------------------------------

def _detached(tensor):
    """Gradients are not the kernel's matter: this is below autograd. A tangent would be lost."""
    if forward_ad._current_level >= 0 and forward_ad.unpack_dual(tensor).tangent is not None:
        raise NotImplementedError("rooftile has no forward-mode gradients; use backward()")
    return tensor.detach() if tensor.requires_grad else tensor


def _stored(matrix, name):
    """A matrix as it lies in memory, and what is to be done with it."""
    check_rank(matrix, name)
    matrix = _detached(matrix).resolve_neg()
    return (matrix.conj(), "j") if matrix.is_conj() else (matrix, "n")


def _addend(c):
    """As it lies in memory; of a view that is conjugated or negated a copy."""
    return None if c is None else _detached(c).resolve_neg().resolve_conj()


def _writable(out):
    if out.is_conj() or out.is_neg():
        kind = "conjugated" if out.is_conj() else "negated"
        raise ValueError(f"out is a {kind} view, which has no memory of its own; expected one that "
                         "is not")
    return _detached(out)


def _gemm(a, b, c=None, *, alpha=1, beta=0):
    (a, op_a), (b, op_b) = _stored(a, "a"), _stored(b, "b")
    return _products.gemm(a, b, alpha=alpha, beta=beta, c=_addend(c), op_a=op_a, op_b=op_b)


def _gemm_out(a, b, c, out, *, alpha=1, beta=0):
    (a, op_a), (b, op_b) = _stored(a, "a"), _stored(b, "b")
    _products.gemm(a, b, alpha=alpha, beta=beta, c=_addend(c), out=_writable(out), op_a=op_a,
                   op_b=op_b)


def _linear(input, weight, bias=None, *, activation=""):
    _linear_shape(input, weight, bias, activation)
    (a, op_a), (b, op_b) = _stored(input, "input"), _stored(weight.mT, "weight")
    bias = None if bias is None else _addend(bias).contiguous()
    return _products.gemm(a, b, op_a=op_a, op_b=op_b, bias=bias, activation=activation)


def _empty_like(b, shape):
    """In the order of b, and without gaps."""
    if b.stride(-2) == 1 and b.stride(-1) != 1:
        return b.new_empty((*shape[:-2], shape[-1], shape[-2])).mT
    return b.new_empty(shape)


def _triangular_kernels(routine):
    def with_out(a, b, out, *, upper=False, unit=False, alpha=1):
        check_rank(b, "b")
        (a, op), b = _stored(a, "a"), _addend(b)
        routine(a, b, "left", "upper" if upper else "lower", "unit" if unit else "nonunit", op,
                alpha, _writable(out))

    def functional(a, b, *, upper=False, unit=False, alpha=1):
        check_rank(b, "b")
        shape = b.shape if a.dim() == 2 else _triangular_shape(routine.__name__, a, b)
        out = _empty_like(_detached(b), shape)
        with_out(a, b, out, upper=upper, unit=unit, alpha=alpha)
        return out

    return functional, with_out


gemm = _define("gemm", f"Tensor a, Tensor b, Tensor? c=None, {_SCALARS}", "Tensor", _gemm)
gemm_out = _define("gemm_out", f"Tensor a, Tensor b, Tensor? c, Tensor(a!) out, {_SCALARS}", "()",
                   _gemm_out)
linear = _define("linear", 'Tensor input, Tensor weight, Tensor? bias=None, *, str activation=""',
                 "Tensor", _linear)
_trmm, _trmm_out = _triangular_kernels(_products.trmm)
trmm = _define("trmm", f"Tensor a, Tensor b, {_TRIANGLE}", "Tensor", _trmm)
trmm_out = _define("trmm_out", f"Tensor a, Tensor b, Tensor(a!) out, {_TRIANGLE}", "()", _trmm_out)
_trsm, _trsm_out = _triangular_kernels(_products.trsm)
trsm = _define("trsm", f"Tensor a, Tensor b, {_TRIANGLE}", "Tensor", _trsm)
trsm_out = _define("trsm_out", f"Tensor a, Tensor b, Tensor(a!) out, {_TRIANGLE}", "()", _trsm_out)


def _matmul(a, b):
    """Also of vectors: a is one row, b one column; the result has no such dimension."""
    row, column = a.dim() == 1, b.dim() == 1
    result = gemm(a.unsqueeze(0) if row else a, b.unsqueeze(1) if column else b)
    result = result.squeeze(-2) if row else result
    return result.squeeze(-1) if column else result


library.define("matmul(Tensor a, Tensor b) -> Tensor")
library.impl("matmul", _matmul, "CompositeImplicitAutograd")
library.impl("matmul", torch.library.fallthrough_kernel, "Conjugate")


# --------------------------------------------------------------------------------------------------
# Fake tensors
# --------------------------------------------------------------------------------------------------

@torch.library.register_fake("rooftile::gemm", lib=library)
def _(a, b, c=None, *, alpha=1, beta=0):
    shape = _product_shape(a, b)
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    if c is not None:
        _check_addend(c, shape)
        if beta != 0:
            _check_types(c, "c", a, "a")
    _check_scalar(alpha, "alpha", a)
    _check_scalar(beta, "beta", a)
    return a.new_empty(shape)


@torch.library.register_fake("rooftile::gemm_out", lib=library)
def _(a, b, c, out, *, alpha=1, beta=0):
    _check_shape(out, "out", _product_shape(a, b))


@torch.library.register_fake("rooftile::linear", lib=library)
def _(input, weight, bias=None, *, activation=""):
    return input.new_empty(_linear_shape(input, weight, bias, activation))


def _fake_triangular(routine):
    def functional(a, b, *, upper=False, unit=False, alpha=1):
        _check_scalar(alpha, "alpha", a)
        return _empty_like(b, _triangular_shape(routine, a, b))

    def with_out(a, b, out, *, upper=False, unit=False, alpha=1):
        _check_shape(out, "out", _triangular_shape(routine, a, b))

    torch.library.register_fake(f"rooftile::{routine}", functional, lib=library)
    torch.library.register_fake(f"rooftile::{routine}_out", with_out, lib=library)


_fake_triangular("trmm")
_fake_triangular("trsm")
