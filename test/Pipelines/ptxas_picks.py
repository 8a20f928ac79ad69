"""Compiles random products that read C, as they are planned for a chip, and reports kernels that spill.

ptxas_picks.py CHIP COUNT SEED: all types and transposes, small, odd and usual sizes, a quarter of them known at run
time alone; beta 1 or any. Exits 1 where a kernel has local memory, or an operation does not compile.
"""

import random
import re
import subprocess
import sys
import tempfile

import ptxas

TYPES = {"f32": "f32", "f64": "f64", "f16": "f32", "bf16": "f32", "complex<f32>": "complex<f32>",
         "complex<f64>": "complex<f64>"}


def module(draw):
    """A line that describes it, and the text."""
    kind = draw.choice(list(TYPES))
    sums = TYPES[kind]
    m, n, k = (draw.choice([draw.randint(1, 300), draw.randint(100, 5000), 64 * draw.randint(1, 60)])
               for _ in range(3))
    ops = [draw.choice("nt") for _ in range(2)]
    known, is_one = draw.random() < 0.75, draw.random() < 0.5 and "complex" not in kind

    def memref(rows, columns):
        return f"memref<{f'{rows}x{columns}' if known else '?x?'}x{kind}>"

    a, b, c = memref(*((k, m) if ops[0] == "t" else (m, k))), memref(*((n, k) if ops[1] == "t" else (k, n))), memref(m, n)
    words = " ".join(f"op{name}<t>" for name, op in zip("AB", ops) if op == "t")
    line = f"blas.gemm {words} ins(%a, %b : {a}, {b}) outs(%c : {c}) beta(%beta : {sums})"
    argument = "" if is_one else f", %beta: {sums}"
    constant = f"  %beta = arith.constant 1.0 : {sums}\n" if is_one else ""
    return line, f"func.func @f(%a: {a}, %b: {b}, %c: {c}{argument}) {{\n{constant}  {line}\n  return\n}}\n"


def spills(text, folder):
    """Kernels with local memory."""
    for chip, ptx in ptxas.BINARY.findall(text):
        report = ptxas.assemble(chip, ptxas.unescape(ptx), folder)
        if not re.search(r"\b0 bytes stack frame", report):
            yield " ".join(report.split())


def main():
    chip, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw, wrong = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            line, text = module(draw)
            done = subprocess.run(["gemm-opt", f"--blas-to-nvvm=chip={chip} format=isa"], input=text,
                                  capture_output=True, text=True)
            found = [done.stderr] if done.returncode else list(spills(done.stdout, folder))
            wrong += bool(found)
            for each in found:
                print(f"{line}\n  {each[:600]}")
    print(f"{chip}: {count} operations, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
