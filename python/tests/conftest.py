"""Test data: small integers, so that results are exact in every order of summation."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

# XLA compiles for one call in most tests. Read when JAX starts.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 "
                      "--xla_llvm_disable_expensive_passes=true")

DTYPES = ["float16", "float32", "float64", "complex64", "complex128"]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def integers(rng):
    """Makes an array of small integers."""
    def make(shape, dtype="float32"):
        values = rng.integers(-4, 5, shape).astype(dtype)
        if np.dtype(dtype).kind == "c":
            values = values + (1j * rng.integers(-4, 5, shape)).astype(dtype)
        return values
    return make


def torch_integers(device):
    """Makes PyTorch's tensors of small integers on the device."""
    import torch
    generator = torch.Generator().manual_seed(7)

    def make(*shape, dtype=torch.float64, grad=False):
        values = torch.randint(-4, 5, shape, generator=generator).to(dtype)
        if dtype.is_complex:
            values = values + 1j * torch.randint(-4, 5, shape, generator=generator)
        return values.to(device, dtype).requires_grad_(grad)
    return make


def run_on_driver(code, tmp_path, environment):
    """Output of `code` beside a driver that notes its calls, and these as lines."""
    log = tmp_path / "log"
    log.touch()
    paths = [str(Path(__file__).parent / "stand_in"), os.environ.get("PYTHONPATH", "")]
    common = {"ROOFTILE_FAKE_LOG": str(log), "PYTHONPATH": os.pathsep.join(paths),
              "ROOFTILE_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=os.environ | common | environment, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), log.read_text().splitlines()


def run_processes(script, processes, folder, *arguments, seconds=400):
    """Runs a script of this folder as `script RANK PROCESSES FOLDER ARGUMENTS` in each process;
    fails with the output of one that failed."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    running, logs = [], []
    for rank in range(processes):
        logs.append(folder / f"log{rank}")
        with open(logs[-1], "w") as log:
            command = [sys.executable, str(Path(__file__).parent / script), str(rank),
                       str(processes), str(folder), *arguments]
            running.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment))
    try:
        codes = [process.wait(seconds) for process in running]
    finally:
        for process in running:
            process.kill()
    failed = [log.read_text() for log, code in zip(logs, codes) if code]
    assert not failed, failed[0]


def has_gpu():
    try:
        return ctypes.CDLL("libcuda.so.1").cuInit(0) == 0
    except OSError:
        return False


def apply(op, matrix):
    """op(matrix), of a batch too."""
    turned = matrix.swapaxes(-1, -2) if op in "tc" else matrix
    return turned.conj() if op in "cj" else turned
