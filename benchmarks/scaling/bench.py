"""Measurements of cases: on one GPU and on all, with both libraries in turn, as rows of a file."""
import gc
import os
import signal
import statistics
import time

import rooftile.torch
import torch
from scaling import cases, matrices, plain
from scaling.ranks import Failure

LIBRARIES = {"rooftile": rooftile.torch, "torch": plain}
LEAST_SAMPLES, MOST_SAMPLES, SAMPLE = 3, 25, 0.02  # seconds
ASSUMED = {"cuda": 20e12, "cpu": 2e8}  # flops a second, before anything is measured
MATRIX_UNITS = 10  # times as many of 16-bit types


class Case:
    """A row of the list: what is spread, and how."""

    def __init__(self, operation, kind, order, placement, scaling):
        self.operation, self.kind, self.order = operation, kind, order
        self.placement, self.scaling = placement, scaling
        self.key = (operation, kind, str(order), placement, scaling)

    def __str__(self):
        return " ".join(self.key)

    def sizes(self, setting, ranks):
        of = cases.OPERATIONS[self.operation]
        return of.sizes_of(self.order, setting, ranks, self.placement)

    def flops(self, setting):
        """Flops of the problem of one GPU."""
        of = cases.OPERATIONS[self.operation]
        return of.flops_of(self.kind, self.sizes(setting, 1))

    def bytes(self, setting):
        """Bytes of the operands and the result of one GPU."""
        of = cases.OPERATIONS[self.operation]
        return of.elements_of(self.sizes(setting, 1)) * matrices.BYTES[self.kind]

    def make(self, setting, alone):
        """The whole problem of one GPU, or that of all."""
        ranks = 1 if alone or self.scaling == "strong" else setting.processes.size
        return cases.OPERATIONS[self.operation](setting, self.kind, self.sizes(setting, ranks),
                                                "one" if alone else self.placement)


class Measurement:
    """Medians of both libraries for one operation, and whether results are right."""

    def __init__(self, operation, whole=None):
        self.operation, self.whole = operation, whole
        self.ms, self.right, self.error, self.difference = {}, {}, {}, {}
        self.bits, self.digest, self.sample, self.samples = {}, {}, {}, 0

    def check(self, name):
        """After a run: errors, and differences from one GPU."""
        of = self.operation
        self.error[name] = of.error()
        whole = self.whole and self.whole.get(name)
        self.difference[name] = 0.0 if whole is None else of.difference(whole)
        rounding = matrices.ROUNDING[of.kind]
        near = self.difference[name] <= 64 * max(of.sizes) ** 0.5 * rounding
        self.right[name] = self.error[name] <= 1 and near
        if of.alone:
            self.sample[name] = of.sample()


class Bench:
    def __init__(self, options, processes):
        self.options, self.processes = options, processes
        self.setting = cases.Setting(processes, options)
        self.memory = processes.memory()
        self.start = time.monotonic()
        self.alone = {}    # measurements of one GPU
        self.speed = {}    # flops a second of one GPU, by operation and type

    # One operation

    def digest(self, operation):
        own = matrices.digest(operation.result)
        every = [own] if operation.alone else self.processes.gather(own)
        return sum(each * (2 * rank + 1) for rank, each in enumerate(every)) % 2**64

    def libraries(self, operation):
        found = {name: (lambda products=products: operation.run(products))
                 for name, products in LIBRARIES.items()}
        if operation.alone and isinstance(operation, cases.Cholesky):
            found["torch.linalg"] = operation.run_whole
        return found

    def measure(self, operation, whole=None):
        found = Measurement(operation, whole)
        calls = self.libraries(operation)
        estimate = 0
        for name, call in list(calls.items()):
            operation.poison()
            operation.restore()
            self.rehearse(operation)
            if not self.compiles(name, call):
                del calls[name]
                continue
            found.check(name)
            found.digest[name] = self.digest(operation)
            operation.restore()
            own = self.processes.seconds(call, 1, not operation.alone)
            estimate = max(estimate, self.processes.largest(own))
            found.bits[name] = self.digest(operation) == found.digest[name]
        times = self.samples(operation, calls, estimate)
        for name, call in calls.items():
            operation.restore()
            call()
            found.bits[name] &= self.digest(operation) == found.digest[name]
            found.ms[name] = [1e3 * each for each in
                              self.processes.gather(statistics.median(times[name]))]
        found.samples = len(times["rooftile"])
        return found

    def compiles(self, name, call):
        """Runs it. Where PyTorch's products lack memory, ours are measured alone."""
        try:
            self.processes.everywhere(call)
        except Failure as failure:
            if name == "rooftile":
                raise
            if self.processes.rank == 0:
                print(f"{name} is left out: {failure}", flush=True)
            return False
        return True

    def samples(self, operation, calls, estimate):
        """Seconds by library: in turn, there and back."""
        count = round(self.options.seconds / max(estimate, SAMPLE))
        count = min(max(count, LEAST_SAMPLES), MOST_SAMPLES)
        repeats = 1 if operation.restores else min(max(1, round(SAMPLE / max(estimate, 1e-6))), 50)
        times = {name: [] for name in calls}
        for number in range(count):
            for name in list(calls)[::-1 if number % 2 else 1]:
                if operation.restores:
                    operation.restore()
                times[name].append(self.processes.seconds(calls[name], repeats,
                                                          not operation.alone))
        return times

    def rehearse(self, operation):
        """Fails as --rehearse requests, in the first operation that is spread."""
        what, _, rank = self.options.rehearse.partition(":")
        if operation.alone or not what or int(rank) != self.processes.rank:
            return
        if what == "raise":
            raise RuntimeError("rehearsed: an error of one process")
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(1e6)  # stall

    # One case

    def prepare(self, make):
        """An operation, where all processes have memory for its operands."""
        gc.collect()
        if self.processes.device_type == "cuda":
            torch.cuda.empty_cache()
        return self.processes.everywhere(make)

    def one(self, case):
        """The problem on one GPU: measured once for all placements and scalings of it."""
        key = (case.operation, case.kind, case.sizes(self.setting, 1))
        if key not in self.alone:
            operation = self.prepare(lambda: case.make(self.setting, True))
            found = self.measure(operation)
            fastest = min(found.ms["rooftile"])
            self.speed[case.operation, case.kind] = operation.flops / fastest * 1e3
            found.operation = None  # its memory
            self.alone[key] = found
            return found, self.rows(case, operation, found, None)
        return self.alone[key], []

    def run(self, case):
        """Rows of the file."""
        one, rows = self.one(case)
        operation = self.prepare(lambda: case.make(self.setting, False))
        whole = one.sample if case.scaling == "strong" else None
        return rows + self.rows(case, operation, self.measure(operation, whole), one)

    def rows(self, case, operation, found, one):
        ranks, rows, both = operation.ranks, [], "torch" in found.ms
        for name, times in found.ms.items():
            if one and name not in one.ms:
                continue
            ms = max(times) if one else min(times)
            amount, unit = ((operation.moved * 1e-6, "GB/s") if hasattr(operation, "moved")
                            else (operation.flops * 1e-9, "TFLOP/s"))
            row = {"operation": case.operation, "type": case.kind, "order": case.order,
                   "placement": operation.placement, "scaling": case.scaling if one else "",
                   "ranks": ranks, "library": name, "ms": f"{ms:.4f}", "rate": f"{amount / ms:.4g}",
                   "unit": unit,
                   "ratio": f"{max(found.ms['torch']) / max(times):.4f}" if both else "",
                   "verified": "yes" if found.right[name] else "no",
                   "error": f"{found.error[name]:.3g}", "samples": found.samples,
                   "difference": f"{found.difference[name]:.3g}",
                   "bits_equal": "yes" if found.bits[name] else "no",
                   "digest": f"{found.digest[name]:016x}", "card": self.processes.card}
            fastest, slowest = (min(one.ms[name]), max(one.ms[name])) if one else (ms, max(times))
            row |= {"one_ms": f"{fastest:.4f}", "one_slowest_ms": f"{slowest:.4f}"}
            if one:
                work = ranks if case.scaling == "strong" else 1
                if case.scaling == "weak" and case.operation == "cholesky":
                    work = ranks * case.order**3 / operation.sizes[0] ** 3
                row["efficiency"] = f"{fastest / (ms * work):.4f}"
            rows.append(row)
        return rows

    def predicted(self, case):
        """Seconds of a case: both libraries run seven times or more, on one GPU and on all."""
        assumed = ASSUMED[self.processes.device_type]
        assumed *= MATRIX_UNITS if matrices.BYTES[case.kind] == 2 else 1
        speed = self.speed.get((case.operation, case.kind), assumed)
        share = 1 / self.processes.size if case.scaling == "strong" else 1
        is_known = (case.operation, case.kind, case.sizes(self.setting, 1)) in self.alone
        run = case.flops(self.setting) / speed
        return 2 + 2 * (4 + LEAST_SAMPLES) * run * (share + (not is_known))

    def left(self):
        return self.options.time - (time.monotonic() - self.start)
