#!/usr/bin/env python3
"""Lets a PyTorch for CUDA be imported where CUDA's libraries are not installed.

PyPI has PyTorch for Linux with CUDA only, and its libraries for CUDA take 4 GB. They are linked,
so the loader looks for them, but what runs on the CPU does not call them. For each library that is
missing this writes one whose functions end the process:

    venv/bin/python scripts/torch_without_cuda.py
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Not libcuda.so.1, the driver: it is opened where it is.
CUDA = re.compile(r"lib(cu(?!da\.)|nv|nccl)\w*\.so\.\d+")
REFERENCE = re.compile(r"  required from (\S+):\n((?:    .*\n)+)")
FUNCTION = re.compile(r"(cu|nv|nccl)\w+")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library, which):
    """Names of `library`, "name@version" where they have one."""
    lines = output("nm", "-D", which, str(library)).splitlines()
    return {line.split()[-1].replace("@@", "@") for line in lines}


def write_library(path, names, version):
    code = "".join(f"void {name}(void) {{ __builtin_trap(); }}\n" for name in sorted(names))
    command = ["cc", "-shared", "-fPIC", "-w", "-x", "c", "-", "-o", str(path),
               f"-Wl,-soname,{path.name}"]
    with tempfile.NamedTemporaryFile("w", suffix=".map") as script:
        if version:
            script.write(f"{version} {{ global: *; }};\n")
            script.flush()
            command.append(f"-Wl,--version-script,{script.name}")
        subprocess.run(command, input=code, text=True, check=True)


def main():
    folder = Path(importlib.util.find_spec("torch").origin).parent / "lib"
    libraries = list(folder.glob("*.so*"))
    present = {path.name for path in folder.parent.parent.glob("nvidia/**/lib/*")}
    present |= {path.name for path in libraries}
    needed, versions = set(), {}
    for library in libraries:
        facts = output("objdump", "-p", str(library))
        needed |= set(re.findall(r"NEEDED +(\S+)", facts))
        for name, lines in REFERENCE.findall(facts):
            versions[name] = lines.split()[3]
    undefined = set().union(*(symbols(each, "--undefined-only") for each in libraries))
    defined = set().union(*(symbols(each, "--defined-only") for each in libraries))
    plain = {name for name in undefined - defined if FUNCTION.fullmatch(name)}
    absent = sorted(name for name in needed - present if CUDA.fullmatch(name))
    for name in absent:
        version = versions.get(name)
        names = {each.partition("@")[0] for each in undefined if each.endswith(f"@{version}")}
        write_library(folder / name, names or plain, version)
    print(f"{len(absent)} libraries of CUDA replaced in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
