#!/usr/bin/env python3
"""Draws what each choice of a plan is worth to block vectors, by their width.

Usage: choices.py RESULT.csv PICTURE.svg

One panel for each type and each choice that plans of one width differ in; the width across, up
how much of the bandwidth of reading (A^T B) or copying (A B) is reached. One line for each value:
the fastest of the plans that have it, whatever else they have. A B is lists/tall-source.txt, A^T B
lists/tall-maps.txt, where dotted lines are of threads that have runs of neighbouring elements.
"""
import re
import sys

import pictures
import result_file
from pictures import svg

COLUMNS, PANEL, FRAME = 3, (640, 310), (40, 44, 360, 260)  # a frame in its panel
# The operation of a list, its name, and the ceiling of what it moves: A^T B reads, A B copies.
NAMES = {"tn": "A^T B", "nn": "A B"}
CEILINGS = {"tn": "dram", "nn": "copy"}


def read(path, *ops):
    """The header, and the rows of these operations that were timed; else the script ends."""
    header, rows = result_file.read(path)
    rows = [row for row in rows if row["op"] in ops and row["ours_ms"]]
    needed = {CEILINGS[row["op"]] for row in rows}
    if not rows or not needed <= set(result_file.ceilings(header)):
        sys.exit(f"{path}: no {' or '.join(NAMES[op] for op in ops)}, "
                 f"or no ceiling {' or '.join(CEILINGS[op] for op in ops)}")
    return header, rows


def share(header, row):
    """Share of the bandwidth of reading or copying, in percent."""
    rate = result_file.ceilings(header)[CEILINGS[row["op"]]]
    return 1e5 * float(row["bytes"]) / rate / float(row["ours_ms"])


def sizes(row):
    """M, N and K."""
    return [int(size) for size in row["sizes"].split("x")]


class Plan:
    """Keys and values of the text of a #blas.plan."""

    def __init__(self, row):
        self.paths = dict(re.findall(r"\b([ab]) = <([^>]*)>", row["plan"]))
        self.rest = re.sub(r"\b[ab] = <[^>]*>", "", row["plan"])
        self.macro, self.micro = self.list_of("macro"), self.list_of("micro")

    def list_of(self, name):
        found = re.search(rf"\b{name} = \[([^]]*)\]", self.rest)
        if not found:
            sys.exit(f"no {name} in the plan of a row: {self.rest or 'none'}")
        return [int(size) for size in found[1].split(",")]

    def number(self, name, default=1):
        found = re.search(rf"\b{name} = (\d+)", self.rest)
        return int(found[1]) if found else default

    def is_direct(self, operand):
        """Whether the operand goes straight from global memory to registers."""
        return "via = register" in self.paths[operand]

    def is_asynchronous(self):
        return "copy = async" in self.paths["a"]

    def threads_along(self, dim):
        """Accumulators of one group, along M or N."""
        return self.macro[dim] // self.micro[dim]

    def threads(self):
        return self.threads_along(0) * self.threads_along(1) * self.number("slicedK")


def arrival(plan):
    """Ways of operands of A^T B to a thread, and whether a thread has runs of them."""
    runs = plan.number("vector") > 1
    if plan.is_direct("a"):
        return "straight, slice prefetch" if plan.number("unroll", 0) else "straight", runs
    stages = plan.number("stages", 2)
    if not plan.is_asynchronous():
        return "two stages (leap-frog)" if stages > 1 else "one stage", runs
    prefetch = ", prefetch" if plan.number("prefetch", 0) else ""
    return f"asynchronous, {stages} stages" + prefetch, runs


CHOICES = {
    "tn": {"how elements come": arrival},
    "nn": {"small matrix from":
           lambda plan: ("global memory" if plan.is_direct("b") else "shared memory", False),
           "rows of a thread": lambda plan: (plan.micro[0], False),
           "slices written out": lambda plan: (plan.number("unroll", 0) or "all", False),
           "threads of a row": lambda plan: (plan.threads_along(1), False),
           "threads of a workgroup": lambda plan: (plan.threads(), False),
           "C leaves from": lambda plan:
           ("shared memory" if "c = shared" in plan.rest else "registers", False)}}


def numbers_first(value):
    name, dotted = value
    return isinstance(name, str), name, dotted


def best_by_width(header, rows, choice):
    """The largest share by width, for each value of a choice; values in order."""
    found = {}
    for row in rows:
        value, width = choice(Plan(row)), sizes(row)[1]
        shares = found.setdefault(value, {})
        shares[width] = max(shares.get(width, 0), share(header, row))
    return {value: found[value] for value in sorted(found, key=numbers_first)}


def differs(found):
    """Whether plans of one width have several values."""
    widths = [width for shares in found.values() for width in shares]
    return len(widths) > len(set(widths))


def draw(picture, corner, title, op, found):
    widths = sorted({width for shares in found.values() for width in shares})
    names = list(dict.fromkeys(name for name, _ in found))
    frame = tuple(corner[index % 2] + FRAME[index] for index in range(4))
    axes = svg.Axes(picture, frame, (-0.5, len(widths) - 0.5), (0, 110))
    moved = "reading" if op == "tn" else "copying"
    axes.name(title, "width", f"% of the bandwidth of {moved}")
    axes.grid_across(dict(enumerate(map(str, widths))))
    axes.grid_up()
    for (name, dotted), shares in found.items():
        color = svg.PALETTE[names.index(name) % len(svg.PALETTE)]
        points = sorted((widths.index(width), share) for width, share in shares.items())
        picture.curve(axes.places(points), color, dotted)
        axes.marks(points, color)
        x, y = axes.entry(f"{name}{', runs' if dotted else ''}")
        picture.curve([(x - 7, y), (x + 7, y)], color, dotted)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, rows = read(sys.argv[1], *CHOICES)
    choices = []
    for op, kind in dict.fromkeys((row["op"], row["type"]) for row in rows):
        chosen = [row for row in rows if (row["op"], row["type"]) == (op, kind)]
        for name, choice in CHOICES[op].items():
            found = best_by_width(header, chosen, choice)
            if differs(found):
                choices.append((f"{NAMES[op]}, {kind}: {name}", op, found))
    if not choices:
        sys.exit(f"{sys.argv[1]}: its plans differ in no choice")
    picture, corners = pictures.panels(pictures.title(header), len(choices), PANEL, COLUMNS)
    for corner, choice in zip(corners, choices):
        draw(picture, corner, *choice)
    pictures.save(picture, sys.argv[2])


main()
