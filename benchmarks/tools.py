"""Where the tools of a build are, for the scripts that ask them."""
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find(name, script, root=ROOT):
    """The path of a tool in PATH or in build/bin of `root`; ends `script` where there is none."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(root / "build" / "bin")])
    found = shutil.which(name, path=path)
    if not found:
        sys.exit(f"{script}: error: no {name} in PATH or build/bin")
    return found
