#!/usr/bin/env python3
"""Sums up a result file of gemm-bench as a page of Markdown, and compares it with an older one.

Usage: summary.py RESULT.csv|- [--compare=OLD.csv] [--threshold=PERCENT] [--fail-slower]

For each class and type the geometric mean of the ratios to the vendor's library and the error of
the model; the worst cases; what failed; and, where several plans of a shape were timed, how the
model's choice compares with the best of them. --compare lists what is slower than in an older
file by more than --threshold percent (5).
Exit status: 0; 1: a wrong result, or bad input; 2: something is slower, with --fail-slower.
"""
import argparse
import sys

import result_file
from classes import mean

WORST = 8
# Plans within this share of the best are as good: times repeat no better.
SAME = 0.01


def number(row, name):
    return float(row.get(name) or "nan")


def key(row):
    return " ".join(filter(None, (row["type"], row["op"], row["sizes"], row.get("modifiers"))))


def is_choice(row):
    return (row["rank"] or "0") == "0"


def failed(row):
    return row.get("status", "") not in ("", "no kernel")


def grouped(rows, name):
    """Rows by `name` of each, names in the order in which they come."""
    groups = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def positive(values):
    return [value for value in values if 0 < value < float("inf")]


def ratio(row):
    return number(row, "vendor_ms") / number(row, "ours_ms")


def written(value, digits):
    return f"{value:.{digits}f}" if value is not None else "-"


def group_line(name, kind, rows):
    ratios = positive(map(ratio, rows))
    errors = positive(number(row, "predicted_ms") / number(row, "ours_ms") for row in rows)
    counts = [sum(row.get("verified") == "yes" for row in rows), sum(map(failed, rows)),
              sum(row.get("status") == "no kernel" for row in rows)]
    cells = [name, kind, len(rows), written(mean(ratios) if ratios else None, 3),
             written(min(ratios, default=None), 2), written(max(ratios, default=None), 2),
             *counts, written(mean(errors) if errors else None, 2)]
    return "| " + " | ".join(map(str, cells)) + " |"


def groups(rows):
    chosen = list(filter(is_choice, rows))
    head = ("class", "type", "cases", "ratio to vendor", "least", "most", "right", "wrong",
            "no kernel", "predicted / measured")
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for (name, kind), of in grouped(chosen, lambda row: (row["class"], row["type"])).items():
        lines.append(group_line(name, kind, of))
    for kind, of in grouped(chosen, lambda row: row["type"]).items():
        lines.append(group_line("all", kind, of))
    return lines


def worst(rows):
    beside = sorted((row for row in rows if is_choice(row) and ratio(row) > 0), key=ratio)
    lines = ["", "Worst against the vendor:", ""] if beside else []
    for row in beside[:WORST]:
        ms = number(row, "ours_ms")
        lines.append(f"- {ratio(row):.2f}  {key(row)}: {ms:.4f} ms, "
                     f"{number(row, 'flops') / ms / 1e9:.1f} TFLOP/s, "
                     f"{number(row, 'bytes') / ms / 1e6:.0f} GB/s; "
                     f"vendor {number(row, 'vendor_ms'):.4f} ms; {row['plan']}")
    return lines


def failures(rows):
    lines = [f"- {key(row)}: {row['status']} {row.get('plan', '')}".rstrip()
             for row in rows if failed(row)]
    return ["", "Wrong, or not run:", "", *lines] if lines else []


class Contest:
    """The plans of one shape that were timed, the model's choice among them."""

    def __init__(self, rows):
        self.rows = [row for row in rows if number(row, "ours_ms") > 0 and not failed(row)]
        self.pick = next(filter(is_choice, self.rows), None)
        self.best = min(self.rows, key=lambda row: number(row, "ours_ms"), default=None)

    def regret(self):
        return number(self.pick, "ours_ms") / number(self.best, "ours_ms") - 1


def contests(rows):
    all_of = [Contest(of) for of in grouped(rows, lambda row: (row["class"], key(row))).values()]
    all_of = [contest for contest in all_of if contest.pick and len(contest.rows) > 1]
    if not all_of:
        return []
    lines = ["", "The model's choice against the plans that were timed (regret: how much longer it "
             "takes than the best; as good: within 1 %):", "",
             "| class | type | shapes | plans | as good | mean regret | worst |", "|---" * 7 + "|"]
    by_group = grouped(all_of, lambda contest: (contest.pick["class"], contest.pick["type"]))
    for (name, kind), of in by_group.items():
        regrets = [contest.regret() for contest in of]
        lines.append(f"| {name} | {kind} | {len(of)} | {sum(len(one.rows) for one in of)} | "
                     f"{sum(regret <= SAME for regret in regrets)} | "
                     f"{100 * sum(regrets) / len(of):.1f} % | {100 * max(regrets):.1f} % |")
    lines.append("")
    for contest in all_of:
        if contest.regret() > SAME:
            pick, best = contest.pick, contest.best
            lines.append(f"- {key(pick)}: {number(pick, 'ours_ms'):.4f} ms, best "
                         f"{number(best, 'ours_ms'):.4f} ms (rank {best['rank']} of "
                         f"{len(contest.rows)}): {best['plan']}")
    return lines


def page(header, rows):
    return ["# gemm-bench", "", *[f"{name}: {value}  " for name, value in header.items()], "",
            *groups(rows), *worst(rows), *failures(rows), *contests(rows)]


def identity(row):
    """The model's choice is one thing whatever its plan is; alternatives differ by plan."""
    return key(row) + ("" if is_choice(row) else " " + row["plan"])


def slower(rows, old, threshold):
    """Lines of what is slower than in `old`, and how many these are; rows match by shape."""
    before = {identity(row): row for row in reversed(old) if number(row, "ours_ms") > 0}
    lines, changes, count, matched = [], [], 0, 0
    for row in rows:
        was = before.get(identity(row))
        if not was:
            continue
        now_ms, was_ms = number(row, "ours_ms"), number(was, "ours_ms")
        matched += 1
        changes += positive([was_ms / now_ms])
        lost = failed(row) or not now_ms > 0
        if not lost and now_ms <= was_ms * (1 + threshold):
            continue
        count += 1
        why = row["status"] if lost else f"+{100 * (now_ms / was_ms - 1):.1f} %"
        lines.append(f"slower: {key(row)}: {now_ms:.4f} ms, was {was_ms:.4f} ms ({why})")
        if row.get("plan") != was.get("plan"):
            lines += [f"  plan {row.get('plan')}", f"  was  {was.get('plan')}"]
    lines.append(f"{matched} of {len(rows)} results have an earlier one; {count} are slower by "
                 f"more than {100 * threshold:.1f} %; speed against then "
                 f"{written(mean(changes) if changes else None, 3)}")
    return lines, count


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--compare", metavar="OLD.csv")
    parser.add_argument("--threshold", type=float, default=5, metavar="PERCENT")
    parser.add_argument("--fail-slower", action="store_true")
    options = parser.parse_args()
    if not options.threshold >= 0:
        parser.error("--threshold is 0 or more percent")
    header, rows = result_file.read_all(options.result)
    print("\n".join(page(header, rows)))
    count = 0
    if options.compare:
        _, old = result_file.read_all(options.compare)
        lines, count = slower(rows, old, options.threshold / 100)
        print("", *lines, sep="\n")
    return 1 if any(map(failed, rows)) else 2 if count and options.fail_slower else 0


if __name__ == "__main__":
    sys.exit(main())
