#!/usr/bin/env python3
"""Operations over several GPUs beside one GPU, with Rooftile's products and with PyTorch's.

    torchrun --standalone --nproc-per-node=2 benchmarks/several_gpus.py --csv=several.csv --time=540
    torchrun --standalone --nproc-per-node=2 benchmarks/several_gpus.py --list
    torchrun --standalone --nproc-per-node=3 benchmarks/several_gpus.py --device=cpu \\
        --orders=100 --rows=1000 --only='gemm f64|cholesky'

One process for each GPU. Of each case the whole problem is computed on one GPU first, by each
process at once; then all compute it together. *Strong*: the same problem. *Weak*: it grows with the
number of processes in the direction that is cut, so that each has the work of one GPU.

gemm             C = A B, squares of --orders. rows, columns: A by rows, or B by columns, the other
                 operand is whole everywhere and nothing is sent. k: both are cut along K, and C is
                 summed over processes. gather: A and B by rows; B is gathered. Panels of what is
                 sent overlap with products (rooftile.torch.distributed.matmul).
gram-schmidt     two passes on --rows x --columns against a basis of as many columns, by rows:
                 sums of small matrices are sent.
trsm             of a lower triangle that is whole everywhere, by right-hand sides.
cholesky         by block columns of --block in turn; the next one is factored and sent while the
                 others are updated. On one GPU also torch.linalg.cholesky ("torch.linalg").

Times: both libraries in turn, there and back; medians of at least three samples, each of as many
calls as last 20 ms. Together the GPUs meet before a sample, and the slowest counts. On one GPU the
fastest process counts (one_ms), so an efficiency, one GPU's time by that of all times their number,
is not flattered by a slow GPU; the slowest one is noted beside it.

Right: 64 rows of the result, computed anew in f64, and those of one GPU. Bits: each bit of the
result after two runs and after the samples; `digest` compares runs of this program.

Sums over processes have one order for a number of GPUs: those of gram-schmidt that of ranks, those
of gemm by k that of NCCL's ring (NCCL_ALGO=Ring, NCCL_PROTO=Simple, unless --any-order).
NVLink multicast is off (NCCL_NVLS_ENABLE=0): the switch would add, in an order of its own.

A file of --csv goes on: what it has is not measured again, so a run may be cut into parts, and a
file holds those of 2, 4 and 8 GPUs. --rehearse shows what happens where a process fails.
"""
import argparse
import csv
import datetime
import os
import pathlib
import re
import sys

import torch
from scaling import cases
from scaling.bench import Bench, Case
from scaling.ranks import FIXED_ORDER, WITHOUT_MULTICAST, Failure, Processes

ORDERS = {"gemm": (8192, 16384, 32768, 65536), "trsm": (8192, 16384, 32768, 65536),
          "cholesky": (8192, 16384, 32768, 65536)}
COLUMNS = ("operation", "type", "order", "placement", "scaling", "ranks", "library", "ms",
           "one_ms", "one_slowest_ms", "rate", "unit", "efficiency", "ratio", "verified", "error",
           "difference", "bits_equal", "digest", "samples", "card")
KEY = COLUMNS[:5]


def listed(options):
    """All cases: small ones first, so that a run that is cut off has some of all."""
    found = []
    for operation, of in cases.OPERATIONS.items():
        default = (options.rows,) if operation == "gram-schmidt" else ORDERS[operation]
        orders = default if operation == "gram-schmidt" else options.orders or default
        kinds = [kind for kind in options.types or cases.TYPES[operation]
                 if kind in cases.ACCEPTED[operation]]
        found += [Case(operation, kind, order, placement, scaling) for order in orders
                  for kind in kinds for placement in of.placements
                  for scaling in ("strong", "weak")]
    wanted = re.compile(options.only)
    found = [case for case in found if wanted.search(str(case))]
    return sorted(found, key=lambda case: case.flops(options))



class Results:
    """The file of --csv, written by the first process; what it has is not measured again."""

    def __init__(self, path, processes, options):
        self.path, self.done = path, set()
        if path is None:
            return
        if not path.exists() or not path.read_text():
            self.begin(processes, options)
        header = [line for line in path.read_text().splitlines() if line.startswith("#")]
        chip = f"# chip: {processes.card}"
        if chip not in header:
            sys.exit(f"{path} has no line '{chip}'; expected a file of this chip, or a new one")
        with open(path, newline="") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            self.done = {tuple(row[name] for name in KEY) for row in rows
                         if row["ranks"] == str(processes.size)}

    def begin(self, processes, options):
        variables = " ".join(f"{name}={os.environ.get(name, '')}"
                             for name in (*WITHOUT_MULTICAST, *FIXED_ORDER))
        nccl = ".".join(map(str, torch.cuda.nccl.version())) if options.device == "cuda" else "none"
        lines = [f"chip: {processes.card}", f"date: {datetime.date.today()}",
                 f"pytorch: {torch.__version__}", f"nccl: {nccl}", f"backend: {options.backend}",
                 f"environment: {variables}", f"panels: {options.panels or 'default'}",
                 f"block: {options.block}"]
        with open(self.path, "w", newline="") as file:
            file.writelines(f"# {line}\n" for line in lines)
            csv.writer(file, lineterminator="\n").writerow(COLUMNS)

    def add(self, rows):
        if self.path is not None:
            with open(self.path, "a", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
                writer.writerows(rows)


def summary(rows):
    """Times, efficiencies and checks of a case, for a line."""
    words = []
    rows = [row for row in rows if row["placement"] != "one"]
    for row in rows:
        words.append(f"{row['library']} {float(row['ms']):.3g} ms, "
                     f"{100 * float(row['efficiency']):.1f} %, {row['rate']} {row['unit']}"
                     f"{'' if row['verified'] == 'yes' else ', WRONG'}"
                     f"{'' if row['bits_equal'] == 'yes' else ', BITS DIFFER'}")
    return "; ".join(words) + f"; ratio {rows[0]['ratio'] or '-'}"


def run_all(todo, bench, results):
    """Lines of progress; a number of cases that were wrong or had no time."""
    wrong, late, measured = 0, [], 0
    say = print if bench.processes.rank == 0 else lambda *_, **__: None
    for number, case in enumerate(todo, 1):
        if case.bytes(bench.setting) > bench.memory:
            say(f"{number}/{len(todo)} {case}: left out: the problem of one GPU has "
                f"{case.bytes(bench.setting) / 1e9:.0f} GB, its memory {bench.memory / 1e9:.0f}")
            continue
        if not bench.processes.first(bench.predicted(case) < bench.left()):
            late.append(case)
            continue
        bench.processes.wait()
        measured += 1
        try:
            rows = bench.run(case)
        except Failure as failure:
            say(f"{number}/{len(todo)} {case}: not measured: {failure}", flush=True)
            wrong += 1
            continue
        if bench.processes.rank == 0:
            results.add(rows)
        wrong += any(row["library"] == "rooftile" and "no" in (row["verified"], row["bits_equal"])
                     for row in rows)
        say(f"{number}/{len(todo)} {case}: {summary(rows)} "
            f"[{max(0, bench.left()):.0f} s left]", flush=True)
    if late:
        say(f"{len(late)} cases had no time; the same command goes on with them: "
            f"{', '.join(map(str, late))}")
    say(f"{measured} cases, {wrong} of them wrong or not measured")
    return wrong


def read_options():
    text, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=text, epilog=details,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)

    def numbers(text):
        return tuple(int(each) for each in text.split(","))

    add = parser.add_argument
    add("--csv", type=pathlib.Path, help="rows of results; a file that exists goes on")
    add("--only", default="", help="a regular expression of cases, as --list prints them")
    add("--time", type=float, default=540, help="seconds: no case starts that would end later")
    add("--seconds", type=float, default=1, help="of samples, for a library and a case")
    add("--orders", type=numbers, help="of gemm, trsm and cholesky, as 8192,16384")
    add("--types", type=lambda text: text.split(","), help="as f32,f64,c64,c128,bf16")
    add("--rows", type=int, default=10**8, help="of gram-schmidt")
    add("--columns", type=int, default=32, help="of gram-schmidt")
    add("--block", type=int, default=512, help="columns of a block column of cholesky")
    add("--panels", type=int, help="of the communication of gemm; else those that matmul chooses")
    add("--device", choices=("cuda", "cpu"), default="cuda")
    add("--backend", help="nccl for cuda, gloo for cpu")
    add("--timeout", type=float, default=120, help="seconds that a process waits for the others")
    add("--any-order", action="store_true", help="NCCL chooses its algorithms")
    add("--mixed", action="store_true", help="run on chips of several kinds")
    add("--rehearse", default="", help="raise:1, kill:1 or stall:1: that process fails")
    add("--list", action="store_true", help="print the cases alone")
    options = parser.parse_args()
    options.backend = options.backend or {"cuda": "nccl", "cpu": "gloo"}[options.device]
    for kind in options.types or ():
        if kind not in cases.KINDS:
            parser.error(f"type '{kind}'; expected {', '.join(cases.KINDS)}")
    if not re.fullmatch(r"((raise|kill|stall):\d+)?", options.rehearse):
        parser.error(f"--rehearse={options.rehearse}; expected raise:1, kill:1 or stall:1")
    return options


def main():
    options = read_options()
    every = listed(options)
    if not every:
        sys.exit(f"error: no case matches --only='{options.only}' of these types; --list prints "
                 "all of them")
    if options.list:
        if os.environ.get("RANK", "0") == "0":
            print(*every, sep="\n")
        return
    processes = Processes(options)
    wrong = 1
    try:
        results = processes.everywhere(lambda: Results(
            options.csv if processes.rank == 0 else None, processes, options))
        done = processes.first(results.done)
        todo = [case for case in every if case.key not in done]
        if processes.rank == 0:
            print(f"{processes.size} of {processes.card}; {len(todo)} cases to measure, "
                  f"{len(every) - len(todo)} are in the file", flush=True)
        wrong = run_all(todo, Bench(options, processes), results)
    except Failure as failure:
        processes.end(f"error: rank {processes.rank}: {failure}", 1)
    except Exception as error:
        processes.fail(error)
    processes.wait()
    processes.end("", 1 if wrong else 0)


if __name__ == "__main__":
    main()
