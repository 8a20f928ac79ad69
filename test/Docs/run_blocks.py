"""Keeps the commands and outputs in a document true.

run_blocks.py FILE.md [--write]: runs every fenced `sh` block that is directly followed by another
fenced block, and compares what it prints with that block. All blocks of a document run one after the
other in one empty folder, in which `examples` leads to those of the project. In the expected block a
line `...` stands for any lines. Prints the first difference of each block and exits 1; with --write
it puts the real output into the blocks that have no `...`.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAIR = re.compile(r"^```sh\n(?P<command>(?:(?!```).*\n)*)```\n\n?"
                  r"^```(?P<kind>\w*)\n(?P<expected>(?:(?!```).*\n)*)```$", re.M)
ANY = "..."


def run(command, folder):
    result = subprocess.run(["sh", "-e", "-c", command], stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, cwd=folder,
                            env={**os.environ, "LC_ALL": "C"})
    if result.returncode != 0:
        raise RuntimeError(f"exit status {result.returncode}\n{result.stderr}")
    return result.stdout


def tidy(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def matches(expected, actual):
    """Whether the lines agree, `...` standing for any number of them."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def difference(expected, actual):
    if any(line.strip() == ANY for line in expected):
        return "the output does not match; it is now:\n" + "\n".join(actual)
    for number, (want, got) in enumerate(itertools.zip_longest(expected, actual), 1):
        if want != got:
            return f"line {number} of the block:\n  document: {want}\n  now:      {got}"
    return "no difference"


def check(path, write, folder):
    text, failures = path.read_text(), 0
    pieces, position = [], 0
    for pair in PAIR.finditer(text):
        line = text.count("\n", 0, pair.start()) + 1
        expected = tidy(pair["expected"])
        try:
            actual = tidy(run(pair["command"], folder))
            problem = None if matches(expected, actual) else difference(expected, actual)
        except RuntimeError as error:
            actual, problem = expected, str(error)
        if write and ANY not in (want.strip() for want in expected):
            pieces += [text[position:pair.start("expected")], "\n".join(actual) + "\n"]
            position = pair.end("expected")
        if problem:
            failures += 1
            print(f"{path}:{line}: {pair['command'].strip()}\n{problem}\n")
    if failures and not write:
        print("If the new output is right, put it into the document: make docs")
    if write:
        path.write_text("".join(pieces) + text[position:])
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", type=Path)
    parser.add_argument("--write", action="store_true", help="put the real output in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        examples = Path(__file__).resolve().parents[2] / "examples"
        (Path(folder) / "examples").symlink_to(examples)
        failures = check(options.document, options.write, folder)
    return 1 if failures and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
