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

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def load_pyplot():
    try:
        import matplotlib
    except ImportError:
        sys.exit("draw_plans.py: error: needs matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("agg")
    from matplotlib import pyplot
    matplotlib.rcParams["svg.hashsalt"] = "rooftile"  # the same input, the same bytes
    return pyplot


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
    peak, rate = table["flopsPerSecond"] / 1e12, table["bytesPerSecond"] / 1e12
    points = [(table["flops"] / plan["bytes"], table["flops"] / plan["seconds"] / 1e12)
              for plan in table["plans"]]
    knee, ideal = peak / rate, table["flops"] / table["bytes"]
    across = [x for x, _ in points] + [ideal]
    ends = [min(*across, knee) / 8, knee, max(*across, knee) * 2]
    axes.plot(ends, [min(peak, rate * x) for x in ends], color="black")
    axes.axvline(ideal, color="gray", linestyle=":", label="each operand moved once")
    axes.scatter([x for x, _ in points[1:]], [y for _, y in points[1:]], s=24, facecolors="none",
                 edgecolors="tab:blue", label="the next best")
    axes.scatter(*points[0], s=24, color="tab:blue", label="the fastest plan")
    axes.annotate(f"{peak:.3g} TFLOP/s", (ends[2], peak), ha="right", va="bottom", fontsize=8)
    axes.annotate(f"{rate:.3g} TB/s", (ends[0], rate * ends[0]), ha="left", va="bottom", fontsize=8)
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
    pyplot = load_pyplot()
    table = compared(sys.argv[2:])
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(14, 3 + 0.6 * len(table["plans"])), layout="constrained")
    draw_roofline(left, table)
    draw_times(right, table["plans"])
    figure.suptitle(f"{table['shape']} on {table['chip']}")
    try:
        undated = {"Date": None} if sys.argv[1].endswith(".svg") else None
        figure.savefig(sys.argv[1], metadata=undated)
    except (OSError, ValueError) as error:
        sys.exit(f"draw_plans.py: error: {error}")


main()
