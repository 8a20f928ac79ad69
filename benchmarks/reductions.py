#!/usr/bin/env python3
"""Draws what sums of block vectors cost: A^T B of one width, with more and more rows.

Usage: reductions.py RESULT.csv PICTURE.png|.svg|.pdf    (needs matplotlib)

One panel for each type: rows (K) across, up how much of the bandwidth of reading is reached, one
colour for each width. Solid: the same bits in every run; dotted: any_order, atomic additions where
these are faster; dashed: compensated sums.
"""
import sys

import pictures
from block_vectors import read, share, sizes

STYLES = {"": ("-", "plain"), "any_order": (":", "any_order"), "compensated": ("--", "compensated")}


def draw(axes, header, rows):
    widths = sorted({sizes(row)[0] for row in rows})
    for index, width in enumerate(widths):
        for modifier, (style, _) in STYLES.items():
            points = sorted((sizes(row)[2], share(header, row)) for row in rows
                            if sizes(row)[0] == width and row["modifiers"].strip() == modifier)
            if points:
                axes.plot(*zip(*points), color=f"C{index}", linestyle=style, marker="o",
                          markersize=3, label=f"{width} wide" if not modifier else None)
    for style, name in STYLES.values():
        axes.plot([], [], color="black", linestyle=style, label=name)
    axes.set(xscale="log", ylim=(0, 110), xlabel="rows", ylabel="% of the bandwidth of reading")
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    header, rows = read(sys.argv[1], "tn")
    types = list(dict.fromkeys(row["type"] for row in rows))
    figure, panels = pictures.panels(pyplot, [f"A^T B, {kind}" for kind in types])
    for axes, kind in zip(panels, types):
        draw(axes, header, [row for row in rows if row["type"] == kind])
    pictures.save(figure, pictures.title(header), sys.argv[2])


main()
