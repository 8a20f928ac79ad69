#!/usr/bin/env python3
"""Draws products of block vectors by their width: ratio to the vendor's library, and bandwidth.

Usage: widths.py RESULT.csv.. PICTURE.svg

A row of panels for A^T B (TSMTTSM, op tn) and one for A B (TSMM, nn); one line for each type. On
the left the ratio of the vendor's time to ours; on the right our share of the bandwidth of memory,
of reading for A^T B and of copying for A B, as the header's ceilings say.
"""
import sys

import pictures
import result_file
from pictures import svg

OPS = {"tn": ("A^T B (TSMTTSM)", "dram", "reading"), "nn": ("A B (TSMM)", "copy", "copying")}
TYPES = ("f32", "f64", "c64", "c128")
# Where a file holds several of these, the first one is drawn.
CLASSES = (("widths",), ("tsmttsm", "tsmm"), ("list",))
PANEL, HEIGHT, RATIOS = 480, 250, (0.5, 32)


def width(row):
    """Width of the block vectors: the least of the sizes."""
    return min(int(size) for size in row["sizes"].split("x"))


def share(ceilings, row):
    """Share of the bandwidth of reading or copying, in percent."""
    seconds = float(row["ours_ms"]) * 1e-3
    moved = "copy" if row["op"] == "nn" else "dram"
    return 100 * float(row["bytes"]) / ceilings[moved] / seconds


def chosen(rows):
    """Block vectors that were timed, of the first of the classes that is there."""
    rows = [row for row in rows if row["op"] in OPS and row["type"] in TYPES and row["ours_ms"]]
    for classes in CLASSES:
        found = [row for row in rows if row["class"] in classes]
        if found:
            return found
    return []


def draw_lines(picture, lines, across, up):
    """Lines by type, their names at their ends."""
    ends = []
    for kind, points in lines.items():
        places = [(across(x), up(y)) for x, y in points]
        picture.curve(places, svg.COLORS[kind])
        ends.append((kind, places[-1]))
    moved = svg.apart([place[1] for _, place in ends], 12)
    for (kind, (x, _)), y in zip(ends, moved):
        picture.text(x + 5, y + 4, kind, color=svg.COLORS[kind])


def draw_panel(picture, title, place, lines, ticks, axis, logarithmic):
    left, top = place
    widest = max(x for points in lines.values() for x, _ in points)
    across = svg.Scale((1, max(widest, 2)), (left + 44, left + PANEL - 44))
    up = svg.Scale(axis, (top + HEIGHT - 40, top + 24), logarithmic)
    picture.text(left + 44, top + 12, title, kind="title")
    for tick in ticks:
        picture.line((across(1), up(tick)), (left + PANEL - 44, up(tick)),
                     "axis" if tick in (1, 100) else "grid")
        picture.text(left + 38, up(tick) + 4, f"{tick:g}", "end", "soft")
    for tick in [1] + [tick for tick in range(8, widest + 1, 8)]:
        picture.text(across(tick), top + HEIGHT - 25, str(tick), "middle", "soft")
    picture.text(left + PANEL / 2, top + HEIGHT - 9, "columns of the block vectors", "middle",
                 "soft")
    draw_lines(picture, lines, across, up)


def lines_of(rows, value):
    """[(width, value)] by type, in the order of widths."""
    found = {}
    for kind in TYPES:
        points = sorted((width(row), value(row)) for row in rows
                        if row["type"] == kind and value(row) is not None)
        if points:
            found[kind] = points
    return found


def draw(header, ceilings, rows):
    """The picture."""
    ops = [op for op in OPS if any(row["op"] == op for row in rows)]
    vendor = header.get("vendor", "the vendor")
    name = f"{header.get('chip')}, {header.get('date')}: block vectors by width, beside {vendor}"
    picture = svg.Picture(2 * PANEL, 30 + HEIGHT * len(ops), name)
    picture.text(12, 18, name, kind="title")
    for index, op in enumerate(ops):
        of = [row for row in rows if row["op"] == op]
        title, _, moved = OPS[op]
        top = 30 + HEIGHT * index
        ratios = lines_of(of, result_file.ratio)
        if ratios:
            draw_panel(picture, f"{title}: ratio to {vendor}", (0, top), ratios,
                       (0.5, 1, 2, 4, 8, 16, 32), RATIOS, True)
        draw_panel(picture, f"{title}: % of the bandwidth of {moved}", (PANEL, top),
                   lines_of(of, lambda row: share(ceilings, row)), (0, 25, 50, 75, 100), (0, 110),
                   False)
    return picture


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = []
    for path in sys.argv[1:-1]:
        header, found = result_file.read(path)
        ceilings = result_file.ceilings(header)
        rows += chosen(found)
        for name in {OPS[row["op"]][1] for row in rows} - set(ceilings):
            sys.exit(f"{path}: the header names no ceiling {name}")
    if not rows:
        sys.exit("no block vectors were measured")
    pictures.save(draw(header, ceilings, rows), sys.argv[-1])


if __name__ == "__main__":
    main()
