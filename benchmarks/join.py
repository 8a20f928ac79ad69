#!/usr/bin/env python3
"""Joins result files of gemm-bench that were measured on one chip with the same versions.

Usage: join.py RESULT.csv PART.csv..
"""
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    head, rows = [], []
    for path in sys.argv[2:]:
        with open(path) as file:
            lines = file.read().splitlines()
        first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
        if head and lines[:first + 1] != head:
            sys.exit(f"{path}: its first lines differ from those of {sys.argv[2]}")
        head = lines[:first + 1]
        rows += lines[first + 1:]
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(head + rows) + "\n")


if __name__ == "__main__":
    main()
