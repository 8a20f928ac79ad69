"""Result files of gemm-bench, for the scripts that draw them."""
import csv


def read(path):
    """The header as a dictionary, and the rows whose plan is the model's choice."""
    with open(path, newline="") as file:
        lines = file.read().splitlines()
    header = dict(line[1:].split(":", 1) for line in lines if line.startswith("#"))
    header = {name.strip(): value.strip() for name, value in header.items()}
    rows = [row for row in csv.DictReader(line for line in lines if not line.startswith("#"))
            if row["rank"] == "0"]
    return header, rows


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
