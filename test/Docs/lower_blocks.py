"""Runs the IR of a document through passes.

lower_blocks.py FILE.md PASS...: every fenced `mlir` block that does not begin with `// planned` goes
through gemm-opt with the passes. Prints what fails, with its line, and exits 1; else how many went.
"""

import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```mlir\n(?!// planned)(?P<text>.*?)^```$", re.S | re.M)


def main():
    path, passes = Path(sys.argv[1]), sys.argv[2:]
    document, failures, count = path.read_text(), 0, 0
    for block in BLOCK.finditer(document):
        result = subprocess.run(["gemm-opt", *passes], input=block["text"], text=True,
                                capture_output=True)
        count += 1
        if result.returncode != 0:
            failures += 1
            line = document.count("\n", 0, block.start()) + 1
            print(f"{path}:{line}: (lines count from the block)\n{result.stderr}")
    print(f"{count} blocks, {failures} fail")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
