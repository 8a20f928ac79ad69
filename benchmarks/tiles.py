#!/usr/bin/env python3
"""Draws which tile of a thread is the fastest: A^T B of one width (lists/tall-tiles.txt).

Usage: tiles.py RESULT.csv PICTURE.png|.svg|.pdf    (needs matplotlib)

One panel for each type and way of the operands: through shared memory, or straight from global
memory. Rows and columns of C that a thread adds up across and up, how much of the bandwidth of
reading is reached as colour; cells without a number have no plan that fits. A cross says that
registers were spilled. The lines are where Ernst et al. (Performance Engineering for Real and
Complex Tall & Skinny Matrix Multiplication Kernels on GPUs) count 128 and 256 registers a thread:
r (TM TN + 2 (TM + TN) + 8) with r registers a number.
"""
import math
import sys

import block_vectors
import pictures

REGISTERS = {"f32": 1, "f64": 2, "c64": 2, "c128": 4}
LINES = {128: "--", 256: "-"}


def columns_at(rows, kind, registers):
    """TN where a thread with TM = `rows` has so many registers."""
    return (registers / REGISTERS[kind] - 8 - 2 * rows) / (rows + 2)


def place(values, value):
    """Of a value among those of an axis, between them by their ratio."""
    for index, (low, high) in enumerate(zip(values, values[1:])):
        if low <= value <= high:
            return index + math.log(value / low) / math.log(high / low)
    return None


def draw_lines(axes, kind, across, up):
    for registers, style in LINES.items():
        steps = [across[0] + i * (across[-1] - across[0]) / 500 for i in range(501)]
        points = [(place(across, x), place(up, columns_at(x, kind, registers))) for x in steps]
        points = [point for point in points if None not in point]
        if points:
            axes.plot(*zip(*points), color="white", linestyle=style, label=f"{registers} registers")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, facecolor="gray", labelcolor="white", loc="upper right")


def draw(axes, kind, cells):
    """`cells`: (share, whether registers are spilled) by (TM, TN)."""
    across, up = (sorted({tile[dim] for tile in cells}) for dim in (0, 1))
    shares = [[cells.get((x, y), (float("nan"),))[0] for x in across] for y in up]
    axes.set_facecolor("darkgray")
    image = axes.imshow(shares, origin="lower", vmin=0, vmax=100, aspect="auto")
    for (x, y), (share, spilled) in cells.items():
        axes.text(across.index(x), up.index(y), f"{share:.0f}" + (" x" if spilled else ""),
                  ha="center", va="center", fontsize=8, color="white" if share < 60 else "black")
    draw_lines(axes, kind, across, up)
    axes.set_xticks(range(len(across)), [str(x) for x in across])
    axes.set_yticks(range(len(up)), [str(y) for y in up])
    axes.set(xlabel="rows of C a thread (TM)", ylabel="columns of C a thread (TN)")
    return image


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    header, rows = block_vectors.read(sys.argv[1], "tn")
    maps = {}
    for row in rows:
        plan = block_vectors.Plan(row)
        way = "straight from global memory" if plan.is_direct("a") else "through shared memory"
        cells = maps.setdefault((block_vectors.sizes(row)[0], row["type"], way), {})
        tried = (block_vectors.share(header, row), int(row["spill_bytes"]) > 0)
        tile = tuple(plan.micro)
        cells[tile] = max(cells.get(tile, tried), tried)
    names = [f"A^T B, {width} wide, {kind}, {way}" for width, kind, way in maps]
    figure, panels = pictures.panels(pyplot, names, size=(6, 5))
    for axes, ((_, kind, _), cells) in zip(panels, maps.items()):
        figure.colorbar(draw(axes, kind, cells), ax=axes, label="% of the bandwidth of reading")
    pictures.save(figure, pictures.title(header), sys.argv[2])


main()
