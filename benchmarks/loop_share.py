#!/usr/bin/env python3
"""Issue slots of a kernel's main loop by instruction, and operands of its FFMAs.

Usage: cuobjdump -sass kernel.cubin | loop_share.py

The main loop is the body of the backward branch with the most FMAs in it. Prints its instructions
by kind, the share of FFMA/DFMA among them, and how many registers an FFMA reads that are not kept
from the one before (`.reuse`): each of the two banks, even and odd, delivers one a clock, so that
the busier one bounds the clocks of an FFMA.
"""
import collections
import re
import sys

INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)([^;]*)")
REGISTER = re.compile(r"[-|]*R(\d+)(\.reuse)?")


def read(lines):
    """[(address, mnemonic, operands)] of the first kernel."""
    found = [INSTRUCTION.search(line) for line in lines]
    return [(int(m.group(1), 16), m.group(2), m.group(3)) for m in found if m]


def loops(code):
    """Bodies of all backward branches: [(mnemonic, operands)]."""
    for address, mnemonic, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands)
        if mnemonic == "BRA" and target and int(target.group(1), 16) < address:
            start = int(target.group(1), 16)
            yield [(name, rest) for at, name, rest in code if start <= at <= address]


def reads(body):
    """Registers that FFMAs read from the even and from the odd bank."""
    banks, kept = [0, 0], {}
    for name, operands in body:
        if not name.startswith("FFMA"):
            kept = {}
            continue
        sources = [REGISTER.match(text.strip()) for text in operands.split(",")[1:]]
        own = {place: match for place, match in enumerate(sources) if match}
        fresh = {int(m.group(1)) for place, m in own.items() if kept.get(place) != m.group(1)}
        for register in fresh:
            banks[register % 2] += 1
        kept = {place: m.group(1) for place, m in own.items() if m.group(2)}
    return banks


def main():
    bodies = list(loops(read(sys.stdin)))
    fma = lambda body: sum(name.startswith(("FFMA", "DFMA")) for name, _ in body)
    body = max(bodies, key=fma, default=[])
    if not fma(body):
        sys.exit("no loop with FMAs found")
    for name, count in collections.Counter(name for name, _ in body).most_common():
        print(f"{count:6d}  {name}")
    print(f"{len(body)} issue slots, FMA share {100 * fma(body) / len(body):.1f} %")
    single = sum(name.startswith("FFMA") for name, _ in body)
    if single:
        banks = reads(body)
        print(f"{sum(banks) / single:.2f} registers read an FFMA, of the busier bank "
              f"{max(banks) / single:.2f}")


main()
