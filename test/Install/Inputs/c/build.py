"""build.py PREFIX CC SOURCE PROGRAM: builds and runs a program in C by the command that heads its source.

Prints what the program prints, or that pkg-config is missing.
"""

import os
import re
import shutil
import subprocess
import sys


def command_of(source, compiler, program):
    """The command `cc NAME.c .. -o NAME && ./NAME` of the first comment, for these paths."""
    with open(source) as file:
        head = file.read().partition("*/")[0]
    lines = [line.removeprefix("|* ") for line in head.splitlines()]
    (command,) = re.findall(r"^cc (?:.*\\\n)*.*$", "\n".join(lines), re.MULTILINE)
    name = os.path.basename(source)
    stem = name.removesuffix(".c")
    for old, new in (("cc ", compiler + " "), (name, source), (f"-o {stem} ", f"-o {program} "),
                     (f"./{stem}", program)):
        assert old in command, command
        command = command.replace(old, new, 1)
    return command


def main():
    prefix, compiler, source, program = sys.argv[1:]
    if not shutil.which("pkg-config"):
        print("no pkg-config here")
        return
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(prefix, "lib/pkgconfig"))
    environment.pop("LD_LIBRARY_PATH", None)
    subprocess.run(command_of(source, compiler, program), shell=True, env=environment, check=True)


main()
