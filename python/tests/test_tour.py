"""The notebook examples/tour.ipynb: no cell fails, and all print what the file shows."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "examples" / "tour.ipynb"


def run(notebook):
    return subprocess.run([sys.executable, ROOT / "scripts" / "run_notebook.py", notebook],
                          capture_output=True, text=True)


def test_tour():
    start = time.time()
    done = run(TOUR)
    assert done.returncode == 0, done.stdout + done.stderr
    assert time.time() - start < 60


def cell(source, text):
    return {"cell_type": "code", "source": [source], "metadata": {}, "execution_count": 1,
            "outputs": [{"name": "stdout", "output_type": "stream", "text": [text]}]}


@pytest.mark.parametrize("source, text, said", [
    ("print(2)", "1\n", "cell 1 prints something else:\n  notebook: 1\n  now:      2"),
    ("1", "1\n", "cell 1 prints something else:\n  notebook: [stdout]\n  now:      [text/plain]"),
    ("1 / 0", "", "cell 1 fails:"),
])
def test_that_it_can_fail(tmp_path, source, text, said):
    notebook = tmp_path / "other.ipynb"
    notebook.write_text(json.dumps({"cells": [cell(source, text)]}))
    done = run(notebook)
    assert done.returncode == 1 and said in done.stdout


def test_tour_is_plain_python():
    """No commands of a shell or of Jupyter, which could install something."""
    cells = [each for each in json.loads(TOUR.read_text())["cells"] if each["cell_type"] == "code"]
    assert all(each["outputs"] for each in cells)
    lines = [line for each in cells for line in each["source"]]
    assert not any(line.startswith(("!", "%")) for line in lines)
