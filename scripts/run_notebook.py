"""Keeps the outputs in a notebook true, with nothing of Jupyter.

run_notebook.py FILE.ipynb [--write]: runs the cells of Python one after the other, with the
notebook's folder as the current one, and compares what they print and show with the outputs in the
file; of pictures, only that there is one. Prints the first difference of each cell, or the error that
ended the run, and exits 1; with --write it puts the outputs into the file.
"""

import argparse
import ast
import contextlib
import io
import itertools
import json
import os
import sys
import traceback
from pathlib import Path

FORMS = [("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")]


def lines_of(text):
    return text.splitlines(keepends=True)


def shown(value):
    """What a notebook keeps of a value, by type."""
    data = {"text/plain": lines_of(repr(value))}
    for kind, method in FORMS:
        text = getattr(value, method)() if hasattr(value, method) else None
        if text is not None:
            data[kind] = lines_of(text)
    if "image/svg+xml" in data:  # the text of a figure has its size in pixels
        data["text/plain"] = [f"<{type(value).__name__}>"]
    return data


def run_cell(source, names):
    """The outputs of a cell. Its last expression is shown."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None and not source.rstrip().endswith(";"):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream",
                        "text": lines_of(printed.getvalue())})
    if value is not None:
        outputs.append({"data": shown(value), "metadata": {}, "output_type": "execute_result"})
    return outputs


def compared(outputs):
    """Lines in which two runs agree."""
    lines = []
    for output in outputs:
        for kind, text in sorted(output.get("data", {"stdout": output.get("text")}).items()):
            lines.append(f"[{kind}]\n")
            lines += [] if kind.startswith("image/") else lines_of("".join(text))
    return lines


def difference(expected, actual):
    for want, got in itertools.zip_longest(compared(expected), compared(actual)):
        if want != got:
            return f"  notebook: {(want or '').rstrip()}\n  now:      {(got or '').rstrip()}"
    return ""


def run(path, write):
    """The number of cells that differ or fail."""
    notebook, failures, names = json.loads(path.read_text()), 0, {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        try:
            outputs = run_cell("".join(cell["source"]), names)
        except Exception:
            print(f"{path.name}: cell {number} fails:\n{traceback.format_exc()}")
            return failures + 1
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
        differs = difference(cell["outputs"], outputs)
        if differs and not write:
            failures += 1
            print(f"{path.name}: cell {number} prints something else:\n{differs}")
        if differs and write:
            cell["outputs"], cell["execution_count"] = outputs, number
    if write:
        path.write_text(json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    path = arguments.file.resolve()
    os.chdir(path.parent)
    sys.exit(1 if run(path, arguments.write) else 0)


if __name__ == "__main__":
    main()
