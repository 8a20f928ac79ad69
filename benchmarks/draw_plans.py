#!/usr/bin/env python3
"""Draws the plans that gemm-plan compares: on the roofline, and their time by resource.

draw_plans.py PICTURE.svg|.png|.pdf M N K [options of gemm-plan]

Needs matplotlib, and gemm-plan in PATH or build/bin. Each resource alone would take as long as its
bar; they overlap, so bars do not add up to the time, which is the black line.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import pictures

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def compared(arguments):
    """What gemm-plan --json says."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / "build" / "bin")])
    tool = shutil.which("gemm-plan", path=path)
    if not tool:
        sys.exit("draw_plans.py: error: no gemm-plan in PATH or build/bin")
    run = subprocess.run([tool, *arguments, "--json"], stdout=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.returncode)  # it has said why
    return json.loads(run.stdout)


def draw_roofline(axes, table):
    points = [(table["flops"] / plan["bytes"], table["flops"] / plan["seconds"] / 1e12)
              for plan in table["plans"]]
    ideal = table["flops"] / table["bytes"]
    pictures.draw_roof(axes, table["flopsPerSecond"] / 1e12, table["bytesPerSecond"] / 1e12,
                       [x for x, _ in points] + [ideal])
    axes.axvline(ideal, color="gray", linestyle=":", label="each operand moved once")
    axes.scatter([x for x, _ in points[1:]], [y for _, y in points[1:]], s=24, facecolors="none",
                 edgecolors="tab:blue", label="the next best")
    axes.scatter(*points[0], s=24, color="tab:blue", label="the fastest plan")
    axes.set(xscale="log", yscale="log", xlabel="flops a byte from and to DRAM", ylabel="TFLOP/s")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize=8, loc="lower right")


def draw_times(axes, plans):
    longest = max(plan["seconds"] for plan in plans)
    scale, unit = next((s, u) for s, u in UNITS if longest >= s or u == "ns")
    names = list(plans[0]["resources"])
    height = 0.8 / len(names)
    for index, name in enumerate(names):
        axes.barh([row - 0.4 + (index + 0.5) * height for row in range(len(plans))],
                  [plan["resources"][name] / scale for plan in plans], height, label=name)
    axes.vlines([plan["seconds"] / scale for plan in plans],
                [row - 0.4 for row in range(len(plans))], [row + 0.4 for row in range(len(plans))],
                color="black", label="predicted")
    labels = [textwrap.fill(plan["plan"], 36) for plan in plans]
    axes.set_yticks(range(len(plans)), labels, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))


def main():
    if len(sys.argv) < 5 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    pyplot = pictures.load_pyplot()
    table = compared(sys.argv[2:])
    size = (14, 3 + 0.6 * len(table["plans"]))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=size)
    draw_roofline(left, table)
    draw_times(right, table["plans"])
    try:
        pictures.save(figure, f"{table['shape']} on {table['chip']}", sys.argv[1])
    except (OSError, ValueError) as error:
        sys.exit(f"draw_plans.py: error: {error}")


main()
