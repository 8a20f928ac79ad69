"""The extension, loaded when it is first needed: LLVM loads slowly."""

import importlib

_loaded = None


def core():
    """The module `rooftile._core`."""
    global _loaded
    if _loaded is None:
        _loaded = importlib.import_module("rooftile._core")
    return _loaded
