"""Rules for tensors that are spread over processes: torch.distributed.tensor.DTensor.

Importing this registers them for torch.ops.rooftile.gemm (and so for matmul), linear, trmm, trsm:

    import rooftile.torch.sharding
    a = distribute_tensor(a, mesh, [Shard(0)])           # tall and narrow, as b
    c = rooftile.torch.gemm(a, b, op_a="t")              # local products, Partial
    c = c.redistribute(mesh, [Replicate()])              # one all-reduce

A rule lists, for a dimension of a mesh, placements of the operands that need no communication,
and that of the result then; a mesh of two dimensions may have another rule for each. DTensor uses
the rules that need the least communication for the placements that it is given, and redistributes
the operands that do not fit. Gradients are products too, and follow the same rules.
"""

from typing import Any, List, Optional, Tuple

from torch.distributed.tensor import Partial, Placement, Replicate, Shard
from torch.distributed.tensor.experimental import register_sharding

from . import _operators

__all__ = ["gemm_rules", "linear_rules", "triangular_rules"]

# Placements of results, and of operands.
Rule = Tuple[List[Placement], List[Placement]]


def _of_batch(matrix, dimension, rank):
    """The placement of an operand where a dimension of the batch of a result of `rank` is sharded:
    what is repeated there is everywhere."""
    own = dimension - (rank - matrix.ndim)
    return Shard(own) if own >= 0 and matrix.shape[own] > 1 else Replicate()


def _batch_rules(rule, rank, *operands):
    """A rule for each dimension of a batch with more than one matrix."""
    rules = []
    for dimension in range(rank - 2):
        placements = [_of_batch(each, dimension, rank) for each in operands]
        if any(isinstance(each, Shard) for each in placements):
            rules.append(rule(Shard(dimension), *placements))
    return rules


def gemm_rules(a: Any, b: Any, c: Optional[Any] = None, **scalars: Any) -> List[Rule]:
    """Placements of the result and of a, b, c, for alpha A B + beta C: by rows of A (M), by columns
    of B (N), by K (each process has a part of the sum), and by the batch. The result is linear in
    each of A and B, with C: it is a part of the sum where they are."""
    rank = max(a.ndim, b.ndim)
    row, column = rank - 2, rank - 1

    def rule(result, of_a, of_b):
        if c is None:
            return [result], [of_a, of_b]
        of_c = result
        if isinstance(result, Shard):
            own = result.dim - (rank - c.ndim)
            of_c = _of_batch(c, result.dim, rank) if result.dim < row else Shard(own)
        return [result], [of_a, of_b, of_c]

    rules = [
        rule(Replicate(), Replicate(), Replicate()),
        rule(Shard(row), Shard(a.ndim - 2), Replicate()),
        rule(Shard(column), Replicate(), Shard(b.ndim - 1)),
        rule(Partial(), Shard(a.ndim - 1), Shard(b.ndim - 2)),
        rule(Partial(), Partial(), Replicate()),
        rule(Partial(), Replicate(), Partial()),
    ]
    return rules + _batch_rules(rule, rank, a, b)


def linear_rules(input: Any, weight: Any, bias: Optional[Any] = None, **options: Any) -> List[Rule]:
    """Placements of the result and of input, weight, bias: by rows of input, and by rows of weight,
    which are columns of the result. A part of a sum is no argument of an activation."""
    rules: List[Rule] = [
        ([Replicate()], [Replicate(), Replicate(), Replicate()]),
        ([Shard(0)], [Shard(0), Replicate(), Replicate()]),
        ([Shard(1)], [Replicate(), Shard(0), Shard(0)]),
    ]
    return [(result, operands[:2 if bias is None else 3]) for result, operands in rules]


def triangular_rules(a: Any, b: Any, **options: Any) -> List[Rule]:
    """Placements of the result and of a, b: by right-hand sides, which are columns of B (rows of
    the matrix that `rooftile.torch.trsm` is given with side="right"), and by the batch. The result
    is linear in B."""
    rank = max(a.ndim, b.ndim)

    def rule(result, of_a, of_b):
        return [result], [of_a, of_b]

    return [
        rule(Replicate(), Replicate(), Replicate()),
        rule(Shard(rank - 1), Replicate(), Shard(b.ndim - 1)),
        rule(Partial(), Replicate(), Partial()),
        *_batch_rules(rule, rank, a, b),
    ]


register_sharding(_operators.gemm)(gemm_rules)
register_sharding(_operators.linear)(linear_rules)
register_sharding([_operators.trmm, _operators.trsm])(triangular_rules)
