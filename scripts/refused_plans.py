#!/usr/bin/env python3
"""Compiles random products for chips, and lists those that are refused, with the message.

Usage: refused_plans.py [--count=500] [--seed=1] [--chip=NAME]... [--gemm-opt=build/bin/gemm-opt]
                        [--part=25] [--show] [--products=FILE]

The products are the same for the same count and seed: types, transposes, sizes (small to large,
odd, powers of two, known or not), batches, views, alpha, beta and epilogues are drawn. Each is a
module of its own, sent through `blas-to-rocdl` for chips of AMD and through `blas-to-nvvm`, with
ptxas, for those of NVIDIA, up to the binary. A product is refused where the compiler reports an
error; plans that planning gave up for others, and kernels that spill on NVIDIA GPUs (a warning),
are counted beside. `--part` products go to one process. `--show` prints the products instead.
Exit status: 0 where none is refused, 1 where one is, 2 where the compiler itself fails.
"""
import argparse
import random
import re
import subprocess
import sys
import time

AMD = ["mi60", "mi250x", "mi300x", "rx7900xtx"]
NVIDIA = ["v100", "a100", "h100", "h200"]
# Of A, B, C and the sums; sums of None are the compiler's own choice.
TYPES = [("f16", "f16", "f16", None), ("bf16", "bf16", "bf16", None), ("f16", "f16", "f32", None),
         ("f32", "f32", "f32", None), ("f32", "f32", "f32", None), ("f64", "f64", "f64", None),
         ("f64", "f64", "f64", None), ("complex<f32>",) * 3 + (None,),
         ("complex<f64>",) * 3 + (None,), ("f32", "f32", "f32", "f64")]
SEPARATOR = "// -----"
DYNAMIC = "?"


def draw_size(rng):
    """From 1 to 8192: a power of two, a multiple of 8, or anything, each scale as likely."""
    size = int(2 ** rng.uniform(0, 13))
    kind = rng.random()
    if kind < 0.4:
        return 1 << (size.bit_length() - 1)
    return max(8, size // 8 * 8) if kind < 0.65 else size


def matrix_type(batch, rows, columns, element, view):
    """A memref; a view has rows further apart than they are long, and begins anywhere."""
    sizes = [size for size in [batch, rows, columns] if size is not None]
    layout = ""
    if view:
        pitch = DYNAMIC if columns == DYNAMIC else columns + 3
        strides = [DYNAMIC, pitch, 1] if batch is not None else [pitch, 1]
        layout = f", strided<[{', '.join(map(str, strides))}], offset: ?>"
    return f"memref<{'x'.join(map(str, sizes))}x{element}{layout}>"


def draw_sizes(rng):
    """M, N and K: each drawn by itself, or as in networks, powers of two but for M, which is open."""
    if rng.random() < 0.3:
        return DYNAMIC, *(1 << rng.randrange(6, 14) for _ in range(2))
    return [DYNAMIC if rng.random() < 0.25 else draw_size(rng) for _ in range(3)]


def draw_epilogue(rng, element, columns, dim):
    """Code behind the sums, and what its function takes besides: relu, or a bias of the columns."""
    if element.startswith("complex") or rng.random() < 0.7:
        return "", ""
    zero = f"      %zero = arith.constant 0.0 : {element}\n"
    if rng.random() < 0.5:
        return (f" epilogue(%s: {element}) {{\n{zero}      %x = arith.maximumf %s, %zero : {element}\n"
                f"      blas.yield %x : {element}\n    }}"), ""
    vector = f"memref<{columns}x{element}>"
    return (f" epilogue(%s: {element}, %v = %bias[{dim}] : {vector}) {{\n"
            f"      %x = arith.addf %s, %v : {element}\n      blas.yield %x : {element}\n    }}"
            ), f", %bias: {vector}"


def draw_product(rng):
    """One function with one product."""
    of_a, of_b, of_c, sums = rng.choice(TYPES)
    m, n, k = draw_sizes(rng)
    batch = rng.choice([1, 3, 16, DYNAMIC]) if rng.random() < 0.15 else None
    op_a, op_b = rng.choice("nnt"), rng.choice("nnt")
    a = matrix_type(batch, *((k, m) if op_a == "t" else (m, k)), of_a, rng.random() < 0.15)
    b = matrix_type(batch, *((n, k) if op_b == "t" else (k, n)), of_b, rng.random() < 0.15)
    c = matrix_type(batch, m, n, of_c, rng.random() < 0.15)
    scalar = sums or ("f32" if of_c in ("f16", "bf16") else of_c)
    code, more = draw_epilogue(rng, scalar, n, 1 if batch is None else 2)
    alpha = f" alpha(%alpha : {scalar})" if rng.random() < 0.5 else ""
    beta = f" beta(%beta : {scalar})" if rng.random() < 0.5 else ""
    acc = f" acc({sums})" if sums else ""
    return (f"func.func @product(%a: {a}, %b: {b}, %c: {c}, %alpha: {scalar}, %beta: {scalar}{more})"
            f" {{\n  blas.gemm opA<{op_a}> opB<{op_b}>{acc} ins(%a, %b : {a}, {b}) outs(%c : {c})"
            f"{alpha}{beta}{code}\n  return\n}}\n")


PROBE = """func.func @probe(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  blas.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  return
}
"""


def format_for(gemm_opt, chip):
    """bin, or isa (PTX alone) for an architecture that the ptxas at hand has dropped."""
    if chip in AMD:
        return "bin"
    run = subprocess.run([gemm_opt, "-", f"--blas-to-nvvm=chip={chip} format=bin", "-o",
                          "/dev/null"], input=PROBE, capture_output=True, text=True)
    return "isa" if "is not defined for option 'gpu-name'" in run.stderr else "bin"


def compile_part(options, chip, form, products):
    """One line of messages for each product: (errors, plans given up, kernels that spill)."""
    line = "blas-to-rocdl" if chip in AMD else "blas-to-nvvm"
    source = f"{SEPARATOR}\n".join(products)
    run = subprocess.run([options.gemm_opt, "-", f"--{line}=chip={chip} format={form}",
                          "--split-input-file", "--mlir-print-op-on-diagnostic=false",
                          "--mlir-disable-threading", "-o", "/dev/null"],
                         input=source, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        print(run.stderr, file=sys.stderr)
        sys.exit(2)
    ends, end = [], 0
    for product in products:
        end += product.count("\n") + 1
        ends.append(end)
    found = [([], [], []) for _ in products]
    for place, kind, text in re.findall(r"^(?:.*?):(\d+):\d+: (error|warning|remark): (.*)$",
                                        run.stderr, re.MULTILINE):
        each = next(i for i, end in enumerate(ends) if int(place) <= end)
        if kind == "error":
            found[each][0].append(text)
        elif kind == "warning" and " spills " in text:
            found[each][2].append(text)
        elif text.startswith("gave up plan"):
            found[each][1].append(text)
    if run.returncode and not any(errors for errors, _, _ in found):
        print(run.stderr, file=sys.stderr)
        sys.exit(2)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chip", action="append", choices=AMD + NVIDIA)
    parser.add_argument("--gemm-opt", default="build/bin/gemm-opt")
    parser.add_argument("--part", type=int, default=25)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    products = [draw_product(rng) for _ in range(options.count)]
    if options.show:
        print(f"{SEPARATOR}\n".join(products))
        return 0
    any_refused = False
    for chip in options.chip or AMD + NVIDIA:
        begin, refused, given_up, spilled = time.time(), 0, 0, 0
        form = format_for(options.gemm_opt, chip)
        for first in range(0, len(products), options.part):
            part = products[first:first + options.part]
            for number, (errors, others, spills) in enumerate(
                    compile_part(options, chip, form, part)):
                given_up += bool(others)
                spilled += bool(spills)
                if errors:
                    refused += 1
                    print(f"{chip}: product {first + number}: {errors[0]}\n{part[number]}", flush=True)
        any_refused |= refused > 0
        print(f"{chip}: {refused} of {len(products)} products refused; planning took another plan for "
              f"{given_up}, {spilled} spill; {time.time() - begin:.0f} s"
              f"{', PTX alone: ptxas knows no such GPU' if form == 'isa' else ''}", flush=True)
    return 1 if any_refused else 0


if __name__ == "__main__":
    sys.exit(main())
