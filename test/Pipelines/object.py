"""Writes the binary embedded in the module on standard input to standard output."""

import re
import sys

text = sys.stdin.buffer.read()
image = re.search(rb' bin = "((?:[^"\\]|\\.)*)"', text).group(1)
image = re.sub(rb"\\([0-9A-F]{2})|\\(.)",
               lambda code: bytes.fromhex(code.group(1).decode()) if code.group(1) else code.group(2),
               image)
sys.stdout.buffer.write(image)
