"""Examples of the documents run. A block of a page goes on with the names of those before it."""

import re
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python( torchrun)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name):
    found = BLOCK.findall((DOCUMENTS / name).read_text())
    assert found, f"{name} has no example"
    return found


@pytest.mark.parametrize("name, package", [("Python.md", "numpy"), ("PyTorch.md", "torch")])
def test_examples(name, package):
    pytest.importorskip(package)
    text = "\n".join(code for marked, code in blocks(name) if not marked)
    exec(compile(text, name, "exec"), {"__name__": "__main__"})
