"""Times cuBLAS over a spread of products, for librooftile_cublas.so to know what it has to beat.

cublas_times.py OUT.csv [--types s,d,c,z] [--seconds 75] [--library libcublas.so.13]

Needs a GPU, its driver and cuBLAS (of PyTorch's packages, or of the CUDA toolkit), and nothing to
compile. docs/Cublas.md describes the use of the file.

A sample is two events around some calls that were queued after a long copy, so that neither the
host nor this interpreter is timed. Operands rotate through a buffer larger than the cache. Medians.
"""
import argparse
import ctypes
import glob
import os
import random
import statistics
import sys
import time

from cublas_products import BYTES, FLOPS, products

OPERATIONS = {"n": 0, "t": 1, "c": 2}
MOST_CALLS = 64  # of a sample: fewer than the driver queues without waiting
PATTERN = 1000003  # elements until random data repeats: a prime


def fail(message):
    sys.exit(f"cublas_times.py: {message}")


class Driver:
    """libcuda with names of functions as attributes; a failure ends the program."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            fail(f"no CUDA driver: {error}")
        self.cuInit(0)
        self.device = ctypes.c_int()
        self.cuDeviceGet(ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.cuDevicePrimaryCtxRetain(ctypes.byref(context), self.device)
        self.cuCtxSetCurrent(context)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def checked(*arguments):
            status = function(*arguments)
            if status:
                fail(f"{name} returned {status}")
        return checked

    def chip(self):
        name = ctypes.create_string_buffer(100)
        self.cuDeviceGetName(name, 100, self.device)
        return name.value.decode()

    def version(self):
        number = ctypes.c_int()
        self.cuDriverGetVersion(ctypes.byref(number))
        return f"{number.value // 1000}.{number.value % 1000 // 10}"

    def memory(self):
        size = ctypes.c_size_t()
        self.cuDeviceTotalMem_v2(ctypes.byref(size), self.device)
        return size.value

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def event(self):
        event = ctypes.c_void_p()
        self.cuEventCreate(ctypes.byref(event), 0)
        return event

    def copy(self, to, source, size):
        self.cuMemcpyDtoDAsync_v2(ctypes.c_uint64(to), ctypes.c_uint64(source),
                                  ctypes.c_size_t(size), None)

    def upload(self, to, data):
        """`data`: anything with a buffer."""
        view = (ctypes.c_char * memoryview(data).nbytes).from_buffer(data)
        self.cuMemcpyHtoD_v2(ctypes.c_uint64(to), view, ctypes.c_size_t(len(view)))


def candidates():
    """Where cuBLAS may be: of Python's packages first, as it is what PyTorch uses."""
    for folder in sys.path:
        yield from sorted(glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libcublas.so.1*")))
    for version in (13, 12, 11):
        yield f"libcublas.so.{version}"
    yield from sorted(glob.glob("/usr/local/cuda*/lib64/libcublas.so"), reverse=True)


def open_cublas(named):
    for path in [named] if named else candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            reason = error
    fail(f"no cuBLAS: {reason}; --library names one")


class Cublas:
    def __init__(self, named):
        self.library, self.path = open_cublas(named)
        self.handle = ctypes.c_void_p()
        self.check("cublasCreate_v2", self.library.cublasCreate_v2(ctypes.byref(self.handle)))

    def check(self, name, status):
        if status:
            fail(f"{name} returned {status}")

    def version(self):
        number = ctypes.c_int()
        self.check("cublasGetVersion_v2",
                   self.library.cublasGetVersion_v2(self.handle, ctypes.byref(number)))
        value = number.value
        major, rest = divmod(value, 10000 if value >= 100000 else 1000)
        return f"{major}.{rest // 100}.{rest % 100}"


class Bench:
    def __init__(self, driver, cublas):
        self.driver, self.cublas = driver, cublas
        self.size = min(8 << 30, driver.memory() // 5) >> 20 << 20
        self.data, self.other = driver.allocate(self.size), driver.allocate(self.size)
        self.start, self.stop = driver.event(), driver.event()
        self.long_copy = min(self.size // 2, 3 << 30)  # what follows holds small things

    def fill(self, kind):
        """Random numbers in [-1, 1] of the type everywhere: zeros would need less power."""
        real = ctypes.c_float if kind in "sc" else ctypes.c_double
        draw = random.Random(1)
        numbers = (real * PATTERN)(*(draw.uniform(-1, 1) for _ in range(PATTERN)))
        self.driver.upload(self.data, numbers)
        filled = ctypes.sizeof(numbers)
        while filled < self.size:
            step = min(filled, self.size - filled)
            self.driver.copy(self.data + filled, self.data, step)
            filled += step
        self.driver.cuCtxSynchronize()

    def elapsed(self):
        milliseconds = ctypes.c_float()
        self.driver.cuEventSynchronize(self.stop)
        self.driver.cuEventElapsedTime(ctypes.byref(milliseconds), self.start, self.stop)
        return milliseconds.value * 1e-3

    def sample(self, function, calls):
        """Seconds of one call, of as many as `calls` has lists of arguments."""
        self.driver.copy(self.other, self.data, self.long_copy)
        self.driver.cuEventRecord(self.start, None)
        status = 0
        for arguments in calls:
            status |= function(*arguments)
        self.driver.cuEventRecord(self.stop, None)
        self.cublas.check(function.__name__, status)
        return self.elapsed() / len(calls)

    def copy_bandwidth(self):
        """Bytes a second, read and written."""
        times = []
        for _ in range(5):
            self.driver.cuEventRecord(self.start, None)
            self.driver.copy(self.other, self.data, self.size)
            self.driver.cuEventRecord(self.stop, None)
            times.append(self.elapsed())
        return 2 * self.size / statistics.median(times)

    def measure(self, call, most_seconds):
        """Median seconds of a call; the first ones load kernels, the next one sets the count."""
        begin = time.perf_counter()
        self.sample(call.function, call.lists(1))
        once = self.sample(call.function, call.lists(4 if call.is_small() else 1))
        count = max(1, min(MOST_CALLS, int(1e-3 / once)))
        times = []
        while len(times) < 7:
            times.append(self.sample(call.function, call.lists(count)))
            if time.perf_counter() - begin > most_seconds and len(times) >= 3:
                break
        return statistics.median(times)


class Call:
    """Lists of arguments for one product; each one lies further on in the buffer."""

    def __init__(self, bench, product):
        self.bench, self.product = bench, product
        kind, self.element = product.type, BYTES[product.type]
        name = f"cublas{kind.upper()}{product.routine}"
        suffix = {"one": "_v2", "strided": "StridedBatched", "pointers": "Batched"}[product.form]
        self.function = getattr(bench.cublas.library, name + suffix)
        real = ctypes.c_float if kind in "sc" else ctypes.c_double
        self.one, self.zero = (real * 2)(1, 0), (real * 2)(0, 0)
        self.at = 0
        self.counts = [size * product.batch for size in product.elements()]
        self.bytes = [(count * self.element + 511) // 512 * 512 for count in self.counts]
        self.step = sum(self.bytes)
        self.triangle = bench.other + bench.long_copy
        if product.form == "pointers":
            self.place_pointers()
        if product.is_triangular():
            self.place_triangle()

    def is_small(self):
        return FLOPS[self.product.type] * self.product.multiplies() < 1e10

    def place_pointers(self):
        """Matrices in `data`, and three arrays of their addresses in `other`."""
        # Beyond the long copy, which would overwrite them.
        base = self.bench.other + self.bench.size - 3 * 8 * self.product.batch
        base = base // 256 * 256
        at, self.arrays = self.bench.data, []
        for index, elements in enumerate(self.product.elements()):
            if self.product.is_triangular():
                at = self.bench.data if index else self.triangle
            addresses = (ctypes.c_uint64 * self.product.batch)(
                *(at + i * elements * self.element for i in range(self.product.batch)))
            self.arrays.append(base + index * 8 * self.product.batch)
            self.bench.driver.upload(self.arrays[-1], addresses)
            at += self.bytes[index]

    def place_triangle(self):
        """The matrices of a solve: small beside unit diagonals, so that solutions stay bounded."""
        names = {"s": "Sscal", "d": "Dscal", "c": "Csscal", "z": "Zdscal"}  # by a real number
        scale = self.bench.cublas.library[f"cublas{names[self.product.type]}_v2"]
        self.bench.driver.copy(self.triangle, self.bench.data, self.bytes[0])
        real = ctypes.c_float if self.product.type in "sc" else ctypes.c_double
        factor = real(1 / self.product.order())
        self.bench.cublas.check("scal", scale(
            self.bench.cublas.handle, ctypes.c_int(self.counts[0]), ctypes.byref(factor),
            ctypes.c_void_p(self.triangle), ctypes.c_int(1)))

    def addresses(self):
        if self.at + self.step > self.bench.size:
            self.at = 0
        base, self.at = self.bench.data + self.at, self.at + self.step
        return base, base + self.bytes[0], base + self.bytes[0] + self.bytes[1]

    def lists(self, count):
        one = self.triangular if self.product.is_triangular() else self.gemm
        return [one() for _ in range(count)]

    def gemm(self):
        p, number = self.product, ctypes.c_int
        a, b, c = self.arrays if p.form == "pointers" else self.addresses()
        lda, ldb, ldc = p.leading()
        stride = [[ctypes.c_longlong(elements)] if p.form == "strided" else []
                  for elements in p.elements()]
        tail = [] if p.form == "one" else [number(p.batch)]
        return [self.bench.cublas.handle, number(OPERATIONS[p.op[0]]), number(OPERATIONS[p.op[1]]),
                number(p.m), number(p.n), number(p.k), self.one,
                ctypes.c_void_p(a), number(lda), *stride[0],
                ctypes.c_void_p(b), number(ldb), *stride[1], self.zero,
                ctypes.c_void_p(c), number(ldc), *stride[2], *tail]

    def triangular(self):
        """op: side l or r, triangle l or u, transpose n or t; the diagonal is of ones."""
        p, number = self.product, ctypes.c_int
        side, triangle, transpose = p.op
        a, b = self.triangle, self.addresses()[1]
        if p.form == "pointers":
            a, b, _ = self.arrays
        matrices = [ctypes.c_void_p(a), number(p.order()), ctypes.c_void_p(b), number(p.m)]
        if p.form == "pointers":
            matrices.append(number(p.batch))
        return [self.bench.cublas.handle, number("lr".index(side)), number("lu".index(triangle)),
                number(OPERATIONS[transpose]), number(1), number(p.m), number(p.n), self.one,
                *matrices]


def warm_up(bench):
    """Half a second of work, for the clocks."""
    until = time.perf_counter() + 0.5
    while time.perf_counter() < until:
        bench.copy_bandwidth()


def measure_all(bench, kinds, seconds):
    """(product, seconds) of all; the time left is shared among the products left."""
    rows, end = [], time.perf_counter() + seconds
    # Times of trmm come from gemm-bench: out of place, where cuBLAS is up to 30 times as fast.
    todo = [product for kind in kinds for product in products(kind, bench.size)
            if product.routine != "trmm"]
    filled = None
    for number, product in enumerate(todo):
        if product.type != filled:
            filled = product.type
            bench.fill(filled)
        share = max(0.01, 2 * (end - time.perf_counter()) / (len(todo) - number))
        rows.append((product, bench.measure(Call(bench, product), share)))
        if number % 200 == 0:
            print(f"{number} of {len(todo)}", file=sys.stderr)
    return rows


def write(path, bench, bandwidth, rows):
    best = {}
    for product, seconds in rows:
        rate = FLOPS[product.type] * product.multiplies() / seconds
        best[product.type] = max(best.get(product.type, 0), rate)
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"# chip: {bench.driver.chip()}\n")
        out.write(f"# date: {time.strftime('%Y-%m-%d')}\n")
        out.write(f"# vendor: cuBLAS {bench.cublas.version()}\n")
        out.write(f"# driver: CUDA {bench.driver.version()}\n")
        for kind, rate in best.items():
            out.write(f"# ceiling {kind}: {rate * 1e-12:.4g} TFLOP/s\n")
        out.write(f"# ceiling copy: {bandwidth * 1e-9:.4g} GB/s\n")
        out.write("routine,type,form,op,m,n,k,batch,us\n")
        for p, seconds in rows:
            out.write(f"{p.routine},{p.type},{p.form},{p.op},{p.m},{p.n},{p.k},{p.batch},"
                      f"{seconds * 1e6:.5g}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--types", default="s,d,c,z")
    parser.add_argument("--seconds", type=float, default=70, help="about how long it may take")
    parser.add_argument("--library", help="the cuBLAS to time")
    options = parser.parse_args()
    begin = time.perf_counter()
    bench = Bench(Driver(), Cublas(options.library))
    warm_up(bench)
    rows = measure_all(bench, options.types.split(","), options.seconds)
    write(options.out, bench, bench.copy_bandwidth(), rows)
    print(f"{len(rows)} products in {time.perf_counter() - begin:.0f} s, {bench.cublas.path}")


if __name__ == "__main__":
    main()
