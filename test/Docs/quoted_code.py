"""Checks that the C++ code of a document that names its file in its first line is in that file.

quoted_code.py DOCUMENT: exits 1, with the name of the file, where it is not.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```cpp\n// (?P<file>[\w/.-]+\.(?:cpp|h))\n(?P<code>.*?)^```$", re.S | re.M)
ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    blocks = list(BLOCK.finditer(pathlib.Path(sys.argv[1]).read_text()))
    missing = [block["file"] for block in blocks
               if block["code"] not in (ROOT / block["file"]).read_text()]
    for file in missing:
        print(f"the code that {sys.argv[1]} quotes is not in {file}")
    print(f"{len(blocks)} blocks of code, {len(missing)} not in their files")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
