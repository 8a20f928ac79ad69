"""Compiles random operations for an AMD chip, and compares what planning counted with the code objects.

amd_resources.py CHIP COUNT SEED [--show]: products, triangular operations and rank updates of all types. Shared
memory must be equal; deviations of vector registers are printed, with --show the largest ones. Exits 1 where a kernel
needs scratch memory, an operation does not compile, or deviations are beyond LIMITS.
"""

import random
import re
import statistics
import subprocess
import sys

TYPES = {"f32": "f32", "f64": "f64", "c64": "complex<f32>", "c128": "complex<f64>", "f16": "f16", "bf16": "bf16"}
LIMITS = {"median": 0.12, "95th percentile": 0.55}
PLANNED = re.compile(r"chose plan.*?occupancy:.*?: (\d+) registers per thread, ([\d.]+) (B|KiB) of shared", re.S)
KERNEL = re.compile(r'kernel_metadata<"(\w+)".*?metadata = \{(.*?)group_segment_fixed_size = (\d+)'
                    r'.*?private_segment_fixed_size = (\d+).*?vgpr_count = (\d+)', re.S)


def size(draw):
    """Small, usual and odd sizes."""
    return draw.choice([draw.randint(1, 64), draw.randint(65, 512), draw.choice([512, 1024, 2048]),
                        draw.randint(513, 3000)])


def product(draw, kind):
    m, n, k = size(draw), size(draw), size(draw)
    batch = draw.choice([1, 1, 1, draw.randint(2, 300)])
    ops = [draw.choice("nt") for _ in range(2)]
    shapes = [(k, m) if ops[0] == "t" else (m, k), (n, k) if ops[1] == "t" else (k, n), (m, n)]
    lead = f"{batch}x" if batch > 1 else ""
    a, b, c = (f"memref<{lead}{rows}x{columns}x{TYPES[kind]}>" for rows, columns in shapes)
    words = " ".join(f"op{name}<t>" for name, op in zip("AB", ops) if op == "t")
    name = "gemm"
    return [a, b, c], f"blas.{name} {words} ins(%0, %1 : {a}, {b}) outs(%2 : {c})"


def triangle(draw, kind):
    order, count = size(draw), size(draw)
    left = draw.random() < 0.5
    a = f"memref<{order}x{order}x{TYPES[kind]}>"
    b = f"memref<{order}x{count}x{TYPES[kind]}>" if left else f"memref<{count}x{order}x{TYPES[kind]}>"
    words = f"side<{'left' if left else 'right'}> uplo<{draw.choice(['lower', 'upper'])}>"
    name = draw.choice(["trsm", "trmm"])
    return [a, b], f"blas.{name} {words} ins(%0 : {a}) outs(%1 : {b})"


def module(draw):
    kind = draw.choice(list(TYPES))
    is_triangle = draw.random() < 0.3 and kind not in ("f16", "bf16")
    types, op = (triangle if is_triangle else product)(draw, kind)
    arguments = ", ".join(f"%{index}: {each}" for index, each in enumerate(types))
    return op, f"func.func @f({arguments}) {{\n  {op}\n  return\n}}\n"


def shared_bytes(number, unit):
    return float(number) * (1024 if unit == "KiB" else 1)


def check(op, done, deviations):
    """The fault of a compiled module, or nothing."""
    kernels = KERNEL.findall(done.stdout)
    if done.returncode or not kernels:
        return done.stderr.strip() or "no kernel"
    for name, before, _, scratch, _ in kernels:
        accumulators = re.search(r"agpr_count = (\d+)", before)
        if int(scratch) or (accumulators and int(accumulators[1]) > 256):
            return f"{name}: {scratch} bytes of scratch memory, {before}"
    planned = PLANNED.search(done.stderr)
    own = [each for each in kernels if re.match(r"gemm", each[0])]
    if not planned or len(own) != 1 or "trsm" in op or "trmm" in op:
        return ""
    _, _, shared, _, vgprs = own[0]
    counted = shared_bytes(planned[2], planned[3])
    if abs(counted - int(shared)) > 0.06 * max(counted, 1024):  # the remark rounds
        return f"{int(shared)} bytes of LDS, but planning counted {counted:.0f}"
    deviations.append((int(planned[1]) / int(vgprs) - 1, int(planned[1]), int(vgprs), op))
    return ""


def main():
    chip, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw, deviations, wrong = random.Random(seed), [], 0
    for _ in range(count):
        op, text = module(draw)
        done = subprocess.run(["gemm-opt", f"--blas-to-rocdl=chip={chip} format=isa"], input=text,
                              capture_output=True, text=True)
        if said := check(op, done, deviations):
            wrong += 1
            print(f"{op}\n  {said[:600]}")
    if not deviations:
        sys.exit(f"{chip}: nothing to compare")
    sizes = sorted(abs(each[0]) for each in deviations)
    median, late, most = statistics.median(sizes), sizes[len(sizes) * 95 // 100], sizes[-1]
    for deviation, planned, vgprs, op in sorted(deviations, key=lambda each: -abs(each[0]))[:20 * ("--show" in sys.argv)]:
        print(f"{deviation:+.2f}: counted {planned}, {vgprs} VGPRs: {op}")
    print(f"{chip}: {count} operations, {wrong} wrong; registers of {len(sizes)} products: {100 * median:.0f} % off in "
          f"the median, {100 * late:.0f} % at the 95th percentile, {100 * most:.0f} % at most")
    return 1 if wrong or median > LIMITS["median"] or late > LIMITS["95th percentile"] else 0


if __name__ == "__main__":
    sys.exit(main())
