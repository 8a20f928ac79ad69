"""The tables of docs/Performance.md, as lines of Markdown, from the rows of a result file."""
import widths
from classes import GROUPS, TYPES, mean, ratios, rows_that_are_right, sizes
from result_file import ratio

FORMS = ("nn", "nt", "tn", "tt")
BYTES = {"f32": 4, "f64": 8, "c64": 8, "c128": 16, "f16": 2, "bf16": 2}
# Below this a group of cases, or one case of a group that is fast, is called slow.
SLOW_GROUP, SLOW_CASE = 0.95, 0.95
NARROW = ("f16", "bf16")


# Units of products of f16 and bf16, by the first that a plan names; and why it is slow.
UNITS = (("mma = wgmma", "`wgmma`, which reads both factors from shared memory, where operands "
          "allow accesses of 16 bytes or are copied first; else by `mma`", ""),
         ("mma = m", "`mma` of two elements a register; cuBLAS uses `wgmma`, which reaches 1.6 "
          "times the ceiling of these", "`mma`, where cuBLAS uses `wgmma`"),
         ("", "FMA units: these results are older than matrix instructions of these types",
          "measured on FMA units, before these types had matrix instructions"))


def units(rows):
    """The units of these rows, in words, and why they are slow."""
    return next(words for name, *words in UNITS if any(name in row["plan"] for row in rows))


def reason(group, kind, rows):
    return units(rows)[1] if kind in NARROW else ""


def right(rows):
    return len(rows_that_are_right(rows))


def scaled(value, units):
    """Three digits and a unit: units are factors of a thousand, the smallest first."""
    index = 0
    while abs(value) >= 999.5 and index + 1 < len(units):
        value, index = value / 1000, index + 1
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2
    return f"{value:.{digits}f} {units[index]}"


def time(milliseconds):
    return scaled(float(milliseconds) * 1e6, ("ns", "us", "ms", "s"))


def rate(tflops):
    return scaled(float(tflops) * 1e3, ("GFLOP/s", "TFLOP/s", "PFLOP/s"))


def ceilings(known):
    """Rates that plans count with, of arithmetic and memory, in words."""
    words = [f"f32 {rate(known['f32'] / 1e12)}", f"f64 {rate(known['f64'] / 1e12)}"]
    for kind in ("f64", *NARROW):
        if matrix := [value for name, value in known.items() if name.endswith(f"_{kind}")]:
            words.append(f"{kind} on tensor cores {rate(max(matrix) / 1e12)}")
    moved = {"dram": "reading", "copy": "copying"}
    return ", ".join(words + [f"{word} {scaled(known[name] / 1e9, ('GB/s', 'TB/s'))}"
                              for name, word in moved.items()])


def table(head, lines):
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
            *["| " + " | ".join(cells) + " |" for cells in lines]]


def cell(values, missing="no kernel"):
    """Geometric mean and least."""
    return f"{mean(values):.2f} ({min(values):.2f})" if values else missing


def class_table(rows):
    lines = []
    for group in GROUPS:
        of = [group.rows(rows, kind) for kind in TYPES]
        if not any(of):
            continue
        lines.append([f"**{group.name}**: {group.title}", str(max(map(len, of))),
                      *[cell(ratios(cases), group.missing(kind))
                        for kind, cases in zip(TYPES, of)]])
    return table(["class", "cases", *TYPES], lines)


def short_table(rows, names):
    """A row for each name, which stands for some of the groups."""
    groups = {group.name: group for group in GROUPS}
    lines = []
    for name, parts in names.items():
        of = [[row for part in parts for row in groups[part].rows(rows, kind)] for kind in TYPES]
        lines.append([name, *[cell(ratios(cases), groups[parts[0]].missing(kind))
                              for kind, cases in zip(TYPES, of)]])
    return table(["", *TYPES], lines)


def shape(row):
    return f"{row['op']} {row['sizes'].replace('x', ' x ')} {row['modifiers']}".strip()


def slow(rows):
    """Groups of cases that are slow, single cases that are, and what is not right."""
    lines, single = [], []
    for group in GROUPS:
        for kind in TYPES:
            of = group.rows(rows, kind)
            values = ratios(of)
            if values and mean(values) < SLOW_GROUP:
                why = reason(group.name, kind, of)
                lines.append([group.name, kind, f"{mean(values):.2f}", f"{min(values):.2f}", why])
            elif kind not in NARROW:
                single += [row for row in of if ratio(row) and ratio(row) < SLOW_CASE]
    single.sort(key=ratio)
    text = [f"Groups of cases below {SLOW_GROUP}:", "",
            *table(["class", "type", "geometric mean", "least", "why"], lines)]
    if single:
        text += ["", f"Single cases below {SLOW_CASE} in the other groups of f32, f64, c64, c128:",
                 "", *table(["type", "case", "ours", "ratio"],
                            [[row["type"], shape(row), time(row["ours_ms"]),
                              f"{ratio(row):.2f}"] for row in single])]
    wrong = [row for row in rows if row["status"]]
    if wrong:
        text += ["", "Not counted, because they are not right:", "",
                 *[f"* {row['type']} {shape(row)}: {row['status']}." for row in wrong],
                 "", "Sums of so many rows exceed the largest number of f16, 65504."]
    return text


def forms(rows):
    found = {(row["sizes"], row["op"]): row for row in rows if row["class"] == "forms"}
    orders = list(dict.fromkeys(size for size, _ in found))
    lines = [[size.split("x")[0], *[f"{rate(found[size, op]['ours_tflops'])} "
                                    f"({ratio(found[size, op]):.2f})" for op in FORMS]]
             for size in orders]
    text = ["Squares, and the ratio to cuBLAS in parentheses.", "",
            *table(["M = N = K", *FORMS], lines)]
    dynamic = [row for row in rows if row["class"] == "dynamic"]
    if dynamic:
        text += ["", "With sizes that are known at run time alone, one module for all: " +
                 ", ".join(f"{sizes(row)[0]}: {ratio(row):.2f}" for row in dynamic) + "."]
    return text


def by_width(rows, known, name):
    """Ratio and share of the bandwidth, a line for each width."""
    found = {(widths.width(row), row["type"]): row for row in rows if row["class"] == name}
    lines = []
    for width in sorted({width for width, _ in found}):
        cells = []
        for kind in TYPES:
            row = found.get((width, kind))
            beside = f"{ratio(row):.2f}, " if row and ratio(row) else ""
            cells.append(f"{beside}{widths.share(known, row):.0f} %"
                         if row and row["verified"] == "yes" else "-")
        lines.append([str(width), *cells])
    return table(["width", *TYPES], lines)


def gibibytes(rows, name):
    """The size of a block vector in a class, in words; types that have another one are named."""
    found = {row["type"]: round(max(sizes(row)) * widths.width(row) * BYTES[row["type"]] / 2**30)
             for row in rows if row["class"] == name}
    usual = found["f32"]
    others = {size: [kind for kind in found if found[kind] == size]
              for size in sorted(set(found.values()) - {usual})}
    words = "; ".join(f"{', '.join(kinds)}: {size} GiB" for size, kinds in others.items())
    return f"{usual} GiB a block vector" + (f" ({words})" if words else "")


def summary(rows, known, name, ops):
    """Ratios, and the least share of the bandwidth, by type, of a list: of what was timed."""
    lines = []
    for title, op in ops.items():
        for kind in widths.TYPES:
            of = [row for row in rows if row["class"] == name and row["op"] == op
                  and row["type"] == kind]
            if not of:
                continue
            values = ratios(of)
            shares = sorted((widths.share(known, row), widths.width(row)) for row in of)
            lines.append([title, kind, str(len(values)), f"{mean(values):.2f}",
                          f"{min(values):.2f}", str(sum(value < 1 for value in values)),
                          ", ".join(f"{share:.0f} % ({width})" for share, width in shares[:3])])
    return table(["", "type", "cases", "geometric mean", "least", "below 1",
                  "least shares of the bandwidth (width)"], lines)


def block_vectors(rows, known):
    tall, small = "A^T B (TSMTTSM)", "A B (TSMM)"
    return ["Ratio to cuBLAS, and share of the bandwidth of reading (A^T B) or copying (A B).",
            "", f"{tall}, {gibibytes(rows, 'tsmttsm')}:", "", *by_width(rows, known, "tsmttsm"), "",
            f"{small}, {gibibytes(rows, 'tsmm')}:", "", *by_width(rows, known, "tsmm"), "",
            "Every width from 1 to 64, 0.5 GiB a block vector "
            "([list](../benchmarks/lists/widths.txt)):", "",
            *summary(rows, known, "widths", {tall: "tn", small: "nn"}), "",
            "Column-major block vectors, 17 widths from 1 to 64, 1 GiB "
            "([list](../benchmarks/lists/columns.txt)):", "",
            *summary(rows, known, "columns", {tall: "nt", small: "nn"})]


def batches(rows):
    found = {(sizes(row)[0], row["type"]): row for row in rows if row["class"] == "batched"}
    lines = [[str(size), *[f"{time(found[size, kind]['ours_ms'])} "
                           f"({ratio(found[size, kind]):.2f})" for kind in TYPES]]
             for size in sorted({size for size, _ in found})]
    ways = {"strided": "by strides", "shareb": "by strides, one B for all",
            "pointers": "by arrays of pointers"}
    listed = [[words, *[cell(ratios([row for row in rows if row["class"] == name
                                     and row["type"] == kind]), "-") for kind in widths.TYPES]]
              for name, words in ways.items()]
    return ["Squares by strides, as many as make 16 Mi elements: our time, and the ratio to "
            "cuBLAS' strided batches.", "", *table(["M = N = K", *TYPES], lines), "",
            "Batches of 10,000 and 100,000 squares of 4 to 128 "
            "([list](../benchmarks/lists/batches.txt)), geometric mean and least:", "",
            *table(["", *widths.TYPES], listed)]


def triangular(rows):
    classes = ("trmm", "trsm", "trsmbatched", "syrk", "herk")
    kinds = [kind for kind in TYPES
             if any(row["class"] in classes and row["type"] == kind and row["ours_ms"]
                    for row in rows)]
    lines = []
    for name in classes:
        many = " batched" if name == "trsmbatched" else ""
        of = {kind: {shape(row | {"modifiers": many}): row for row in rows
                     if row["class"] == name and row["type"] == kind and row["ours_ms"]}
              for kind in kinds}
        for key in {key: None for kind in kinds for key in of[kind]}:
            cells = [f"{time(of[kind][key]['ours_ms'])} ({ratio(of[kind][key]):.2f})"
                     if key in of[kind] else "-" for kind in kinds]
            lines.append([key, *cells])
    lacking = ("Complex, f16 and bf16" if "c64" not in kinds else
               "f16 and bf16" if "f16" not in kinds else "trsm of f16 and bf16")
    have = "have" if lacking != "trsm of f16 and bf16" else "has"
    return ["The four letters: side, triangle, transposition, diagonal; of syrk and herk: triangle "
            "and transposition. Time, and the ratio to "
            f"cuBLAS. {lacking} {have} no kernel. Batches have as many systems as make "
            "2 GiB.", "", *table(["case", *kinds], lines)]


def narrow(rows):
    lines, cases = [], [row for row in rows if row["class"] in ("square", "trans")]
    for row in cases:
        if row["type"] == "f16":
            pair = [next(other for other in cases if other["type"] == kind and
                         (other["class"], other["op"], other["sizes"]) ==
                         (row["class"], row["op"], row["sizes"])) for kind in NARROW]
            lines.append([shape(row), *[f"{rate(of['ours_tflops'])} ({ratio(of):.2f})"
                                        for of in pair]])
    multipliers = units([row for row in cases if row["type"] in NARROW])[0]
    return [f"Products of f16 and bf16 are summed in f32, by {multipliers}. What memory bounds is "
            "fast all the same: small batches, narrow block vectors.", "",
            *table(["case", *NARROW], lines)]
