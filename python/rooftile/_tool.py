"""The program gemm-tune, which the extension has in it: the command `gemm-tune` that pip installs,
or `python -m rooftile`.
"""

import os
import signal
import sys
from typing import List

from ._native import core

_OF_PACKAGE = [sys.executable, "-m", "rooftile"]


def command() -> List[str]:
    """The beginning of a command line: the file that ROOFTILE_TUNER names, else this package."""
    named = os.environ.get("ROOFTILE_TUNER")
    return [named] if named else list(_OF_PACKAGE)


def main() -> None:
    """Runs gemm-tune with the arguments of this process, and exits with its status."""
    for number in (signal.SIGINT, signal.SIGPIPE):  # Python acts on neither while it runs.
        signal.signal(number, signal.SIG_DFL)
    sys.exit(core().gemm_tune(["gemm-tune", *sys.argv[1:]], _OF_PACKAGE))
