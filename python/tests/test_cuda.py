"""Calls on a GPU, with a driver that notes launches and runs none (test/Runtime/FakeCuda.cpp)."""

import os

import pytest
from conftest import run_on_driver

DRIVER = os.environ.get("ROOFTILE_FAKE_CUDA", "")
pytestmark = pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")

BEGIN = """
import numpy as np, rooftile, torch
a, b, c = (torch.Tensor(np.ones((64, 64), 'f4')) for _ in range(3))
"""


def run(code, tmp_path, **more):
    return run_on_driver(BEGIN + code, tmp_path, {"LD_LIBRARY_PATH": DRIVER} | more)


def launches(log):
    return [line for line in log if line.startswith("cuLaunchKernel")]


def test_current_stream(tmp_path):
    code = "r = rooftile.gemm(a, b); print(type(r).__module__, r.shape, r.device)"
    text, log = run(code, tmp_path)
    assert text == "torch (64, 64) 0"
    assert launches(log) and all(line.endswith("stream 4242") for line in launches(log))
    assert not any(line.startswith(("cuStreamSynchronize", "cuCtxSynchronize")) for line in log)


def test_batches_of_two_dimensions(tmp_path):
    """One kernel, launched for each matrix of the smaller dimension; one launch where there is no
    gap between dimensions."""
    code = """
wide, many = torch.Tensor(np.ones((2, 1, 64, 64), 'f4')), torch.Tensor(np.ones((3, 64, 64), 'f4'))
whole = torch.Tensor(np.ones((2, 3, 64, 64), 'f4'))
for x, y in ((wide, many), (whole, many), (whole, a)):
    print(rooftile.gemm(x, y).shape)
"""
    text, log = run(code, tmp_path)
    assert text.splitlines() == 3 * ["(2, 3, 64, 64)"]
    assert len(launches(log)) == 2 + 2 + 1
    assert len([line for line in log if line.startswith("cuModuleLoadDataEx")]) == 3


def test_compiled_once(tmp_path):
    """In a process; the next one finds it on disk, and writes nothing there."""
    code = "for _ in range(3): rooftile.gemm(a, b, out=c)"
    _, log = run(code, tmp_path)
    loads = [line for line in log if line.startswith("cuModuleLoadDataEx")]
    assert len(loads) == 1 and len(launches(log)) == 3
    written = {path: path.stat().st_ino for path in tmp_path.rglob("*") if path.name != "log"}
    assert written
    run(code, tmp_path)
    again = {path: path.stat().st_ino for path in tmp_path.rglob("*") if path.name != "log"}
    assert again == written


def test_tensors_are_given_back(tmp_path):
    code = """
rooftile.gemm(a, b, out=c)
try:
    rooftile.gemm(a, torch.Tensor(np.ones((3, 64), 'f4')))
except ValueError as error:
    print(error)
print(torch.lent())
"""
    text, _ = run(code, tmp_path)
    assert text == "a is 64 x 64 and b is 3 x 64 (op nn): K is 64 and 3\n0"


def test_tensors_are_given_back_by_failing_calls(tmp_path):
    """Code in Python that frees a tensor does not see the exception."""
    code = """
from rooftile._core import Array, Request, shape
short = torch.Tensor(np.ones((3, 64), 'f4'))
try:
    shape(Request('gemm', {}), Array(a, 'a', 'dlpack', -1), Array(short, 'b', 'dlpack', -1), None)
except ValueError as error:
    print(error)
print(torch.lent())
"""
    text, _ = run(code, tmp_path)
    assert text == "a is 64 x 64 and b is 3 x 64 (op nn): K is 64 and 3\n0"


def test_exchange(tmp_path):
    """Tensors that DLPack's functions describe: no capsules, and the stream that they name."""
    code = """
torch.offer_exchange()
torch.Tensor.__dlpack__ = None
r = rooftile.gemm(a, b, out=c)
print(r is c, sys.getrefcount(a) == references)
"""
    begin = "import sys; references = sys.getrefcount(a)"
    text, log = run(begin + code, tmp_path)
    assert text == "True True"
    assert [line.split()[-1] for line in launches(log)] == ["4343"]


def test_unknown_exchange(tmp_path):
    """Functions of another version of DLPack are left alone."""
    code = "torch.offer_exchange(2); torch.Tensor.is_cuda = True; rooftile.gemm(a, b, out=c)"
    _, log = run(code, tmp_path)
    assert [line.split()[-1] for line in launches(log)] == ["4242"]


def test_devices(tmp_path):
    code = """
for other in (torch.Tensor(np.ones((64, 64), 'f4'), device=1), np.ones((64, 64), 'f4')):
    try:
        rooftile.gemm(a, other)
    except (ValueError, TypeError) as error:
        print(error)
"""
    code += """
try:
    rooftile.gemm(a, b, bias=torch.Tensor(np.ones(64, 'f4'), device=1))
except ValueError as error:
    print(error)
"""
    text, log = run(code, tmp_path)
    assert text.splitlines() == ["a is on CUDA device 0 and b is on CUDA device 1",
                                 "a is an array of torch and b of numpy",
                                 "bias is on CUDA device 1 and out is on CUDA device 0"]
    assert not launches(log)


def test_driver_errors(tmp_path):
    code = """
try:
    rooftile.gemm(a, b)
except RuntimeError as error:
    print(error)
"""
    text, _ = run(code, tmp_path, ROOFTILE_FAKE_FAILURE="cuModuleLoadDataEx")
    assert "cuModuleLoadDataEx failed on CUDA device 0: CUDA_ERROR_LAUNCH_FAILED" in text


def test_planned_before_a_capture(tmp_path):
    """plan() loads the kernels: execute() then only launches."""
    code = """
product = rooftile.Gemm(a, b, bias=torch.Tensor(np.ones(64, 'f4')), activation='relu').plan()
open(os.environ['ROOFTILE_FAKE_LOG'], 'a').write('planned\\n')
product.execute(out=c)
"""
    _, log = run("import os\n" + code, tmp_path)
    planned = log.index("planned")
    before, after = ([line.split()[0] for line in part] for part in (log[:planned], log[planned:]))
    assert "cuModuleLoadDataEx" in before and not launches(log[:planned])
    assert "cuModuleLoadDataEx" not in after
    assert launches(log[planned:]) == ["cuLaunchKernelEx stream 4242"]


def test_loading_fails(tmp_path):
    code = """
try:
    rooftile.Gemm(a, b).plan()
except RuntimeError as error:
    print(error)
"""
    text, _ = run(code, tmp_path, ROOFTILE_FAKE_FAILURE="cuModuleLoadDataEx")
    assert "cuModuleLoadDataEx failed on CUDA device 0: CUDA_ERROR_LAUNCH_FAILED" in text


def test_fork(tmp_path):
    """A child of a process that has used CUDA reports that, and does not hang."""
    code = """
import os, sys
rooftile.gemm(a, b)
child = os.fork()
if child == 0:
    try:
        rooftile.gemm(a, b)
    except RuntimeError as error:
        print(error)
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
"""
    text, log = run(code, tmp_path)
    assert "forked after its parent had used a GPU" in text
    assert len(launches(log)) == 1


def test_compiled_module(tmp_path):
    code = """
module = rooftile.compile('''
func.func @f(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}''', device="cuda", chip="h200")
module(a, c)
try:
    module(np.ones((64, 64), 'f4'), np.ones((64, 64), 'f4'))
except ValueError as error:
    print(error)
"""
    text, log = run(code, tmp_path)
    assert text == "argument 0 of f is on the CPU; the module was compiled for CUDA"
    assert launches(log) == ["cuLaunchKernelEx stream 4242"]
