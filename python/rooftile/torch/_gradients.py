"""Gradients of torch.ops.rooftile. Those of a gradient are gradients of the products in it.

Kernels of the dispatch key Autograd, in place of torch.library.register_autograd: what that makes
does not work under torch.func.grad.
"""

import torch
from torch._functorch.utils import enable_single_level_autograd_function
from torch.autograd import forward_ad

from ._operators import gemm, gemm_out, library, linear, trmm, trmm_out, trsm, trsm_out


def _conjugate(number):
    return number.conjugate() if isinstance(number, complex) else number


def _gemm_context(ctx, inputs, output):
    a, b, *c = inputs
    ctx.save_for_backward(a, b)
    ctx.addend_shape = c[0].shape if c and c[0] is not None else None


def _gemm_backward(ctx, needed, gradient):
    """alpha A B + beta C, with G the gradient of it: conj(alpha) G B^H, conj(alpha) A^H G,
    conj(beta) G; summed over a batch where a matrix is one for all of it."""
    a, b = ctx.saved_tensors
    alpha, beta = _conjugate(ctx.options["alpha"]), _conjugate(ctx.options["beta"])
    of_a = of_b = of_c = None
    gradient = gradient.contiguous()  # of a sum it has strides of 0
    if needed[0]:
        of_a = gemm(gradient, b.mH, alpha=alpha).sum_to_size(a.shape)
    if needed[1]:
        of_b = gemm(a.mH, gradient, alpha=alpha).sum_to_size(b.shape)
    if needed[2] and beta != 0:
        of_c = (beta * gradient).sum_to_size(ctx.addend_shape)
    return of_a, of_b, of_c


def _linear_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs, output)


def _before_activation(activation, gradient, output, argument):
    """The gradient of what an activation is applied to. `argument` computes that again: what is
    saved is the output only."""
    aten = torch.ops.aten
    if activation == "relu":
        return aten.threshold_backward(gradient, output, 0)
    if activation == "sigmoid":
        return aten.sigmoid_backward(gradient, output)
    if activation == "tanh":
        return aten.tanh_backward(gradient, output)
    if activation == "silu":  # aten.silu_backward has no derivative
        z = argument()
        decay = torch.sigmoid(z)
        return gradient * decay * (1 + z * (1 - decay))
    if activation:
        approximate = "tanh" if activation == "gelu_tanh" else "none"
        return aten.gelu_backward(gradient, argument(), approximate=approximate)
    return gradient


def _linear_backward(ctx, needed, gradient):
    """f(X W^T + b), with G the gradient of the argument of f: G conj(W), G^T conj(X), and the
    sum of the rows of G."""
    *operands, output = ctx.saved_tensors
    x, weight = operands[:2]
    gradient = _before_activation(ctx.options["activation"], gradient.contiguous(), output,
                                  lambda: linear(*operands)).contiguous()
    of_x = gemm(gradient, weight.conj()) if needed[0] else None
    of_weight = gemm(gradient.mT, x.conj()) if needed[1] else None
    of_bias = gradient.sum(0) if needed[2] else None
    return of_x, of_weight, of_bias


def _triangle_of(matrix, upper, unit):
    """The part that is read; the diagonal is not where it stands for ones."""
    return matrix.triu(int(unit)) if upper else matrix.tril(-int(unit))


def _trmm_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _trmm_backward(ctx, needed, gradient):
    """Gradients of alpha T B: the triangle of conj(alpha) G B^H, and conj(alpha) T^H G."""
    a, b = ctx.saved_tensors
    of_a = of_b = None
    upper, unit = ctx.options["upper"], ctx.options["unit"]
    alpha = _conjugate(ctx.options["alpha"])
    gradient = gradient.contiguous()
    if needed[0]:
        product = gemm(gradient, b.mH, alpha=alpha).sum_to_size(a.shape)
        of_a = _triangle_of(product, upper, unit)
    if needed[1]:
        of_b = trmm(a.mH, gradient, upper=not upper, unit=unit, alpha=alpha).sum_to_size(b.shape)
    return of_a, of_b


def _trsm_context(ctx, inputs, output):
    a, b = inputs
    ctx.save_for_backward(a, output)
    ctx.shape = b.shape


def _trsm_backward(ctx, needed, gradient):
    """Gradients of X = alpha T^-1 B, with H = T^-H G: the triangle of -H X^H, and conj(alpha) H."""
    a, solution = ctx.saved_tensors
    of_a = of_b = None
    upper, unit = ctx.options["upper"], ctx.options["unit"]
    solved = trsm(a.mH, gradient.contiguous(), upper=not upper, unit=unit)
    if needed[0]:
        product = gemm(solved, solution.mH, alpha=-1).sum_to_size(a.shape)
        of_a = _triangle_of(product, upper, unit)
    if needed[1]:
        of_b = (solved * _conjugate(ctx.options["alpha"])).sum_to_size(ctx.shape)
    return of_a, of_b


def _refuse_tangents(tensors):
    """A tangent would be lost below."""
    for tensor in tensors:
        if tensor is not None and forward_ad.unpack_dual(tensor).tangent is not None:
            raise NotImplementedError("rooftile has no forward-mode gradients (torch.func.jvp, "
                                      "jacfwd, hessian); use backward(), torch.func.grad, vjp or "
                                      "jacrev")


def _register(name, operator, set_context, rule, **defaults):
    """Makes `rule` the gradient of an operator: it is given a context with `options`, which inputs
    need a gradient (False for those that were not given), and the gradient of the result."""

    def below(keyset, *arguments, **options):
        with torch._C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & torch._C._after_autograd_keyset, *arguments,
                                       **options)

    # One level of autograd: torch.func has dispatched to this one, and `below` goes to the next.
    class Gradient(torch.autograd.function._SingleLevelFunction):
        @staticmethod
        def forward(keyset, options, *arguments):
            with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):  # of the next level
                return below(keyset, *arguments, **options)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.options = {**defaults, **inputs[1]}
            set_context(ctx, inputs[2:], output)

        @staticmethod
        def backward(ctx, gradient):
            given = ctx.needs_input_grad[2:]
            return None, None, *rule(ctx, (*given, False), gradient)[:len(given)]

    def dispatch(keyset, *arguments, **options):
        if forward_ad._current_level >= 0:
            _refuse_tangents(arguments)
        if torch.is_grad_enabled() and any(each is not None and each.requires_grad
                                           for each in arguments):
            with enable_single_level_autograd_function():
                return Gradient.apply(keyset, options, *arguments)
        return below(keyset, *arguments, **options)

    library.impl(name, dispatch, "Autograd", with_keyset=True)


_register("gemm", gemm, _gemm_context, _gemm_backward, alpha=1, beta=0)
_register("linear", linear, _linear_context, _linear_backward, activation="")
_register("trmm", trmm, _trmm_context, _trmm_backward, upper=False, unit=False, alpha=1)
_register("trsm", trsm, _trsm_context, _trsm_backward, upper=False, unit=False, alpha=1)


def _keep_track_of_out(name, operator, names):
    """For an operator that writes to `out`: it has no gradient, and raises; and autograd gets
    that `out` has changed."""
    position = names.index("out")

    def write(keyset, *arguments, **options):
        operator.redispatch(keyset & torch._C._after_ADInplaceOrView_keyset, *arguments, **options)
        torch.autograd.graph.increment_version(arguments[position])

    def refuse_gradients(keyset, *arguments, **options):
        if torch.is_grad_enabled():
            for argument, value in zip(names, arguments):
                if value is not None and value.requires_grad:
                    raise ValueError(f"{argument} requires gradient, and with out= there is none; "
                                     f"use {name} without out=, or detach()")
        with torch._C._AutoDispatchBelowAutograd():
            write(keyset, *arguments, **options)

    library.impl(f"{name}_out", refuse_gradients, "Autograd", with_keyset=True)
    library.impl(f"{name}_out", write, "ADInplaceOrView", with_keyset=True)


_keep_track_of_out("gemm", gemm_out, ("a", "b", "c", "out"))
_keep_track_of_out("trmm", trmm_out, ("a", "b", "out"))
_keep_track_of_out("trsm", trsm_out, ("a", "b", "out"))
