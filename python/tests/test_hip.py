"""Calls on a GPU of AMD's, with a driver that checks its arguments, notes launches and runs none
(test/Runtime/FakeHip.cpp)."""

import os

import pytest
from conftest import run_on_driver

DRIVER = os.environ.get("ROOFTILE_FAKE_HIP", "")
pytestmark = pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_HIP names no folder")

BEGIN = """
import numpy as np, rooftile, torch
def tensor(device=0, size=64):
    return torch.Tensor(np.ones((size, size), 'f4'), device)
a, b, c = (tensor() for _ in range(3))
"""
CHIP = {"ROOFTILE_FAKE_ARCHITECTURE": "gfx90a:sramecc+:xnack-",
        "ROOFTILE_FAKE_HIP_NAME": "AMD Instinct MI250X"}


def run(code, tmp_path, **more):
    environment = {"ROOFTILE_HIP": f"{DRIVER}/libamdhip64.so.6", **CHIP, "TORCH_STAND_IN": "rocm",
                   "LD_LIBRARY_PATH": os.environ.get("ROOFTILE_FAKE_CUDA", "")}
    text, calls = run_on_driver(BEGIN + code, tmp_path, environment | more)
    assert not any(line.startswith("cu") for line in calls), "NVIDIA's driver is left alone"
    return text, calls


def launches(log):
    return [line for line in log if line.startswith("hipModuleLaunchKernel")]


def test_current_stream(tmp_path):
    code = "r = rooftile.gemm(a, b); print(type(r).__module__, r.shape, r.device)"
    text, log = run(code, tmp_path)
    assert text == "torch (64, 64) 0"
    assert launches(log) and all(line.endswith("stream 4242") for line in launches(log))
    assert not any("Synchronize" in line for line in log)


def test_exchange(tmp_path):
    _, log = run("torch.offer_exchange(); rooftile.gemm(a, b, out=c)", tmp_path)
    assert [line.split()[-1] for line in launches(log)] == ["4343"]


def test_other_devices(tmp_path):
    """Each device loads its own kernels; calls leave the current device of the thread as it was."""
    code = """
for device in (1, 0, 1):
    rooftile.gemm(tensor(device), tensor(device), out=tensor(device))
"""
    _, log = run(code, tmp_path, ROOFTILE_FAKE_HIP_DEVICES="2")
    assert [line.split()[-1] for line in launches(log)] == ["4243", "4242", "4243"]
    assert len([line for line in log if line.startswith("hipModuleLoadData")]) == 2
    assert len([line for line in log if line.startswith("hipSetDevice")]) == 4  # there and back


def test_threads(tmp_path):
    """Two devices by two threads at once: none waits for the other."""
    code = """
import threading
failed = []
def work(device):
    x = tensor(device)
    for _ in range(20):
        rooftile.gemm(x, x, out=tensor(device))
threads = [threading.Thread(target=work, args=[device]) for device in (0, 1)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    _, log = run(code, tmp_path, ROOFTILE_FAKE_HIP_DEVICES="2")
    streams = [line.split()[-1] for line in launches(log)]
    assert streams.count("4242") == streams.count("4243") == 20


def test_errors(tmp_path):
    code = """
cuda = tensor()
cuda.kind = 2
for x, y in ((a, tensor(1)), (tensor(3), tensor(3)), (tensor(64), tensor(64)), (a, cuda)):
    try:
        rooftile.gemm(x, y)
    except (RuntimeError, ValueError) as error:
        print(error)
"""
    text, log = run(code, tmp_path)
    assert text.splitlines() == ["a is on HIP device 0 and b is on HIP device 1",
                                 "there is no HIP device 3: the driver shows 1",
                                 "a: a device of number 64; expected 0 to 63",
                                 "a is on HIP device 0 and b is on CUDA device 0"]
    assert not launches(log)
    code = """
try:
    rooftile.gemm(a, b)
except RuntimeError as error:
    print(error)
"""
    text, _ = run(code, tmp_path, ROOFTILE_FAKE_FAILURE="hipModuleLaunchKernel")
    assert "hipModuleLaunchKernel failed on HIP device 0: hipErrorLaunchFailure" in text


def test_module(tmp_path):
    code = '''
text = """func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}"""
module = rooftile.compile(text, device="hip", chip="mi250x")
module.product(a, b, c)
try:
    module.product(*(np.ones((64, 64), 'f4') for _ in range(3)))
except ValueError as error:
    print(error)
'''
    text, log = run(code, tmp_path)
    assert "is on the CPU; the module was compiled for HIP" in text
    assert len(launches(log)) == 1
