"""The programs that cublas_in_place.py runs with and without librooftile_cublas.so.

cublas_programs.py results|times|graph|linalg|cupy|jax PRODUCTS: prints JSON on its last line.

They know nothing of Rooftile. Errors are parts of the bound (K + 4) u |A||B| of componentwise
rounding, four times as large for complex numbers, whose products are sums of two.
"""
import functools
import json
import random
import statistics
import sys
import time
from dataclasses import dataclass

TYPES = ("float32", "float64", "complex64", "complex128")
ROUNDING = {"float32": 2.0 ** -24, "float64": 2.0 ** -53, "complex64": 4 * 2.0 ** -24,
            "complex128": 4 * 2.0 ** -53}
SAMPLES = 2000  # elements of a product that are compared


@dataclass(frozen=True)
class Product:
    type: str
    op: str  # nn, nt, tn: by strides
    m: int
    n: int
    k: int
    batch: int = 1

    def __str__(self):
        batch = f" batch={self.batch}" if self.batch > 1 else ""
        return f"{self.type} {self.op} {self.m}x{self.n}x{self.k}{batch}"

    def flops(self):
        return (8 if "complex" in self.type else 2) * self.m * self.n * self.k * self.batch


def draw(count):
    """Equal ones each time; every ninth is a batch, half have even sizes."""
    generator, products = random.Random(5), []
    while len(products) < count:
        kind = TYPES[len(products) % 4]
        is_batch = len(products) % 9 == 4
        most, multiple = 9 if is_batch else 13, generator.choice((1, 1, 8, 16))
        sizes = [round(2 ** generator.uniform(4, most) / multiple) * multiple for _ in range(3)]
        batch = round(2 ** generator.uniform(2, 8)) if is_batch else 1
        product = Product(kind, generator.choice(("nn", "nt", "tn")), *sizes, batch)
        if product.flops() <= 3e12:
            products.append(product)
    return products


#===----------------------------------------------------------------------===#
# PyTorch
#===----------------------------------------------------------------------===#

def matrices(torch, product, generator):
    """A, B and room for C on the GPU."""
    def matrix(rows, columns, transposed):
        shape = (columns, rows) if transposed else (rows, columns)
        shape = (product.batch, *shape) if product.batch > 1 else shape
        dtype = getattr(torch, product.type)
        made = torch.randn(shape, dtype=dtype, device="cuda", generator=generator)
        return made.transpose(-1, -2) if transposed else made
    a = matrix(product.m, product.k, product.op[0] == "t")
    b = matrix(product.k, product.n, product.op[1] == "t")
    shape = (product.batch, product.m, product.n) if product.batch > 1 else (product.m, product.n)
    return a, b, torch.empty(shape, dtype=a.dtype, device="cuda")


def sampled(torch, product, a, b, c):
    """Some elements of C, what they should be, and the bound of their errors."""
    draw_place = random.Random(str(product))
    places = [(draw_place.randrange(product.batch), draw_place.randrange(product.m),
               draw_place.randrange(product.n)) for _ in range(SAMPLES)]
    batch, row, column = (torch.tensor(list(of), device="cuda") for of in zip(*places))
    if product.batch == 1:
        a, b, c = a[None], b[None], c[None]
    wide = torch.complex128 if "complex" in product.type else torch.float64
    rows, columns = a[batch, row, :].to(wide), b[batch, :, column].to(wide)
    exact = (rows * columns).sum(1)
    bound = (rows.abs() * columns.abs()).sum(1) * ((product.k + 4) * ROUNDING[product.type])
    return c[batch, row, column].to(wide), exact, bound


def results(count):
    import torch
    generator = torch.Generator(device="cuda").manual_seed(1)
    errors, samples, bounds = [], [], []
    for product in draw(count):
        a, b, c = matrices(torch, product, generator)
        torch.matmul(a, b, out=c)
        found, exact, bound = sampled(torch, product, a, b, c)
        errors.append(((found - exact).abs() / bound).max().item())
        samples.append(found.real.tolist())
        bounds.append(bound.tolist())
    return {"errors": errors, "samples": samples, "bounds": bounds}


def sample(torch, call, count):
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        call()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1e-3 / count


def warm_up(torch):
    """A second of work, for the clocks."""
    warm = torch.randn(4096, 4096, device="cuda")
    until = time.perf_counter() + 1
    while time.perf_counter() < until:
        torch.relu(warm)
        torch.cuda.synchronize()


def each(torch, count):
    """Products, their matrices, a call, and how many calls last some milliseconds."""
    generator = torch.Generator(device="cuda").manual_seed(1)
    warm_up(torch)
    for product in draw(count):
        a, b, c = matrices(torch, product, generator)
        call = functools.partial(torch.matmul, a, b, out=c)
        for _ in range(3):
            call()
        once = sample(torch, call, 5)
        yield product, (a, b, c), call, max(1, min(200, int(4e-3 / once)))


def times(count):
    """Seconds of calls as a program makes them: where a kernel is short, of the host."""
    import torch
    return {"seconds": [statistics.median(sample(torch, call, calls) for _ in range(11))
                        for _, _, call, calls in each(torch, count)]}


def graph(count):
    """Seconds of the GPU alone: calls are captured into a graph, which is replayed."""
    import torch
    seconds, errors = [], []
    for product, (a, b, c), call, calls in each(torch, count):
        calls = min(calls, 50)
        captured = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(captured):
            for _ in range(calls):
                call()
        c.zero_()
        captured.replay()
        found, exact, bound = sampled(torch, product, a, b, c)
        errors.append(((found - exact).abs() / bound).max().item())
        seconds.append(statistics.median(sample(torch, captured.replay, 3) for _ in range(7))
                       / calls)
    return {"seconds": seconds, "errors": errors}


def linalg(_):
    """Residuals of solvers that call cuBLAS inside."""
    import torch
    generator = torch.Generator(device="cuda").manual_seed(1)
    errors = {}
    for kind in TYPES:
        dtype = getattr(torch, kind)
        for order, columns in ((200, 7), (1000, 130)):
            a, b = (torch.randn(order, width, dtype=dtype, device="cuda", generator=generator)
                    for width in (order, columns))
            positive = a @ a.mH + order * torch.eye(order, dtype=dtype, device="cuda")
            lower = torch.linalg.cholesky(positive)
            unit = ROUNDING[kind] * order * 10
            found = {
                "cholesky": (lower @ lower.mH, positive),
                "solve": (a @ torch.linalg.solve(a, b), b),
                "solve_triangular": (lower @ torch.linalg.solve_triangular(lower, b, upper=False),
                                     b),
                "inv": (positive @ torch.linalg.inv(positive),
                        torch.eye(order, dtype=dtype, device="cuda")),
                "qr": (torch.linalg.qr(a).Q @ torch.linalg.qr(a).R, a)}
            for name, (is_, should) in found.items():
                scale = should.abs().max() * unit * (100 if name == "solve" else 1)
                errors[f"{name} {kind} {order}"] = ((is_ - should).abs().max() / scale).item()
    return {"errors": errors}


#===----------------------------------------------------------------------===#
# CuPy and JAX
#===----------------------------------------------------------------------===#

SHAPES = ((64, 64, 64), (100, 50, 300), (513, 31, 257), (1024, 768, 512))


def arrays(numpy, kind, m, n, k, batch=()):
    generator = numpy.random.default_rng(1)
    made = []
    for shape in ((*batch, m, k), (*batch, k, n)):
        array = generator.standard_normal(shape)
        if "complex" in kind:
            array = array + 1j * generator.standard_normal(shape)
        made.append(array.astype(kind))
    return made


def products_of(multiply):
    """The errors of products that `multiply` makes of arrays of NumPy."""
    import numpy
    errors = {}
    for kind in TYPES:
        for m, n, k in SHAPES:
            for batch in ((), (3,)):
                a, b = arrays(numpy, kind, m, n, k, batch)
                wide = "complex128" if "complex" in kind else "float64"
                exact = a.astype(wide) @ b.astype(wide)
                bound = (abs(a).astype("float64") @ abs(b).astype("float64")) * (
                    2 * (k + 4) * ROUNDING[kind])  # NumPy's own rounding, too
                errors[f"{kind} {m}x{n}x{k} {batch}"] = float((abs(multiply(a, b) - exact)
                                                               / bound).max())
    return {"errors": errors}


def cupy(_):
    try:
        import cupy as library
    except ImportError as error:
        return {"missing": str(error)}
    return products_of(lambda a, b: library.asnumpy(library.asarray(a) @ library.asarray(b)))


def jax(_):
    try:
        import jax as library
    except ImportError as error:
        return {"missing": str(error)}
    import numpy
    if library.default_backend() != "gpu":
        return {"missing": "JAX has no GPU"}
    library.config.update("jax_enable_x64", True)
    multiply = library.jit(lambda a, b: library.numpy.matmul(a, b, precision="highest"))
    return products_of(lambda a, b: numpy.asarray(multiply(a, b)))


def main():
    programs = {"results": results, "times": times, "graph": graph, "linalg": linalg,
                "cupy": cupy, "jax": jax}
    print(json.dumps(programs[sys.argv[1]](int(sys.argv[2]))))


if __name__ == "__main__":
    main()
