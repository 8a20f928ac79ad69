#!/usr/bin/env python3
"""BLAS in place over several GPUs: dgemm, zgemm and dtrsm of matrices in host memory.

    python3 benchmarks/blas_devices.py build-static/lib/librooftile_blas.so
    python3 benchmarks/blas_devices.py build-static/lib/librooftile_blas.so --devices 0 0,1 0,1,2,3

For each list of --devices the library is opened in a process of its own, with
ROOFTILE_BLAS_DEVICES set to it; cublasXt, where libcublas is found, with the same GPUs. They are
called in turn, there and back, on the same values in pageable memory: medians of milliseconds. The
first call, which starts the GPUs and compiles, is apart. Results are checked with a vector:
C x = A (B x), and A (X x) = B x. Exits 1 where one is wrong. Needs NumPy.
"""
import argparse
import csv
import ctypes
import glob
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

ROUTINES = {"dgemm": (np.float64, 2), "zgemm": (np.complex128, 8), "dtrsm": (np.float64, 1)}
XT_LIBRARIES = ("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so")
LENGTH = 1000003  # a prime: rows of no order repeat
# Enumerations of cublas_api.h.
XT_N, XT_LEFT, XT_UPPER, XT_NON_UNIT = 0, 0, 1, 0


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


# --------------------------------------------------------------------------------------------------
# A process that is measured
# --------------------------------------------------------------------------------------------------

class Problem:
    """Matrices in column-major order: the array of A is A^T."""

    def __init__(self, routine, order):
        self.routine, self.order, self.kind = routine, order, ROUTINES[routine][0]
        random = np.random.default_rng(51)
        table = random.uniform(-1, 1, LENGTH).astype(self.kind)
        if self.kind is np.complex128:
            table += 1j * random.uniform(-1, 1, LENGTH)
        self.a, self.b = (np.resize(np.roll(table, shift), (order, order)) for shift in (0, 1234))
        self.c = np.empty_like(self.a)
        self.one, self.zero = np.ones(1, self.kind), np.zeros(1, self.kind)
        if routine == "dtrsm":  # upper, of a small condition
            self.a /= order
            self.a[np.diag_indices(order)] = 2

    def restore(self):
        """The right-hand sides; of a product, nothing that an earlier call computed."""
        self.c[:] = self.b if self.routine == "dtrsm" else np.nan

    def is_right(self):
        x = np.where(np.arange(self.order) % 3, 1, -1).astype(self.kind)
        if self.routine == "dtrsm":
            found, expected = (x @ self.c) @ np.tril(self.a), x @ self.b
        else:
            found, expected = x @ self.c, (x @ self.b) @ self.a
        bound = 8 * self.order**0.5 * np.finfo(np.float64).eps * np.abs(expected).max()
        return bool(np.abs(found - expected).max() <= bound)


def blas_call(library, problem):
    """A call of the routine by its name in Fortran."""
    function = getattr(ctypes.CDLL(os.path.abspath(library)), f"{problem.routine}_")
    function.restype = None
    n, (one, zero) = ctypes.c_int(problem.order), map(pointer, (problem.one, problem.zero))
    a, b, c = map(pointer, (problem.a, problem.b, problem.c))
    size = ctypes.byref(n)
    if problem.routine == "dtrsm":
        return lambda: function(b"L", b"U", b"N", b"N", size, size, one, a, size, c, size)
    return lambda: function(b"N", b"N", size, size, size, one, a, size, b, size, zero, c, size)


def devices_of(text):
    if text != "all":
        return [int(each) for each in text.split(",")]
    driver, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        sys.exit("libcuda finds no GPU")
    return list(range(count.value))


def checked(status, name):
    if status:
        sys.exit(f"{name} returned {status}")


def xt_call(path, devices, problem):
    """A call of cublasXt, which returns when the result is in host memory."""
    library = ctypes.CDLL(path)
    handle, chosen = ctypes.c_void_p(), devices_of(devices)
    checked(library.cublasXtCreate(ctypes.byref(handle)), "cublasXtCreate")
    ordinals = (ctypes.c_int * len(chosen))(*chosen)
    checked(library.cublasXtDeviceSelect(handle, len(chosen), ordinals), "cublasXtDeviceSelect")
    name = f"cublasXt{problem.routine.capitalize()}"
    function, n = getattr(library, name), ctypes.c_size_t(problem.order)
    one, zero = map(pointer, (problem.one, problem.zero))
    a, b, c = map(pointer, (problem.a, problem.b, problem.c))
    if problem.routine == "dtrsm":
        return lambda: checked(function(handle, XT_LEFT, XT_UPPER, XT_N, XT_NON_UNIT, n, n, one, a,
                                        n, c, n), name)
    return lambda: checked(function(handle, XT_N, XT_N, n, n, n, one, a, n, b, n, zero, c, n), name)


def serve(kind, library, devices, routine, order):
    """Calls as often as a line is read, and prints seconds; in the end whether it was right."""
    problem = Problem(routine, order)
    call = (blas_call(library, problem) if kind == "blas" else
            xt_call(library, devices, problem))
    print(json.dumps("ready"), flush=True)
    for _ in sys.stdin:
        problem.restore()
        begin = time.perf_counter()
        call()
        print(json.dumps(time.perf_counter() - begin), flush=True)
    print(json.dumps(problem.is_right()), flush=True)


# --------------------------------------------------------------------------------------------------
# All of them in turn
# --------------------------------------------------------------------------------------------------

class Worker:
    """A process of `serve`, and its times."""

    def __init__(self, name, kind, library, devices, routine, order):
        self.name, self.times = name, []
        environment = {**os.environ, "ROOFTILE_BLAS_DEVICES": devices, "ROOFTILE_BLAS_TAKE": "all"}
        command = [sys.executable, __file__, "--serve", kind, library, devices, routine, str(order)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.name}: the process ended with {self.process.wait()}")
        return json.loads(line)

    def run(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.times.append(self.answer())

    def finish(self):
        self.process.stdin.close()
        right = self.answer()
        self.process.wait()
        return right


def find_xt(path):
    """A library that has cublasXt, of the loader, the toolkit or a package of PyPI; or None."""
    folders = [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "lib64")]
    package = importlib.util.find_spec("nvidia")
    for folder in package.submodule_search_locations if package else ():
        folders += glob.glob(os.path.join(folder, "*", "lib"))
    names = [os.path.join(folder, name) for folder in ["", *folders] for name in XT_LIBRARIES]
    for name in [path] if path else names:
        try:
            ctypes.CDLL(name).cublasXtCreate
            return name
        except (OSError, AttributeError) as error:
            if path:
                sys.exit(f"--xt={path}: {error}")
    return None


def measure(routine, options, xt):
    """A row for each list of GPUs and library."""
    workers = [Worker(f"Rooftile on {each}", "blas", options.library, each, routine, options.order)
               for each in options.devices]
    workers += [Worker(f"cublasXt on {each}", "xt", xt, each, routine, options.order)
                for each in options.devices if xt]
    for worker in workers:
        worker.answer()  # it is ready
        worker.run()
    begin = time.monotonic()
    while len(workers[0].times) < 4 or time.monotonic() - begin < options.seconds:
        for worker in workers[::1 if len(workers[0].times) % 2 else -1]:
            worker.run()
    flops = ROUTINES[routine][1] * options.order**3
    base = statistics.median(workers[0].times[1:])
    for worker in workers:
        first, median = worker.times[0], statistics.median(worker.times[1:])
        yield {"routine": routine, "order": options.order, "library": worker.name,
               "first_ms": f"{1e3 * first:.1f}", "ms": f"{1e3 * median:.2f}",
               "tflops": f"{1e-12 * flops / median:.4g}", "gain": f"{base / median:.3f}",
               "samples": len(worker.times) - 1, "verified": "yes" if worker.finish() else "no"}


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(*sys.argv[2:6], int(sys.argv[6]))
    text, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=text, epilog=details,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="librooftile_blas.so")
    parser.add_argument("--order", type=int, default=16384)
    parser.add_argument("--routines", nargs="+", choices=ROUTINES, default=list(ROUTINES))
    parser.add_argument("--devices", nargs="+", default=["0", "all"], help="gain: over the first")
    parser.add_argument("--xt", help="the library with cublasXt; else libcublas, where it is found")
    parser.add_argument("--seconds", type=float, default=5, help="of calls, at least three of each")
    parser.add_argument("--csv", help="the file to write")
    options = parser.parse_args()
    xt = find_xt(options.xt)
    if not xt:
        print(f"cublasXt is left out: no {', '.join(XT_LIBRARIES)} is found")
    rows = []
    for routine in options.routines:
        for row in measure(routine, options, xt):
            rows.append(row)
            print(f"{row['routine']} {row['order']} {row['library']}: {row['ms']} ms, "
                  f"{row['tflops']} TFLOP/s, gain {row['gain']}, first call {row['first_ms']} ms, "
                  f"{'right' if row['verified'] == 'yes' else 'WRONG'}", flush=True)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0 if all(row["verified"] == "yes" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
