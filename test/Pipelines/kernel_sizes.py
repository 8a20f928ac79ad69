"""Counts the instructions of each kernel whose PTX is embedded in a module.

kernel_sizes.py MODULE.mlir: one line `NAME: I instructions, F multiply-adds` a kernel, the largest
first; then what all but the largest come to, in percent of it.
"""

import re
import sys
from pathlib import Path

BINARY = re.compile(r'assembly = "((?:[^"\\]|\\.)*)"')


def main():
    sizes = []
    for text in BINARY.findall(Path(sys.argv[1]).read_text()):
        lines = [line.strip() for line in text.replace("\\09", " ").split("\\0A")]
        name = next(re.search(r"(\w+)\($", line).group(1) for line in lines if ".entry" in line)
        body = lines[lines.index("{"):]
        sizes.append((sum(line.endswith(";") and not line.startswith(".") for line in body),
                      sum(line.startswith("fma.") for line in body), name))
    sizes.sort(reverse=True)
    for instructions, multiplications, name in sizes:
        print(f"{name}: {instructions} instructions, {multiplications} multiply-adds")
    rest = sum(instructions for instructions, _, _ in sizes[1:])
    print(f"all others: {100 * rest // sizes[0][0]} %")


main()
