"""Products of block vectors in result files, and their plans, for the scripts that draw them."""
import re
import sys

import result_file

# The operation of a list, its name, and the ceiling of what it moves: A^T B reads, A B copies.
NAMES = {"tn": "A^T B", "nn": "A B"}
CEILINGS = {"tn": "dram", "nn": "copy"}


def read(path, *ops):
    """The header, and the rows of these operations that were timed; else the script ends."""
    header, rows = result_file.read(path)
    rows = [row for row in rows if row["op"] in ops and row["ours_ms"]]
    needed = {CEILINGS[row["op"]] for row in rows}
    if not rows or not needed <= set(result_file.ceilings(header)):
        sys.exit(f"{path}: no {' or '.join(NAMES[op] for op in ops)}, "
                 f"or no ceiling {' or '.join(CEILINGS[op] for op in ops)}")
    return header, rows


def share(header, row):
    """Of the bandwidth of reading or copying, in percent."""
    rate = result_file.ceilings(header)[CEILINGS[row["op"]]]
    return 1e5 * float(row["bytes"]) / rate / float(row["ours_ms"])


def sizes(row):
    """M, N and K."""
    return [int(size) for size in row["sizes"].split("x")]


class Plan:
    """What the text of a #blas.plan says."""

    def __init__(self, row):
        self.paths = dict(re.findall(r"\b([ab]) = <([^>]*)>", row["plan"]))
        self.rest = re.sub(r"\b[ab] = <[^>]*>", "", row["plan"])
        self.macro, self.micro = self.list_of("macro"), self.list_of("micro")

    def list_of(self, name):
        found = re.search(rf"\b{name} = \[([^]]*)\]", self.rest)
        if not found:
            sys.exit(f"no {name} in the plan of a row: {self.rest or 'none'}")
        return [int(size) for size in found[1].split(",")]

    def number(self, name, default=1):
        found = re.search(rf"\b{name} = (\d+)", self.rest)
        return int(found[1]) if found else default

    def is_direct(self, operand):
        """Whether the operand goes straight from global memory to registers."""
        return "via = register" in self.paths[operand]

    def is_asynchronous(self):
        return "copy = async" in self.paths["a"]

    def threads_along(self, dim):
        """Of one group, along M or N."""
        return self.macro[dim] // self.micro[dim]

    def threads(self):
        return self.threads_along(0) * self.threads_along(1) * self.number("slicedK")
