"""Conflicts of LDS banks of the picks for AMD chips, counted from the addresses of executed code objects.

lds_conflicts.py CHIP [--show]: for products of 4096^3 of three types and all transposes, the plan that is picked runs
as a code object of one tile. Prints the share of LDS clocks in which words wait for their bank; exits 1 where planning
counts none and a product has more than LIMIT of them, or where a tile with conflicts by design has none.
"""

import os
import re
import subprocess
import sys

LIMIT = 0.02
# gfx1100: lanes of WMMA read half a row of banks at a time where a run is of two elements. gfx906: elements of 16 bits
# of a transposed B are stored one by one.
WIDER = {"gfx1100": {"f16": 0.35}, "gfx906": {"f16": 0.3}}
COUNTS = re.compile(r"(\d+) accesses to LDS, (\d+) clocks, (\d+) of them")
STEPS = 4


def module(element, transposes, sizes, plan=""):
    m, n, k = sizes
    a = f"memref<{m}x{k}x{element}>" if transposes[0] == "n" else f"memref<{k}x{m}x{element}>"
    b = f"memref<{k}x{n}x{element}>" if transposes[1] == "n" else f"memref<{n}x{k}x{element}>"
    c = f"memref<{m}x{n}x{element}>"
    options = "".join(f"{name}<t> " for name, how in zip(("opA", "opB"), transposes) if how == "t")
    return (f"func.func @product(%a: {a}, %b: {b}, %c: {c}) {{\n"
            f"  blas.gemm {options}ins(%a, %b : {a}, {b}) outs(%c : {c}) {plan}\n  return\n}}\n")


def pick(chip, element, transposes):
    done = subprocess.run(["gemm-opt", f"--tile-select=chip={chip}"], capture_output=True, text=True, check=True,
                          input=module(element, transposes, (4096, 4096, 4096)))
    return re.sub(r", (raster|residency) = \d+", "", re.search(r"plan\(.*\)", done.stdout)[0])


def share(chip, element, transposes, plan):
    """Clocks for conflicts over all clocks of LDS in one tile; 0 without LDS."""
    m, n, k = (int(size) for size in re.search(r"macro = \[(\d+), (\d+), (\d+)\]", plan).groups())
    done = subprocess.run(["gemm-run", "--device=amd-emulator", f"--chip={chip}", "-"], capture_output=True, text=True,
                          input=module(element, transposes, (m, n, STEPS * k), plan),
                          env={**os.environ, "ROOFTILE_EMULATOR_COUNT": "1"})
    found = COUNTS.search(done.stderr)
    if done.returncode or not found:
        sys.exit(f"{chip} {element} {transposes} {plan}: {done.stdout}{done.stderr}")
    return int(found[3]) / max(1, int(found[2]))


def main():
    chip, wrong, products = sys.argv[1], 0, 0
    for element in ("f32", "f64", "f16"):
        for transposes in ("nn", "nt", "tn", "tt"):
            plan = pick(chip, element, transposes)
            counted = share(chip, element, transposes, plan)
            limit = WIDER.get(chip, {}).get(element, LIMIT)
            products += 1
            wrong += counted > limit
            if counted > limit or "--show" in sys.argv:
                print(f"{element} {transposes}: {100 * counted:.0f} % of the clocks of LDS: {plan}")
    # 16 elements along K and no padding: rows of A meet in the same banks.
    lanes = "[8, 4]" if chip == "gfx1100" else "[8, 8]"
    meets = share(chip, "f32", "nn", f"plan(<macro = [64, 64, 16], micro = [4, 4], lanes = {lanes}, vector = 4, a = "
                  "<via = shared, vector = 4>, b = <via = shared, vector = 4>>)")
    if meets < 0.1:
        sys.exit(f"{chip}: a tile that is transposed without padding has no conflicts: {meets}")
    print(f"{chip}: {products} products, {wrong} with conflicts of banks")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
