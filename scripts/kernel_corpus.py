#!/usr/bin/env python3
"""Compiles a fixed list of kernels, and compares their machine code with that of another build.

Usage: kernel_corpus.py --list
       kernel_corpus.py --write=FOLDER [--gemm-opt=build/bin/gemm-opt] [--only=REGEX]
       kernel_corpus.py --compare OLD NEW

A change that is to leave kernels as they are (a renaming, a file that moves, a pass in two halves)
is checked with two calls of --write, one with the build before it, and --compare. The list has a
kernel for every element type, chip, operation and family of kernels: squares, odd sizes, long and
short K, block vectors by rows and by columns, batches by strides and by pointers, dynamic sizes,
views, epilogues, triangles. Each is written to FOLDER as PTX or GCN assembly, `CHIP-NAME.s`, whose
symbols are numbered in the order in which they appear, so that names do not count. What is refused
is written as its error. Exit status of --compare: 1 where a kernel differs or is missing.
"""
import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

from refused_plans import AMD, NVIDIA

ELEMENTS = {"f32": "f32", "f64": "f64", "f16": "f16", "bf16": "bf16",
            "c64": "complex<f32>", "c128": "complex<f64>"}
REAL, ALL = ["f32", "f64"], list(ELEMENTS)
WIDE = ["f32", "f64", "c64", "c128"]
# Family: operation, M x N x K, element types, chips (all, or those that are named), modifiers.
FAMILIES = [
    ("square", "nn", (1024, 1024, 1024), ALL, None, ""),
    ("square-large", "nt", (4096, 4096, 4096), ALL, None, ""),
    ("square-transposed", "tn", (2048, 2048, 2048), WIDE, None, ""),
    ("square-both", "tt", (2048, 2048, 2048), WIDE, ["h200", "mi300x"], ""),
    ("small", "nn", (128, 128, 128), ALL, ["h200", "a100", "mi250x"], ""),
    ("small-square", "nn", (256, 256, 256), WIDE, ["h200", "h100", "rx7900xtx"], ""),
    ("odd", "nn", (1023, 1023, 1023), WIDE, ["h200", "v100", "mi60"], ""),
    ("odd-transposed", "tn", (2047, 2047, 2047), REAL, ["h200", "mi300x"], ""),
    ("long-k", "tn", (256, 256, 131072), WIDE, ["h200", "mi250x"], ""),
    ("any-order", "nn", (512, 512, 16384), REAL, ["h200", "mi300x"], "anyOrder"),
    ("short-k", "nn", (8192, 8192, 16), WIDE, ["h200", "a100"], ""),
    ("skinny", "nn", (8, 8192, 8192), WIDE, ["h200", "mi60"], ""),
    ("tsmttsm-rows", "tn", (13, 13, 10000000), WIDE, ["h200", "v100", "mi300x"], ""),
    ("tsmttsm-wide", "tn", (48, 48, 10000000), WIDE, ["h200"], ""),
    ("tsmttsm-columns", "tn", (16, 16, 1000000), WIDE, ["h200", "h100"], "columns"),
    ("tsmm-rows", "nn", (10000000, 7, 7), WIDE, ["h200", "v100", "mi300x"], ""),
    ("tsmm-wide", "nn", (1000000, 64, 64), WIDE, ["h200"], ""),
    ("tsmm-columns", "nn", (1000000, 16, 16), WIDE, ["h200", "a100"], "columns"),
    ("compensated", "tn", (8, 8, 1000000), REAL, ["h200", "mi250x"], "compensated"),
    ("batch", "nn", (16, 16, 16), WIDE, ["h200", "rx7900xtx"], "batch=10000"),
    ("batch-pointers", "nn", (32, 32, 32), REAL, ["h200", "mi250x"], "batch=1000 pointers"),
    ("column-major", "nn", (1024, 1024, 512), WIDE, ["h200", "mi300x"], "columns"),
    ("view", "nn", (1000, 1000, 1000), REAL, ["h200", "mi60"], "view"),
    ("dynamic", "nn", (None, None, None), REAL, ["h200", "v100", "mi300x"], ""),
    ("dynamic-transposed", "tt", (None, None, None), ["c64"], ["h200"], ""),
    ("scaled", "nt", (1024, 1024, 1024), WIDE, ["a100", "mi300x"], "scaled"),
    ("emulated", "nn", (4096, 4096, 4096), ["c64"], ["h200", "mi250x"], "emulated"),
    ("epilogue", "nn", (1024, 1024, 1024), REAL + ["bf16"], ["h200", "mi300x"], "epilogue"),
    ("trsm", "trsm", (512, 128, None), REAL, ["h200", "mi60"], ""),
    ("trmm", "trmm", (512, 128, None), REAL, ["h200", "mi60"], ""),
    ("solve-plain", "trsm", (48, 16, None), REAL, ["h100"], ""),
]


def memref(sizes, element, words, batch=None):
    """The type of a matrix: row-major, `columns` column-major, `view` with rows further apart."""
    shape = "x".join("?" if size is None else str(size) for size in [*(batch or []), *sizes])
    if "columns" in words and sizes[0] is not None:
        return f"memref<{shape}x{element}, strided<[1, {sizes[0]}]>>"
    if "view" in words:
        return f"memref<{shape}x{element}, strided<[{sizes[1] + 3}, 1], offset: ?>>"
    return f"memref<{shape}x{element}>"


def constant(element, value):
    if element.startswith("complex"):
        part = element[len("complex<"):-1]
        return f"complex.constant [{value} : {part}, 0.0 : {part}] : {element}"
    return f"arith.constant {value} : {element}"


def gemm_module(operation, sizes, element, words):
    m, n, k = sizes
    batch = next(([int(word[6:])] for word in words if word.startswith("batch=")), None)
    shapes = [(k, m) if operation[0] == "t" else (m, k), (n, k) if operation[1] == "t" else (k, n),
              (m, n)]
    types = [memref(shape, element, words, batch) for shape in shapes]
    flags = [f"op{name}<t>" for name, op in zip("AB", operation) if op == "t"]
    flags += [word for word in words if word in ("anyOrder", "compensated")]
    flags += ["math<emulated>"] if "emulated" in words else []
    body, tail, arguments = [], "", types
    if "pointers" in words:
        arguments = [f"memref<{batch[0]}xi64>"] * 3
        body = [f"%m{i} = blas.batch %x{i} : {arguments[i]} to memref<{batch[0]}x{rows}x{columns}x"
                f"{element}, #blas.pointers<strides = [{columns}, 1], align = 16>>"
                for i, (rows, columns) in enumerate(shapes)]
        types = [line.split(" to ")[1] for line in body]
    names = [f"%m{i}" if "pointers" in words else f"%x{i}" for i in range(3)]
    if "scaled" in words:
        body += [f"%alpha = {constant(element, 2.0)}", f"%beta = {constant(element, 3.0)}"]
        tail = f" alpha(%alpha : {element}) beta(%beta : {element})"
    if "epilogue" in words:
        sums = "f32" if element == "bf16" else element
        tail = (f" epilogue(%value: {sums}) {{\n  %zero = {constant(sums, 0.0)}\n"
                f"  %result = arith.maximumf %value, %zero : {sums}\n"
                f"  blas.yield %result : {sums}\n}}")
    body += [f"blas.gemm {' '.join(flags)} ins({names[0]}, {names[1]} : {types[0]}, {types[1]}) "
             f"outs({names[2]} : {types[2]}){tail}"]
    return arguments, body


def triangular_module(operation, sizes, element):
    order, columns, _ = sizes
    types = [f"memref<{order}x{order}x{element}>", f"memref<{order}x{columns}x{element}>"]
    return types, [f"blas.{operation} side<left> uplo<lower> ins(%x0 : {types[0]}) "
                   f"outs(%x1 : {types[1]})"]


def corpus():
    """The list: (chip, name, text of the module)."""
    for family, operation, sizes, types, chips, words in FAMILIES:
        for chip in chips or NVIDIA + AMD:
            for kind in types:
                element, words_of = ELEMENTS[kind], words.split()
                made = (triangular_module(operation, sizes, element) if operation[:2] == "tr"
                        else gemm_module(operation, sizes, element, words_of))
                arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(made[0]))
                body = "\n".join(made[1])
                yield chip, f"{family}-{kind}", f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n"


def assembly(text):
    """The assembly of all kernels of a printed module, symbols numbered."""
    found = re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    code = "\n".join(re.sub(r"\\([0-9A-F]{2}|.)", lambda m: chr(int(m[1], 16))
                            if len(m[1]) == 2 else m[1], part) for part in found)
    symbols = dict.fromkeys(re.findall(r"^\s*(?:\.visible )?\.(?:entry|globl|protected)\s+(\w+)",
                                       code, re.M))
    for number, symbol in enumerate(symbols):
        code = re.sub(rf"\b{symbol}\b", f"kernel{number}", code)
        code = re.sub(rf"\b{symbol}(?=_param_|\.)", f"kernel{number}", code)
    return code


def compile_kernel(gemm_opt, chip, module):
    line = "--blas-to-rocdl" if chip in AMD else "--blas-to-nvvm"
    run = subprocess.run([gemm_opt, f"{line}=chip={chip} format=isa"], input=module, text=True,
                         capture_output=True, timeout=600)
    if run.returncode == 0:
        return assembly(run.stdout)
    error = next((line for line in run.stderr.splitlines() if "error: " in line), "no error")
    return "refused: " + re.sub(r"^.*?error: |; its plan is .*", "", error) + "\n"


def write(options):
    folder = Path(options.write)
    folder.mkdir(parents=True, exist_ok=True)
    kernels = [kernel for kernel in corpus()
               if re.search(options.only, f"{kernel[0]}-{kernel[1]}")]
    refused = 0
    for number, (chip, name, module) in enumerate(kernels, 1):
        code = compile_kernel(options.gemm_opt, chip, module)
        refused += code.startswith("refused: ")
        (folder / f"{chip}-{name}.s").write_text(code)
        if sys.stderr.isatty():
            print(f"\r{number} of {len(kernels)}", end="", file=sys.stderr)
    print(f"{len(kernels)} kernels, {refused} refused, in {folder}")
    return 0 if kernels else 2


def compare(old, new):
    files = sorted({path.name for folder in (old, new) for path in Path(folder).glob("*.s")})
    different = 0
    for name in files:
        texts = [(Path(folder) / name) for folder in (old, new)]
        if not all(path.exists() for path in texts):
            print(f"{name}: only in one of them")
        elif texts[0].read_text() != texts[1].read_text():
            lines = list(difflib.unified_diff(*[path.read_text().splitlines() for path in texts],
                                              "old", "new", lineterm="", n=0))
            print(f"{name}: differs, first:", *lines[2:8], sep="\n  ")
        else:
            continue
        different += 1
    print(f"{len(files)} kernels compared, {different} different")
    return 1 if different or not files else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--list", action="store_true", help="the names of all kernels")
    action.add_argument("--write", metavar="FOLDER", help="compile them into this folder")
    action.add_argument("--compare", nargs=2, metavar=("OLD", "NEW"), help="two such folders")
    parser.add_argument("--gemm-opt", default="build/bin/gemm-opt")
    parser.add_argument("--only", default="", help="kernels whose CHIP-NAME matches")
    options = parser.parse_args()
    if options.list:
        print(*(f"{chip}-{name}" for chip, name, _ in corpus()), sep="\n")
        return 0
    return compare(*options.compare) if options.compare else write(options)


if __name__ == "__main__":
    sys.exit(main())
