"""Compares the table of chips of docs/Amd.md with the tools.

amd.py SOURCE [DOCUMENT]: every AMD chip that gemm-opt lists has one row, with the figures of its
#blas.target in the columns that keys head; the architectures of the rows are those that the
emulator reads. Prints what differs and exits 1; else how many chips there are.
"""

import re
import subprocess
import sys
from pathlib import Path

HEAD = re.compile(r"^\| `chip` \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.M)
EMULATED = re.compile(r'\{ELF::EF_AMDGPU_MACH_\w+, "(\w+)"')


def cells(line):
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def rows(document):
    """Each row of the table as a map from the heads of its columns."""
    table = HEAD.search(document)
    heads = cells(table.group().splitlines()[0]) if table else []
    return [dict(zip(heads, cells(line))) for line in (table[1].splitlines() if table else [])]


def attach(chip):
    return subprocess.run(["gemm-opt", f"--blas-attach-target=chip={chip}"], input="module {}",
                          text=True, capture_output=True)


def targets():
    """Figures of each AMD chip that gemm-opt lists where a name is none."""
    names = re.search(r"known chips: (.*)", attach("nowhere").stderr)[1].split(", ")
    texts = {name: attach(name).stdout for name in names}
    return {name: dict(re.findall(r'(\w+) = "?([\w+.,-]+?)"?(?=[,>])', text))
            for name, text in texts.items() if "vendor = amd" in text}


def differences(source, document):
    stated, known = rows(document), targets()
    names = [row["chip"] for row in stated]
    for name in sorted({*names, *known}):
        if names.count(name) != 1 or name not in known:
            yield f"{name}: {names.count(name)} rows; gemm-opt lists {', '.join(known)}"
    for row in stated:
        target = known.get(row["chip"], row)
        for key in row.keys() & target.keys():
            if row[key] != target[key]:
                yield f"{row['chip']}: {key} is {row[key]} on the page, and {target[key]}"
    emulated = EMULATED.findall((source / "lib/Emulator/CodeObject.cpp").read_text())
    if sorted(emulated) != sorted(row["arch"] for row in stated):
        yield f"the emulator reads {', '.join(emulated)}"


def main():
    source = Path(sys.argv[1])
    document = Path(sys.argv[2] if len(sys.argv) > 2 else source / "docs/Amd.md").read_text()
    found = list(differences(source, document))
    print("\n".join(found) or f"{len(rows(document))} chips")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
