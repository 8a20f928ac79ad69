"""build.py PREFIX CC SOURCE PROGRAM: builds a program in C with the flags of pkg-config, and runs it.

Prints what the program prints, or that there is no pkg-config.
"""

import os
import shutil
import subprocess
import sys


def main():
    prefix, compiler, source, program = sys.argv[1:]
    tool = shutil.which("pkg-config") or shutil.which("pkgconf")
    if not tool:
        print("no pkg-config here")
        return
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(prefix, "lib/pkgconfig"))
    flags = subprocess.run([tool, "--cflags", "--libs", "rooftile"], env=environment, check=True,
                           capture_output=True, text=True).stdout.split()
    subprocess.run([compiler, source, *flags, "-o", program], check=True)
    environment["LD_LIBRARY_PATH"] = os.path.join(prefix, "lib")
    subprocess.run([program], env=environment, check=True)


main()
