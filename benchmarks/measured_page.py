#!/usr/bin/env python3
"""Writes the chapter of docs/Performance.md about measured plans, and its picture.

Usage: measured_page.py [--check] [ROOT]

tuning/manifest.toml names stores of measurements. All figures are those of `gemm-tune report` and
`gemm-tune select`, and need gemm-tune in PATH or build/bin. --check writes nothing and fails where
a file differs from what would be written.
"""
import lzma
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import pictures
import tools
import written
from classes import TYPES
from page_tables import table
from pictures import svg

BEGIN = "<!-- measured:begin (written by benchmarks/measured_page.py from benchmarks/tuning) -->"
END = "<!-- measured:end -->"
PICTURE = "images/measured-plans.svg"
# Classes of a report, in the order in which a product is compared with them: name, and operations.
CLASSES = {"batched": ("batches", "batches of products"),
           "tsmttsm": ("TSMTTSM", "A^T B of block vectors of up to 64 columns, K from 8192"),
           "tsmm": ("TSMM", "such a block vector by a matrix of up to 64 x 64"),
           "longk": ("long K", "M and N up to 512, K from 8192"),
           "square": ("squares", "M = N = K"),
           "small": ("small products", "M, N and K up to 320"),
           "skinny": ("skinny", "M or N up to 128"),
           "smallk": ("small K", "K up to 128"),
           "odd": ("odd sizes", "all other products"),
           "trmm": ("trmm", "triangular products"),
           "trsm": ("trsm", "triangular solves")}
REGRETS = {"pick / best": "the pick", "top 4": "best of the first 4", "top 8": "of the first 8"}
WORST = 5  # operations of a table
EXCESS = 1.01  # of the gain over the regret of the pick, from which a group is named
ROW, PANEL, LABELS, WIDTH = 19, 430, 100, 270
LEAST_SHOWN = 1.02  # end of an axis, at least
GAIN = svg.PALETTE[-1]
COLORS = svg.PALETTE[6:9]  # of the regrets


def tool(root):
    return tools.find("gemm-tune", "measured_page.py", root)


def output(*command):
    """Standard output of a command that succeeds."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"measured_page.py: error: gemm-tune {command[1]} failed")
    return run.stdout


def tables(text):
    """Tables of a page of Markdown, by their first cell: a dictionary for each line."""
    found = {}
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *lines = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                           for line in block.splitlines()]
        found[head[0]] = [dict(zip(head, cells, strict=True)) for cells in lines]
    return found


def mean(groups, column):
    """Geometric mean over the operations of several rows of a report."""
    count = sum(int(group["operations"]) for group in groups)
    return math.exp(sum(int(group["operations"]) * math.log(float(group[column]))
                        for group in groups) / count)


class Store:
    """Reports of a file of measurements, with its entry of the manifest."""

    def __init__(self, root, entry):
        self.entry, self.name = entry, entry["name"]
        path = root / "benchmarks" / "tuning" / entry["file"]
        with tempfile.TemporaryDirectory() as folder:
            lines, store = os.path.join(folder, "lines.jsonl"), os.path.join(folder, "store")
            try:
                with lzma.open(path) as packed, open(lines, "wb") as file:
                    shutil.copyfileobj(packed, file)
            except (OSError, EOFError, lzma.LZMAError) as error:
                sys.exit(f"cannot read '{path}': {error}")
            output(tool(root), "import", store, lines)
            report = output(tool(root), "report", store, f"--worst={WORST}")
            plans = os.path.join(folder, "plans")
            output(tool(root), "select", store, "-o", plans)
            self.read_list(pathlib.Path(plans).read_text())
        self.read_report(report)

    def read_report(self, report):
        self.measured = report.split("\n\n")[1].splitlines()
        found = tables(report)
        *self.groups, self.all = found["class"]
        if unknown := {group["class"] for group in self.groups} - set(CLASSES):
            sys.exit(f"{self.entry['file']}: measured_page.py has no class "
                     f"{', '.join(sorted(unknown))}")
        self.worst = found.get("operation", [])
        self.failures = found.get("outcome", [])

    def read_list(self, plans):
        """Operations with a line, and the gains of these: the mean and the largest."""
        named = re.search(r"for (\d+) of \d+ operations?, ([\d.]+) times", plans)
        self.lines, self.gain = named.groups() if named else ("0", "-")
        gains = re.findall(r"# ([\d.]+) times as fast", plans)
        self.most = max(gains, key=float, default="-")

    def select(self, shape=None, kind=None):
        """Rows of a class and a type; None: of all."""
        return [group for group in self.groups if shape in (None, group["class"])
                and kind in (None, group["type"])]

    def classes(self):
        return [shape for shape in CLASSES if self.select(shape)]


def overview(stores):
    head = ["store", "operations", "plans", *REGRETS, "gain of the list", "with a line",
            "gain of these", "largest gain"]
    return table(head, [[store.name, store.all["operations"], store.all["plans"],
                         *[store.all[column] for column in REGRETS],
                         store.all["gain of the list"], store.lines, store.gain, store.most]
                        for store in stores])


def by_class(store, columns):
    """A line for each class and a column for each type, with the means of `columns`."""
    kinds = [kind for kind in TYPES if store.select(kind=kind)]
    number = "operations"

    def cells(groups):
        return ", ".join(f"{mean(groups, column):.3f}" for column in columns) if groups else "-"

    lines = []
    for shape in [*store.classes(), None]:
        own = store.select(shape)
        total = cells(own) if shape else ", ".join(store.all[column] for column in columns)
        lines.append([CLASSES[shape][0] if shape else "all",
                      str(sum(int(group[number]) for group in own)),
                      *[cells(store.select(shape, kind)) for kind in kinds], total])
    return table(["class", number, *kinds, "all types"], lines)


def worst(store):
    """The operations whose picks lose most: two rows of a report each."""
    lines = []
    for pick, best in zip(store.worst[::2], store.worst[1::2]):
        resource, _, factor = pick["mispriced"].partition(" ")
        lines.append([pick["operation"], pick["pick / best"], resource,
                      factor or "it bounds all plans",
                      *[", ".join(f"{1000 * float(plan[column]):.1f}"
                                  for column in ("predicted, ms", "measured, ms"))
                        for plan in (pick, best)]])
    return table(["operation", "pick / best", "mispriced", "factor",
                  "pick: predicted, measured (us)", "best: predicted, measured (us)"], lines)


def exceeding(store):
    """Groups whose gain is more than the regret of the pick."""
    found = [f"{CLASSES[group['class']][0]} of {group['type']} ({group['gain of the list']} and "
             f"{group['pick / best']})" for group in store.groups
             if float(group["gain of the list"]) > EXCESS * float(group["pick / best"])]
    return ["", f"The gain exceeds pick / best in {', '.join(found)}."] if found else []


def section(store):
    failures = [f"{each['plans']} plans of {each['operations']} operations are left out, with the "
                f"outcome `{each['outcome']}`." for each in store.failures]
    file = store.entry["file"]
    return [f"### Measured plans: {store.name}", "",
            " ".join([f"{store.entry['operations']} [{file}](../benchmarks/tuning/{file}):",
                      *store.measured, *failures]), "",
            "Gain of the list:", "", *by_class(store, ["gain of the list"]), *exceeding(store),
            *[line for note in store.entry.get("notes", []) for line in ("", note)], "",
            "Regret of the model, pick / best, top 4 and top 8:", "",
            *by_class(store, REGRETS), "",
            "The operations whose picks lose most:", "", *worst(store), ""]


def chapter(stores):
    """Lines of the chapter, between its marks."""
    classes = "; ".join(f"*{name}*: {words}" for name, words in CLASSES.values())
    lines = [BEGIN, "", "## Measured plans", "",
             "`gemm-tune search` measures plans that the model evaluates, and `gemm-tune select` "
             "writes the fastest as a list ([Tuning](Tuning.md)). This chapter has the gain of "
             "such lists over the model's plans. It also has the regret of the model, which is "
             "the time of its plan over that of the fastest. Figures are geometric means over "
             "operations. Means over several classes or types are formed of the rounded figures "
             "of a report, and differ from the exact ones by 0.001 at most.", "",
             *overview(stores), "",
             "* *Gain of the list*: time of the model's plan over that of the plan of the list. It "
             "is 1 for an operation without a line.",
             "* *Pick / best*: time of the plan that the model ranks first over that of the "
             "fastest plan.",
             "* *Top 4*, *top 8*: the same for the fastest of the 4 and of the 8 measured plans "
             "that the model ranks first.", "",
             "The regret counts every difference of measured times, also one that is noise. The "
             "list names a plan only where the difference is [significant](Tuning.md#the-list). So "
             "kernels of a few microseconds have a regret, and often no gain.", "",
             f"![Measured plans: gain and regret by class]({PICTURE})", "",
             f"Classes, where a product belongs to the first that fits: {classes}.", "",
             "*Mispriced* is the resource whose predicted time is farthest off, of those that "
             "bound the pick and the best plan. Above 1, its *factor* means that it needs more "
             "time than predicted, relative to the other resources ([Tuning](Tuning.md#report)).",
             ""]
    for store in stores:
        lines += section(store)
    return [*lines, END]


def panel(picture, corner, store, title, longest):
    """An axis from 1 and the names of classes; the scale, and the height of each class."""
    left, top = corner
    scale = svg.Scale((1, longest), (left + LABELS, left + LABELS + WIDTH))
    bottom = top + 24 + ROW * len(store.classes())
    picture.text(left + LABELS, top + 8, f"{store.name}: {title}", kind="title")
    for tick in svg.ticks(1, longest, False):
        picture.line((scale(tick), top + 16), (scale(tick), bottom),
                     "axis" if tick == 1 else "grid")
        picture.text(scale(tick), bottom + 13, f"{tick:g}", "middle", "soft")
    rows = {shape: top + 24 + ROW * (index + 0.5) for index, shape in enumerate(store.classes())}
    for shape, y in rows.items():
        picture.text(left + LABELS - 8, y + 4, CLASSES[shape][0], "end")
    return scale, rows


def draw_gain(picture, corner, store, longest):
    scale, rows = panel(picture, corner, store, "gain of the list", longest)
    for shape, y in rows.items():
        value = mean(store.select(shape), "gain of the list")
        picture.bar(scale(1), scale(value), y - 5, 10, GAIN)
        picture.text(scale(longest) + 8, y + 4, f"{value:.2f}")
        for group in store.select(shape):
            picture.mark(scale(float(group["gain of the list"])), y, svg.COLORS[group["type"]])


def draw_regret(picture, corner, store, longest):
    scale, rows = panel(picture, corner, store, "time over that of the fastest", longest)
    for shape, y in rows.items():
        values = [mean(store.select(shape), column) for column in REGRETS]
        picture.line((scale(min(values)), y), (scale(max(values)), y), "axis")
        for value, color in zip(values, COLORS):
            picture.mark(scale(value), y, color)
        picture.text(scale(longest) + 8, y + 4, f"{values[0]:.2f}")


def legend(picture, y, entries):
    x = 24
    for name, color in entries.items():
        picture.mark(x, y - 4, color)
        picture.text(x + 8, y, name)
        x += 26 + 6.2 * len(name)


def draw(stores):
    """The picture: a column for each store, gains above and regrets below."""
    size = (PANEL, 88 + ROW * max(len(store.classes()) for store in stores))
    name = "Measured plans: gain over the model's, and regret of the model, by class"
    picture = svg.Picture(PANEL * len(stores), 30 + 2 * size[1], name)
    picture.text(12, 18, name, kind="title")
    gains = [float(group["gain of the list"]) for store in stores for group in store.groups]
    regrets = [mean(store.select(shape), "pick / best") for store in stores
               for shape in store.classes()]
    legend(picture, 40, {"all types (bar)": GAIN,
                         **{kind: svg.COLORS[kind] for kind in TYPES
                            if any(store.select(kind=kind) for store in stores)}})
    legend(picture, 40 + size[1], dict(zip(REGRETS.values(), COLORS)))
    for draw_one, values, top in ((draw_gain, gains, 56), (draw_regret, regrets, 56 + size[1])):
        longest = 1 + 1.05 * (max(*values, LEAST_SHOWN) - 1)
        for index, store in enumerate(stores):
            draw_one(picture, (PANEL * index, top), store, longest)
    return picture


def kept(text):
    """The chapter of a page, from mark to mark; nothing where there is none."""
    before, begin, rest = text.partition(BEGIN)
    own, end, _ = rest.partition(END)
    return begin + own + end if begin and end else ""


def with_chapter(text, new):
    """The page with another chapter, at its end where it had none."""
    old = kept(text)
    return text.replace(old, new) if old else f"{text.rstrip()}\n\n{new}".rstrip() + "\n"


def outputs(root):
    """Expected content of the page and of the picture, by their paths."""
    folder = root / "benchmarks" / "tuning"
    with open(folder / "manifest.toml", "rb") as file:
        entries = tomllib.load(file)["store"]
    unnamed = {path.name for path in folder.iterdir()} - {"manifest.toml"}
    if unnamed := unnamed - {entry["file"] for entry in entries}:
        sys.exit(f"benchmarks/tuning: not in manifest.toml: {', '.join(sorted(unnamed))}")
    stores = [Store(root, entry) for entry in entries]
    page = root / "docs" / "Performance.md"
    return {page: with_chapter(page.read_text(), "\n".join(chapter(stores))),
            root / "docs" / PICTURE: str(draw(stores))}


if __name__ == "__main__":
    written.write_or_check(outputs, "benchmarks/tuning", "benchmarks/measured_page.py", __doc__)
