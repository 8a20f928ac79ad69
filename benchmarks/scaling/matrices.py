"""Matrices whose elements follow from their indices, so that each process makes what it needs."""
import torch

KINDS = {"f32": torch.float32, "f64": torch.float64, "c64": torch.complex64,
         "c128": torch.complex128, "bf16": torch.bfloat16}
BYTES = {"f32": 4, "f64": 8, "c64": 8, "c128": 16, "bf16": 2}
# Unit of rounding of a type, and of the accumulators of its products.
ROUNDING = {"f32": 2.0**-24, "f64": 2.0**-53, "c64": 2.0**-24, "c128": 2.0**-53, "bf16": 2.0**-8}
SUMS = {**ROUNDING, "bf16": 2.0**-24}
LENGTH = 16777213  # A prime: rows of no size repeat.
AT_ONCE = 1 << 25  # Elements whose indices are made at a time.


def is_complex(kind):
    return kind.startswith("c")


def wide(tensor):
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def table(kind, device):
    """Random values in [-1, 1]."""
    generator = torch.Generator().manual_seed(51)
    count = 2 * LENGTH if is_complex(kind) else LENGTH
    values = torch.rand(count, generator=generator, dtype=torch.float64) * 2 - 1
    if is_complex(kind):
        values = torch.view_as_complex(values.view(-1, 2))
    return values.to(KINDS[kind]).to(device)


class Matrix:
    """rows x columns of a table's values; other forms override `elements`."""

    def __init__(self, values, rows, columns, seed=0):
        self.values, self.rows, self.columns, self.seed = values, rows, columns, seed

    def elements(self, rows, columns):
        index = rows[:, None] * self.columns + columns + self.seed * 1234577
        return self.values[index % LENGTH]

    def part(self, rows=None, columns=None):
        """Rows and columns by their indices; without them all."""
        device = self.values.device
        rows = torch.arange(self.rows, device=device) if rows is None else rows
        columns = torch.arange(self.columns, device=device) if columns is None else columns
        found = self.values.new_empty((len(rows), len(columns)))
        step = max(1, AT_ONCE // max(1, len(columns)))
        for first in range(0, len(rows), step):
            found[first:first + step] = self.elements(rows[first:first + step], columns)
        return found


class Lower(Matrix):
    """Triangular, of a small condition: 2 on the diagonal, small values below it."""

    def elements(self, rows, columns):
        found = super().elements(rows, columns) / self.columns
        found[rows[:, None] < columns] = 0
        found[rows[:, None] == columns] = 2
        return found


class Definite(Matrix):
    """Symmetric and positive definite: the diagonal is larger than a row."""

    def elements(self, rows, columns):
        low = torch.minimum(rows[:, None], columns)
        high = torch.maximum(rows[:, None], columns)
        found = self.values[(low * self.columns + high + self.seed * 1234577) % LENGTH]
        found[low == high] = self.columns
        return found


def product_rows(a, b, rows, columns, step=4096):
    """Rows of A B in f64, and the root of the sum of squares of their products: the standard
    deviation of such a sum of random values."""
    total = squares = 0
    for first in range(0, a.columns, step):
        middle = torch.arange(first, min(first + step, a.columns), device=rows.device)
        left, right = wide(a.part(rows, middle)), wide(b.part(middle, columns))
        total = total + left @ right
        squares = squares + left.abs().square() @ right.abs().square()
    return total, squares.sqrt()


def shard(size, ranks, rank):
    """First and last index of a shard, as torch.distributed.tensor.Shard cuts a dimension."""
    chunk = -(-size // ranks)
    return min(rank * chunk, size), min((rank + 1) * chunk, size)


def digest(tensor):
    """A number of 64 bits that depends on each bit of a tensor and on where it lies."""
    flat = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)
    bits = flat.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[flat.element_size()])
    total = 0
    for first in range(0, len(bits), AT_ONCE):
        part = bits[first:first + AT_ONCE].long()
        index = torch.arange(first, first + len(part), device=part.device)
        total += int((part * (index * 0x9E3779B97F4A7C1 + 1)).sum())
    return total % 2**64
