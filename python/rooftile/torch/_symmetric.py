"""torch.ops.rooftile.symm, hemm, syrk, herk, syr2k, her2k and trtri: schemas, kernels, fake
tensors, gradients and vmap.

Sides and transposes are views, as of the other operators. Gradients are calls of these operators.
"""

import torch

from .. import _symmetric
from . import _autocast
from ._gradients import _conjugate, _keep_track_of_out, _register, _triangle_of
from ._operators import (_NAMES, _addend, _batch_shape, _check_addend, _check_scalar, _check_shape,
                         _check_types, _define, _detached, _empty_like, _sizes, _type_name,
                         _writable, check_rank, gemm, library, trmm)
from ._vmap import _align

_OPTIONS = "*, bool upper=False, Scalar alpha=1, Scalar beta=0"
# The inputs, and the types that have kernels.
_ALL, _COMPLEX = "f32, f64, c64 and c128", "c64 and c128"
_INPUTS = {"symm": ("ab", _ALL), "hemm": ("ab", _COMPLEX), "syrk": ("a", _ALL),
           "herk": ("a", _COMPLEX), "syr2k": ("ab", _ALL), "her2k": ("ab", _COMPLEX),
           "trtri": ("a", "f32 and f64")}


def is_hermitian(name):
    return name.startswith("he")


# --------------------------------------------------------------------------------------------------
# Checks of fake tensors
# --------------------------------------------------------------------------------------------------

def _shape(name, inputs):
    """The shape of the result; that of the kernel for tensors that have memory."""
    letters, types = _INPUTS[name]
    for matrix, letter in zip(inputs, letters):
        check_rank(matrix, letter)
        if matrix.dtype not in _NAMES:
            raise TypeError(f"{letter} is {matrix.dtype}; expected f16, bf16, f32, f64, c64 or "
                            "c128")
    a, b = inputs[0], inputs[-1]
    if _type_name(a) not in types.replace(",", "").split():
        raise TypeError(f"a is {_type_name(a)}; {name} accepts {types}")
    _check_types(a, "a", b, "b")
    order, both = a.shape[-2], f"a is {_sizes(a)} and b is {_sizes(b)}"
    if name == "trtri" and a.shape[-1] != order:
        raise ValueError(f"a is {_sizes(a)}; expected a square matrix")
    if name.endswith("2k") and a.shape[-2:] != b.shape[-2:]:
        raise ValueError(f"{both}; expected equal rows and columns")
    if name.endswith("mm") and a.shape[-2:] != (b.shape[-2], b.shape[-2]):
        raise ValueError(f"{both}: on the left a is to be {b.shape[-2]} x {b.shape[-2]}")
    return (*_batch_shape(a, b), order, b.shape[-1] if name.endswith("mm") else order)


def _check_scalars(name, a, alpha, beta):
    for scalar, value, is_real in (("alpha", alpha, name == "herk"),
                                   ("beta", beta, name in ("herk", "her2k"))):
        _check_scalar(value, scalar, a)
        if is_real and isinstance(value, complex) and value.imag != 0:
            raise TypeError(f"{scalar} is complex; that of {name} is real")


def _check(name, inputs, c, alpha, beta):
    shape = _shape(name, inputs)
    _check_scalars(name, inputs[0], alpha, beta)
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    if c is not None:
        _check_addend(c, shape)
        if beta != 0:
            _check_types(c, "c", inputs[0], "a")
    return shape


# --------------------------------------------------------------------------------------------------
# Kernels
# --------------------------------------------------------------------------------------------------

def _stored(name, inputs, upper):
    """Matrices as they lie in memory, and words. Of a conjugated Hermitian matrix that is its
    transpose; of an update op "c", since conj(A) conj(A)^H is (A^T)^H A^T. Others are copied."""
    inputs, op = [_detached(each).resolve_neg() for each in inputs], {}
    if name == "hemm" and inputs[0].is_conj():
        inputs[0], upper = inputs[0].conj().mT, not upper
    elif is_hermitian(name) and all(each.is_conj() for each in inputs):
        inputs, op = [each.conj().mT for each in inputs], {"op": "c"}
    words = {"triangle": "upper" if upper else "lower", **op}
    return [each.resolve_conj() for each in inputs], words


def _call(name, inputs, c, out, *, upper=False, **scalars):
    for matrix, letter in zip(inputs, "ab"):
        check_rank(matrix, letter)
    inputs, words = _stored(name, inputs, upper)
    return getattr(_symmetric, name)(*inputs, c=_addend(c), out=out, **words, **scalars)


def _split(name, tensors):
    """Inputs, and the rest of the tensors: c, and out where there is one."""
    count = len(_INPUTS[name][0])
    return tensors[:count], tensors[count:]


def _kernels(name):
    def functional(*tensors, **options):
        inputs, rest = _split(name, tensors)
        out = None
        if name in ("symm", "hemm"):
            check_rank(inputs[1], "b")
            out = _empty_like(_detached(inputs[1]), _shape(name, inputs))
        return _call(name, inputs, *(rest or (None,)), out, **options)

    def with_out(*tensors, **options):
        inputs, (c, out) = _split(name, tensors)
        _call(name, inputs, c, _writable(out), **options)

    return functional, with_out


def _trtri(a, *, upper=False, unit=False):
    return _symmetric.trtri(_addend(a), not upper, unit)


def _trtri_out(a, out, *, upper=False, unit=False):
    _symmetric.trtri(_addend(a), not upper, unit, out=_writable(out))


# --------------------------------------------------------------------------------------------------
# Gradients
# --------------------------------------------------------------------------------------------------

def _diagonal(matrix):
    return torch.diag_embed(matrix.diagonal(dim1=-2, dim2=-1))


def _real(matrix):
    return matrix.real.to(matrix.dtype) if matrix.is_complex() else matrix


def _stored_gradient(gradient, upper, hermitian):
    """Gradient of a triangle, from that of the matrix of it: elements off the diagonal are
    there twice."""
    both = gradient + (gradient.mH if hermitian else gradient.mT)
    diagonal = _diagonal(gradient)
    return (both.triu(1) if upper else both.tril(-1)) + (_real(diagonal) if hermitian else diagonal)


def _addend_gradient(name, gradient, ctx):
    """conj(beta) G; of a triangle that is not written, G."""
    scaled = _conjugate(ctx.options["beta"]) * gradient
    if not name.endswith("mm"):
        if is_hermitian(name):
            scaled = scaled - _diagonal(scaled) + _real(_diagonal(scaled))
        ones = torch.ones(gradient.shape[-2:], dtype=torch.bool, device=gradient.device)
        inside = ones.triu() if ctx.options["upper"] else ones.tril()
        scaled = torch.where(inside, scaled, gradient)
    return scaled.sum_to_size(ctx.addend_shape)


def _context(name):
    def save(ctx, inputs, output):
        matrices, (c, *_) = _split(name, (*inputs, None))
        ctx.save_for_backward(*matrices)
        ctx.addend_shape = None if c is None else c.shape

    return save


def _product_gradients(name, ctx, needed, gradient):
    """Gradients of alpha S B: the triangle of conj(alpha) G B^H, and conj(alpha) S^H G."""
    a, b = ctx.saved_tensors
    upper, alpha = ctx.options["upper"], _conjugate(ctx.options["alpha"])
    of_a = of_b = None
    if needed[0]:
        of_matrix = gemm(gradient, b.mH, alpha=alpha).sum_to_size(a.shape)
        of_a = _stored_gradient(of_matrix, upper, is_hermitian(name))
    if needed[1]:
        operator, turned = (hemm, a) if is_hermitian(name) else (symm, a.conj())
        of_b = operator(turned, gradient, upper=upper, alpha=alpha).sum_to_size(b.shape)
    return [of_a, of_b]


def _update_gradients(name, ctx, needed, gradient):
    """A triangle of alpha A B^T, with S = G + G^T of the triangle: conj(alpha) S conj(B) of A.
    Hermitian: conj(alpha) S B of A, alpha S A of B."""
    a, b = ctx.saved_tensors[0], ctx.saved_tensors[-1]
    alpha, upper = ctx.options["alpha"], ctx.options["upper"]
    total = gradient + _diagonal(gradient)
    found = []
    for is_needed, own, other, scalar in ((needed[0], a, b, _conjugate(alpha)),
                                          (needed[1], b, a, alpha))[:len(ctx.saved_tensors)]:
        if not is_needed:
            found.append(None)
        elif is_hermitian(name):
            found.append(hemm(total, other, upper=upper, alpha=scalar).sum_to_size(own.shape))
        else:
            found.append(symm(total, other.conj(), upper=upper,
                              alpha=_conjugate(alpha)).sum_to_size(own.shape))
    return found


def _backward(name):
    rule = _product_gradients if name.endswith("mm") else _update_gradients

    def backward(ctx, needed, gradient):
        gradient = gradient.contiguous()
        inputs, (of_c, *_) = _split(name, needed)
        found = rule(name, ctx, (*inputs, False), gradient)
        has_addend = of_c and ctx.options["beta"] != 0
        return *found, _addend_gradient(name, gradient, ctx) if has_addend else None

    return backward


def _trtri_context(ctx, inputs, output):
    ctx.save_for_backward(output)


def _trtri_backward(ctx, needed, gradient):
    """Gradient of X = T^-1: the triangle of -X^H G X^H."""
    inverse, = ctx.saved_tensors
    upper, unit = ctx.options["upper"], ctx.options["unit"]
    left = trmm(inverse.mT, _triangle_of(gradient, upper, unit), upper=not upper)
    both = trmm(inverse, left.mT.contiguous(), upper=upper, alpha=-1).mT
    return _triangle_of(both, upper, unit),


# --------------------------------------------------------------------------------------------------
# Operators
# --------------------------------------------------------------------------------------------------

def _register_vmap(name, operator):
    def rule(info, in_dims, *tensors, **options):
        places = list(zip(tensors, in_dims))
        inputs, addend = _split(name, places)
        if all(place is None for _, place in inputs):  # c is mapped
            a = inputs[0][0]
            inputs[0] = (a.expand(info.batch_size, *a.shape), 0)
        given = [*inputs, *(each for each in addend if each[0] is not None)]
        return operator(*_align(*zip(*given)), **options), 0

    torch.library.register_vmap(f"rooftile::{name}", rule, lib=library)


def _register_fakes(name):
    def functional(*tensors, alpha=1, beta=0, **_):
        inputs, rest = _split(name, tensors)
        shape = _check(name, inputs, *(rest or (None,)), alpha, beta)
        return _empty_like(inputs[-1], shape) if name.endswith("mm") else \
            inputs[0].new_empty(shape)

    def with_out(*tensors, **_):
        inputs, rest = _split(name, tensors)
        _check_shape(rest[-1], "out", _shape(name, inputs))

    torch.library.register_fake(f"rooftile::{name}", functional, lib=library)
    torch.library.register_fake(f"rooftile::{name}_out", with_out, lib=library)


def _operators(name, kernels, options, has_addend=True):
    """The operator and that with `out`, with all that is registered for them."""
    letters = _INPUTS[name][0]
    inputs = ", ".join(f"Tensor {letter}" for letter in letters)
    c, must_c = (", Tensor? c=None", ", Tensor? c") if has_addend else ("", "")
    functional = _define(name, f"{inputs}{c}, {options}", "Tensor", kernels[0])
    with_out = _define(f"{name}_out", f"{inputs}{must_c}, Tensor(a!) out, {options}", "()",
                       kernels[1])
    _register_fakes(name)
    _register_vmap(name, functional)
    _autocast._register(name, functional, False)
    _keep_track_of_out(name, with_out, (*letters, *(["c"] if has_addend else []), "out"))
    return functional, with_out


def _register_all(name):
    both = _operators(name, _kernels(name), _OPTIONS)
    _register(name, both[0], _context(name), _backward(name), upper=False, alpha=1, beta=0)
    return both


symm, symm_out = _register_all("symm")
hemm, hemm_out = _register_all("hemm")
syrk, syrk_out = _register_all("syrk")
herk, herk_out = _register_all("herk")
syr2k, syr2k_out = _register_all("syr2k")
her2k, her2k_out = _register_all("her2k")
trtri, trtri_out = _operators("trtri", (_trtri, _trtri_out), "*, bool upper=False, bool unit=False",
                              has_addend=False)
_register("trtri", trtri, _trtri_context, _trtri_backward, upper=False, unit=False)
