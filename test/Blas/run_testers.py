"""Runs the testers of BLAS level 3 (Debian's libblas-test) on a BLAS in place.

run_testers.py FOLDER LIBRARY KIND TYPE [SIZES [ROUTINES]]: FOLDER holds the testers, LIBRARY is loaded before
all others, KIND is fortran or c, TYPE is s, d, c or z, SIZES are those of all dimensions, ROUTINES some of those of the type. Prints what
the tester reports of each routine, and how many calls were taken, done without a product, and forwarded.
Exits 1 where the tester failed, or where a call was not taken.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROUTINES = {"s": "gemm symm trmm trsm syrk syr2k", "d": "gemm symm trmm trsm syrk syr2k",
            "c": "gemm hemm symm trmm trsm herk syrk her2k syr2k",
            "z": "gemm hemm symm trmm trsm herk syrk her2k syr2k"}
SCALARS = {False: ("0.0 1.0 0.7", "0.0 1.0 1.3"),
           True: ("(0.0,0.0) (1.0,0.0) (0.7,-0.9)", "(0.0,0.0) (1.0,0.0) (1.3,-1.1)")}


def input_of(kind, letter, sizes, routines):
    alphas, betas = SCALARS[letter in "cz"]
    lines = ["'out.txt'", "6"] if kind == "fortran" else []  # the summary: a file, or the output
    lines += ["'SNAP'", "-1", "F", "F", "T"]  # no snapshot; error exits are tested
    lines += ["2"] if kind == "c" else []  # both orders
    lines += ["16.0", str(len(sizes.split())), sizes, "3", alphas, "3", betas]
    for routine in ROUTINES[letter].split():
        name = letter + routine
        name = f"cblas_{name}".ljust(12) if kind == "c" else name.upper().ljust(6)
        lines.append(f"{name} {'T' if routine in routines else 'F'}")
    return "\n".join(lines) + "\n"


def passes(text, kind, letter, routines):
    """Whether each routine passed the tests of its results and of its errors."""
    verdicts = 1 if kind == "fortran" else 2
    for routine in routines:
        name = letter + routine
        name = f"cblas_{name}" if kind == "c" else name.upper()
        lines = [line for line in text.splitlines() if line.split()[:1] == [name]]
        results = sum("PASSED THE" in line and "COMPUTATIONAL TESTS" in line for line in lines)
        errors = sum("PASSED THE TESTS OF ERROR-EXITS" in line for line in lines)
        if results != verdicts or errors != 1:
            print(f"{name}: not passed")
            return False
    return "FAIL" not in text and "*****" not in text


def main():
    folder, library, kind, letter = sys.argv[1:5]
    sizes = sys.argv[5] if len(sys.argv) > 5 else "0 1 2 3 5 9"
    routines = sys.argv[6].split() if len(sys.argv) > 6 else ROUTINES[letter].split()
    tester = f"xblat3{letter}" if kind == "fortran" else f"x{letter}cblat3"
    environment = dict(os.environ, LD_PRELOAD=library, ROOFTILE_LOG="calls")
    with tempfile.TemporaryDirectory() as place:
        result = subprocess.run([os.path.join(folder, tester)], cwd=place, env=environment,
                                input=input_of(kind, letter, sizes, routines), capture_output=True, text=True)
        summary = Path(place, "out.txt")
        text = result.stdout + (summary.read_text() if summary.exists() else "")
    print("\n".join(line for line in text.splitlines() if "PASSED" in line or "*" in line))
    calls = collections.Counter(re.findall(r"^rooftile_blas: (.)(.*?) \S+ \S+: (\w+): ",
                                           result.stderr, re.M))
    strange = [line for line in result.stderr.splitlines() if not line.startswith("rooftile_blas: ")]
    print("\n".join(strange))
    fits = passes(text, kind, letter, routines) and result.returncode == 0
    for routine in routines:
        counts = {what: calls[letter, routine, what] for what in ("taken", "done", "forwarded")}
        print(letter + routine, *[f"{what} {count}" for what, count in counts.items()])
        fits &= counts["forwarded"] == 0 and counts["taken"] > 0
    print("passed" if fits else "failed")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
