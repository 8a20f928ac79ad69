#!/usr/bin/env python3
"""Writes docs/Performance.md, its pictures and the figures of README.md from the current results.

Usage: performance_page.py [--check] [ROOT]

results/manifest.toml names the results. --check writes nothing and fails where a file differs from
what would be written. The chapter of measured_page.py stays as it is.
"""
import sys
import tomllib

import classes
import measured_page
import page_tables as tables
import result_file
import several_page
import support
import widths
import written

BEGIN = "<!-- figures:begin (written by benchmarks/performance_page.py) -->"
END = "<!-- figures:end -->"
README_GROUPS = {"squares": ("squares",), "small squares": ("small squares",),
                 "odd squares": ("odd squares",),
                 "skinny, small K, long K": ("skinny", "small K", "long K"),
                 "batches": ("batches",), "tf32 (beside TF32)": ("tf32",),
                 "emulated (beside sgemm, cgemm)": ("emulated",),
                 "block vectors, A^T B": ("TSMTTSM",),
                 "block vectors, A B": ("TSMM",), "trmm": ("trmm",),
                 "trsm": ("trsm", "trsm batches"), "syrk, herk": ("syrk, herk",)}


class Result:
    """A chip's result file, with its entry of the manifest."""

    def __init__(self, root, entry):
        self.entry, self.name = entry, entry["name"]
        path = root / "benchmarks" / "results" / entry["file"]
        self.header, self.rows = result_file.read(path)
        self.ceilings = result_file.ceilings(self.header)

    def picture(self, what):
        return f"images/{self.name.lower()}-{what}.svg"

    def pictures(self):
        return {self.picture("classes"): classes.draw(self.header, self.rows),
                self.picture("widths"): widths.draw(self.header, self.ceilings,
                                                    widths.chosen(self.rows))}


class Several:
    """A file of several_gpus.py, with its entry of the manifest."""

    def __init__(self, root, entry):
        self.entry = entry
        path = root / "benchmarks" / "results" / entry["file"]
        self.header, self.rows = several_page.read(path)
        self.picture = f"images/{entry['name'].lower()}-several.svg"

    def pictures(self):
        return {self.picture: several_page.draw(self.header, self.rows)}

    def section(self):
        return several_page.section(self.entry, self.header, self.rows, self.picture)


def images(result, folder):
    name = result.name
    return [f"![{name}: ratio to cuBLAS by class and type]({folder}{result.picture('classes')})",
            "", f"![{name}: block vectors by width]({folder}{result.picture('widths')})"]


def measured(result):
    """Conditions of the measurement, and commands to repeat it."""
    entry, header = result.entry, result.header
    return [f"{header['chip']}, {header['date']}; {header['vendor']}, CUDA {entry['cuda']}, "
            f"driver {entry['driver']}; {header['compiler']}; {entry['host']}. "
            f"[{len(result.rows)} cases](../benchmarks/results/{entry['file']}), "
            f"{tables.right(result.rows)} of them right. Ceilings: "
            f"{tables.ceilings(result.ceilings)}.", "",
            *[f"* {note}" for note in entry["notes"]], "", "```sh", *entry["commands"],
            "```"]


def chip_section(result):
    rows = result.rows
    name = result.name
    return [f"## {name}", "", *measured(result), "", f"### {name}: all classes", "",
            "Geometric mean of the ratio, and in parentheses the least one.", "",
            *tables.class_table(rows), "", *images(result, ""), "",
            f"### {name}: what is slow", "", *tables.slow(rows), "",
            f"### {name}: f32 in every form", "", *tables.forms(rows), "",
            f"### {name}: block vectors", "",
            *tables.block_vectors(rows, result.ceilings), "",
            f"### {name}: batches", "", *tables.batches(rows), "",
            f"### {name}: triangular operations", "", *tables.triangular(rows), "",
            f"### {name}: f16 and bf16", "", *tables.narrow(rows), ""]


def page(results, several, supported):
    head = ["<!-- Written by benchmarks/performance_page.py from benchmarks/results. -->", "",
            "# Performance", "",
            "Times of Rooftile's kernels and of cuBLAS, in one process. *Ratio* is cuBLAS' time "
            "over ours: above 1 Rooftile is faster. Plans are those that tile-select chooses; "
            "beta = 0; row-major unless noted otherwise. Types: c64 is complex\\<f32\\>, c128 "
            "complex\\<f64\\>. [benchmarks](../benchmarks/README.md) describes the method; "
            "earlier measurements are in [experiments](experiments/README.md).", "",
            "## Runs", "", *supported, ""]
    for result in results:
        head += chip_section(result)
    for each in several:
        head += each.section()
    return "\n".join(head).rstrip() + "\n"


def fragment(results, supported):
    """The figures of README.md: those of the first chip, and what was run."""
    first = results[0]
    others = "".join(f", also of an {result.name}" for result in results[1:])
    return [BEGIN, f"Ratio of {first.header['vendor']}'s time to ours on an {first.name}, "
            f"{first.header['date']}: geometric mean, and in parentheses the least of the cases. "
            f"Above 1 Rooftile is faster. [All figures](docs/Performance.md){others}.", "",
            *tables.short_table(first.rows, README_GROUPS), "",
            *images(first, "docs/"), "", *supported, END]


def with_fragment(text, lines):
    """README.md with the lines between its marks."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit(f"README.md: expected one line '{BEGIN}' and one '{END}'")
    before, rest = text.split(BEGIN)
    return before + "\n".join(lines) + rest.split(END)[1]


def outputs(root):
    """Expected content of every file, by its path."""
    with open(root / "benchmarks" / "results" / "manifest.toml", "rb") as file:
        manifest = tomllib.load(file)
    results = [Result(root, entry) for entry in manifest["chip"]]
    supported = support.table(root, results, manifest["compiled"])
    several = [Several(root, entry) for entry in manifest.get("several", [])]
    path = root / "docs" / "Performance.md"
    chapter = measured_page.kept(path.read_text()) if path.exists() else ""
    texts = {path: measured_page.with_chapter(page(results, several, supported), chapter)}
    for result in [*results, *several]:
        for name, picture in result.pictures().items():
            texts[root / "docs" / name] = str(picture)
    readme = root / "README.md"
    texts[readme] = with_fragment(readme.read_text(), fragment(results, supported))
    unnamed = {path.name for path in (root / "benchmarks" / "results").iterdir()}
    unnamed -= {"manifest.toml"}
    unnamed -= {each.entry["file"] for each in [*results, *several]}
    if unnamed:
        sys.exit(f"benchmarks/results: not in manifest.toml: {', '.join(sorted(unnamed))}")
    return texts


if __name__ == "__main__":
    written.write_or_check(outputs, "benchmarks/results", "benchmarks/performance_page.py", __doc__)
