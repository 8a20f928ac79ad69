"""torch.vmap of torch.ops.rooftile: one batch for all that is mapped."""

import torch

from ._operators import ACTIVATIONS, gemm, library, linear, trmm, trsm


def _fold(tensors, in_dims, size):
    """Tensors with the mapped dimension in front, as batches, and what turns the result back."""
    ranks = [each.dim() - (dim is not None) for each, dim in zip(tensors, in_dims)]
    moved = [each if dim is None else each.movedim(dim, 0) for each, dim in zip(tensors, in_dims)]
    if max(ranks) == 2:
        return moved, lambda result: result
    count = max(each.shape[-3] for each, rank in zip(moved, ranks) if rank == 3)
    folded = []
    for each, rank, dim in zip(moved, ranks, in_dims):
        each = each.unsqueeze(-3) if rank == 2 else each
        each = each.unsqueeze(0) if dim is None else each
        folded.append(each.expand(size, count, *each.shape[-2:]).flatten(0, 1))
    return folded, lambda result: result.unflatten(0, (size, count))


@torch.library.register_vmap("rooftile::gemm", lib=library)
def _(info, in_dims, a, b, c=None, **scalars):
    tensors, dims = ([a, b], in_dims[:2]) if c is None else ([a, b, c], in_dims[:3])
    if dims[0] is None and dims[1] is None:  # c is mapped
        tensors[0], dims = a.expand(info.batch_size, *a.shape), (0, *dims[1:])
    folded, unfold = _fold(tensors, dims, info.batch_size)
    return unfold(gemm(*folded, **scalars)), 0


@torch.library.register_vmap("rooftile::linear", lib=library)
def _(info, in_dims, x, weight, bias=None, *, activation=""):
    """Where x alone is mapped, one call of more rows; else a batch, and the rest behind it."""
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
        if in_dims[1] is None:
            b, in_dims = b.expand(info.batch_size, *b.shape), (in_dims[0], 0)
        folded, unfold = _fold([a, b], in_dims[:2], info.batch_size)
        return unfold(operator(*folded, **options)), 0

    torch.library.register_vmap(f"rooftile::{name}", rule, lib=library)


_register_triangular_vmap("trmm", trmm)
_register_triangular_vmap("trsm", trsm)
