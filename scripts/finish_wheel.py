"""finish_wheel.py WHEEL...: checks that wheels need nothing but the C library, and says in their names
of which version (manylinux_2_N of PEP 600).

Needs objdump. Fails where a library is linked to another one, or needs a C library later than 2.35.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

NEWEST_MINOR = 35  # of glibc 2
SYSTEM = re.compile(r"(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so\.\d+")


def objdump(option, path):
    return subprocess.run(["objdump", option, path], capture_output=True, text=True,
                          check=True).stdout


def glibc_minor(name, content):
    """The version of glibc that a library needs; ends the program where it needs more."""
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(content)
        file.flush()
        needed = re.findall(r"NEEDED\s+(\S+)", objdump("-p", file.name))
        symbols = objdump("-T", file.name)
    versions = re.findall(r"GLIBC_2\.(\d+)", symbols)
    # Weak ones may stay undefined; those without a version are not of the C library.
    unknown = re.findall(r"^\S+ {6}DF? +\*UND\*\s+\S+ +(?:Base +)?((?!_?Py)[^\s(]+)$", symbols,
                         re.MULTILINE)
    if unknown:
        sys.exit(f"error: {name}: nothing defines {', '.join(unknown)}")
    foreign = [library for library in needed if not SYSTEM.fullmatch(library)]
    if foreign:
        sys.exit(f"error: {name} needs {', '.join(foreign)}")
    minor = max(int(version) for version in versions)
    if minor > NEWEST_MINOR:
        sys.exit(f"error: {name} needs glibc 2.{minor}, later than 2.{NEWEST_MINOR}")
    return minor


def record_of(files, record):
    """RECORD: a hash of each file but itself."""
    lines = []
    for name, content in files.items():
        if name != record:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join(lines + [f"{record},,", ""]).encode()


def finish(path):
    with zipfile.ZipFile(path) as wheel:
        files = {info.filename: wheel.read(info) for info in wheel.infolist()}
        modes = {info.filename: info.external_attr for info in wheel.infolist()}
    libraries = [name for name in files if name.endswith(".so")]
    if not libraries:
        sys.exit(f"error: {path} has no library in it")
    minor = max(glibc_minor(name, files[name]) for name in libraries)
    platform = f"manylinux_2_{minor}"
    facts, record = (next(name for name in files if name.endswith(f".dist-info/{end}"))
                     for end in ("WHEEL", "RECORD"))
    files[facts] = files[facts].replace(b"-linux_", f"-{platform}_".encode())
    files[record] = record_of(files, record)
    finished = path.replace("-linux_", f"-{platform}_")
    with zipfile.ZipFile(finished + ".part", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = modes[name], zipfile.ZIP_DEFLATED
            wheel.writestr(info, content)
    if finished != path:
        os.remove(path)
    os.replace(finished + ".part", finished)
    sizes = sum(len(content) for content in files.values())
    print(f"{finished}: {os.path.getsize(finished) / 2**20:.1f} MiB, {sizes / 2**20:.1f} MiB "
          f"installed, needs glibc 2.{minor}")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        finish(argument)
