"""The rules of commits, in the history since a commit.

commits.py SOURCE [--base COMMIT] [--log FILE]: a subject has at most 72 characters and an area, such
as `[Planning] Price the last wave by its own occupancy`; history is linear. Where there is no
history (an export, a clone without the base) it reports that and exits 0. --log reads a file of lines
`hash parents|subject` instead.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

BASE = "855573c"  # Before it, subjects were longer.
MAX_SUBJECT = 72
SUBJECT = re.compile(r"\[[A-Z][A-Za-z]*\] \S.*[^.\s]")


def log_of(source, base):
    """Lines `hash parents|subject`, newest first; null where there is no such history."""
    command = ["git", "-C", str(source), "log", "--format=%h %p|%s", f"{base}..HEAD"]
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return result.stdout.splitlines() if result.returncode == 0 else None


def problems(log):
    for line in log:
        hashes, _, subject = line.partition("|")
        name, *parents = hashes.split()
        if len(parents) > 1:
            yield f"{name}: a merge; history is linear: rebase"
        if len(subject) > MAX_SUBJECT:
            yield f"{name}: a subject of {len(subject)} characters; at most {MAX_SUBJECT}"
        if not SUBJECT.fullmatch(subject):
            yield f"{name}: '{subject}': expected '[Area] What changes', without a full stop"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--base", default=BASE)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    log = log_of(options.source, options.base)
    if options.log:
        log = options.log.read_text().splitlines()
    if log is None:
        print("skipped: no history since", options.base)
        return 0
    found = list(problems(log))
    print("\n".join(found) or f"{len(log)} commits follow the rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
