"""Words of comments that a machine can find.

words.py [ROOT]: prints `path:line: what is wrong and what is expected`, exits 1 on any. Each rule is
a row of RULES.
"""

import argparse
import re
import sys
from collections import namedtuple
from pathlib import Path

FOLDERS = ("include", "lib", "tools", "benchmarks", "python")
SLASHES = re.compile(r'((?:[^"/]|"(?:\\.|[^"\\])*"|/(?!/))*?)///?<? ?(.*)')
HASHES = re.compile(r"""((?:[^"'#]|"[^"]*"|'[^']*')*?)#+ ?(.*)""")
COMMENTS = {".h": SLASHES, ".cpp": SLASHES, ".td": SLASHES, ".inc": SLASHES, ".py": HASHES,
            ".cmake": HASHES}

# begins: the pattern is looked for where a comment begins, else anywhere in it.
Rule = namedtuple("Rule", "begins pattern expected")
RULES = [
    Rule(True, r"(Of|The same)\b", "begin with the noun: `Elements of B`, `Type of the sums`"),
    Rule(True, r"(What|How)\b(?![^.]*\?)", "a noun for the clause: `Inputs of a rule`"),
    Rule(False, r"^#+ (What|How)\b(?![^.]*\?)", "a noun for a heading: `Options`"),
    Rule(False, r"\b([Bb]ehind|[Ii]n front of)\b(?! (the|\d+ MB) Infinity Cache)",
         "`after` or `before` for an order"),
    Rule(False, r"\b([Tt]here (is|are) not|(is|are) not there)\b", "`missing`, `past the end`"),
    Rule(False, r"\b(leaves?|left|is|are|still)\b[^.;|]{0,40} open\b(?! (in|to|by)\b)|"
         r"\bopen (sizes?|strides?|orders?|numbers?)\b", "`dynamic`, for sizes and strides"),
    Rule(False, r"\b([Aa]ttribute|[Cc]lause|[Cc]ontract|[Ii]ndexing map|[Kk]ey|[Mm]ap|[Oo]peration|"
         r"[Pp]ath|[Pp]lan|[Ss]tructure|[Tt]able|[Tt]arget|[Tt]ype|`[\w.]+`|#blas\.\w+)s? "
         r"(say|tell|know)s?\b", "data specifies, lists, has"),
]


def comments(path):
    """Line, text, and whether a comment begins there, of each line of prose: comments, and all that
    is not one in .td and .md, which hold descriptions."""
    pattern = COMMENTS.get(path.suffix)
    goes_on = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = pattern.match(line) if pattern else None
        if not found and path.suffix in (".td", ".md"):
            yield number, line, False
        alone = bool(found) and not found[1].strip()
        if found:
            yield number, found[2], not (alone and goes_on)
        goes_on = alone and bool(found[2].strip()) and "//===" not in line


def problems(root):
    paths = [path for folder in FOLDERS for path in (root / folder).rglob("*")
             if path.suffix in COMMENTS]
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
