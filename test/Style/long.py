"""Writes a C++ file of 504 lines, which is too long, with a function of 300 lines."""

import sys

with open(sys.argv[1], "w") as file:
    file.write("namespace x {\nint f(int value) {\n" + "  // A \"brace\": {\n" * 299
               + "  return value;\n}\n} // namespace x\n" + "// More of it.\n" * 200)
