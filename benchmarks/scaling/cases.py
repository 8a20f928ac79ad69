"""Operations on one GPU, and spread over all: operands, calls, and how far results are off.

A check is a number: the largest error by its bound, so that 1 or less is right. Rows are sampled,
and computed anew in f64 from the indices of their elements.
"""
import functools

import torch
import torch.distributed as dist
from rooftile.torch import distributed
from scaling import matrices
from scaling.matrices import KINDS, Definite, Lower, Matrix
from torch.distributed.tensor import DTensor, Shard

SAMPLED = 64  # rows of a result


def multiply_add(kind):
    """Flops of one."""
    return 8 if matrices.is_complex(kind) else 2


class Setting:
    """Where operations run, and with which choices."""

    def __init__(self, processes, options):
        self.processes, self.device = processes, processes.device
        self.panels, self.block, self.columns = options.panels, options.block, options.columns

    @functools.lru_cache(maxsize=1)
    def values(self, kind):
        return matrices.table(kind, self.device)

    def indices(self, first, last):
        return torch.arange(first, last, device=self.device)


class Operation:
    """One on given sizes. Placement "one": whole, on this process."""

    restores = False  # whether `restore` is called before each run

    def __init__(self, setting, kind, sizes, placement):
        self.setting, self.kind, self.sizes, self.placement = setting, kind, sizes, placement
        self.alone = placement == "one"
        processes = setting.processes
        self.rank, self.ranks = (0, 1) if self.alone else (processes.rank, processes.size)
        self.mesh = None if self.alone else processes.mesh
        self.flops = self.flops_of(kind, sizes)
        self.result = None
        self.values = setting.values(kind)
        self.prepare()

    def own(self, size):
        """Indices of the own shard of a dimension."""
        return self.setting.indices(*matrices.shard(size, self.ranks, self.rank))

    def spread(self, local, dimension, shape):
        return DTensor.from_local(local, self.mesh, [Shard(dimension)], run_check=False,
                                  shape=torch.Size(shape), stride=(shape[1], 1))

    def restore(self):
        """Operands that a run overwrites."""

    def poison(self):
        """The memory that the result will get holds no earlier one."""
        if self.result is not None:
            self.result.fill_(float("nan"))
        self.result = None

    def lies(self, rows, columns, total):
        """Rows and columns of the whole result that this process has, by their indices."""
        self.rows, self.columns = rows, columns
        chosen = {round(index * (total - 1) / (SAMPLED - 1)) for index in range(SAMPLED)}
        self.chosen = torch.tensor(sorted(chosen), device=self.setting.device)

    def sampled(self):
        """Sampled rows that this process has: their indices in its result and in the whole."""
        local = torch.isin(self.rows, self.chosen).nonzero().flatten()
        return local, self.rows[local]

    def sample(self):
        """Sampled rows of the result; of a whole one they are compared with."""
        return self.result[self.sampled()[0]]

    def difference(self, whole):
        """From the sample of a whole result, by its largest element."""
        local, rows = self.sampled()
        expected = whole[torch.searchsorted(self.chosen, rows)][:, self.columns]
        return self.worst((matrices.wide(self.result[local]) - matrices.wide(expected)).abs(),
                          float(whole.abs().max()))

    def worst(self, difference, bound):
        """The largest ratio of all processes; that of a NaN is infinite."""
        ratio = (difference / bound).max() if difference.numel() else torch.zeros(1)
        own = float(torch.nan_to_num(ratio, nan=float("inf")))
        return own if self.alone else self.setting.processes.largest(own)


class Gemm(Operation):
    """C = A B. rows, columns: one operand is whole everywhere, C stays where it is computed; k:
    both are cut along K, and C is summed over processes; gather: A and B are cut by rows."""

    placements = ("rows", "columns", "k", "gather")

    @staticmethod
    def sizes_of(order, setting, ranks, placement):
        """M, N, K of `order` for each process in the direction that is cut."""
        return (order * (ranks if placement in ("rows", "gather") else 1),
                order * (ranks if placement == "columns" else 1),
                order * (ranks if placement == "k" else 1))

    @staticmethod
    def flops_of(kind, sizes):
        m, n, k = sizes
        return multiply_add(kind) * m * n * k

    @staticmethod
    def elements_of(sizes):
        m, n, k = sizes
        return m * k + k * n + m * n

    def prepare(self):
        m, n, k = self.sizes
        self.a, self.b = Matrix(self.values, m, k, 1), Matrix(self.values, k, n, 2)
        of = self.placement
        by_rows = self.own(m) if of in ("rows", "gather") else None
        by_columns = self.own(n) if of == "columns" else None
        by_k = self.own(k) if of in ("k", "gather") else None
        self.left = self.a.part(by_rows, by_k if of == "k" else None)
        self.right = self.b.part(by_k, by_columns)
        self.lies(self.setting.indices(0, m) if by_rows is None else by_rows,
                  self.setting.indices(0, n) if by_columns is None else by_columns, m)

    def run(self, products):
        if self.placement in ("k", "gather"):
            m, n, k = self.sizes
            a = self.spread(self.left, 1 if self.placement == "k" else 0, (m, k))
            b = self.spread(self.right, 0, (k, n))
            self.result = distributed.matmul(a, b, panels=self.setting.panels,
                                             products=products).to_local()
        else:
            self.result = products.gemm(self.left, self.right)

    def error(self):
        local, whole = self.sampled()
        expected, deviation = matrices.product_rows(self.a, self.b, whole, self.columns)
        # Errors of a sum are a random walk. Partial sums are rounded to the type of the result.
        rounded = {"k": 2 * self.ranks, "gather": 3}.get(self.placement, 1) + 1
        bound = (8 * self.sizes[2] ** 0.5 * matrices.SUMS[self.kind]
                 + 5 * rounded * matrices.ROUNDING[self.kind]) * deviation
        return self.worst((matrices.wide(self.result[local]) - expected).abs(), bound)


class Trsm(Operation):
    """A X = B of a lower triangle that is whole everywhere; right-hand sides are cut."""

    placements = ("columns",)

    @staticmethod
    def sizes_of(order, setting, ranks, placement):
        return order, order * ranks

    @staticmethod
    def flops_of(kind, sizes):
        order, count = sizes
        return multiply_add(kind) // 2 * order * order * count

    @staticmethod
    def elements_of(sizes):
        order, count = sizes
        return order * order + 2 * order * count

    def prepare(self):
        order, count = self.sizes
        self.a, self.b = Lower(self.values, order, order, 1), Matrix(self.values, order, count, 2)
        self.lies(self.setting.indices(0, order), self.own(count), order)
        self.left, self.right = self.a.part(), self.b.part(None, self.columns)

    def run(self, products):
        self.result = products.trsm(self.left, self.right)

    def error(self):
        """Residual A X - B, row by row."""
        order, _ = self.sizes
        local, whole = self.sampled()
        total = size = 0
        for first in range(0, order, 4096):
            middle = self.setting.indices(first, min(first + 4096, order))
            left = matrices.wide(self.a.part(whole, middle))
            right = matrices.wide(self.result[middle])
            total, size = total + left @ right, size + left.abs() @ right.abs()
        expected = matrices.wide(self.right[local])
        return self.worst((total - expected).abs(), (order + 4) * matrices.SUMS[self.kind] * size)


class GramSchmidt(Operation):
    """Two passes of block Gram-Schmidt against a basis of as many columns; all is cut by rows.
    Later runs work on columns that are orthonormal, which is no less work."""

    placements = ("rows",)

    @staticmethod
    def sizes_of(order, setting, ranks, placement):
        return order * ranks, setting.columns

    @staticmethod
    def flops_of(kind, sizes):
        """Two products with the basis, one triangle of x^H x and a triangular solve, twice."""
        rows, columns = sizes
        return 2 * multiply_add(kind) * 3 * rows * columns * columns

    @staticmethod
    def elements_of(sizes):
        return 2 * sizes[0] * sizes[1]

    def prepare(self):
        rows, columns = self.sizes
        # A pass reads basis and x twice and x alone twice more, and writes x twice.
        self.moved = 2 * 8 * rows * columns * matrices.BYTES[self.kind]
        self.lies(self.own(rows), self.setting.indices(0, columns), rows)
        self.whole = Matrix(self.values, rows, columns, 2)
        self.basis = Matrix(self.values, rows, columns, 1).part(self.rows)
        self.result = self.basis.new_empty((len(self.rows), columns))
        distributed.orthonormalize(self._operand(self.basis))
        self.r = self.h = None

    def _operand(self, local):
        return local if self.alone else self.spread(local, 0, self.sizes)

    def restore(self):
        self.result.copy_(self.whole.part(self.rows))

    def poison(self):
        self.result.fill_(float("nan"))

    def run(self, products):
        found = distributed.orthonormalize(self._operand(self.result), self._operand(self.basis),
                                           products=products)
        self.r, self.h = (each if self.alone else each.to_local() for each in found)

    def error(self):
        """Residual basis h + q r - x, row by row, and products of q with itself and the basis."""
        _, columns = self.sizes
        local, whole = self.sampled()
        q, base, r, h = map(matrices.wide, (self.result[local], self.basis[local], self.r, self.h))
        rounding = matrices.ROUNDING[self.kind]
        size = base.abs() @ h.abs() + q.abs() @ r.abs()
        wrong = self.worst((base @ h + q @ r - matrices.wide(self.whole.part(whole))).abs(),
                           64 * columns * rounding * size)
        ones = torch.eye(columns, dtype=q.dtype, device=q.device)
        deviations = torch.stack([self._product(self.result) - ones, self._product(self.basis)])
        return max(wrong, self.worst(deviations.abs(), torch.tensor(64 * columns * rounding)))

    def _product(self, left):
        """left^H q over all rows, in f64."""
        total = 0
        for rows, other in zip(left.split(1 << 20), self.result.split(1 << 20)):
            total = total + matrices.wide(rows).mH @ matrices.wide(other)
        return total if self.alone else sum(self.setting.processes.gather(total.cpu())).to(total)


class Cholesky(Operation):
    """L L^T = A by block columns, which lie on the processes in turn; in place."""

    placements = ("columns",)
    restores = True

    @staticmethod
    def sizes_of(order, setting, ranks, placement):
        """The work, a cube of the order, grows with the number of processes."""
        return (round(order * ranks ** (1 / 3)),)

    @staticmethod
    def flops_of(kind, sizes):
        return sizes[0] ** 3 // 3

    @staticmethod
    def elements_of(sizes):
        return sizes[0] ** 2

    def prepare(self):
        order, = self.sizes
        self.whole = Definite(self.values, order, order)
        blocks = distributed.block_columns(order, self.setting.block, self.rank, self.ranks)
        parts = [self.setting.indices(*each) for each in blocks]
        columns = torch.cat(parts) if parts else self.setting.indices(0, 0)
        self.lies(self.setting.indices(0, order), columns, order)
        self.result = self.values.new_empty((order, len(self.columns)))

    def restore(self):
        self.result.copy_(self.whole.part(None, self.columns))

    def poison(self):
        """`restore` overwrites the result."""

    def run(self, products):
        distributed.cholesky(self.result, self.mesh, block=self.setting.block, products=products)

    def run_whole(self):
        """That of PyTorch, on one GPU."""
        self.result = torch.linalg.cholesky(self.result)

    def error(self):
        """Residual L L^T - A of rows, which are sums over processes."""
        order, = self.sizes
        local, whole = self.sampled()
        rows = matrices.wide(self.result[local])
        total, size = (rows.new_empty((len(local), order)) for _ in range(2))
        for first in range(0, order, 4096):
            right = matrices.wide(self.result[first:first + 4096]).mT
            total[:, first:first + 4096] = rows @ right
            size[:, first:first + 4096] = rows.abs() @ right.abs()
        if not self.alone:
            for each in (total, size):
                dist.all_reduce(each)
        difference = (total - matrices.wide(self.whole.part(whole))).abs()
        return self.worst(difference, (order + 4) * matrices.SUMS[self.kind] * size)


OPERATIONS = {"gemm": Gemm, "gram-schmidt": GramSchmidt, "trsm": Trsm, "cholesky": Cholesky}
TYPES = {"gemm": ("f32", "f64", "c128", "bf16"), "gram-schmidt": ("f64",),
         "trsm": ("f32", "f64", "c128"), "cholesky": ("f64",)}
ACCEPTED = {"gemm": tuple(KINDS), "gram-schmidt": ("f32", "f64", "c64", "c128"),
            "trsm": ("f32", "f64", "c64", "c128"), "cholesky": ("f32", "f64")}
