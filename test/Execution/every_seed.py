"""Runs a gemm-run command with the order seeds 1 .. 10, or fewer.

every_seed.py [--seeds=N] REGEX COMMAND...: exits 0 when every run fails with output that matches REGEX. A defect that
only some orders of the threads show would pass a test of one seed by luck.
"""

import re
import subprocess
import sys

def main():
    arguments, count = sys.argv[1:], 10
    if arguments[0].startswith("--seeds="):
        count = int(arguments.pop(0).split("=")[1])
    pattern, command = arguments[0], arguments[1:]
    missed = []
    for seed in range(1, count + 1):
        run = subprocess.run(command + [f"--seed={seed}"], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        if run.returncode != 1 or not re.search(pattern, run.stdout):
            missed.append(seed)
            print(f"seed {seed}: exit status {run.returncode}\n{run.stdout}")
    print(f"{count - len(missed)} of {count} seeds fail as expected")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
