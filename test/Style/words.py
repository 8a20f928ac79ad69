"""Words of comments that a machine can find.

words.py [ROOT]: prints `path:line: what is wrong and what is expected`, exits 1 on any. Each rule is
a row of RULES.
"""

import argparse
import ast
import re
import sys
from collections import namedtuple
from pathlib import Path

FOLDERS = ("include", "lib", "tools", "benchmarks", "python", "test")
SLASHES = re.compile(r'((?:[^"/]|"(?:\\.|[^"\\])*"|/(?!/))*?)///?<? ?(.*)')
HASHES = re.compile(r"""((?:[^"'#]|"[^"]*"|'[^']*')*?)#+ ?(.*)""")
WHOLE_LINES = re.compile(r"()#+ (.*)")
COMMENTS = {".h": SLASHES, ".cpp": SLASHES, ".td": SLASHES, ".inc": SLASHES, ".py": HASHES,
            ".cmake": HASHES, ".mlir": SLASHES, ".c": SLASHES, ".cases": HASHES,
            ".test": WHOLE_LINES}
# Commands and expectations of tests are no prose, nor are the files that split-file makes of one.
EXPECTED = re.compile(r"\s*(expected-\w+|[A-Z][A-Z0-9_-]*:)")
SPLIT = re.compile(r"#---")

# begins: the pattern is looked for where a comment begins, else anywhere in it.
Rule = namedtuple("Rule", "begins pattern expected")
TIME = r"(place\b|[\d.e+]+ |(about|at least|at most|up to|some) [\d.]+ )"
RULES = [
    Rule(True, r"(Of|The same)\b",
         "begin with the noun: `Elements of B`, `Type of the accumulators`"),
    Rule(True, r"(What|How)\b(?![^.]*\?)", "a noun for the clause: `Inputs of a rule`"),
    Rule(False, r"^#+ (What|How)\b(?![^.]*\?)", "a noun for a heading: `Options`"),
    Rule(False, r"\b([Bb]ehind|[Ii]n front of)\b(?! (the|\d+ MB) Infinity Cache)",
         "`after` or `before` for an order"),
    Rule(False, r"\b([Tt]here (is|are) not|(is|are) not there|that there (is|are))\b",
         "`missing`, `past the end`, `all`"),
    Rule(False, r"\b(leaves?|left|is|are|still)\b[^.;|]{0,40} open\b(?! (in|to|by)\b)|"
         r"\bopen (sizes?|strides?|orders?|numbers?)\b", "`dynamic`, for sizes and strides"),
    Rule(False, r"\b([Ss]ays|[Tt]ells|[Kk]nows)\b", "data specifies, lists, has; tools report"),
    Rule(False, r"\b([Aa]ttribute|[Cc]lause|[Cc]ontract|[Ii]ndexing map|[Kk]ey|[Mm]ap|[Oo]peration|"
         r"[Pp]ath|[Pp]lan|[Ss]tructure|[Tt]able|[Tt]arget|[Tt]ype|`[\w.]+`|#blas\.\w+)s? "
         r"(say|tell|know)\b", "data specifies, lists, has"),
    Rule(False, rf"(?<!`)\b[Tt]akes?\b(?! {TIME})", "accepts, reads, needs, costs or lasts"),
    Rule(False, r"\b\d+ numbers\b|\b[Nn]umbers (apart|beside|of (an|each|the) elements?)\b",
         "`real elements`, `values`, `sizes`"),
    Rule(False, r"\b([Tt]he|[Tt]ype of( the)?|[Hh]old|[Ll]ong|[Aa]ll|[Mm]ore|[Ff]ewer) sums\b",
         "`accumulators`; `partial sums` of split-K stay"),
    Rule(False, r"\b([Ii]ts|[Tt]he|a|[Ss]ame|own|[Ee]ach|that|their|this|one) places?\b(?! of)",
         "`offset`, `address`, `index`, `position`, `location`"),
]


def docstrings(text):
    """Line, text and whether it is the first one, of each line of a docstring."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False):
            string = node.body[0].value
            for index, line in enumerate(string.value.splitlines()):
                yield string.lineno + index, line.strip(), index == 0


def comments(path):
    """Line, text, and whether a comment begins there, of each line of prose: comments, docstrings,
    and all that is not one in .td and .md, which hold descriptions."""
    pattern = COMMENTS.get(path.suffix)
    goes_on = False
    text = path.read_text()
    if path.suffix == ".py":
        yield from docstrings(text)
    for number, line in enumerate(text.splitlines(), 1):
        if SPLIT.match(line):
            return
        found = pattern.match(line) if pattern else None
        # A row of a table of keys repeats the text of the code.
        if not found and path.suffix in (".td", ".md") and not line.startswith("| `"):
            yield number, line, False
        alone = bool(found) and not found[1].strip()
        if found and not EXPECTED.match(found[2]):
            yield number, found[2], not (alone and goes_on)
        goes_on = alone and bool(found[2].strip()) and "//===" not in line


def problems(root):
    paths = [path for folder in FOLDERS for path in (root / folder).rglob("*")
             if path.suffix in COMMENTS and path.is_file()]
    for path in sorted(paths) + sorted([*root.glob("docs/*.md"), *root.glob("README.md")]):
        for number, text, begins in comments(path):
            for rule in RULES:
                look = re.match if rule.begins else re.search
                if (begins or not rule.begins) and (found := look(rule.pattern, text)):
                    yield path, number, f"'{found[0]}': {rule.expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[2])
    root = parser.parse_args().root
    found = list(problems(root))
    for path, number, message in found:
        print(f"{path.relative_to(root)}:{number}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
