"""Examples of the documents run. A block of a page goes on with the names of those before it; one
marked `jax` needs JAX, and one marked `torchrun` is a program of two processes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python( jax| torchrun)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name):
    found = BLOCK.findall((DOCUMENTS / name).read_text())
    assert found, f"{name} has no example"
    return found


@pytest.mark.parametrize("name, package, mark", [("Python.md", "numpy", ""),
                                                 ("Python.md", "jax", " jax"),
                                                 ("PyTorch.md", "torch", ""),
                                                 ("../README.md", "numpy", "")])
def test_examples(name, package, mark):
    pytest.importorskip(package)
    text = "\n".join(code for marked, code in blocks(name) if marked == mark)
    exec(compile(text, name, "exec"), {"__name__": "__main__"})


def test_several_processes(tmp_path):
    pytest.importorskip("torch.distributed.tensor")
    (program,) = [code for marked, code in blocks("PyTorch.md") if marked]
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node",
               "2", str(tmp_path / "program.py")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
