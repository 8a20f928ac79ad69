"""Writes the bytecode file FILE with another version of the one dialect that has a version.

bump_version.py FILE > NEWER. The section of a dialect's version is its number 7, its length and the
version, the last two as variable-length integers: 3 is 0x07, 4 is 0x09.
"""

import sys
from pathlib import Path

data = Path(sys.argv[1]).read_bytes()
section = b"\x07\x03\x07"
assert data.count(section) == 1, f"{data.count(section)} sections look like a version"
sys.stdout.buffer.write(data.replace(section, b"\x07\x03\x09"))
