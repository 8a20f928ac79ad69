#!/usr/bin/env python3
"""What the issue slots of a kernel's main loop are spent on.

Usage: cuobjdump -sass kernel.cubin | loop_share.py

The main loop is the body of the backward branch with the most FMAs in it.
Prints its instructions by kind, and the share of FFMA/DFMA among them.
"""
import collections
import re
import sys

INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)(.*)")


def read(lines):
    """[(address, mnemonic, operands)] of the first kernel."""
    found = [INSTRUCTION.search(line) for line in lines]
    return [(int(m.group(1), 16), m.group(2), m.group(3)) for m in found if m]


def loops(code):
    """Bodies of all backward branches."""
    for address, mnemonic, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands)
        if mnemonic == "BRA" and target and int(target.group(1), 16) < address:
            start = int(target.group(1), 16)
            yield [name for at, name, _ in code if start <= at <= address]


def main():
    bodies = list(loops(read(sys.stdin)))
    fma = lambda body: sum(name.startswith(("FFMA", "DFMA")) for name in body)
    body = max(bodies, key=fma, default=[])
    if not fma(body):
        sys.exit("no loop with FMAs found")
    for name, count in collections.Counter(body).most_common():
        print(f"{count:6d}  {name}")
    print(f"{len(body)} issue slots, FMA share {100 * fma(body) / len(body):.1f} %")


main()
