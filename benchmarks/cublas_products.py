"""The products that cublas_times.py times: spread on a logarithmic scale, the same in every run."""
import random
import sys
from dataclasses import dataclass, replace

BYTES = {"s": 4, "d": 8, "c": 8, "z": 16}  # of an element
NAMES = {"s": "f32", "d": "f64", "c": "c64", "z": "c128"}
FLOPS = {"s": 2, "d": 2, "c": 8, "z": 8}  # of a multiplication and an addition


@dataclass(frozen=True)
class Product:
    """Column-major, leading dimensions as small as they can be."""
    type: str
    op: str  # of gemm two letters; of trsm and trmm side, triangle and transpose
    m: int
    n: int
    k: int
    batch: int = 1
    form: str = "one"  # or strided, pointers
    routine: str = "gemm"  # or gemm3m (three real products for a complex one), trsm, trmm

    def is_triangular(self):
        return self.routine in ("trsm", "trmm")

    def order(self):
        """Order of the triangular matrix."""
        return self.m if self.op[0] == "l" else self.n

    def elements(self):
        """Bytes of one A, B and C."""
        if self.is_triangular():
            return self.order() ** 2, self.m * self.n, 0
        return self.m * self.k, self.k * self.n, self.m * self.n

    def leading(self):
        return (self.m if self.op[0] == "n" else self.k,
                self.k if self.op[1] == "n" else self.n, self.m)

    def multiplies(self):
        if self.is_triangular():
            return self.m * self.n * self.order() * self.batch / 2
        return self.m * self.n * self.k * self.batch


def halton(index, base):
    """The index-th number of a sequence that covers [0, 1) evenly."""
    result, digit = 0.0, 1.0 / base
    while index:
        result += digit * (index % base)
        index, digit = index // base, digit / base
    return result


def between(least, most, share):
    return least * (most / least) ** share


def rounded(size, multiple):
    """A multiple, or with 1 an odd number."""
    if multiple == 1:
        return int(size) | 1
    return max(multiple, round(size / multiple) * multiple)


def squares(kind):
    sizes = [16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144]
    odd = [33, 65, 127, 257, 511, 1023, 2047, 4095]
    for size in sizes + odd:
        yield Product(kind, "nn", size, size, size)
    for op in ("nt", "tn"):
        for size in (128, 512, 1024, 2048, 4096):
            yield Product(kind, op, size, size, size)


def spread(kind, count, draw):
    """All three sizes independent of each other."""
    for i in range(1, count + 1):
        multiple = draw.choice((1, 4, 16, 32))
        m, n, k = (rounded(between(8, 12288, halton(i, base)), multiple) for base in (2, 3, 5))
        yield Product(kind, draw.choice(operations(kind)), m, n, k)


def operations(kind):
    return ["nn", "nt", "tn", "tt"] if kind in "sd" else ["nn", "nt", "tn", "nc", "cn", "tt"]


def thin(kind, draw):
    """One or two sizes small, the others large: block vectors, panels, vectors."""
    for i in range(1, 21):
        long = rounded(between(20000, 1000000, halton(i, 2)), draw.choice((1, 32)))
        m, n = (int(between(1, 80, halton(i, base))) for base in (3, 5))
        yield Product(kind, "tn" if kind in "sd" else "cn", m, n, long)
        yield Product(kind, "nn", long, m, n)
        if i % 2:
            yield Product(kind, "nt", m, long, n)
    for i in range(1, 41):
        small = int(between(1, 64, halton(i, 2)))
        first, second = (rounded(between(512, 12288, halton(i, base)), draw.choice((1, 32)))
                         for base in (3, 5))
        m, n, k = draw.choice(((first, small, second), (small, first, second),
                               (first, second, small)))
        yield Product(kind, draw.choice(("nn", "tn", "nt")), m, n, k)


def batches(kind, draw):
    for i in range(1, 71):
        multiple = draw.choice((1, 4, 16))
        m, n, k = (rounded(between(4, 512, halton(i, base)), multiple) for base in (2, 3, 5))
        count = int(between(2, 4096, halton(i, 7)))
        yield Product(kind, draw.choice(("nn", "nt", "tn")), m, n, k, count,
                      "strided" if i % 3 else "pointers")


def three_products(kind, draw):
    """Products that PyTorch calls for batches of complex matrices."""
    if kind != "c":
        return
    for i in range(1, 41):
        multiple = draw.choice((1, 4, 16))
        m, n, k = (rounded(between(4, 1024, halton(i, base)), multiple) for base in (2, 3, 5))
        count = int(between(1, 512, halton(i, 7)))
        yield Product(kind, draw.choice(("nn", "nt", "cn")), m, n, k, count, "strided", "gemm3m")


def triangular(kind, routine, draw):
    """Orders and right-hand sides independent of each other; then few of either."""
    def one(order, other):
        op = draw.choice("lr") + draw.choice("lu") + draw.choice("nt" if kind in "sd" else "ntc")
        m, n = (order, other) if op[0] == "l" else (other, order)
        return Product(kind, op, m, n, order, routine=routine)

    for i in range(1, 41):
        yield one(*(rounded(between(8, 8192, halton(i, base)), draw.choice((1, 32)))
                    for base in (2, 3)))
    for i in range(1, 41 if routine == "trsm" else 1):  # batches
        order, other = (int(between(2, 128, halton(i, base))) for base in (2, 3))
        product = one(order, other)
        count = int(between(8, 1 << 17, halton(i, 5)))
        yield replace(product, batch=count, form="pointers")
    for i in range(1, 13):
        yield one(int(between(2, 64, halton(i, 2))), int(between(10000, 1000000, halton(i, 3))))
        yield one(int(between(512, 8192, halton(i, 2))), int(between(1, 64, halton(i, 3))))


def symmetric(kind, routine, draw):
    """gemm-bench's lines of a symmetric or Hermitian routine, which is row-major: sizes independent
    of each other, then a long K or few columns."""
    hermitian = routine in ("hemm", "herk", "her2k")
    if hermitian and kind in "sd":
        return
    def line(order, other):
        if routine in ("symm", "hemm"):
            side, triangle = draw.choice("lr"), draw.choice("lu")
            m, n = (order, other) if side == "l" else (other, order)
            return f"{routine}-{side}{triangle} {m}x{n}x{order}"
        triangle, op = draw.choice("lu"), draw.choice("nc" if hermitian else "nt")
        return f"{routine}-{triangle}{op} {order}x{order}x{other}"

    for i in range(1, 31):
        yield line(*(rounded(between(16, 6144, halton(i, base)), draw.choice((1, 32)))
                     for base in (2, 3)))
    for i in range(1, 7):
        yield line(int(between(8, 128, halton(i, 2))), int(between(10000, 1000000, halton(i, 3))))
        yield line(int(between(512, 6144, halton(i, 2))), int(between(4, 64, halton(i, 3))))


def symmetric_list():
    """The symmetric routines of all types as a list of gemm-bench."""
    for kind, name in NAMES.items():
        draw = random.Random(kind)
        for routine in ("symm", "hemm", "syrk", "herk", "syr2k", "her2k"):
            for line in symmetric(kind, routine, draw):
                m, n, k = (int(size) for size in line.split()[1].split("x"))
                if FLOPS[kind] * m * n * k <= 3e11:
                    yield f"{name} {line} class=spread"


def bench_list():
    """The triangles of all types as a list of gemm-bench, which is row-major."""
    other = {"l": "r", "r": "l"}, {"l": "u", "u": "l"}  # sides, triangles
    for kind, name in NAMES.items():
        for product in products(kind, 8 << 30):
            if product.is_triangular():
                side, triangle, transpose = product.op
                op = other[0][side] + other[1][triangle] + transpose
                batch = f"batch={product.batch} " if product.batch > 1 else ""
                yield (f"{name} {product.routine}-{op}u {product.n}x{product.m}x{product.k} "
                       f"{batch}exact class=spread")


def products(kind, most_bytes):
    """Those of a type whose matrices have at most a third of `most_bytes`, in half a second."""
    draw = random.Random(kind)  # of what sizes must not depend on
    every = [*squares(kind), *spread(kind, 330, draw), *thin(kind, draw), *batches(kind, draw),
             *three_products(kind, draw), *triangular(kind, "trsm", draw),
             *triangular(kind, "trmm", draw)]
    most_flops = 4.7e11 if kind in "sd" else 6e11
    for product in every:
        size = sum(product.elements()) * product.batch * BYTES[kind]
        if size <= most_bytes // 3 and FLOPS[kind] * product.multiplies() <= most_flops:
            yield product


if __name__ == "__main__":
    what, lines = (("symmetric routines", symmetric_list()) if sys.argv[1:] == ["symmetric"] else
                   ("triangles", bench_list()))
    print(f"# The {what} of cublas_products.py, by which this file is written.")
    print("\n".join(lines))
