"""Result files of gemm-bench, for the scripts that sum them up and draw them."""
import csv
import sys

NUMBERS = ("ours_ms", "vendor_ms", "predicted_ms", "flops", "bytes")


def is_number(text):
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def checked(path, number, names, cells):
    """A line as a dictionary; the script ends where it is none."""
    if len(cells) != len(names):
        sys.exit(f"{path}:{number}: {len(cells)} cells, expected {len(names)}")
    row = dict(zip(names, cells))
    for name in NUMBERS:
        if row.get(name) and not is_number(row[name]):
            sys.exit(f"{path}:{number}: column {name} is '{row[name]}', expected a number")
    return row


def read_all(path):
    """The header as a dictionary, and all rows. `-` is standard input."""
    try:
        with open(0 if path == "-" else path, newline="") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"cannot read '{path}': {getattr(error, 'strerror', None) or error}")
    header, rows, names = {}, [], None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            name, _, value = line[1:].partition(":")
            header[name.strip()] = value.strip()
        elif line and names is None:
            names = next(csv.reader([line]))
            if not {"sizes", "ours_ms", "rank"} <= set(names):
                sys.exit(f"{path}:{number}: no result file of gemm-bench: it lacks a column of "
                         "sizes, ours_ms, rank")
        elif line:
            rows.append(checked(path, number, names, next(csv.reader([line]))))
    if names is None:
        sys.exit(f"{path}: no result file of gemm-bench: it is empty")
    return header, rows


def read(path):
    """The header, and the rows whose plan is the model's choice."""
    header, rows = read_all(path)
    return header, [row for row in rows if row["rank"] == "0"]


def ceilings(header):
    """Flops or bytes a second of lines such as `ceiling f32: 62.2 TFLOP/s`, by their names."""
    found = {}
    for name, value in header.items():
        if name.startswith("ceiling "):
            number, unit = value.split()
            found[name[8:]] = float(number) * (1e12 if unit == "TFLOP/s" else 1e9)
    return found


def ratio(row):
    """The vendor's time over ours; None where one of them is missing."""
    both = row["vendor_ms"] and row["ours_ms"]
    return float(row["vendor_ms"]) / float(row["ours_ms"]) if both else None
