#!/usr/bin/env python3
"""Draws the picture of docs/Amd.md: kernels with operands in LDS, and with one in scalar registers.

Usage: amd_page.py [--check] [ROOT]

Registers are those of code objects that gemm-opt compiles, accesses those that gemm-plan --traffic
counts; both must be in PATH or build/bin. --check writes nothing and fails where the picture
differs from what would be written.
"""
import math
import pathlib
import re
import subprocess

import pictures
import tools
import written
from pictures import svg

CHIP, PICTURE = "mi60", "images/amd-scalar.svg"
VGPRS, GRANULE, MOST_WAVES = 256, 4, 10  # of a SIMD of gfx906, for each lane
LDS, SCALAR = svg.PALETTE[0], svg.PALETTE[1]
PANEL, ROW, LABELS, WIDTH, TOP = 420, 22, 150, 190, 62
SCALAR_PLAN = """macro = [{m}, 64, 16], micro = [{m}, 1], lanes = [1, 64], depth = 8, stages = 1,
          prefetch = 1, residency = {blocks},
          a = <via = scalar, vector = 4, major = k>, b = <via = register, vector = 4, major = k>"""


def run(root, *command, text=None):
    tool, *options = command
    return subprocess.run([tools.find(tool, "amd_page.py", root), *options], input=text,
                          capture_output=True, text=True, check=True)


def registers(root, plan):
    """Vector registers of the kernel of a product of 512^3."""
    operand = "memref<512x512xf32>"
    done = run(root, "gemm-opt", f"--blas-to-rocdl=chip={CHIP} format=isa", text=f"""
        func.func @product(%a: {operand}, %b: {operand}, %c: {operand}) {{
          blas.gemm opB<t> ins(%a, %b : {operand}, {operand}) outs(%c : {operand}) plan(<{plan}>)
          return
        }}""")
    return int(re.search(r"vgpr_count = (\d+)", done.stdout)[1])


def kernels(root):
    """Micro tile, registers and color of each kernel."""
    found = []
    for m, n in ((4, 4), (8, 4), (8, 8)):
        plan = (f"macro = [{8 * m}, {8 * n}, 8], micro = [{m}, {n}], lanes = [8, 8], "
                "vector = 4, stages = 2, a = <via = shared, vector = 4, pad = 4>, "
                "b = <via = shared, vector = 4, pad = 4>")
        found.append((f"{m} x {n}, LDS", registers(root, plan), LDS))
    for m, blocks in ((16, 16), (32, 16), (64, 12)):
        count = registers(root, SCALAR_PLAN.format(m=m, blocks=blocks))
        found.append((f"{m} x 1, A scalar", count, SCALAR))
    return found


def waves(count):
    return min(MOST_WAVES, VGPRS // (math.ceil(count / GRANULE) * GRANULE))


def accesses(root):
    """Accesses for 1000 multiply-adds: the best plan with LDS, and that with scalar registers."""
    shown = run(root, "gemm-plan", "4096", "4096", "4096", f"--chip={CHIP}", "--traffic",
                "--top=40").stdout
    names = ["L2", "scalar registers", "vector registers: A", "B", "C", "LDS"]

    def of(line):
        numbers = [int(number) for number in line.split()[:7]]
        m, n = re.search(r"(\d+)x(\d+)x\d+, micro", line).groups()
        elements = int(m) * int(n)  # registers: columns 2 (all) to 5
        counts = (*numbers[:2], *numbers[3:6], numbers[6])
        return dict(zip(names, [1000 * number / elements for number in counts]))

    rows = [line for line in shown.splitlines() if "micro" in line]
    return of(rows[0]), of(next(line for line in rows if "scalar registers" in line))


def bars(picture, corner, heading, entries, unit=""):
    """Rows of a name, a number and a color."""
    x, y = corner
    picture.text(x + 12, y + 18, heading, kind="title")
    longest = max(value for _, value, _ in entries)
    for index, (name, value, color) in enumerate(entries):
        at = y + 34 + ROW * index
        picture.text(x + 12, at + 10, name)
        picture.bar(x + LABELS, x + LABELS + WIDTH * value / longest, at, 13, color)
        picture.text(x + LABELS + WIDTH * value / longest + 6, at + 10, f"{value:.0f}{unit}")


def draw(root):
    own = kernels(root)
    lds, scalar = accesses(root)
    title = "f32 on an MI60: kernels with both operands in LDS, and with A in scalar registers"
    picture = svg.Picture(3 * PANEL, TOP + 16 + ROW * 12, title)
    picture.text(12, 18, title, kind="title")
    bars(picture, (0, 30), "vector registers of a thread, by micro tile", own)
    bars(picture, (PANEL, 30), "waves of a SIMD that these registers allow",
         [(name, waves(count), color) for name, count, color in own])
    both = [(name, values[name], color)
            for name in lds for values, color in ((lds, LDS), (scalar, SCALAR))]
    bars(picture, (2 * PANEL, 30), "accesses for 1000 multiply-adds, 4096^3", both)
    return picture


def outputs(root):
    return {root / "docs" / PICTURE: str(draw(root))}


if __name__ == "__main__":
    written.write_or_check(outputs, "gemm-opt", "benchmarks/amd_page.py", __doc__)
