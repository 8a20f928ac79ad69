"""Assembles the PTX embedded in a module and prints the report of ptxas on each kernel.

ptxas.py MODULE.mlir: one line `NAME: R registers, S bytes of stack, B spilled` a kernel, then their
number. Exits 1 when ptxas refuses one, or reports that it serializes or ignores instructions (C7508, C7510 and others).
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BINARY = re.compile(r'chip = "(\w+)"[^\n]*?assembly = "((?:[^"\\]|\\.)*)"')


def unescape(text):
    text = re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code.group(1), 16)), text)
    return text.rstrip("\0")


def assemble(chip, ptx, folder):
    source = Path(folder) / "kernel.ptx"
    source.write_text(ptx)
    result = subprocess.run(["ptxas", "-v", f"-arch={chip}", source, "-o", Path(folder) / "cubin"],
                            capture_output=True, text=True)
    if result.returncode != 0 or re.search(r"\(C7\d+\)", result.stderr):
        sys.exit(result.stderr)
    return result.stderr


def main():
    binaries = BINARY.findall(Path(sys.argv[1]).read_text())
    with tempfile.TemporaryDirectory() as folder:
        for chip, text in binaries:
            report = assemble(chip, unescape(text), folder)
            name = re.search(r"entry function '(\w+)'", report).group(1)
            registers = re.search(r"Used (\d+) registers", report).group(1)
            stack, stores, loads = re.search(
                r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads",
                report).groups()
            print(f"{name}: {registers} registers, {stack} bytes of stack, "
                  f"{int(stores) + int(loads)} spilled")
    print(len(binaries), "kernels")


if __name__ == "__main__":
    main()
