#!/usr/bin/env python3
"""Draws results of block vectors: the share of the roofline at each width.

Usage: widths.py RESULT.csv.. PICTURE.png|.svg|.pdf    (needs matplotlib)

One row of panels for A^T B (op tn), one for A B (nn), one panel for each type: the width across,
up how much of the time limit of memory or of arithmetic, whichever is longer, is reached; filled:
ours, hollow: the vendor's. The ceilings are those of the header: reading for A^T B, copying for
A B; matrix units for f64 where the chip has them, else multiply-adds.
"""
import sys

import pictures
import result_file

TYPES = {"f32": "f32", "f64": "f64", "c64": "f32", "c128": "f64"}
OPS = {"tn": ("A^T B", "dram"), "nn": ("A B", "copy")}
CLASSES = ("tsmttsm", "tsmm", "list")


def read(path):
    """Ceilings in flops or bytes a second, the rest of the header, and the best plans' rows."""
    header, rows = result_file.read(path)
    ceilings = result_file.ceilings(header)
    rows = [row for row in rows if row["op"] in OPS and row["class"] in CLASSES]
    for name in {OPS[row["op"]][1] for row in rows} - set(ceilings):
        sys.exit(f"{path}: the header names no ceiling {name}")
    return ceilings, header, rows


def width(row):
    """Of the block vectors: the second size, and the first or the last one."""
    sizes = [int(size) for size in row["sizes"].split("x")]
    return sizes[1]


def share(ceilings, row, column):
    """Of the roofline, in percent; None where nothing was measured."""
    if not row[column]:
        return None
    real = TYPES[row["type"]]
    peak = max(rate for name, rate in ceilings.items() if name == real or name.endswith("_" + real))
    least = max(float(row["bytes"]) / ceilings[OPS[row["op"]][1]], float(row["flops"]) / peak)
    return 100 * least / (float(row[column]) * 1e-3)


def draw(axes, ceilings, rows):
    rows = sorted(rows, key=width)
    places = range(len(rows))
    for column, face, name in (("ours_ms", "tab:blue", "ours"), ("vendor_ms", "none", "vendor")):
        shares = [share(ceilings, row, column) for row in rows]
        points = [(x, y) for x, y in zip(places, shares) if y is not None]
        if points:
            axes.plot(*zip(*points), color="tab:blue", linewidth=0.8, marker="o",
                      markerfacecolor=face, linestyle="-" if face != "none" else ":", label=name)
    axes.set_xticks(places, [str(width(row)) for row in rows], fontsize=8)
    axes.set(ylim=(0, 110), xlabel="width", ylabel="% of the roofline")
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    results = {}
    for path in sys.argv[1:-1]:
        ceilings, header, rows = read(path)
        for row in rows:
            results.setdefault((row["op"], row["type"]), (ceilings, []))[1].append(row)
    if not results:
        sys.exit("no block vectors were measured")
    ops = [op for op in OPS if any(of == op for of, _ in results)]
    types = [kind for kind in TYPES if any(of == kind for _, of in results)]
    drawn = [(op, kind) for op in ops for kind in types]
    names = [f"{OPS[op][0]}, {kind}" for op, kind in drawn]
    figure, panels = pictures.panels(pyplot, names, size=(5, 3.5), columns=len(types))
    for axes, of in zip(panels, drawn):
        if of in results:
            draw(axes, *results[of])
    pictures.save(figure, pictures.title(header, pictures.beside_vendor(header)), sys.argv[-1])


main()
