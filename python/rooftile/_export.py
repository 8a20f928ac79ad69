"""Libraries that are compiled ahead of time."""

import json
import os
from pathlib import Path
from typing import Any, Dict, Mapping, Union

from ._native import core


class ExportedLibrary:
    """A library of C: `folder` with its files, `report` of sizes, and `contents`, what is in it."""

    def __init__(self, folder: Path, name: str, report: str) -> None:
        self.folder = folder
        self.name = name
        self.report = report
        self.header = folder / f"{name}.h"
        self.shared = folder / f"lib{name}.so"
        self.static = folder / f"lib{name}.a"
        self.contents: Dict[str, Any] = json.loads((folder / f"{name}.json").read_text())

    def __str__(self) -> str:
        return self.report

    def __repr__(self) -> str:
        return f"<rooftile library {self.name} in {self.folder}>"


def _text_of(spec):
    """The text, and what messages call it."""
    if isinstance(spec, Mapping):
        return json.dumps(spec, indent=1), "spec"  # which is YAML, too
    if isinstance(spec, str) and "\n" in spec:
        return spec, "spec"
    if not isinstance(spec, (str, os.PathLike)):
        raise TypeError(f"spec is of type {type(spec).__name__}; expected a file, a text of YAML, "
                        "or a mapping")
    return Path(spec).read_text(), os.fspath(spec)


def dispatch(spec: Union[str, "os.PathLike[str]", Mapping[str, Any]],
             folder: Union[str, "os.PathLike[str]"], *, threads: int = 0) -> ExportedLibrary:
    """Compiles operations ahead of time to a library for C and C++, as gemm-export does. The
    library uses the code for the GPU it finds, and has no LLVM in it. Needs no GPU.

        rooftile.dispatch({"library": "products", "chips": ["h200", "a100"], "operations": [
            {"name": "dgemm", "types": "f64", "alpha": "any", "beta": "any"}]}, "build/products")

    Args:
        spec: the name of a file, a text in YAML (of more than one line), or a mapping;
            docs/Export.md of the project has all keys.
        folder: one that does not exist, an empty one, or that of an earlier export.
        threads: that compile; 0: as many as the machine has.

    Raises ValueError for a spec with mistakes, by line and column, OSError for one that cannot be
    read, RuntimeError where the library cannot be made: then the folder is as it was.
    """
    if threads < 0:
        raise ValueError(f"threads is {threads}; expected 0 or more")
    text, path = _text_of(spec)
    name, report = core().export_spec(text, path, os.fspath(folder), threads)
    return ExportedLibrary(Path(folder), name, report)
