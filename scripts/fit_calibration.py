#!/usr/bin/env python3
"""Fits the calibration of a chip to samples of gemm-tune, and says how good it is.

  gemm-tune fit h100=a.csv.xz h100=b.csv.xz --write lib/Target/Calibrations/Hopper.inc
  gemm-tune fit mychip.target=mychip.csv --write mychip.target

It begins with what counts for the chip now: its own calibration, else its nearest relative's.

Two things are minimised together: the differences of predicted and measured times, on a logarithmic
scale and with a robust loss, in which plans count the more the nearer they are to the best of their
shape; and what a choice among the plans of a shape loses that takes the fastest by the prediction.
The latter is made smooth: a plan is taken with a probability that falls with its predicted time.

The formula is the model's own: `gemm-tune predict` answers with the predictions for a calibration.
Standard errors come from the Jacobian of the differences. The cross-validation leaves out whole
shapes. Needs NumPy and SciPy. Columns of the report, for the plans timed of each shape: pick, how
near the predicted plan comes to the best (geometric mean, 5th percentile, worst); top 4, the same
for the best of the four predicted to be fastest; Kendall, the rank correlation. In front of it: how
well registers of a thread are modelled.
"""

import argparse
import csv
import lzma
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from scipy.optimize import least_squares, minimize
    from scipy.stats import kendalltau
except ImportError as missing:
    sys.exit(f"gemm-tune fit: error: {missing}, in {sys.executable}; it needs NumPy and SciPy; "
             "PYTHON=... names another interpreter")

SCALE = 0.08  # of logarithmic differences: beyond, the loss grows linearly
SOFTNESS = 0.04  # of logarithmic times: plans predicted that near are as likely to be taken
MOST_LOSS = 0.7  # of a choice, in logarithmic times: worse ones count as that
FITTED = "  // Fitted by gemm-tune fit"  # what follows in a target is replaced
OWN_SHARE = 0.5  # of the mean difference of a shape: the rest does not change its ranking


class Model:
    """gemm-tune predict on the samples."""

    def __init__(self, tool, samples):
        files = []
        self.folder = tempfile.TemporaryDirectory()
        for index, sample in enumerate(samples):
            chip, _, path = sample.partition("=")
            plain = os.path.join(self.folder.name, f"{index}.csv")
            try:
                opened = lzma.open(path, "rt") if path.endswith(".xz") else open(path)
                with opened as source, open(plain, "w") as target:
                    target.write(source.read())
            except (OSError, lzma.LZMAError, EOFError, UnicodeDecodeError) as why:
                sys.exit(f"gemm-tune fit: error: {path or sample}: {why}")
            files.append(f"{chip}={plain}")
        self.process = subprocess.Popen([tool, "predict"] + files, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.coefficients = list(self.table())
        self.rows = list(self.table())
        if not self.rows:
            sys.exit(self.process.wait() or "no row was verified")
        self.present = np.array([float(row["value"]) for row in self.coefficients])
        self.least = np.array([float(row["least"]) for row in self.coefficients])
        self.most = np.array([float(row["most"]) for row in self.coefficients])
        self.measured = np.log(np.array([float(row["ms"]) * 1e-3 for row in self.rows]))
        names, keys = {}, ("class", "shape")
        self.shapes = np.array([names.setdefault(tuple(row[key] for key in ("chip", *keys)),
                                                 len(names)) for row in self.rows])
        names = {}  # shapes of several chips are left out together
        self.folded = np.array([names.setdefault(tuple(row[key] for key in keys), len(names))
                                for row in self.rows])

    def table(self):
        """A CSV table that an empty line ends."""
        lines = iter(self.process.stdout.readline, "")
        return csv.DictReader(iter(lambda: next(lines, "\n"), "\n"))

    def __call__(self, values):
        """Logarithms of the predicted seconds of all rows."""
        self.process.stdin.write(" ".join(f"{value:.12g}" for value in values) + "\n")
        self.process.stdin.flush()
        return np.log(np.fromstring(self.process.stdout.readline(), sep=" "))


class Fit:
    """The coefficients that suit the rows of some shapes."""

    def __init__(self, model, shapes, weight):
        self.model, self.weight = model, weight
        self.rows = np.isin(model.shapes, shapes)
        _, self.shapes = np.unique(model.shapes[self.rows], return_inverse=True)
        self.count = len(shapes)
        self.measured = model.measured[self.rows]
        best = np.full(self.count, np.inf)
        np.minimum.at(best, self.shapes, self.measured)
        self.lost = np.minimum(self.measured - best[self.shapes], MOST_LOSS)
        self.weights = np.exp(best[self.shapes] - self.measured)

    def differences(self, predicted):
        error = predicted - self.measured
        mean = (np.bincount(self.shapes, self.weights * error) /
                np.bincount(self.shapes, self.weights))
        return self.weights * (error - (1 - OWN_SHARE) * mean[self.shapes])

    def regret(self, predicted):
        first = np.full(self.count, np.inf)
        np.minimum.at(first, self.shapes, predicted)
        taken = np.exp((first[self.shapes] - predicted) / SOFTNESS)
        return np.mean(np.bincount(self.shapes, taken * self.lost) /
                       np.bincount(self.shapes, taken))

    def loss(self, values):
        predicted = self.model(values)[self.rows]
        differences = self.differences(predicted) / SCALE
        robust = SCALE * np.mean(np.sqrt(1 + differences**2) - 1)
        return robust + self.weight * self.regret(predicted)

    def run(self, start, iterations):
        """From `start`: the differences alone, then both."""
        free = self.used(start)
        least, most = self.model.least[free], self.model.most[free]
        scale = np.maximum(np.abs(start[free]), 0.05 * (most - least))

        def whole(z):
            values = start.copy()
            values[free] = np.clip(z * scale, least, most)
            return values

        inside = np.clip(start[free], least + 1e-6 * scale, most - 1e-6 * scale)
        plain = least_squares(
            lambda z: self.differences(self.model(whole(z))[self.rows]), inside / scale,
            bounds=(least / scale, most / scale), loss="soft_l1", f_scale=SCALE,
            max_nfev=iterations // 2)

        def with_gradient(z):
            value = self.loss(whole(z))
            gradient = np.zeros_like(z)
            for place in range(len(z)):
                moved = z.copy()
                moved[place] += 1e-3 if z[place] < most[place] / scale[place] - 2e-3 else -1e-3
                gradient[place] = (self.loss(whole(moved)) - value) / (moved[place] - z[place])
            return value, gradient

        both = minimize(with_gradient, plain.x, jac=True, method="L-BFGS-B",
                        bounds=list(zip(least / scale, most / scale)),
                        options={"maxiter": iterations})
        return whole(both.x)

    def used(self, values):
        """The coefficients that a prediction depends on; the others keep their values."""
        base = self.model(values)[self.rows]
        changed = []
        for place, (least, most) in enumerate(zip(self.model.least, self.model.most)):
            moved = values.copy()
            moved[place] = least if values[place] > (least + most) / 2 else most
            changed.append(np.any(self.model(moved)[self.rows] != base))
        return np.flatnonzero(changed)

    def errors(self, values):
        """Standard errors from the Jacobian of the differences; those at a bound have none."""
        scale = np.maximum(np.abs(values), 1e-3 * (self.model.most - self.model.least))
        base = self.differences(self.model(values)[self.rows])
        columns = []
        for place in range(len(values)):
            moved = values.copy()
            moved[place] += 1e-3 * scale[place] * (1 if values[place] < self.model.most[place] -
                                                   1e-2 * scale[place] else -1)
            columns.append((self.differences(self.model(moved)[self.rows]) - base) /
                           (moved[place] - values[place]))
        jacobian = np.array(columns).T
        inner = [place for place in range(len(values)) if np.abs(jacobian[:, place]).max() > 0 and
                 self.model.least[place] < values[place] < self.model.most[place]]
        normal = jacobian[:, inner]
        variance = np.mean(np.minimum(base**2, SCALE * np.abs(base)))
        covariance = variance * np.linalg.pinv(normal.T @ normal)
        errors = np.zeros(len(values))
        errors[inner] = np.sqrt(np.maximum(0, np.diag(covariance)))
        return errors


def report(title, model, predicted, of_each=False):
    """How well plans are ranked."""
    picks, tops, taus, keys = [], [], [], []
    for shape in np.unique(model.shapes):
        rows = np.flatnonzero(model.shapes == shape)
        measured, own = model.measured[rows], predicted[rows]
        order = np.argsort(own, kind="stable")
        picks.append(measured.min() - measured[order[0]])
        tops.append(measured.min() - measured[order[:4]].min())
        taus.append(kendalltau(measured, own)[0])
        keys.append(model.rows[rows[0]])
    picks = np.array(picks)
    print(f"{title:18} pick {np.exp(picks.mean()):.4f}  5 % {np.exp(np.quantile(picks, .05)):.3f}  "
          f"worst {np.exp(picks.min()):.3f}  top 4 {np.exp(np.mean(tops)):.4f}  "
          f"Kendall {np.nanmean(taus):.3f}")
    if of_each:
        for name in ("class", "type"):
            values = [key[name] for key in keys]
            print("  " + "  ".join(
                f"{value} {np.exp(picks[[v == value for v in values]].mean()):.3f}"
                for value in dict.fromkeys(values)))


def cross_validation(model, start, options):
    """Predictions of each shape by a fit without it, `folds` groups of them."""
    count = model.folded.max() + 1
    groups = np.random.RandomState(options.seed).permutation(count) % options.folds
    predicted = np.zeros(len(model.rows))
    for group in range(options.folds):
        rows = groups[model.folded] == group
        fit = Fit(model, np.unique(model.shapes[~rows]), options.weight)
        values = fit.run(start, options.iterations)
        predicted[rows] = model(values)[rows]
        print(f"  fold {group + 1} of {options.folds}: loss {fit.loss(values):.4f}", flush=True)
    return predicted


def write(path, model, values, errors):
    """A file of coefficients that ships, or the calibration of a target."""
    origin = f"from {len(model.rows)} plans of {len(np.unique(model.shapes))} shapes"
    if path.endswith(".target"):
        return write_target(path, model, values, errors, origin)
    with open(path, "w") as out:
        out.write(f"// Written by gemm-tune fit {origin}: name, value, standard error.\n")
        for row, value, error in zip(model.coefficients, values, errors):
            out.write(f"COEFFICIENT({row['name']}, {value:.4g}, {error:.2g})\n")


def check_writable(path):
    """Before minutes are spent on what cannot be kept."""
    try:
        if path and path.endswith(".target"):
            if not open(path).read().rstrip().endswith(">"):
                sys.exit(f"gemm-tune fit: error: {path}: no #blas.target")
        if path and not os.access(path if os.path.exists(path) else os.path.dirname(path) or ".",
                                  os.W_OK):
            sys.exit(f"gemm-tune fit: error: {path}: cannot be written")
    except (OSError, UnicodeDecodeError) as why:
        sys.exit(f"gemm-tune fit: error: {path}: {why}")


def write_target(path, model, values, errors, origin):
    with open(path) as source:
        text = source.read().rstrip()
    figures = text.removesuffix(">").split(FITTED)[0].rstrip().removesuffix(",")
    lines = [f"    {row['name']} = {value:#.4g}, // +- {error:.2g}"
             for row, value, error in zip(model.coefficients, values, errors)]
    lines[-1] = lines[-1].replace(", //", " //")
    with open(path, "w") as out:
        out.write(f"{figures},\n{FITTED} {origin}\n  calibration = <\n" + "\n".join(lines) +
                  "\n  >\n>\n")


def report_registers(model):
    """Of the model, over those that the assembler gave a thread."""
    rows = [row for row in model.rows if float(row["compiled_registers"]) > 0]
    if not rows:
        return
    ratios = np.array([float(row["registers"]) / float(row["compiled_registers"]) for row in rows])
    spilled = sum(float(row["spill_bytes"]) > 0 for row in rows)
    print(f"registers: median error {np.median(np.abs(ratios - 1)):.3f}, ratio {ratios.min():.2f} .. "
          f"{ratios.max():.2f}, 90 % in {np.percentile(ratios, 5):.2f} .. "
          f"{np.percentile(ratios, 95):.2f}; {spilled} of {len(rows)} kernels spill")


def main():
    parser = argparse.ArgumentParser(prog="gemm-tune fit", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="+", help="chip=file: .csv or .csv.xz of gemm-tune sample")
    parser.add_argument("--tool", default="build/bin/gemm-tune", help="default: %(default)s")
    parser.add_argument("--write", help="the file of coefficients to write, or the target whose "
                        "calibration they become")
    parser.add_argument("--folds", type=int, default=5, help="0: no cross-validation")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--weight", type=float, default=2, help="of what choices lose")
    parser.add_argument("--seed", type=int, default=1, help="of the folds")
    options = parser.parse_args()
    check_writable(options.write)
    model = Model(options.tool, options.samples)
    report_registers(model)
    start = np.clip(model.present, model.least, model.most)
    report("before", model, model(start), of_each=True)
    if options.folds:
        report("cross-validated", model, cross_validation(model, start, options), of_each=True)
    fit = Fit(model, np.unique(model.shapes), options.weight)
    values = fit.run(start, options.iterations)
    errors = fit.errors(values)
    report("fitted", model, model(values), of_each=True)
    for row, value, error in zip(model.coefficients, values, errors):
        print(f"{row['name']:14} {value:10.4g} +- {error:<8.2g} {row['unit']:7} {row['meaning']}")
    if options.write:
        write(options.write, model, values, errors)


if __name__ == "__main__":
    main()
