"""Runs a part of every list of cases as AMD code objects, in the emulator.

run_lists.py CHIP PART FOLDER: the pairwise sample of each line of FOLDER/*.cases, of whose kernels this
chip has every twentieth one, from PART (1 .. 20) on; cases whose plans do not fit the chip are counted. Exits
0 when all others are right.
"""

import glob
import os
import re
import subprocess
import sys

# 2,000 kernels by themselves, and as many waves as there are columns: a sample of fewer.
SAMPLES = {"tall-skinny.cases": "20"}
SUMMARY = re.compile(r": (\d+) cases, \d+ kernels, (\d+) failed, plans of (\d+) cases do not fit")


def run(path, chip, part):
    """The output of gemm-run where something is wrong, and counts of cases, failures and cases that do not fit."""
    sample = SAMPLES.get(os.path.basename(path), "pairwise")
    done = subprocess.run(["gemm-run", "--device=amd-emulator", f"--chip={chip}", path,
                           f"--sample={sample}", f"--part={part}/20", "--only-fitting"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = SUMMARY.search(done.stdout)
    if done.returncode or not found:
        return done.stdout or "no output", [0, 1, 0]
    return "", [int(count) for count in found.groups()]


def main():
    chip, part, folder = sys.argv[1:]
    paths = sorted(glob.glob(os.path.join(folder, "*.cases")))
    totals = [0, 0, 0]
    for path in paths:
        said, counts = run(path, chip, part)
        totals = [total + count for total, count in zip(totals, counts)]
        if said:
            print(f"{os.path.basename(path)}:\n{said}")
    cases, failed, unfit = totals
    print(f"{chip}: {len(paths)} lists, {cases - unfit} cases, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
