"""Deletes one instruction after another from AMD code objects: how many of these defects are noticed.

amd_mutants.py CHIP COUNT SEED [--show]: COUNT mutants of CASES, an instruction chosen at random each. Exits 1 where a
case is wrong without a defect, or fewer than LEAST of the mutants are noticed. --show prints the others.
"""

import os
import random
import re
import subprocess
import sys

LEAST = 0.85
LIMIT = 20  # seconds
CASES = [
    "m=57 n=59 k=43 layout=gap macro=32x32x8 micro=4x4",
    "type=f64 op=tt m=59 n=57 k=53 layout=gap macro=32x32x8 micro=2x2 stages=2 beta=2",
    "type=c64 op=cn m=29 n=27 k=27 layout=gap macro=16x16x8 micro=2x2 beta=1:0.5",
    "type=bf16 m=57 n=59 k=60 layout=gap macro=32x32x16 micro=2x2",
    "op=nt m=61 n=125 k=37 layout=gap macro=32x64x16 micro=32x1 depth=8 scalar=a via=b major=both load=4 prefetch=1 stages=1",
    "m=29 n=31 k=300 macro=16x16x8 micro=2x2 splits=3 reduction=workspace",
    "type=f16/f16/f32 m=93 n=123 k=60 macro=auto layout=gap",
    "routine=trsm m=125 n=59",
]


def run(case, chip, mutation=""):
    environment = {**os.environ, **({"ROOFTILE_EMULATOR_MUTATE": mutation} if mutation else {})}
    command = ["gemm-run", "--device=amd-emulator", f"--chip={chip}", f"--case={case}"]
    try:
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT)
    except subprocess.TimeoutExpired:  # a loop without its counter: noticed
        return subprocess.CompletedProcess(command, 124, "", "")


def main():
    chip, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw, noticed = random.Random(seed), 0
    for case in CASES:
        done = run(case, chip)
        if done.returncode:
            sys.exit(f"{case}: wrong without a defect\n{done.stdout}{done.stderr}")
    for _ in range(count):
        case = draw.choice(CASES)
        done = run(case, chip, f"any:{draw.randrange(10**9)}")
        noticed += done.returncode != 0
        if done.returncode == 0 and "--show" in sys.argv:
            deleted = re.findall(r"deleted '(.*)'", done.stderr)
            print(f"{case}: not noticed: {', '.join(deleted)}")
    print(f"{chip}: {noticed} of {count} mutants are noticed")
    return 0 if noticed >= LEAST * count else 1


if __name__ == "__main__":
    sys.exit(main())
