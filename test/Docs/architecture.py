"""Compares the pages about the sources with the sources.

architecture.py SOURCE [DOCUMENT...]: every file that a page names exists, and a function named right
after a file (or after `and`) stands in it. Of Architecture.md: every pass has a row, and so has
every folder of include, lib, tools and test that holds files; a cell of "Where is" has one file and one
function. Prints what does not hold and exits 1.
"""

import re
import sys
from pathlib import Path

PAGES = ["docs/Architecture.md", "docs/Extending.md", "docs/Plan.md", "CONTRIBUTING.md"]
SUFFIX = r"\.(?:cpp|h|td|inc|py|md|test|mlir|cases|txt|svg|csv|sh)"
FILE = re.compile(rf"`((?:[\w.-]+/)*[\w-]+{SUFFIX})`((?:(?: and)? `\w+`)*)")
# Folders of inputs, of outputs, and those whose files lie in the folders below.
IGNORED = re.compile(r"(^|/)(Inputs|Output|__pycache__)(/|$)|^(lib|tools|test|include/rooftile)$")


def files_of(source):
    names = {}
    for folder in ("include", "lib", "tools", "test", "scripts", "docs", "benchmarks", "examples",
                   "cmake"):
        for path in (source / folder).rglob("*"):
            if path.is_file():
                names.setdefault(path.name, []).append(path)
    return names


def places(source, document):
    """Files and functions that are named, but not there."""
    names, text = files_of(source), document.read_text()
    for match in FILE.finditer(text):
        name, line = match.group(1), text.count("\n", 0, match.start()) + 1
        found = [source / name] if (source / name).is_file() else []
        if not found and "/" not in name:
            found = names.get(name, [])
        if not found:
            yield f"{document.name}:{line}: there is no file {name}"
            continue
        content = "\n".join(path.read_text() for path in found)
        for function in re.findall(r"`(\w+)`", match.group(2)):
            if not re.search(rf"\b{function}\(", content):
                yield f"{document.name}:{line}: no function {function} in {name}"


def passes(source, text):
    for path in sorted((source / "include").rglob("Passes.td")):
        for flag in re.findall(r'^def \w+ *: *Pass<"([^"]+)"', path.read_text(), re.M):
            if not re.search(rf"^\| `{flag}` \|.*\| `lib/[^`]*` \|$", text, re.M):
                yield f"Architecture.md: --{flag} has no row"


def answers(text):
    """The second cell of each row of "Where is" is one file, with one function or none."""
    section = text[text.index("## Where is"):].split("\n## ")[0]
    for question, cell in re.findall(r"^\| (.*?) \| (.*) \|$", section, re.M)[1:]:
        if not re.fullmatch(r"`[\w./-]+`(?: `\w+`)?", cell):
            yield f"Architecture.md: {question} has more than one file and one function: {cell}"


def folders(source, text):
    rows = set(re.findall(r"^\| `([\w/-]+)` \| [^|]+ \|$", text, re.M))
    for top in ("include/rooftile", "lib", "tools", "test"):
        for path in sorted((source / top).rglob("*")):
            name = path.relative_to(source).as_posix()
            if IGNORED.search(name) or not path.is_dir():
                continue
            if not any(inner.is_file() for inner in path.iterdir()):
                continue
            mirrored = re.sub(r"^(include/rooftile|test)/", "lib/", name)
            if name not in rows and mirrored not in rows:
                yield f"Architecture.md: {name} has no row"
    for row in sorted(rows):
        if row.split("/")[0] in ("lib", "tools", "test") and not (source / row).is_dir():
            yield f"Architecture.md: there is no folder {row}"


def main():
    source = Path(sys.argv[1])
    documents = [Path(name) for name in sys.argv[2:]] or [source / page for page in PAGES]
    problems = [problem for document in documents for problem in places(source, document)]
    for document in documents:
        text = document.read_text()
        if "## Where is" in text:
            problems += [*answers(text), *passes(source, text), *folders(source, text)]
    print("\n".join(problems) or f"{len(documents)} pages hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
