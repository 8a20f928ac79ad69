"""torch.vmap of torch.ops.rooftile: one more dimension of the batch."""

import torch

from ._operators import ACTIVATIONS, gemm, library, linear, trmm, trsm


def _align(tensors, in_dims):
    """Tensors with the mapped dimension before as many others, so that it is broadcast."""
    rank = max(each.dim() - (place is not None) for each, place in zip(tensors, in_dims))
    aligned = []
    for each, place in zip(tensors, in_dims):
        if place is not None:
            each = each.movedim(place, 0)
            each = each[(slice(None), *[None] * (rank + 1 - each.dim()))]
        aligned.append(each)
    return aligned


@torch.library.register_vmap("rooftile::gemm", lib=library)
def _(info, in_dims, a, b, c=None, **scalars):
    tensors, dims = ([a, b], in_dims[:2]) if c is None else ([a, b, c], in_dims[:3])
    if dims[0] is None and dims[1] is None:  # c is mapped
        tensors[0], dims = a.expand(info.batch_size, *a.shape), (0, *dims[1:])
    return gemm(*_align(tensors, dims), **scalars), 0


@torch.library.register_vmap("rooftile::linear", lib=library)
def _(info, in_dims, x, weight, bias=None, *, activation=""):
    """Where x alone is mapped, one call of more rows; else a batch, and the rest after it."""
    places = (*in_dims, None)[:3]
    if places[1] is None and places[2] is None:
        rows = x.movedim(places[0], 0)
        result = linear(rows.flatten(0, 1), weight, bias, activation=activation)
        return result.unflatten(0, rows.shape[:2]), 0
    x, weight = (each if place is None else each.movedim(place, 0)
                 for each, place in zip((x, weight), places))
    result = gemm(x, weight.mT)
    if bias is not None:
        result = result + (bias if places[2] is None else bias.movedim(places[2], 0)[:, None])
    return ACTIVATIONS[activation](result), 0


def _register_triangular_vmap(name, operator):
    def rule(info, in_dims, a, b, **options):
        return operator(*_align([a, b], in_dims[:2]), **options), 0

    torch.library.register_vmap(f"rooftile::{name}", rule, lib=library)


_register_triangular_vmap("trmm", trmm)
_register_triangular_vmap("trsm", trsm)
