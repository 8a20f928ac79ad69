#!/usr/bin/env python3
"""Draws the plans that gemm-plan compares: on the roofline, and their time by resource.

draw_plans.py PICTURE.svg M N K [options of gemm-plan]

Needs gemm-plan in PATH or build/bin. Each resource alone would last as long as its
bar; they overlap, so bars do not add up to the time, which is the black line.
"""

import json
import pathlib
import subprocess
import sys
import textwrap

import pictures
import tools
from pictures import svg

UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
BLUE, BAR, LINE = svg.PALETTE[0], 7, 13  # heights of a bar and of a line of text
LEFT, RIGHT, TOP = (48, 420), (860, 1240), 60  # the two panels


def compared(arguments):
    """Output of gemm-plan --json."""
    run = subprocess.run([tools.find("gemm-plan", "draw_plans.py"), *arguments, "--json"],
                         stdout=subprocess.PIPE)
    if run.returncode:
        sys.exit(run.returncode)  # it has reported why
    return json.loads(run.stdout)


def draw_roofline(picture, table, bottom):
    points = [(table["flops"] / plan["bytes"], table["flops"] / plan["seconds"] / 1e12)
              for plan in table["plans"]]
    ideal = table["flops"] / table["bytes"]
    ceilings = table["flopsPerSecond"] / 1e12, table["bytesPerSecond"] / 1e12
    axes = svg.Roofline(picture, (LEFT[0], TOP, LEFT[1], bottom), ceilings,
                        [*points, (ideal, ceilings[0])])
    axes.name("roofline", "flops a byte from and to DRAM", "TFLOP/s")
    x = axes.across(ideal)
    picture.curve([(x, TOP), (x, bottom)], BLUE, dotted=True)
    axes.marks(points[1:], BLUE, hollow=True)
    axes.marks(points[:1], BLUE)
    picture.mark(*axes.entry("the fastest plan"), BLUE)
    picture.mark(*axes.entry("the next best"), BLUE, hollow=True)
    x, y = axes.entry("operands moved once")
    picture.curve([(x - 7, y), (x + 7, y)], BLUE, dotted=True)


def draw_times(picture, plans, row, bottom):
    longest = max(plan["seconds"] for plan in plans)
    scale, unit = next((s, u) for s, u in UNITS if longest >= s or u == "ns")
    names = list(plans[0]["resources"])
    most = max([longest, *(time for plan in plans for time in plan["resources"].values())])
    axes = svg.Axes(picture, (RIGHT[0], TOP, RIGHT[1], bottom), (0, 1.05 * most / scale),
                    (len(plans), 0))
    axes.name("each resource alone", unit)
    axes.grid_across()
    for number, plan in enumerate(plans):
        top = TOP + number * row + 4
        for index, name in enumerate(names):
            end = axes.across(plan["resources"][name] / scale)
            picture.bar(RIGHT[0], end, top + BAR * index, BAR - 1, svg.PALETTE[index])
        x = axes.across(plan["seconds"] / scale)
        picture.line((x, top), (x, top + BAR * len(names)), "axis", 2)
        for index, text in enumerate(textwrap.wrap(plan["plan"], 40)):
            picture.text(RIGHT[0] - 8, top + 8 + LINE * index, text, "end")
    for index, name in enumerate(names):
        x, y = axes.entry(name)
        picture.bar(x - 6, x + 6, y - 4, 8, svg.PALETTE[index])
    x, y = axes.entry("predicted")
    picture.line((x, y - 5), (x, y + 5), "axis", 2)


def main():
    if len(sys.argv) < 5 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    table = compared(sys.argv[2:])
    plans = table["plans"]
    texts = max(len(textwrap.wrap(plan["plan"], 40)) for plan in plans)
    row = 8 + max(BAR * len(plans[0]["resources"]), LINE * texts)
    bottom = TOP + max(row * len(plans), 220)
    name = f"{table['shape']} on {table['chip']}"
    picture = svg.Picture(RIGHT[1] + 110, bottom + 40, name)
    picture.text(12, 20, name, kind="title")
    draw_roofline(picture, table, TOP + max(220, min(bottom - TOP, 320)))
    draw_times(picture, plans, row, bottom)
    pictures.save(picture, sys.argv[1])


main()
