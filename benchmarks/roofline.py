#!/usr/bin/env python3
"""Draws a result file of gemm-bench against the roofline of the chip.

Usage: roofline.py RESULT.csv PICTURE.png|.svg|.pdf    (needs matplotlib)

One panel for each type: a point for each shape, its arithmetic intensity (flops a byte that must
move) across, TFLOP/s up; filled: ours, hollow: the vendor's. The roof is the header's ceilings.
"""
import sys

import pictures
from result_file import ceilings, read

# One for each class of gemm-bench.
COLORS = ["tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:pink",
          "tab:gray", "tab:olive", "tab:cyan", "black", "gold"]


def draw(axes, header, kind, rows):
    points = [(float(row["flops"]) / float(row["bytes"]), row) for row in rows]
    if f"ceiling {kind}" in header:
        known = ceilings(header)
        pictures.draw_roof(axes, known[kind] / 1e12, known["dram"] / 1e12, [x for x, _ in points])
    for index, name in enumerate(dict.fromkeys(row["class"] for row in rows)):
        color = COLORS[index % len(COLORS)]
        axes.scatter([], [], s=22, color=color, label=name)
        for column, face in (("ours_tflops", color), ("vendor_tflops", "none")):
            chosen = [(x, float(row[column])) for x, row in points
                      if row["class"] == name and row[column]]
            axes.scatter(*(zip(*chosen) if chosen else ([], [])), s=22, facecolors=face,
                         edgecolors=color)
    axes.set(xscale="log", yscale="log", xlabel="flops a byte", ylabel="TFLOP/s")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    header, rows = read(sys.argv[1])
    rows = [row for row in rows if row["ours_tflops"] or row["vendor_tflops"]]
    kinds = list(dict.fromkeys(row["type"] for row in rows))
    if not kinds:
        sys.exit(f"{sys.argv[1]}: nothing was measured")
    figure, panels = pictures.panels(pyplot, kinds, size=(7, 5))
    for axes, kind in zip(panels, kinds):
        draw(axes, header, kind, [row for row in rows if row["type"] == kind])
    pictures.save(figure, pictures.title(header, pictures.beside_vendor(header)), sys.argv[2])


main()
