#!/usr/bin/env python3
"""Draws a file of several_gpus.py, and writes its chapter of docs/Performance.md.

Usage: several_page.py SEVERAL.csv PICTURE.svg

Efficiencies, one GPU's time by that of all times their number: a bar for each case, in the color of
its type, and a thin one below it with PyTorch's products. A row of panels for each number of GPUs,
strong scaling on the left, weak scaling on the right.
"""
import csv
import sys

import pictures
from page_tables import table, time
from pictures import svg

SCALINGS = {"strong": "The same problem.", "weak": "The problem grows with the number of GPUs."}
NEEDED = {"operation", "type", "order", "placement", "scaling", "ranks", "library", "ms", "one_ms",
          "rate", "unit", "efficiency", "ratio", "verified", "error", "bits_equal"}
BAR, THIN, PANEL, LABELS, LARGEST = 14, 4, 460, 190, 110


def read(path):
    """The header as a dictionary, and the rows."""
    header, lines = {}, []
    try:
        with open(path, newline="") as file:
            for line in file:
                if line.startswith("#"):
                    name, _, value = line[1:].partition(":")
                    header[name.strip()] = value.strip()
                else:
                    lines.append(line)
    except OSError as error:
        sys.exit(f"cannot read '{path}': {error.strerror}")
    reader = csv.DictReader(lines)
    if missing := NEEDED - set(reader.fieldnames or ()):
        sys.exit(f"{path}: no result file of several_gpus.py: it lacks a column of "
                 f"{', '.join(sorted(missing))}")
    return header, list(reader)


def spread(rows, ranks, scaling):
    """Right rows of both libraries, for one number of GPUs: {case: {library: row}}."""
    found = {}
    for row in rows:
        if (row["ranks"], row["scaling"], row["verified"]) == (ranks, scaling, "yes"):
            case = (row["operation"], row["type"], row["order"], row["placement"])
            found.setdefault(case, {})[row["library"]] = row
    return {case: both for case, both in found.items() if "rooftile" in both}


def numbers_of_gpus(rows):
    return sorted({row["ranks"] for row in rows if row["scaling"]}, key=int)


def percent(row):
    return 100 * float(row["efficiency"])


def draw_panel(picture, corner, title, cases):
    left, top = corner
    scale = svg.Scale((0, LARGEST), (left + LABELS, left + PANEL - 40))
    bottom = top + 20 + len(cases) * (BAR + 4)
    picture.text(left + LABELS, top + 8, title, kind="title")
    for tick in (0, 25, 50, 75, 90, 100):
        picture.line((scale(tick), top + 14), (scale(tick), bottom),
                     "axis" if tick == 100 else "grid")
        picture.text(scale(tick), bottom + 13, f"{tick}", "middle", "soft")
    for index, ((operation, kind, order, placement), both) in enumerate(cases.items()):
        y = top + 20 + index * (BAR + 4)
        name = f"{operation} {kind} {order} {placement}"
        picture.text(left + LABELS - 8, y + BAR - 3, name, "end")
        value = percent(both["rooftile"])
        picture.bar(scale(0), scale(value), y, BAR - THIN - 1, svg.COLORS[kind])
        picture.text(left + PANEL - 36, y + BAR - 3, f"{value:.0f} %")
        if "torch" in both:
            picture.bar(scale(0), scale(percent(both["torch"])), y + BAR - THIN, THIN,
                        svg.PALETTE[-1])


def draw(header, rows):
    """The picture."""
    panels = [(f"{ranks} GPUs, {scaling}: % of ideal", spread(rows, ranks, scaling))
              for ranks in numbers_of_gpus(rows) for scaling in SCALINGS]
    height = 56 + (BAR + 4) * max(len(cases) for _, cases in panels)
    name = pictures.title(header, ": efficiency of several GPUs; thin bars: PyTorch's products")
    picture, corners = pictures.panels(name, len(panels), (PANEL, height), 2)
    for corner, (title, cases) in zip(corners, panels):
        if cases:
            draw_panel(picture, corner, title, cases)
    return picture


def cells(case, both):
    operation, kind, order, placement = case
    ours, theirs = both["rooftile"], both.get("torch")
    return [f"{operation}, {placement}", kind, order, time(ours["one_ms"]), time(ours["ms"]),
            f"{float(ours['rate']):.4g} {ours['unit']}", f"{percent(ours):.1f} %",
            f"{percent(theirs):.1f} %" if theirs and theirs["efficiency"] else "-",
            f"{float(ours['ratio']):.2f}" if ours["ratio"] else "-"]


def linalg(rows):
    """PyTorch's Cholesky on one GPU, beside ours on several."""
    lines = []
    for row in (row for row in rows if row["library"] == "torch.linalg"):
        ours = [f"{each['ranks']} GPUs {time(each['ms'])}" for each in rows
                if each["library"] == "rooftile" and each["scaling"] != "weak"
                and all(each[name] == row[name] for name in ("operation", "type", "order"))]
        lines.append(f"* cholesky {row['type']} {row['order']}: {time(row['ms'])}; ours: "
                     f"{', '.join(ours).replace('1 GPUs', 'one GPU')}.")
    return ["", "`torch.linalg.cholesky` on one GPU:", "", *lines] if lines else []


def section(entry, header, rows, picture):
    """Lines of the chapter."""
    ours = [row for row in rows if row["library"] == "rooftile"]
    right = sum(row["verified"] == "yes" for row in ours)
    equal = sum(row["bits_equal"] == "yes" for row in ours)
    wrong = [f"* {row['operation']} {row['type']} {row['order']} {row['placement']} "
             f"{row['scaling']}, {row['ranks']} GPUs: error {row['error']} of the bound."
             for row in ours if row["verified"] != "yes"]
    head = ["operation", "type", "order", "one GPU", "all", "all together", "efficiency",
            "PyTorch's", "ratio"]
    name = entry["name"]
    lines = [f"## Several GPUs: {name}", "",
             f"{header['chip']}, {header['date']}; PyTorch {header['pytorch']}, NCCL "
             f"{header['nccl']} ({header['environment']}), driver {entry['driver']}; "
             f"{entry['host']}. [{len(ours)} results](../benchmarks/results/{entry['file']}), "
             f"{right} of them right, {equal} with the same bits in each run.", "",
             "*Efficiency* is the time of the fastest GPU alone by that of all, times their number "
             "where the problem is the same; *ratio* PyTorch's time over ours on as many GPUs, in "
             "the same placement. [several_gpus.py](../benchmarks/README.md#several-gpus) "
             "describes the cases.", "", *[f"* {note}" for note in entry["notes"]], "", "```sh",
             *entry["commands"], "```", "", f"![{name}: efficiency of several GPUs]({picture})", ""]
    for ranks in numbers_of_gpus(rows):
        for scaling, words in SCALINGS.items():
            if cases := spread(rows, ranks, scaling):
                lines += [f"### {name}: {ranks} GPUs, {scaling} scaling", "",
                          words, "",
                          *table(head, [cells(*each) for each in cases.items()]), ""]
    if wrong:
        lines += ["Not counted, because they are not right:", "", *wrong, ""]
    return [*lines[:-1], *linalg(rows), ""]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, rows = read(sys.argv[1])
    if not numbers_of_gpus(rows):
        sys.exit(f"{sys.argv[1]}: nothing was measured on several GPUs")
    pictures.save(draw(header, rows), sys.argv[2])


if __name__ == "__main__":
    main()
