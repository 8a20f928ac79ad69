#!/usr/bin/env python3
"""Errors of products with math "strict", "emulated" and "tf32", beside those of PyTorch.

product_errors.py LIBRARY [--sizes 2048,4096] [--csv OUT.csv]

Needs a GPU, PyTorch, and librooftile.so at the path LIBRARY. A and B are n x n: uniform in [-1, 1],
uniform in [0, 1], or graded: uniform times powers of 2 over 80 binades. The error of an element is
divided by 2^-24 of the same element of |A| |B|; the reference is a product of 256 rows in f64 or
c128. PyTorch's products are sgemm, cgemm and TF32 of cuBLAS.
"""
import argparse
import ctypes
import sys
import time

import torch

TYPES = {torch.float32: 3, torch.complex64: 5}  # rooftile_type
MATH = {"strict": 0, "emulated": 1, "tf32": 2}  # rooftile_math
ROW_MAJOR, GEMM = 1, 1
ROWS = 256  # of C that are compared


class Operation(ctypes.Structure):
    """rooftile_operation."""
    _fields_ = [
        ("size", ctypes.c_size_t),
        *[(name, ctypes.c_int32) for name in (
            "routine", "order", "type_a", "type_b", "type_c", "op_a", "op_b", "side", "triangle",
            "diagonal", "exact")],
        *[(name, ctypes.c_int64) for name in ("m", "n", "k")],
        *[(name, ctypes.c_void_p) for name in ("a", "b", "c")],
        *[(name, ctypes.c_int64) for name in ("lda", "ldb", "ldc")],
        ("alpha", ctypes.c_void_p), ("beta", ctypes.c_void_p),
        ("batch", ctypes.c_int32), ("pointer_align", ctypes.c_int32),
        *[(name, ctypes.c_int64) for name in ("count", "stride_a", "stride_b", "stride_c")],
        *[(name, ctypes.c_int32) for name in ("sizes", "scalars", "bias_kind", "activation")],
        ("bias", ctypes.c_void_p), ("math", ctypes.c_int32)]


class Rooftile:
    """A handle of the library for the present GPU."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.rooftile_message.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        self.check(self.library.rooftile_create(ctypes.byref(self.handle), None))

    def check(self, status):
        if status:
            sys.exit(f"product_errors.py: {self.library.rooftile_message(self.handle).decode()}")

    def gemm(self, a, b, math):
        n = a.shape[0]
        c = torch.empty_like(a)
        scalars = torch.tensor([1, 0], dtype=a.dtype)  # on the host
        kind = TYPES[a.dtype]
        self.check(self.library.rooftile_run(self.handle, ctypes.byref(Operation(
            size=ctypes.sizeof(Operation), routine=GEMM, order=ROW_MAJOR, type_a=kind, type_b=kind,
            type_c=kind, m=n, n=n, k=n, a=a.data_ptr(), b=b.data_ptr(), c=c.data_ptr(), lda=n,
            ldb=n, ldc=n, alpha=scalars.data_ptr(),
            beta=scalars.data_ptr() + scalars.element_size(), math=MATH[math]))))
        torch.cuda.synchronize()
        return c


def cublas(a, b, math):
    torch.backends.cuda.matmul.allow_tf32 = math == "tf32"
    return a @ b


def matrix(n, kind, data, generator):
    def reals():
        values = torch.rand(n, n, device="cuda", generator=generator)
        if data != "[0, 1]":
            values = 2 * values - 1
        if data == "graded":
            shift = torch.randint(-40, 40, (n, n), device="cuda", generator=generator)
            values = values * torch.exp2(shift.float())
        return values
    return torch.complex(reals(), reals()) if kind.is_complex else reals()


def errors(c, a, b):
    """The largest and the root mean square, in units of 2^-24 |A| |B|."""
    wide = torch.complex128 if a.dtype.is_complex else torch.float64
    a, b = a[:ROWS].to(wide), b.to(wide)
    units = ((c[:ROWS].to(wide) - a @ b).abs() / (a.abs() @ b.abs())) * 2**24
    return units.max().item(), units.square().mean().sqrt().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--sizes", default="2048,4096")
    parser.add_argument("--csv")
    options = parser.parse_args()
    ours = Rooftile(options.library)
    generator = torch.Generator("cuda").manual_seed(1)
    lines = ["type,n,data,math,ours_max,ours_rms,cublas_max,cublas_rms,first_call_s"]
    for kind, maths in ((torch.float32, MATH), (torch.complex64, ("strict", "emulated"))):
        for n in map(int, options.sizes.split(",")):
            for data in ("[-1, 1]", "[0, 1]", "graded"):
                a, b = (matrix(n, kind, data, generator) for _ in range(2))
                for math in maths:
                    start = time.perf_counter()
                    own = errors(ours.gemm(a, b, math), a, b)
                    seconds = time.perf_counter() - start
                    theirs = errors(cublas(a, b, math), a, b)
                    lines.append(f"{str(kind)[6:]},{n},\"{data}\",{math}," + ",".join(
                        f"{value:.3g}" for value in (*own, *theirs, seconds)))
                    print(lines[-1], flush=True)
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
