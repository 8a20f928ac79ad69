"""Counts instructions of the kernels of a module, as ptxas makes them for the hardware.

sass.py NVDISASM MODULE.mlir: one line a kernel `NAME: H HGMMA, A arrivals, W waits, L local accesses`: products of
warpgroups, the fences before groups of them, waits for groups, and loads and stores of spilled registers.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ptxas

COUNTED = {
    "HGMMA": r"\bHGMMA\.",
    "arrivals": r"\bWARPGROUP\.ARRIVE\b",
    "waits": r"\bWARPGROUP\.DEPBAR\b",
    "local accesses": r"\b(LDL|STL)\b",
}


def main():
    nvdisasm, module = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for chip, text in ptxas.BINARY.findall(Path(module).read_text()):
            report = ptxas.assemble(chip, ptxas.unescape(text), folder)
            name = re.search(r"entry function '(\w+)'", report).group(1)
            listing = subprocess.run([nvdisasm, "-c", Path(folder) / "cubin"], capture_output=True, text=True,
                                     check=True).stdout
            print(f"{name}: " + ", ".join(f"{len(re.findall(pattern, listing))} {what}"
                                          for what, pattern in COUNTED.items()))


if __name__ == "__main__":
    main()
