"""Compares the instructions that planning counts with those of AMD code, for some products.

isa_facts.py CHIP...: gemm-plan --isa for each of SHAPES. Prints, for each count, the median of its deviations, and
exits 1 where one is beyond LIMIT.
"""

import re
import statistics
import subprocess
import sys

LIMIT = 0.15
SHAPES = ["4096 4096 4096", "4096 4096 4096 --type=f64", "1000 1001 1003", "1024 512 2048 --op=tn", "777 2000 300 --op=nt",
          "2048 2048 2048 --type=c64", "900 1000 1100 --type=c128", "64 64 100000 --op=tn", "3000 48 3000", "300 300 300 --batch=64",
          "1500 1500 1500 --type=f64 --op=tt", "1024 1024 1024 --type=bf16"]
ROW = re.compile(r"^(their instructions|reads of LDS|writes of LDS|barriers|vector registers) +([\d.]+) +([\d.]+)", re.M)


def main():
    deviations = {}
    for chip in sys.argv[1:]:
        for shape in SHAPES:
            done = subprocess.run(["gemm-plan", *shape.split(), f"--chip={chip}", "--isa"], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{chip} {shape}: {done.stderr}")
            for name, planned, code in ROW.findall(done.stdout):
                if float(planned) or float(code):
                    deviations.setdefault(name, []).append(abs(float(planned) / max(float(code), 0.1) - 1))
    beyond = 0
    for name, all_of_it in deviations.items():
        median = statistics.median(all_of_it)
        beyond += median > LIMIT
        print(f"{name}: {100 * median:.0f} % off in the median of {len(all_of_it)}, {100 * max(all_of_it):.0f} % at most")
    return 1 if beyond or not deviations else 0


if __name__ == "__main__":
    sys.exit(main())
