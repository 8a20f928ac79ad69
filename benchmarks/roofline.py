#!/usr/bin/env python3
"""Draws a result file of gemm-bench against the roofline of the chip.

Usage: roofline.py RESULT.csv PICTURE.svg

One panel for each type: a point for each shape, its arithmetic intensity (flops a byte that must
move) across, TFLOP/s up; filled: ours, hollow: the vendor's. The roof is the header's ceilings.
"""
import sys

import pictures
from pictures import svg
from result_file import ceilings, read

PANEL, FRAME = (640, 390), (48, 44, 520, 340)  # a frame in its panel


def points(rows, column):
    return [(float(row["flops"]) / float(row["bytes"]), float(row[column])) for row in rows
            if row[column]]


def draw(picture, corner, header, kind, rows):
    frame = tuple(corner[index % 2] + FRAME[index] for index in range(4))
    roof = None
    if f"ceiling {kind}" in header:
        known = ceilings(header)
        roof = known[kind] / 1e12, known["dram"] / 1e12
    axes = svg.Roofline(picture, frame, roof, points(rows, "ours_tflops") +
                        points(rows, "vendor_tflops"))
    axes.name(kind, "flops a byte", "TFLOP/s")
    for index, name in enumerate(dict.fromkeys(row["class"] for row in rows)):
        color = svg.PALETTE[index % len(svg.PALETTE)]
        of_class = [row for row in rows if row["class"] == name]
        picture.mark(*axes.entry(name), color)
        axes.marks(points(of_class, "ours_tflops"), color)
        axes.marks(points(of_class, "vendor_tflops"), color, hollow=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, rows = read(sys.argv[1])
    rows = [row for row in rows if row["ours_tflops"] or row["vendor_tflops"]]
    kinds = list(dict.fromkeys(row["type"] for row in rows))
    if not kinds:
        sys.exit(f"{sys.argv[1]}: nothing was measured")
    beside = f": filled ours, hollow {header.get('vendor', 'the vendor')}"
    picture, corners = pictures.panels(pictures.title(header, beside), len(kinds), PANEL, 2)
    for corner, kind in zip(corners, kinds):
        draw(picture, corner, header, kind, [row for row in rows if row["type"] == kind])
    pictures.save(picture, sys.argv[2])


main()
