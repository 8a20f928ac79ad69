#!/usr/bin/env python3
"""Draws the ratio to the vendor's library for each class of shapes and each type.

Usage: classes.py RESULT.csv PICTURE.svg

One panel for each type, one bar for each class: the geometric mean of the vendor's time over ours,
on a logarithmic axis. Bars to the right of 1: ours is faster.
"""
import math
import sys

import pictures
import result_file
from pictures import svg

TYPES = ("f32", "f64", "c64", "c128", "f16", "bf16")
WIDEST = 64  # block vectors have at most so many columns
SMALL = 512  # squares up to this are shorter than a launch of the host
BAR, PANEL, LABELS, AXIS = 15, 330, 106, (0.04, 8)
FAST, SLOW = "#2f81f7", "#d9730d"


class Group:
    """Cases that are summed up as one: `classes` of gemm-bench for which `holds`."""

    def __init__(self, name, title, classes, holds=lambda sizes: True, kinds=TYPES):
        self.name, self.title, self.classes, self.holds = name, title, classes, holds
        self.kinds = kinds

    def missing(self, kind):
        """In place of a figure."""
        return "no kernel" if kind in self.kinds else "-"

    def rows(self, rows, kind):
        return [row for row in rows if row["class"] in self.classes and row["type"] == kind
                and self.holds(sizes(row))]


def sizes(row):
    """M, N and K."""
    return [int(size) for size in row["sizes"].split("x")]


GROUPS = (
    Group("squares", "squares nn of 1024 to 8192, and 4096 nt, tn, tt", ("square", "trans"),
          lambda of: of[0] > SMALL),
    Group("small squares", "squares of 128, 256 and 512, many in a stream", ("square",),
          lambda of: of[0] <= SMALL),
    Group("odd squares", "127, 1000, 1023, 2047, 4095", ("odd",)),
    Group("small K", "8192 x 8192 with K of 4, 16, 64, 256", ("smallk",)),
    Group("skinny", "M or N of 8, 32, 100, the other sizes 8192", ("skinny",)),
    Group("long K", "256 x 256 with K of 16384 and 131072", ("longk",)),
    Group("batches", "8 to 128, as many as make 16 Mi elements", ("batched",)),
    Group("tf32", "squares of 1024 to 8192 where tf32 is allowed, beside TF32", ("tf32",),
          kinds=("f32",)),
    Group("emulated", "squares of 1024 to 8192 where emulation is, beside sgemm, cgemm",
          ("emulated",), kinds=("f32", "c64")),
    Group("TSMTTSM", "TSMTTSM (A^T B of block vectors) of 1 to 64 columns", ("tsmttsm",)),
    Group("TSMM", "A B of block vectors with a small matrix", ("tsmm",)),
    Group("trmm", "triangular products, 256 to 8192, tall and wide", ("trmm",)),
    Group("trsm", "triangular solves, the same sizes", ("trsm",)),
    Group("syrk, herk", "rank-k updates, 1000 to 8192, and 8192 with K of 64 and 256",
          ("syrk", "herk"), lambda of: of[0] > WIDEST),
    Group("A^T A", "syrk and herk of block vectors of 8 to 64 columns", ("syrk", "herk"),
          lambda of: of[0] <= WIDEST),
    Group("trsm batches", "solves of order 4 to 64, as many as make 2 GiB", ("trsmbatched",)))


def rows_that_are_right(rows):
    return [row for row in rows if row["verified"] == "yes"]


def ratios(rows):
    """Ratio of the rows that are right and were timed on both sides."""
    return [ratio for ratio in map(result_file.ratio, rows_that_are_right(rows)) if ratio]


def mean(values):
    """The geometric one."""
    return math.exp(sum(map(math.log, values)) / len(values))


def draw_panel(picture, rows, kind, left, top):
    scale = svg.Scale(AXIS, (left + LABELS, left + PANEL - 30), logarithmic=True)
    bottom = top + 20 + len(GROUPS) * (BAR + 5)
    picture.text(scale(1), top + 8, kind, "middle", "title")
    for tick in (0.05, 0.1, 0.25, 0.5, 1, 2, 4):
        picture.line((scale(tick), top + 14), (scale(tick), bottom),
                     "axis" if tick == 1 else "grid")
        picture.text(scale(tick), bottom + 13, f"{tick:g}", "middle", "soft")
    for index, group in enumerate(GROUPS):
        y = top + 20 + index * (BAR + 5)
        picture.text(left + LABELS - 8, y + BAR - 4, group.name, "end")
        values = ratios(group.rows(rows, kind))
        if not values:
            picture.text(scale(1) + 5, y + BAR - 4, group.missing(kind), kind="soft")
            continue
        ratio = mean(values)
        low, high = sorted((scale(1), scale(ratio)))
        picture.bar(low, high, y, BAR, FAST if ratio >= 1 else SLOW)
        if ratio >= 1:
            picture.text(high + 4, y + BAR - 4, f"{ratio:.2f}")
        else:
            picture.text(scale(1) + 5, y + BAR - 4, f"{ratio:.2f}")


def draw(header, rows):
    """The picture."""
    kinds = [kind for kind in TYPES if any(group.rows(rows, kind) for group in GROUPS)]
    columns = min(3, len(kinds))
    height = 20 + len(GROUPS) * (BAR + 5) + 30
    name = (f"{header['chip']}, {header['date']}: geometric mean of the ratio to "
            f"{header['vendor']} (above 1: Rooftile is faster)")
    picture = svg.Picture(PANEL * columns, 34 + height * -(-len(kinds) // columns), name)
    picture.text(12, 18, name, kind="title")
    for index, kind in enumerate(kinds):
        draw_panel(picture, rows, kind, PANEL * (index % columns),
                   34 + height * (index // columns))
    return picture


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, rows = result_file.read(sys.argv[1])
    if not any(ratios(group.rows(rows, kind)) for group in GROUPS for kind in TYPES):
        sys.exit(f"{sys.argv[1]}: no class was measured beside a vendor's library")
    pictures.save(draw(header, rows), sys.argv[2])


if __name__ == "__main__":
    main()
