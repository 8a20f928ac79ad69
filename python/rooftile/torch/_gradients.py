"""Gradients of torch.ops.rooftile. Those of a gradient are gradients of the products in it."""

import torch

from ._operators import gemm, gemm_out, library, linear, trmm, trmm_out, trsm, trsm_out


def _conjugate(number):
    return number.conjugate() if isinstance(number, complex) else number


def _given(context, *gradients):
    """Gradients of the arguments that were given."""
    return gradients[:len(context.needs_input_grad)]


def _gemm_context(ctx, inputs, keyword_only_inputs, output):
    a, b, c = inputs
    ctx.save_for_backward(a, b)
    ctx.addend_shape = None if c is None else c.shape
    ctx.alpha, ctx.beta = keyword_only_inputs["alpha"], keyword_only_inputs["beta"]


def _gemm_backward(ctx, gradient):
    """Of alpha A B + beta C, with G the gradient of it: conj(alpha) G B^H, conj(alpha) A^H G,
    conj(beta) G; summed over a batch where a matrix is one for all of it."""
    a, b = ctx.saved_tensors
    alpha = _conjugate(ctx.alpha)
    needed = (*ctx.needs_input_grad, False)
    of_a = of_b = of_c = None
    gradient = gradient.contiguous()  # of a sum it has strides of 0
    if needed[0]:
        of_a = gemm(gradient, b.mH, alpha=alpha).sum_to_size(a.shape)
    if needed[1]:
        of_b = gemm(a.mH, gradient, alpha=alpha).sum_to_size(b.shape)
    if needed[2] and ctx.beta != 0:
        of_c = (_conjugate(ctx.beta) * gradient).sum_to_size(ctx.addend_shape)
    return _given(ctx, of_a, of_b, of_c)


def _linear_context(ctx, inputs, keyword_only_inputs, output):
    ctx.save_for_backward(*inputs, output)
    ctx.activation = keyword_only_inputs["activation"]


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


def _linear_backward(ctx, gradient):
    """Of f(X W^T + b), with G the gradient of what f is applied to: G conj(W), G^T conj(X), and the
    sum of the rows of G."""
    *operands, output = ctx.saved_tensors
    x, weight = operands[:2]
    gradient = _before_activation(ctx.activation, gradient.contiguous(), output,
                                  lambda: linear(*operands)).contiguous()
    needed = (*ctx.needs_input_grad, False)
    of_x = gemm(gradient, weight.conj()) if needed[0] else None
    of_weight = gemm(gradient.mT, x.conj()) if needed[1] else None
    of_bias = gradient.sum(0) if needed[2] else None
    return _given(ctx, of_x, of_weight, of_bias)


def _triangle_of(matrix, upper, unit):
    """The part that is read; the diagonal is not where it stands for ones."""
    return matrix.triu(int(unit)) if upper else matrix.tril(-int(unit))


def _triangular_context(ctx, inputs, keyword_only_inputs, output):
    ctx.upper, ctx.unit = keyword_only_inputs["upper"], keyword_only_inputs["unit"]
    ctx.alpha = keyword_only_inputs["alpha"]
    ctx.save_for_backward(*inputs)


def _trmm_backward(ctx, gradient):
    """Of alpha T B: the triangle of conj(alpha) G B^H, and conj(alpha) T^H G."""
    a, b = ctx.saved_tensors
    of_a = of_b = None
    alpha = _conjugate(ctx.alpha)
    gradient = gradient.contiguous()
    if ctx.needs_input_grad[0]:
        product = gemm(gradient, b.mH, alpha=alpha).sum_to_size(a.shape)
        of_a = _triangle_of(product, ctx.upper, ctx.unit)
    if ctx.needs_input_grad[1]:
        of_b = trmm(a.mH, gradient, upper=not ctx.upper, unit=ctx.unit, alpha=alpha)
    return of_a, of_b


def _trsm_context(ctx, inputs, keyword_only_inputs, output):
    _triangular_context(ctx, inputs, keyword_only_inputs, output)
    ctx.save_for_backward(inputs[0], output)


def _trsm_backward(ctx, gradient):
    """Of X = alpha T^-1 B, with H = T^-H G: the triangle of -H X^H, and conj(alpha) H."""
    a, solution = ctx.saved_tensors
    of_a = None
    solved = trsm(a.mH, gradient.contiguous(), upper=not ctx.upper, unit=ctx.unit)
    if ctx.needs_input_grad[0]:
        product = gemm(solved, solution.mH, alpha=-1).sum_to_size(a.shape)
        of_a = _triangle_of(product, ctx.upper, ctx.unit)
    return of_a, solved * _conjugate(ctx.alpha) if ctx.needs_input_grad[1] else None


torch.library.register_autograd("rooftile::gemm", _gemm_backward, setup_context=_gemm_context,
                                lib=library)
torch.library.register_autograd("rooftile::linear", _linear_backward,
                                setup_context=_linear_context, lib=library)
torch.library.register_autograd("rooftile::trmm", _trmm_backward,
                                setup_context=_triangular_context, lib=library)
torch.library.register_autograd("rooftile::trsm", _trsm_backward, setup_context=_trsm_context,
                                lib=library)


def _keep_track_of_out(name, operator, names):
    """For an operator that writes to `out`: it has no gradient, and says so; and autograd is told
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
