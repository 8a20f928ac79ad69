#!/usr/bin/env python3
"""Draws A^T B by the threads that a unit holds (lists/tall-occupancy.txt).

Usage: occupancy.py RESULT.csv PICTURE.png|.svg|.pdf    (needs matplotlib)

One panel for each type and width: threads of all workgroups of a unit across, up how much of the
bandwidth of reading is reached. One line for each kernel: the tile of a thread, and where its
operands come from. A cross says that registers were spilled.
"""
import sys

import block_vectors
import pictures


def kernel(plan):
    tile = "x".join(str(size) for size in plan.micro)
    if plan.is_direct("a"):
        return f"{tile}, straight from global memory"
    return f"{tile}, {plan.number('stages', 2)} stages of K = {plan.macro[2]}"


def draw(axes, header, rows):
    kernels = {}
    for row in rows:
        plan = block_vectors.Plan(row)
        kernels.setdefault(kernel(plan), []).append(
            (plan.number("residency") * plan.threads(), block_vectors.share(header, row),
             int(row["spill_bytes"]) > 0))
    for index, (name, points) in enumerate(kernels.items()):
        threads, shares, _ = zip(*sorted(points))
        axes.plot(threads, shares, color=f"C{index}", marker="o", markersize=3, label=name)
        spilled = [point[:2] for point in points if point[2]]
        if spilled:
            axes.plot(*zip(*spilled), color="black", marker="x", linestyle="")
    axes.set(ylim=(0, 110), xlabel="threads on a unit", ylabel="% of the bandwidth of reading")
    axes.set_xlim(left=0)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=8, loc="lower right")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    header, rows = block_vectors.read(sys.argv[1], "tn")
    kernels = {}
    for row in rows:
        kernels.setdefault((row["type"], block_vectors.sizes(row)[0]), []).append(row)
    names = [f"A^T B, {width} wide, {kind}" for kind, width in kernels]
    figure, panels = pictures.panels(pyplot, names)
    for axes, chosen in zip(panels, kernels.values()):
        draw(axes, header, chosen)
    pictures.save(figure, pictures.title(header), sys.argv[2])


main()
