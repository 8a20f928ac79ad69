"""Draws docs/pipeline.svg: every pass of blas-to-nvvm, blas-to-rocdl and blas-to-cpu, in order.

draw_pipeline.py [--write | --list PIPELINE] [SOURCE [PICTURE]]

Reads lib/Pipelines, so that the picture has what the pipelines run. Without an option, compares the
picture with what would be drawn, names every pass of the project or of a pipeline that it lacks,
and exits 1 on any difference.
--list prints the passes of one pipeline, one a line.
"""

import argparse
import re
import sys
from html import escape
from pathlib import Path

# Passes of MLIR whose names are not those of their constructors with hyphens.
UPSTREAM = {
    "Canonicalizer": "canonicalize", "CSE": "cse",
    "EmptyTensorElimination": "eliminate-empty-tensors",
    "ArithExpandOps": "arith-expand", "ForallToParallelLoop": "scf-forall-to-parallel",
    "LowerVectorMultiReduction": "lower-vector-multi-reduction",
    "SCFToControlFlow": "convert-scf-to-cf", "ConvertGpuOpsToNVVMOps": "convert-gpu-to-nvvm",
    "ConvertGpuOpsToROCDLOps": "convert-gpu-to-rocdl", "GpuToLLVMConversion": "gpu-to-llvm",
    "ConvertVectorToSCF": "convert-vector-to-scf", "ConvertVectorToLLVM": "convert-vector-to-llvm",
    "ConvertMathToLLVM": "convert-math-to-llvm", "ConvertToLLVM": "convert-to-llvm",
    "DIScopeForLLVMFuncOp": "ensure-debug-info-scope-on-llvm-func",
}
# Stages by the function that builds them: build<stage>Line, add<stage>.
STAGES = {
    "Raise": ("Raise", "linalg to dialect blas, tensors to buffers"),
    "Plan": ("Plan", "#blas.target (blas-attach-target), and a #blas.plan for every operation"),
    "Split": ("Partition", "choices of the host, triangular blocks, packing, edges, partial sums"),
    "Tile": ("Kernel", "dialect tile: one workgroup; from micro-tile on, and of trmm and trsm blocks at once, one thread"),
    "ElementwiseKernels": ("Operations around products", ""), "HostLowering": ("Host code", ""),
    "NvvmKernels": ("Kernels", ""), "NvvmBinary": ("Binary", ""), "Nvvm": ("", ""),
    "Rocdl": ("Kernels, binary", ""), "Cpu": ("Loops, threads, LLVM", ""),
}
# Not in the bands and columns, but named below them.
BELOW = {"fit-plans", "require-vendor", "set-aside"}
# Functions that are a part of a stage.
PARTS = {"Program": "Tile", "Thread": "Tile", "Select": "Plan"}
SHARED = ["Raise", "Plan", "Split", "Tile"]
# The last part of a pipeline, of which fit-plans takes one.
LAST = {"blas-to-nvvm": "buildNvvmPipeline", "blas-to-rocdl": "buildRocdlPipeline",
        "blas-to-kernels": "buildKernelsOnly", "blas-to-cpu": "buildCpuPipeline"}
PIPELINES = {"blas-to-nvvm": "PTX, cubin", "blas-to-rocdl": "AMD ISA, code object",
             "blas-to-cpu": "coroutines of the host"}
FUNCTION = re.compile(r"^[\w: ]*?\b(\w+)\([^()]*\)(?: const)? \{\n(.*?)^\}", re.S | re.M)
REGISTRATION = re.compile(r'"(blas-to-\w+)",(.*?)\n      \}\);', re.S)
STEP = re.compile(r"addPass\(\s*(?:\w+::)*create(\w+?)(?:Pass)?\("
                  r"|\b((?:build|add)[A-Z]\w*|requireVendor)\((?:pm|line|functions|kernels)\b")

WIDTH, MARGIN, ROW, GAP = 960, 12, 22, 8
BLUE, GREEN, ORANGE, GREY, INK = "#2f6fb3", "#2f8a4c", "#b5701c", "#57606a", "#1b1f24"
COLORS = {"Raise": BLUE, "Plan": BLUE, "Split": BLUE, "Tile": GREEN}
SANS, MONO = "system-ui, Helvetica, Arial, sans-serif", "ui-monospace, Menlo, Consolas, monospace"


class Source:
    """The functions of lib/Pipelines, the pipelines, and the names of passes."""

    def __init__(self, root):
        files = sorted((root / "lib/Pipelines").glob("*.cpp"))
        text = re.sub(r"//[^\n]*", "", "\n".join(path.read_text() for path in files))
        self.functions = dict(FUNCTION.findall(text))
        self.registered = dict(REGISTRATION.findall(text))
        self.own = {}
        for path in sorted((root / "include").rglob("Passes.td")):
            self.own.update(re.findall(r'^def (\w+) *: *Pass<"([^"]+)"', path.read_text(), re.M))

    def flag(self, constructor):
        hyphens = re.sub(r"(?<!^)(?=[A-Z])", "-", constructor).lower()
        return self.own.get(constructor) or UPSTREAM.get(constructor, hyphens)

    def steps(self, body, stage, last):
        """(stage, pass) in order. fit-plans runs what follows it as a pipeline of its own."""
        for constructor, function in STEP.findall(body):
            if constructor:
                yield stage, self.flag(constructor)
            if constructor == "FitPlans":
                for function in ("programs", "binaries"):
                    yield from self.steps(self.functions[function], "Plan", last)
                continue
            if function and (function == last or function not in LAST.values()):
                stem = re.sub(r"^(build|add)|(Line|Pipeline)$", "", function)
                inner = PARTS.get(stem, stem if stem in STAGES else stage)
                yield from self.steps(self.functions[function], inner, last)

    def pipeline(self, name):
        return list(self.steps(self.registered[name], "Plan", LAST[name]))


class Picture:
    def __init__(self):
        self.parts, self.y = [], MARGIN

    def text(self, x, y, content, size=12.5, font=SANS, fill=INK, weight="normal"):
        self.parts.append(f'<text x="{x}" y="{y}" font-family="{font}" font-size="{size}" '
                          f'fill="{fill}" font-weight="{weight}">{escape(content)}</text>')

    def box(self, x, y, width, height, color, fill, opacity=1):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" '
                          f'fill="{fill}" stroke="{color}" stroke-opacity="{opacity}"/>')

    def name(self, x, y, flag, own, color, width):
        """A pass: boxed and dark where it is ours, grey where it is MLIR's."""
        if own:
            self.box(x, y, width, ROW - 4, color, "#ffffff")
        self.text(x + 6, y + 13, flag, 12, MONO, INK if own else GREY, "600" if own else "normal")

    def arrow(self, x, y):
        self.parts.append(f'<path d="M{x} {y} v8 m-4 -4 l4 5 l4 -5" fill="none" stroke="{GREY}"/>')

    def band(self, stage, flags, own):
        """A stage that all pipelines share: its passes from left to right."""
        color, (title, words) = COLORS[stage], STAGES[stage]
        placed, x, row = [], MARGIN + 14, 0
        for flag in flags:
            width = round(7.25 * len(flag)) + 14
            if x + width > WIDTH - MARGIN - 14:
                x, row = MARGIN + 14, row + 1
            placed.append((x, row, flag, width))
            x += width + GAP
        height = 34 + (row + 1) * (ROW + 2)
        self.box(MARGIN, self.y, WIDTH - 2 * MARGIN, height, color, "#f6f8fa", 0.5)
        self.text(MARGIN + 14, self.y + 20, title, 14, SANS, color, "700")
        self.text(MARGIN + 100, self.y + 20, words, 12.5, SANS, GREY)
        for x, row, flag, width in placed:
            self.name(x, self.y + 30 + row * (ROW + 2), flag, flag in own, color, width)
        self.y += height
        self.arrow(WIDTH / 2, self.y + 1)
        self.y += 12

    def column(self, x, width, name, steps, own):
        """What one pipeline does behind them: its passes from top to bottom."""
        y, last = self.y + 44, None
        for stage, flag in steps:
            title = stage != last and stage not in SHARED and STAGES[stage][0]
            if title:
                self.text(x + 12, y + 14, title, 11.5, SANS, GREY, "600")
                y += 19
            self.name(x + 12, y, flag, flag in own, ORANGE, round(7.25 * len(flag)) + 14)
            y, last = y + ROW - 1, stage
        self.text(x + 12, self.y + 20, name, 13, MONO, ORANGE, "700")
        self.text(x + 12, self.y + 37, PIPELINES[name], 12, SANS, GREY)
        return y

    def columns(self, pipelines, own):
        width = (WIDTH - 2 * MARGIN - 2 * GAP) // 3
        start = len(self.parts)
        places = [MARGIN + number * (width + GAP) for number in range(len(pipelines))]
        bottom = max(self.column(x, width, name, steps, own)
                     for x, (name, steps) in zip(places, pipelines.items())) + 8
        boxes = Picture()
        for x in places:
            boxes.box(x, self.y, width, bottom - self.y, ORANGE, "#f6f8fa", 0.5)
        self.parts[start:start] = boxes.parts
        self.y = bottom + 22

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y}" '
                f'width="{WIDTH}" height="{self.y}" role="img" aria-label="The passes of the '
                f'pipelines, from linalg to a kernel">\n'
                f'<rect width="{WIDTH}" height="{self.y}" fill="#ffffff"/>\n')
        return head + "\n".join(self.parts) + "\n</svg>\n"


def draw(source):
    own = set(source.own.values())
    pipelines = {name: source.pipeline(name) for name in PIPELINES}
    picture = Picture()
    for stage in SHARED:
        bands = [[flag for own_stage, flag in steps if own_stage == stage and flag not in BELOW]
                 for steps in pipelines.values()]
        if bands.count(bands[0]) != len(bands):
            sys.exit(f"the pipelines differ in {stage}: draw it in their columns")
        picture.band(stage, bands[0], own)
    rest = {name: [(stage, flag) for stage, flag in steps
                   if (stage not in SHARED or flag == "fit-plans") and flag != "set-aside"]
            for name, steps in pipelines.items()}
    picture.columns(rest, own)
    picture.text(MARGIN + 2, picture.y - 8, "boxed: passes of this project; grey: MLIR's. "
                 "fit-plans runs all from tile-select on, again where a kernel does not fit; set-aside "
                 "runs all of it.", 12,
                 SANS, GREY)
    picture.y += 18
    picture.text(MARGIN + 2, picture.y - 8,
                 "blas-to-nvvm and blas-to-rocdl begin with require-vendor.", 12, SANS, GREY)
    return picture.svg()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("picture", nargs="?", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--list", choices=PIPELINES)
    options = parser.parse_args()
    source = Source(options.source)
    if options.list:
        print("\n".join(flag for _, flag in source.pipeline(options.list)))
        return 0
    path, drawn = options.picture or options.source / "docs/pipeline.svg", draw(source)
    if options.write:
        path.write_text(drawn)
        return 0
    named = {flag for name in PIPELINES for _, flag in source.pipeline(name)}
    named |= set(source.own.values())
    text = path.read_text()
    lacking = [flag for flag in sorted(named) if not re.search(rf"(?<![\w-]){flag}(?![\w-])", text)]
    for flag in lacking:
        print(f"{path.name} lacks {flag}")
    if text != drawn:
        print(f"{path.name} is not what the pipelines run: make docs")
    return 1 if lacking or text != drawn else 0


if __name__ == "__main__":
    sys.exit(main())
