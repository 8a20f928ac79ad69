"""Programs with and without librooftile_cublas.so: equal results, and their times.

cublas_in_place.py build/lib/librooftile_cublas.so [--csv OUT.csv] [--rounds 2] [--products 60]

Needs a GPU and PyTorch; CuPy and JAX are tried where they are installed. Every program runs in a
process of its own, once plain and once with LD_PRELOAD. Times are medians, by events: of calls as a
program makes them, which for short kernels are times of the host, and of calls that were captured
into a graph. Of both sides the best of the rounds counts, whose order is there and back.
"""
import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

import cublas_programs

PROGRAMS = ("cupy", "jax", "linalg")


class Runner:
    def __init__(self, library, products):
        self.library, self.products = os.path.abspath(library), products

    def run(self, program, preload, mode="model", log=False):
        """Output of the program as JSON, and the lines of the log."""
        environment = dict(os.environ, ROOFTILE_CUBLAS=mode)
        if preload:
            environment["LD_PRELOAD"] = self.library
        if log:
            environment["ROOFTILE_LOG"] = "calls"
        with tempfile.TemporaryFile("w+") as errors:
            done = subprocess.run(
                [sys.executable, cublas_programs.__file__, program, str(self.products)],
                env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, check=False)
            errors.seek(0)
            lines = errors.read().splitlines()
        if done.returncode:
            print("\n".join(lines[-20:]))
            sys.exit(f"{program} {'under' if preload else 'without'} the library returned "
                     f"{done.returncode}")
        calls = [line[len("rooftile: "):] for line in lines if line.startswith("rooftile: ")]
        return json.loads(done.stdout.splitlines()[-1]), calls


def split(call):
    """Function and sizes, "taken" or "forwarded", why."""
    what, verdict, why = (call.split(": ", 2) + ["", ""])[:3]
    return what, verdict, why


def count(calls):
    verdicts = [split(call)[1] for call in calls]
    return f"{verdicts.count('taken')} calls taken, {verdicts.count('forwarded')} forwarded"


def check_programs(runner):
    """Whether results of other frameworks stay the same where all is taken that can be."""
    failed = False
    for program in PROGRAMS:
        plain, _ = runner.run(program, preload=False)
        if "missing" in plain:
            print(f"{program}: {plain['missing']}")
            continue
        for mode in ("model", "always"):
            found, calls = runner.run(program, preload=True, mode=mode, log=True)
            worst = max(found["errors"].values())
            before = max(plain["errors"].values())
            failed |= not worst <= max(1, 4 * before)
            print(f"{program}, ROOFTILE_CUBLAS={mode}: {count(calls)}; largest error {worst:.3f} "
                  f"of the bound, {before:.3f} without the library")
            for why in sorted({split(call)[2] for call in calls if split(call)[1] == "forwarded"
                               and "predicted" not in call}):
                print(f"  forwarded: {why}")
    return failed


def times(runner, program, rounds):
    """Seconds of each product, plain and under the library: the best of the rounds."""
    best = {False: None, True: None}
    for number in range(rounds):
        for preload in (False, True) if number % 2 == 0 else (True, False):
            found, _ = runner.run(program, preload)
            if max(found.get("errors", [0])) > 1:
                print(f"{program}: an error of {max(found['errors']):.3f} of the bound, "
                      f"{'under' if preload else 'without'} the library")
            old = best[preload]
            best[preload] = [min(pair) for pair in zip(old or found["seconds"], found["seconds"])]
    return best[False], best[True]


def geomean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios)) if ratios else math.nan


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def compare(runner, rounds):
    """A row for each product."""
    checked, calls = runner.run("results", preload=True, log=True)
    plain, _ = runner.run("results", preload=False)
    if len(calls) != len(checked["errors"]):
        print(f"{len(checked['errors'])} products made {len(calls)} calls: the columns of what was "
              "taken are left empty")
        calls = [""] * len(checked["errors"])
    rows = []
    before, after = times(runner, "times", rounds)
    graph_before, graph_after = times(runner, "graph", rounds)
    for i, product in enumerate(cublas_programs.draw(runner.products)):
        what, verdict, why = split(calls[i])
        difference = max((abs(x - y) / bound for x, y, bound in zip(
            checked["samples"][i], plain["samples"][i], plain["bounds"][i])), default=0)
        rows.append({"product": str(product), "call": what, "verdict": verdict, "why": why,
                     "plain_us": f"{before[i] * 1e6:.3f}", "ours_us": f"{after[i] * 1e6:.3f}",
                     "ratio": f"{before[i] / after[i]:.4f}",
                     "plain_graph_us": f"{graph_before[i] * 1e6:.3f}",
                     "ours_graph_us": f"{graph_after[i] * 1e6:.3f}",
                     "graph_ratio": f"{graph_before[i] / graph_after[i]:.4f}",
                     "error": f"{checked['errors'][i]:.4f}",
                     "plain_error": f"{plain['errors'][i]:.4f}", "difference": f"{difference:.4f}"})
    return rows


def tell(rows, column, of):
    """Geometric means, and the worst products."""
    def ratio(row):
        return float(row[column])
    taken = [ratio(row) for row in rows if row["verdict"] == "taken"]
    print(f"{of}: {len(rows)} products {geomean(list(map(ratio, rows))):.3f} times as fast in the "
          f"geometric mean; the {len(taken)} that are taken {geomean(taken):.3f}")
    prefix = column.removesuffix("ratio")
    for row in sorted(rows, key=ratio)[:6]:
        print(f"  {row[column]} {row['product']}: {row[f'plain_{prefix}us']} us, "
              f"{row[f'ours_{prefix}us']} us, {row['verdict']}: {row['why']}")


def summarize(rows):
    """True where a result is wrong. Errors are parts of the bound of componentwise rounding."""
    tell(rows, "ratio", "calls")
    tell(rows, "graph_ratio", "graphs")
    worst = max(rows, key=lambda row: float(row["error"]))
    difference = max(rows, key=lambda row: float(row["difference"]))
    print(f"largest error: {worst['error']} of the bound, {worst['product']}; largest difference "
          f"between both: {difference['difference']} of it, {difference['product']}")
    return float(worst["error"]) > 1 or float(difference["difference"]) > 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--csv")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--products", type=int, default=60)
    options = parser.parse_args()
    runner = Runner(options.library, options.products)
    rows = compare(runner, options.rounds)
    if options.csv:
        write(options.csv, rows)
    failed = summarize(rows)
    failed |= check_programs(runner)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
