"""Compares docs/CostModel.md with the code.

cost_model.py SOURCE [DOCUMENT]: the table of coefficients names every one of CalibrationData.h with
its unit, and each calibration that ships has all of them; every formula number that the code cites
is in the document; and `Code:` names functions that stand in the files named before them. Prints
what differs and exits 1; else how many coefficients, formulas and functions there are.
"""

import re
import sys
from pathlib import Path

COEFFICIENTS = "include/rooftile/Dialect/Blas/CalibrationData.h"
CALIBRATIONS = "lib/Target/Calibrations"
FOLDERS = ("include/rooftile/Planning", "lib/Planning", "include/rooftile/Dialect/Blas",
           "lib/Dialect/Blas")
ROW = re.compile(r"^\| `(\w+)` \| (\w*) *\|[^|]*\| C\d+ \|$", re.M)


def coefficients(source, document):
    stated = dict(ROW.findall(document))
    text = (source / COEFFICIENTS).read_text()
    real = dict(re.findall(r'Coefficient\{"(\w+)", "(\w*)"', text))
    for name in sorted(real.keys() | stated.keys()):
        if name not in stated:
            yield f"{name} is not in the table"
        elif name not in real:
            yield f"{name} is in the table, but not in CalibrationData.h"
        elif stated[name] != real[name]:
            yield f"{name}: the table says {stated[name]}, CalibrationData.h {real[name]}"
    for path in sorted((source / CALIBRATIONS).glob("*.inc")):
        given = re.findall(r"^COEFFICIENT\((\w+),", path.read_text(), re.M)
        if sorted(given) != sorted(real):
            yield f"{path.name}: other coefficients than CalibrationData.h"


def formulas(source, document):
    there = set(re.findall(r"^\*\*\((C\d+)\)\*\*", document, re.M))
    numbers = sorted(int(name[1:]) for name in there)
    for gap in sorted(set(range(1, len(numbers) + 1)) - set(numbers)):
        yield f"(C{gap}) is missing: {len(numbers)} formulas have the numbers 1 to {len(numbers)}"
    for stated in re.findall(r"\(C1\) to \(C(\d+)\)", document):
        if int(stated) != len(numbers):
            yield f"(C1) to (C{stated}) are announced, there are {len(numbers)}"
    cited = set()
    for folder in FOLDERS:
        for path in (source / folder).rglob("*.*"):
            cited.update(re.findall(r"\((C\d+)[),]", path.read_text()))
    for number in sorted(cited - there, key=lambda name: int(name[1:])):
        yield f"the code cites ({number}), which is not in the document"
    for name, _ in re.findall(r"\| (C\d+) \|$()", document, re.M):
        if name not in there:
            yield f"the table says ({name}), which is not in the document"


def functions(source, document):
    for text in re.findall(r"^\* Code: (.*?)\.\n", document, re.M | re.S):
        content = None
        for name in re.findall(r"`([\w.]+)`", text):
            if "." in name:
                paths = [path for folder in FOLDERS for path in (source / folder).rglob(name)]
                content = paths[0].read_text() if paths else None
                if content is None:
                    yield f"there is no file {name} in Planning or Dialect/Blas"
            elif content is not None and not re.search(rf"\b{name}\(", content):
                yield f"no function {name} in the file named before it"


def main():
    source = Path(sys.argv[1])
    document = Path(sys.argv[2] if len(sys.argv) > 2 else source / "docs/CostModel.md").read_text()
    problems = [*coefficients(source, document), *formulas(source, document),
                *functions(source, document)]
    for problem in problems:
        print(problem)
    counts = (len(ROW.findall(document)), document.count("**(C"), document.count("* Code: "))
    print("{} coefficients, {} formulas, {} places in the code".format(*counts))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
