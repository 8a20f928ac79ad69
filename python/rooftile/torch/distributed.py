"""Algorithms on matrices that are spread over processes, one for each GPU.

    from rooftile.torch import distributed
    c = distributed.matmul(a, b)                  # panels are sent while others are multiplied
    r, h = distributed.orthonormalize(x, basis)   # block Gram-Schmidt by rows, in place
    distributed.cholesky(columns, mesh)           # by block columns, in place

Products without communication need nothing of this: `rooftile.torch` with the rules of
`rooftile.torch.sharding`, or on local tensors. All processes of a mesh call a function together.
What is wrong with arguments that all of them have raises the same ValueError on each.

Sums over processes: `orthonormalize` adds in the order of ranks, which gives the same bits on each
process and in each run; `matmul` by K leaves the order to the backend's all-reduce.

products: of each function, an object with gemm, syrk, herk and trsm of the arguments of those of
`rooftile.torch`, which is the default: for comparisons.
docs/PyTorch.md of the project has more.
"""

from typing import Any, List, Optional, Tuple, Union

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Replicate, Shard

from .. import torch as _own

__all__ = ["block_columns", "cholesky", "matmul", "orthonormalize"]

_AHEAD = 2  # panels that are under way while another one is multiplied


def _real(tensor):
    """Backends do not know complex elements."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def _all_gather(own, group, ranks):
    """Tensors of all processes, in one that has a dimension more, and the work that fills it."""
    every = own.new_empty((ranks, *own.shape))
    work = dist.all_gather_into_tensor(_real(every.flatten(0, 1)), _real(own), group=group,
                                       async_op=True)
    return every, work


def _shards(size, ranks):
    """First and last index of each shard of a dimension, as `distribute_tensor` cuts it."""
    chunk = -(-size // ranks)
    return [(min(rank * chunk, size), min((rank + 1) * chunk, size)) for rank in range(ranks)]


def _line(mesh, name):
    """The group of a mesh of one dimension, the own rank in it, and its size."""
    if mesh.ndim != 1:
        raise ValueError(f"{name} is on a mesh of {mesh.ndim} dimensions; expected one of 1")
    return mesh.get_group(), mesh.get_local_rank(), mesh.size()


def _check_spread(tensor, name):
    if not isinstance(tensor, DTensor):
        raise TypeError(f"{name} is of type {type(tensor).__module__}.{type(tensor).__name__}; "
                        "expected a torch.distributed.tensor.DTensor")
    if tensor.ndim != 2:
        raise ValueError(f"{name} has {tensor.ndim} dimensions; expected a matrix (2)")


# --------------------------------------------------------------------------------------------------
# Products
# --------------------------------------------------------------------------------------------------

def matmul(a: DTensor, b: DTensor, *, panels: Optional[int] = None,
           products: Any = _own) -> DTensor:
    """a b as rooftile.torch.matmul computes it, with its communication cut into panels: while one
    is under way, another one is multiplied.

    | a | b | result | communication |
    |---|---|---|---|
    | Shard(0) | Shard(0) | Shard(0) | panels of columns of b are gathered |
    | Shard(0) | Shard(1) | Shard(0) | panels of columns of each shard of b are gathered |
    | Shard(1) | Shard(1) | Shard(1) | panels of rows of a are gathered |
    | Shard(1) | Shard(0) | Replicate | an all-reduce of each panel of rows of the result |

    The own shard of what is gathered is multiplied first. Sums over K have up to three parts, in
    the last case as many as there are processes, that are rounded to the type of the result.

    Args:
        a, b: M x K and K x N, on one mesh of one dimension. Sizes need not be multiples of the
            number of processes.
        panels: in which an operand is gathered, or the result is reduced. Without it half as many
            as processes: the own shard hides the first one where sending lasts half as long as
            multiplying. 8 of a result, whose last one nothing hides.

    There are no gradients. Raises TypeError and ValueError as rooftile.torch.matmul does, and
    ValueError for other placements.
    """
    for tensor, name in ((a, "a"), (b, "b")):
        _check_spread(tensor, name)
    if a.device_mesh != b.device_mesh:
        raise ValueError(f"a is on {a.device_mesh} and b on {b.device_mesh}; expected one mesh")
    ranks = _line(a.device_mesh, "a")[2]
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"a is {a.shape[0]} x {a.shape[1]} and b is {b.shape[0]} x {b.shape[1]}: "
                         f"K is {a.shape[1]} and {b.shape[0]}")
    if panels is not None and panels < 1:
        raise ValueError(f"panels is {panels}; expected 1 or more")
    placements = (a.placements[0], b.placements[0])
    gathered = panels or max(1, ranks // 2)
    with torch.no_grad():
        if placements == (Shard(1), Shard(0)):
            return _reduced(a, b, panels or 8, products)
        if placements == (Shard(1), Shard(1)):
            return _gathered_whole(b.mT, a.mT, gathered, products).mT
        if placements == (Shard(0), Shard(0)):
            return _gathered_whole(a, b, gathered, products)
        if placements == (Shard(0), Shard(1)):
            return _gathered_shards(a, b, gathered, products)
    raise ValueError(f"a is {placements[0]} and b is {placements[1]}; expected shards of both: "
                     "by rows (0) or columns (1)")


def _padded(matrix, rows, columns):
    """A contiguous matrix of this size; zeros are past the end of the given one."""
    if matrix.shape == (rows, columns) and matrix.is_contiguous():
        return matrix
    padded = matrix.new_zeros((rows, columns))
    padded[:matrix.shape[0], :matrix.shape[1]].copy_(matrix)
    return padded


def _by_rows(local, a, columns):
    """A result that lies as the rows of `a` do."""
    return DTensor.from_local(local, a.device_mesh, [Shard(0)], run_check=False,
                              shape=torch.Size((a.shape[0], columns)), stride=(columns, 1))


def _in_turn(panels, gather):
    """Panels, and what is gathered of each, while the next ones are under way. Begins to gather."""
    pending = [gather(*each) for each in panels[:_AHEAD]]

    def follow():
        for index, panel in enumerate(panels):
            pending.extend(gather(*each) for each in panels[index + _AHEAD:index + _AHEAD + 1])
            whole, work = pending.pop(0)
            work.wait()
            yield panel, whole

    return follow()


def _panels(size, count, element_bytes):
    """First and last index of so many panels, or fewer: of whole cache lines."""
    line = 128 // element_bytes
    chunk = -(-size // (count * line)) * line
    return [(first, min(first + chunk, size)) for first in range(0, size, max(chunk, 1))]


def _gathered_whole(a, b, panels, products):
    """A and B by rows. The own rows of B are multiplied by the own columns of A; then of each
    panel of columns, as it arrives, the rows before them and after them."""
    group, rank, ranks = _line(a.device_mesh, "a")
    left, right = a.to_local(), b.to_local()
    k, columns = b.shape
    result = left.new_empty((left.shape[0], columns))
    shards = _shards(k, ranks)
    (begin, end), rows = shards[rank], shards[0][1]

    def gather(first, last):
        return _all_gather(_padded(right[:, first:last], rows, last - first), group, ranks)

    parts = _in_turn(_panels(columns, panels, right.element_size()) if k else [], gather)
    products.gemm(left[:, begin:end], right, out=result)
    for (first, last), whole in parts:
        panel, out = whole.flatten(0, 1), result[:, first:last]
        for above, below in ((0, begin), (end, k)):
            if above < below:
                products.gemm(left[:, above:below], panel[above:below], beta=1, c=out, out=out)
    return _by_rows(result, a, columns)


def _gathered_shards(a, b, panels, products):
    """A by rows, B by columns: panels of all shards of B are gathered, each of columns of C."""
    group, rank, ranks = _line(a.device_mesh, "a")
    left, right = a.to_local(), b.to_local()
    result = left.new_empty((left.shape[0], b.shape[1]))
    shards = _shards(b.shape[1], ranks)

    def gather(first, last):
        return _all_gather(_padded(right[:, first:last], b.shape[0], last - first), group, ranks)

    parts = _in_turn(_panels(shards[0][1], panels, right.element_size()), gather)
    products.gemm(left, right, out=result[:, slice(*shards[rank])])
    for (begin, end), whole in parts:
        for other, (first, last) in enumerate(shards):
            width = min(end, last - first) - begin
            if other != rank and width > 0:
                columns = slice(first + begin, first + begin + width)
                products.gemm(left, whole[other][:, :width], out=result[:, columns])
    return _by_rows(result, a, b.shape[1])


def _reduced(a, b, panels, products):
    """A by columns and B by rows: each process has a part of each sum."""
    group, _, _ = _line(a.device_mesh, "a")
    left, right = a.to_local(), b.to_local()
    result = left.new_empty((a.shape[0], b.shape[1]))
    works = []
    for rows, out in zip(left.chunk(panels), result.chunk(panels)):
        products.gemm(rows, right, out=out)
        works.append(dist.all_reduce(_real(out), group=group, async_op=True))
    for work in works:
        work.wait()
    return DTensor.from_local(result, a.device_mesh, [Replicate()], run_check=False)


# --------------------------------------------------------------------------------------------------
# Block vectors
# --------------------------------------------------------------------------------------------------

Rows = Union[Tensor, DTensor]


def _check_rows(tensor, name):
    """The tensor on this process, and its mesh; None where it has none."""
    if not isinstance(tensor, DTensor):
        return tensor, None
    _check_spread(tensor, name)
    _line(tensor.device_mesh, name)
    if tensor.placements[0] != Shard(0):
        raise ValueError(f"{name} is {tensor.placements[0]}; expected Shard(0), by rows")
    return tensor.to_local(), tensor.device_mesh


def _total(part, mesh):
    """The sum over processes in the order of ranks: the same bits on each of them."""
    if mesh is None:
        return part
    group, _, ranks = _line(mesh, "x")
    parts, work = _all_gather(part.contiguous(), group, ranks)
    work.wait()
    total = parts[0]
    for each in parts[1:]:
        total = total + each
    return total


def _factor(gram):
    """The upper triangular R of R^H R = X^H X, which is the same on each process."""
    factor, info = torch.linalg.cholesky_ex(gram, upper=True)
    if info:
        raise ValueError(f"column {int(info) - 1} of x depends on those before it, or on basis, "
                         f"to rounding: the leading minor of order {int(info)} of x^H x is not "
                         "positive definite")
    return factor


def orthonormalize(x: Rows, basis: Optional[Rows] = None, *, passes: int = 2,
                   products: Any = _own) -> Tuple[Rows, Optional[Rows]]:
    """Block Gram-Schmidt of a block vector, in place: x is basis h + q r, with orthonormal columns
    q, which x holds afterwards, orthogonal to those of basis.

    A pass is h = basis^H x, x -= basis h, and the Cholesky factor r of x^H x with x = x r^-1. It
    sends h and r alone.

    Args:
        x: M x N, of float32, float64, complex64 or complex128, tall and narrow: a DTensor by rows,
            Shard(0), on a mesh of one dimension; or a tensor, of one process.
        basis: M x P, as x, with orthonormal columns.
        passes: 2 give columns that are orthonormal to rounding, for a condition of x up to the
            square root of 1 / rounding.

    Returns r, N x N and upper triangular, and h, P x N, or None without basis: replicated DTensors
    where x is one.

    Raises ValueError for shapes and placements, and, on each process, where the columns of x
    depend on each other or on basis to rounding; x is then overwritten.
    """
    rows, mesh = _check_rows(x, "x")
    base, base_mesh = (None, mesh) if basis is None else _check_rows(basis, "basis")
    if base_mesh != mesh:
        raise ValueError(f"x is on {mesh} and basis on {base_mesh}; expected one mesh")
    if basis is not None and basis.shape[0] != x.shape[0]:
        raise ValueError(f"x has {x.shape[0]} rows and basis {basis.shape[0]}")
    if x.shape[0] < x.shape[1]:
        raise ValueError(f"x is {x.shape[0]} x {x.shape[1]}; expected rows for all columns")
    if passes < 1:
        raise ValueError(f"passes is {passes}; expected 1 or more")
    square = products.herk if x.is_complex() else products.syrk
    r = h = None
    with torch.no_grad():
        for _ in range(passes):
            if base is not None:
                overlap = _total(products.gemm(base, rows, op_a="c"), mesh)
                products.gemm(base, overlap, alpha=-1, beta=1, c=rows, out=rows)
                h = overlap if h is None else h + overlap @ r
            factor = _factor(_total(square(rows, "upper", "c" if x.is_complex() else "t"), mesh))
            products.trsm(factor, rows, "right", "upper", out=rows)
            r = factor if r is None else factor @ r
    if mesh is None:
        return r, h
    r, h = (None if each is None else DTensor.from_local(each, mesh, [Replicate()], run_check=False)
            for each in (r, h))
    return r, h


# --------------------------------------------------------------------------------------------------
# Cholesky
# --------------------------------------------------------------------------------------------------

def _check_block(block):
    if block < 1:
        raise ValueError(f"block is {block}; expected 1 or more")


def block_columns(order: int, block: int, rank: int, ranks: int) -> List[Tuple[int, int]]:
    """First and last column of the block columns of a process, of a matrix that processes share
    block column by block column in turn: those of rank 1 of 2 are 1, 3, 5 and so on."""
    _check_block(block)
    return [(first, min(first + block, order))
            for first in range(rank * block, order, ranks * block)]


class _Columns:
    """The block columns of this process, side by side in `local`, and what all processes have."""

    def __init__(self, local, mesh, block):
        self.local, self.block, self.order = local, block, local.shape[0]
        self.group, self.rank, self.ranks = (None, 0, 1) if mesh is None else _line(mesh, "mesh")
        self.check()
        self.count = -(-self.order // block)

    def check(self):
        """Compares arguments of all processes: each raises the same error."""
        own = torch.tensor([*self.local.shape, self.block], device=self.local.device)
        every = own[None]
        if self.group is not None:
            every, work = _all_gather(own, self.group, self.ranks)
            work.wait()
        order, block = int(every[0, 0]), int(every[0, 2])
        _check_block(block)
        for rank, (rows, columns, other) in enumerate(every.tolist()):
            if (rows, other) != (order, block):
                raise ValueError(f"process 0 has {order} rows and blocks of {block}, process "
                                 f"{rank} {rows} rows and blocks of {other}")
            expected = sum(last - first
                           for first, last in block_columns(order, block, rank, self.ranks))
            if columns != expected:
                raise ValueError(f"process {rank} has {columns} columns; expected {expected}, of "
                                 f"order {order} in blocks of {block} on {self.ranks} processes")

    def is_own(self, index):
        return index % self.ranks == self.rank

    def column(self, index):
        """Block column `index`, from its block of the diagonal on."""
        first = index // self.ranks * self.block
        return self.local[index * self.block:, first:first + self.block]

    def own_after(self, index):
        """Own block columns from that after `index` on."""
        first = index + 1 + (self.rank - index - 1) % self.ranks
        return range(first, self.count, self.ranks)

    def send(self, panel, index):
        """From the owner of a block column to all; None where there is one process."""
        if self.group is None:
            return None
        source = dist.get_global_rank(self.group, index % self.ranks)
        return dist.broadcast(_real(panel), source, group=self.group, async_op=True)


def cholesky(a: Tensor, mesh: Optional[DeviceMesh] = None, *, block: int = 512,
             products: Any = _own) -> Tensor:
    """The lower triangular L of L L^H = A, in place, of a matrix whose block columns lie on the
    processes in turn (`block_columns`).

    Right-looking: of each block column the owner factors the block of the diagonal, solves for the
    rows below it and sends both; then all update the block columns that they own. The next block
    column is updated, factored and sent first, on a stream of its own, while the others are
    updated with the one before.

    Args:
        a: order x n: the own block columns, side by side; of float32, float64, complex64 or
            complex128. Only the lower triangle of A is read. Afterwards those of L, with zeros
            above its diagonal.
        mesh: of one dimension; without it A is of this process alone.
        block: columns of a block column; the last one may be narrower.

    Returns a.

    Raises ValueError, on each process, for numbers of rows and columns, and where A is not positive
    definite; a is then overwritten.
    """
    if not isinstance(a, Tensor) or isinstance(a, DTensor) or a.dim() != 2:
        raise ValueError("a is no matrix of this process; expected a tensor of two dimensions, the "
                         "block columns that it owns")
    columns = _Columns(a, mesh, block)
    device = torch.get_device_module(a.device)
    main, ahead = device.current_stream(), device.Stream(priority=-1)
    buffers = [a.new_empty((columns.order, min(block, columns.order))) for _ in range(2)]
    infos = {}

    def update(index, panel, panel_index):
        """Subtracts the product of the panel with its rows of this block column."""
        target = columns.column(index)
        rows = panel[(index - panel_index) * block:]
        products.gemm(rows, rows[:target.shape[1]], op_b="c", alpha=-1, beta=1, c=target,
                      out=target)

    def factor(index):
        """The block column of L, on each process once the work that is returned has ended."""
        width = min(block, columns.order - index * block)
        panel = buffers[index % 2].view(-1)[:(columns.order - index * block) * width]
        panel = panel.view(-1, width)
        if columns.is_own(index):
            own = columns.column(index)
            panel.copy_(own)
            diagonal, infos[index] = torch.linalg.cholesky_ex(panel[:width])
            panel[:width] = diagonal
            products.trsm(diagonal, panel[width:], "right", "lower", op="c", out=panel[width:])
            own.copy_(panel)
        return panel, columns.send(panel, index)

    with torch.no_grad():
        panel, work = factor(0) if columns.count else (None, None)
        for index in range(columns.count):
            main.wait_stream(ahead)
            if work:
                work.wait()
            ahead.wait_stream(main)
            done, later = panel, columns.own_after(index)
            if index + 1 < columns.count:
                with device.stream(ahead):
                    if columns.is_own(index + 1):
                        update(index + 1, done, index)
                        later = later[1:]
                    panel, work = factor(index + 1)
            for each in later:
                update(each, done, index)
            if columns.is_own(index):
                _clear_above(columns, index)
        main.wait_stream(ahead)
        _check_infos(columns, infos)
    return a


def _clear_above(columns, index):
    first = index // columns.ranks * columns.block
    columns.local[:index * columns.block, first:first + columns.block] = 0


def _check_infos(columns, infos):
    """Raises the error of the first block that is not positive definite, on each process."""
    failed = columns.order + 1
    for index, info in infos.items():
        if info:
            failed = min(failed, index * columns.block + int(info))
    first = torch.tensor([failed], device=columns.local.device)
    if columns.group is not None:
        dist.all_reduce(first, dist.ReduceOp.MIN, group=columns.group)
    if first <= columns.order:
        raise ValueError(f"A is not positive definite: its leading minor of order {int(first)} is "
                         "not")
