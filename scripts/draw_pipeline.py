"""Draws docs/pipeline.svg: every pass of blas-to-nvvm, blas-to-rocdl and blas-to-cpu, in order.

draw_pipeline.py [--write | --list PIPELINE] [PICTURE]

Asks gemm-opt, in PATH or build/bin, for the text of the pipelines, so that the picture has what they
run. Without an option, compares the picture with what would be drawn, names every pass of a pipeline
that it lacks, and exits 1 on any difference.
--list prints the passes of one pipeline, one a line.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
from rooftile._svg import Picture  # noqa: E402

BLUE, GREEN, ORANGE, GREY = "#2f81f7", "#2da44e", "#d9730d", "#7a8594"
# Stages that all pipelines share, by their first passes.
SHARED = {
    "host-types": ("Raise", BLUE, "linalg to dialect blas, tensors to buffers"),
    "tile-select": ("Plan", BLUE, "#blas.target (blas-attach-target), and a #blas.plan for every "
                                  "operation"),
    "plan-dispatch": ("Partition", BLUE, "choices of the host, triangular blocks, packing, edges, "
                                         "partial sums"),
    "macro-tile": ("Kernel", GREEN, "dialect tile: one workgroup; from micro-tile on, and of trmm "
                                    "and trsm blocks at once, one thread"),
}
# What follows begins with it, in a column for each pipeline.
REST = "scf-forall-to-parallel"
OTHERS, HOST = "Operations around products", "Host code"
# Options, what comes of a pipeline, and the stages of its column by their first passes.
PIPELINES = {
    "blas-to-nvvm": ("chip=h200 source-lines=true", "PTX, cubin", {
        REST: OTHERS, "keep-carried-loads": "Kernels", "convert-vector-to-llvm": HOST,
        "nvvm-to-binary": "Binary"}),
    "blas-to-rocdl": ("chip=mi300x", "AMD ISA, code object", {
        REST: OTHERS, "relax-shared-barriers": "Kernels", "convert-vector-to-llvm": HOST,
        "rocdl-to-binary": "Binary"}),
    "blas-to-cpu": ("", "coroutines of the host", {
        REST: OTHERS, "lane-to-cpu": "Threads, host code"}),
}
# Passes that run others, and the options that hold these as text.
NESTED = {"set-aside": ["pipeline"], "fit-plans": ["plan", "finish"]}
# Not in the bands and columns, but named below them.
BELOW = ["set-aside", "fit-plans", "require-vendor"]

WIDTH, MARGIN, ROW, GAP, LETTER = 960, 12, 22, 8, 6.7


def split(text, separator):
    """What lies between separators outside of brackets."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def passes(text):
    """The passes of a pipeline's text, in order, those that run others before these."""
    for step in split(text, ","):
        if step.endswith(")"):  # on operations of a name
            yield from passes(step[step.index("(") + 1:-1])
            continue
        name, _, options = step.partition("{")
        yield name
        values = dict(part.partition("=")[::2] for part in split(options[:-1], " "))
        for option in NESTED.get(name, []):
            yield from passes(values[option])


def opt(*arguments):
    path = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / "build" / "bin")])
    tool = shutil.which("gemm-opt", path=path)
    if not tool:
        sys.exit("draw_pipeline.py: error: no gemm-opt in PATH or build/bin")
    run = subprocess.run([tool, *arguments], input="module {}", capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return run


def pipeline(name):
    text = opt(f"--{name}={PIPELINES[name][0]}", "--dump-pass-pipeline").stderr
    return list(passes(text[text.index("builtin.module("):text.index("\n)\n") + 2]))


def own_passes():
    """The passes of this project, which --help lists before the pipelines."""
    words = opt("--help").stdout.partition("Pass Pipelines:")[0].split()
    return {word[2:].rstrip("-") for word in words if word.startswith("--")}


def stages(names, firsts):
    """The passes in lists, each of which begins with one of `firsts`; what is before is left out."""
    found = {}
    rest = list(firsts)
    for name in names:
        if rest and name == rest[0]:
            found[rest.pop(0)] = []
        if found:
            found[list(found)[-1]].append(name)
    if rest:
        sys.exit(f"draw_pipeline.py: error: no pass {rest[0]} where a stage begins with it")
    return found


class Drawing:
    def __init__(self, own):
        self.picture, self.own, self.y = Picture(WIDTH, 0, "The passes of the pipelines"), own, MARGIN

    def name(self, x, y, flag, color):
        """A pass: boxed and dark where it is ours, grey where it is MLIR's."""
        own = flag in self.own
        if own:
            self.picture.box((x, y), (self.width(flag), ROW - 4), color)
        self.picture.text(x + 6, y + 13, flag, kind="code" if own else "code soft")

    @staticmethod
    def width(flag):
        return round(LETTER * len(flag)) + 13

    def band(self, stage, flags):
        """A stage that all pipelines share: its passes from left to right."""
        title, color, words = stage
        placed, x, row = [], MARGIN + 14, 0
        for flag in flags:
            if x + self.width(flag) > WIDTH - MARGIN - 14:
                x, row = MARGIN + 14, row + 1
            placed.append((x, self.y + 30 + row * (ROW + 2), flag))
            x += self.width(flag) + GAP
        height = 34 + (row + 1) * (ROW + 2)
        self.picture.box((MARGIN, self.y), (WIDTH - 2 * MARGIN, height), color, "band")
        self.picture.text(MARGIN + 14, self.y + 20, title, kind="title", color=color)
        self.picture.text(MARGIN + 100, self.y + 20, words, kind="soft")
        for x, y, flag in placed:
            self.name(x, y, flag, color)
        self.y += height
        self.picture.curve([(WIDTH / 2, self.y + 1), (WIDTH / 2, self.y + 10)], GREY)
        self.picture.curve([(WIDTH / 2 + x, self.y + y) for x, y in ((-4, 5), (0, 10), (4, 5))], GREY)
        self.y += 12

    def column(self, x, name, steps):
        """What one pipeline does after the bands: its passes from top to bottom."""
        _, words, titles = PIPELINES[name]
        self.picture.text(x + 12, self.y + 20, name, kind="title", color=ORANGE)
        self.picture.text(x + 12, self.y + 37, words, kind="soft")
        y = self.y + 44
        for first, flags in steps.items():
            self.picture.text(x + 12, y + 14, titles[first], kind="soft")
            y += 19
            for flag in flags:
                self.name(x + 12, y, flag, ORANGE)
                y += ROW - 1

    def columns(self, columns):
        width = (WIDTH - 2 * MARGIN - 2 * GAP) // 3
        height = 52 + max(sum(19 + (ROW - 1) * len(flags) for flags in steps.values())
                          for steps in columns.values())
        for number, (name, steps) in enumerate(columns.items()):
            x = MARGIN + number * (width + GAP)
            self.picture.box((x, self.y), (width, height), ORANGE, "band")
            self.column(x, name, steps)
        self.y += height + 20

    def words(self, line):
        self.picture.text(MARGIN + 2, self.y, line, kind="soft")
        self.y += 18
        self.picture.size = (WIDTH, self.y)


def draw(pipelines):
    drawing = Drawing(own_passes())
    shared, columns = [], {}
    for name, steps in pipelines.items():
        end = steps.index(REST)
        shared.append(stages([flag for flag in steps[:end] if flag not in BELOW], SHARED))
        columns[name] = stages(steps[end:], PIPELINES[name][2])
    if shared.count(shared[0]) != len(shared):
        sys.exit("draw_pipeline.py: error: the pipelines differ in a stage that they share")
    for first, flags in shared[0].items():
        drawing.band(SHARED[first], flags)
    drawing.columns(columns)
    drawing.words("boxed: passes of this project; grey: MLIR's. set-aside runs all of it, fit-plans "
                  "all from tile-select on, for GPUs, again where a kernel does not fit.")
    drawing.words("blas-to-nvvm and blas-to-rocdl begin with require-vendor.")
    return str(drawing.picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", nargs="?", type=Path, default=ROOT / "docs/pipeline.svg")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", choices=PIPELINES)
    options = parser.parse_args()
    if options.list:
        print("\n".join(pipeline(options.list)))
        return 0
    pipelines = {name: pipeline(name) for name in PIPELINES}
    drawn = draw(pipelines)
    if options.write:
        options.picture.write_text(drawn)
        return 0
    text = options.picture.read_text()
    named = {word.strip(",.;:()") for word in text.replace("<", " ").replace(">", " ").split()}
    lacking = sorted({flag for steps in pipelines.values() for flag in steps} - named)
    for flag in lacking:
        print(f"{options.picture.name} lacks {flag}")
    if text != drawn:
        print(f"{options.picture.name} is not what the pipelines run: make docs")
    return 1 if lacking or text != drawn else 0


if __name__ == "__main__":
    sys.exit(main())
