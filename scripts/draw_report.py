"""Draws a report of gemm-tune: predicted against measured times, and the regret of each class.

draw_report.py DATA.json FOLDER

`gemm-tune report --pictures=FOLDER` calls it. Writes FOLDER/predicted.svg, a panel for each type and
a mark for each plan, and FOLDER/regret.svg, a mark for each operation.
"""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "benchmarks"))
import pictures  # noqa: E402
from pictures import svg  # noqa: E402

SIZE, ROW = (330, 320), 18
LEAST_SHOWN = 1.1  # end of the axis of regrets, at least


def grouped(operations, key):
    groups = {}
    for operation in sorted(operations, key=lambda each: (each["class"], each["type"])):
        groups.setdefault(operation[key], []).append(operation)
    return groups


def draw_predicted(operations, name, path):
    """Times in milliseconds, with the line where both are equal."""
    types = grouped(operations, "type")
    picture, corners = pictures.panels(name, len(types), SIZE, 3)
    times = [time for each in operations for plan in each["plans"] for time in plan]
    ends = (min(times) / 1.2, max(times) * 1.2)
    for (left, top), (kind, group) in zip(corners, types.items()):
        frame = (left + 48, top + 44, left + SIZE[0] - 20, top + SIZE[1] - 40)
        axes = svg.Axes(picture, frame, ends, ends, logarithmic=True)
        axes.name(kind, "measured, ms", "predicted, ms")
        axes.grid_across()
        axes.grid_up()
        color = svg.COLORS.get(kind, svg.PALETTE[0])
        for operation in group:
            for predicted, measured in operation["plans"]:
                picture.mark(axes.across(measured), axes.up(predicted), color, radius=1.5)
        picture.line(*axes.places([(ends[0], ends[0]), (ends[1], ends[1])]), "axis")
    pictures.save(picture, path)


def draw_regret(operations, name, path):
    """Time of the model's pick over that of the best plan."""
    classes = grouped(operations, "class")
    bottom = 66 + ROW * len(classes)
    picture = svg.Picture(620, bottom + 40, name)
    picture.text(12, 18, name, kind="title")
    most = max([LEAST_SHOWN, *(each["regret"] for each in operations)])
    axes = svg.Axes(picture, (110, 60, 520, bottom), (1, 1 + 1.05 * (most - 1)), (0, len(classes)))
    axes.name("", "time of the model's pick / best measured")
    axes.grid_across()
    for index, (kind, group) in enumerate(classes.items()):
        y = 60 + ROW * (index + 0.5)
        picture.text(102, y + 4, kind, "end")
        for operation in group:
            color = svg.COLORS.get(operation["type"], svg.PALETTE[0])
            picture.mark(axes.across(operation["regret"]), y, color, hollow=True)
    for kind in grouped(operations, "type"):
        picture.mark(*axes.entry(kind), svg.COLORS.get(kind, svg.PALETTE[0]), hollow=True)
    pictures.save(picture, path)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        data = json.load(file)
    if not data["operations"]:
        sys.exit("draw_report.py: error: no operation has two plans that ran")
    folder = sys.argv[2]
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        sys.exit(f"draw_report.py: error: {error}")
    where = f"{data['chip']}, {data['day']}"
    draw_predicted(data["operations"], f"Plans on {where}", os.path.join(folder, "predicted.svg"))
    draw_regret(data["operations"], f"Picks on {where}", os.path.join(folder, "regret.svg"))


main()
