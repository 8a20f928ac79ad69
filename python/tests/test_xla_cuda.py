"""Handlers for XLA on a GPU, with a driver that notes launches and runs none. Needs no JAX."""

import pytest
from test_cuda import DRIVER, launches, run

pytestmark = pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")

BEGIN = """
import xla
from rooftile._core import xla_handlers
blas = xla_handlers()["CUDA"]
a, b, c = (np.ones((64, 64), 'f4') for _ in range(3))
ONE = dict(alpha=1, alpha_imaginary=0, chip="")
PRODUCT = dict(ONE, routine="gemm", beta=0, beta_imaginary=0, op_a="n", op_b="n")
SOLVE = dict(ONE, routine="trsm", side="left", triangle="lower", diagonal="nonunit", op="n")
"""


def test_stream(tmp_path):
    code = "print(xla.Runtime().call(blas, [a, b], [c], **PRODUCT))"
    text, log = run(BEGIN + code, tmp_path)
    assert text == "None"
    assert launches(log) and all(line.endswith("stream 4242") for line in launches(log))
    assert not any(line.startswith(("cuStreamSynchronize", "cuCtxSynchronize")) for line in log)


def test_in_place(tmp_path):
    code = """
more = dict(PRODUCT, beta=2)
print(xla.Runtime().call(blas, [a, b, c], [c], **more))
print(xla.Runtime().call(blas, [a, b, a], [c], **more))
print(xla.Runtime().call(blas, [a, b], [b], **SOLVE))
print(xla.Runtime().call(blas, [a, b], [c], **SOLVE))
update = dict(ONE, routine="syrk", triangle="upper", op="t")
print(xla.Runtime().call(blas, [a, c], [c], **update))
print(xla.Runtime().call(blas, [a, b], [c], **update))
"""
    text, log = run(BEGIN + code, tmp_path)
    assert text.splitlines() == [
        "None", "(3, 'XLA has given c and the result different memory')",
        "None", "(3, 'XLA has given b and the result different memory')",
        "None", "(3, 'XLA has given c and the result different memory')"]
    assert launches(log)


def test_epilogue(tmp_path):
    """A bias after the operands, and an activation as an attribute that may be there."""
    code = """
bias, more = np.ones(64, 'f4'), dict(PRODUCT, activation="silu")
print(xla.Runtime().call(blas, [a, b, bias], [c], **more))
print(xla.Runtime().call(blas, [a, b, c, bias], [c], **dict(PRODUCT, beta=2)))
print(xla.Runtime().call(blas, [a, b, bias[:3]], [c], **more))
print(xla.Runtime().call(blas, [a, b], [c], **dict(PRODUCT, activation="elu")))
"""
    text, log = run(BEGIN + code, tmp_path)
    assert text.splitlines()[:3] == [
        "None", "None", "(3, 'bias has shape (3,); expected (64,) or (1, 64), for each column, or "
        "(64, 1), for each row')"]
    assert "activation is 'elu'; expected 'relu'" in text.splitlines()[3]
    assert len(launches(log)) == 2


def test_driver_errors(tmp_path):
    code = "print(xla.Runtime().call(blas, [a, b], [c], **PRODUCT))"
    text, _ = run(BEGIN + code, tmp_path, ROOFTILE_FAKE_FAILURE="cuModuleLoadDataEx")
    assert text.startswith("(13, ")
    assert "cuModuleLoadDataEx failed on CUDA device 0: CUDA_ERROR_LAUNCH_FAILED" in text


def test_shapes(tmp_path):
    """Those of the buffers count, whatever a program states elsewhere."""
    code = "print(xla.Runtime().call(blas, [a[:32], b[:48]], [c], **PRODUCT))"
    text, log = run(BEGIN + code, tmp_path)
    assert text == "(3, 'a is 32 x 64 and b is 48 x 64 (op nn): K is 64 and 48')"
    assert not launches(log)


def test_versions(tmp_path):
    """A handler reports the version of XLA that called it, where it has that; and no traits:
    XLA must not record it."""
    code = """
print(xla.Runtime(version=(0, 1)).metadata(blas), xla.Runtime(version=(0, 9)).metadata(blas))
print(xla.Runtime(version=(1, 0)).metadata(blas))
early = xla.Runtime()
early.has_api = False
print(early.metadata(blas))
print(xla.Runtime(version=(0, 0), functions=16).call(blas, [a, b], [c], **PRODUCT))
"""
    text, _ = run(BEGIN + code, tmp_path)
    unknown = ("(13, \"XLA's custom calls have version {}, which this build of rooftile does not "
               "support\")")
    assert text.splitlines() == ["((0, 1), 0) ((0, 9), 0)", unknown.format("1.0"),
                                 "((0, 1), 0)",
                                 unknown.format("0.0")]
