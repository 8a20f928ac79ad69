"""Compares docs/CostModel.md with the code.

cost_model.py SOURCE [DOCUMENT]: the table of coefficients names every constant of
Planning/Constants.h with its values; every formula number that the code cites is in the document;
and `Code:` names functions that stand in the files named before them. Prints what differs and
exits 1; else how many coefficients, formulas and functions there are.
"""

import ast
import operator
import re
import sys
from pathlib import Path

CONSTANTS = "include/rooftile/Planning/Constants.h"
FOLDERS = ("include/rooftile/Planning", "lib/Planning", "include/rooftile/Dialect/Blas",
           "lib/Dialect/Blas")
INITIALIZER = re.compile(r"\b(k[A-Z]\w*)(?:\[\])?\s*(?:=\s*)?"
                         r"(\{(?:[^{}]|\{[^{}]*\})*\}|[^,{}]+)")
ROW = re.compile(r"^\| `(k\w+)` \| ([^|]*) \|[^|]*\| C\d+ \|$", re.M)
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}


def value(text):
    """The number that an expression of numbers such as `15 * 1024` is."""
    def of(node):
        if isinstance(node, ast.Constant):
            return float(node.value)
        return OPERATORS[type(node.op)](of(node.left), of(node.right))
    return of(ast.parse(text.strip(), mode="eval").body)


def values(text):
    return [value(part) for part in re.split(r"[{},]", text) if part.strip()]


def initializers(statement):
    """Names and values of `type a = 1, b[] = {1, 2}, c{1, 2}`."""
    for match in INITIALIZER.finditer(statement):
        yield match.group(1), values(match.group(2))


def constants(source):
    text = re.sub(r"//[^\n]*", "", (source / CONSTANTS).read_text())
    found = {}
    for statement in re.findall(r"inline constexpr (.*?);", text, re.S):
        found.update(initializers(statement))
    return found


def coefficients(source, document):
    stated = {name: values(text) for name, text in ROW.findall(document)}
    real = constants(source)
    for name in sorted(real.keys() | stated.keys()):
        if name not in stated:
            yield f"{name} is not in the table; Constants.h says {real[name]}"
        elif name not in real:
            yield f"{name} is in the table, but not in Constants.h"
        elif stated[name] != real[name]:
            yield f"{name}: the table says {stated[name]}, Constants.h {real[name]}"


def formulas(source, document):
    there = set(re.findall(r"^\*\*\((C\d+)\)\*\*", document, re.M))
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
