"""Runs every list of cases, or module, of folders in the form of executables.

executables.py FOLDER...: of each line of a list (*.cases) a case, of each module (*.mlir) all
functions, beside upstream's loops. Exits 0 when all are right.
"""

import glob
import os
import subprocess
import sys

COMMAND = ["gemm-run", "--device=cpu", "--form=executable"]


def run(path):
    """The output of gemm-run where something is wrong, else an empty string."""
    how = ["--sample=1"] if path.endswith(".cases") else ["--against=loops"]
    done = subprocess.run(COMMAND + how + [path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    return done.stdout or "no output" if done.returncode else ""


def main():
    paths = []
    for folder in sys.argv[1:]:
        for pattern in ("*.cases", "*.mlir") if "Execution" not in folder else ("*.cases",):
            paths += sorted(glob.glob(os.path.join(folder, pattern)))
    wrong = 0
    for path in paths:
        if said := run(path):
            wrong += 1
            print(f"{os.path.basename(path)}:\n{said}")
    print(f"{len(paths)} files, {wrong} failed")
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
