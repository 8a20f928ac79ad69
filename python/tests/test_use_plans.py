"""Lists of plans: use_plans() and ROOFTILE_PLANS, in processes of their own with a driver that runs
nothing, and on the host.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
import rooftile
from conftest import run_on_driver

DRIVER = os.environ.get("ROOFTILE_FAKE_CUDA", "")
PLAN = ("#blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], "
        "a = <via = shared>, b = <via = shared>>")
LINE = f"v1 gemm type=f32 op=nn m=64 n=64 k=64 align=* alpha=* -> {PLAN}\n"
KERNEL = b"gemm_f32_nn_16x16x8"


@pytest.fixture
def listed(tmp_path):
    """A list of one product of an H200."""
    path = tmp_path / "h200.plans"
    path.write_text(f"# one product\nchip h200\n{LINE}")
    yield path
    rooftile.use_plans(None)


def test_plan_names_the_line(listed):
    model = rooftile.plan(64, 64, 64, "f32")
    assert model.source == "the model" and "from" not in model.reasons
    with pytest.raises(ValueError, match="chip: .*h20o"):  # leaves no compiler
        rooftile.gemm(np.ones((2, 2)), np.ones((2, 2)), chip="h20o")
    rooftile.use_plans(listed)
    plan = rooftile.plan(64, 64, 64, "f32")
    assert plan.source == f"{listed}:3"
    assert plan.reasons["from"].startswith(f"{listed}:3: {PLAN}, ")
    assert plan.json == model.json
    assert rooftile.plan(64, 64, 65, "f32").source.startswith("the model")
    rooftile.use_plans(None)
    assert rooftile.plan(64, 64, 64, "f32").source == "the model"


def test_calls_have_the_plan(listed, integers):
    a, b = integers((64, 64)), integers((64, 64))
    product = rooftile.Gemm(a, b)
    assert product.report["operations"][0]["source"] == "the model"
    rooftile.use_plans(str(listed))
    assert product.report["operations"][0]["source"] == f"{listed}:3"
    assert np.array_equal(rooftile.gemm(a, b), a @ b)


def test_errors(listed, tmp_path):
    rooftile.use_plans(listed)
    for missing in (tmp_path / "none.plans", ""):
        with pytest.raises(FileNotFoundError):
            rooftile.use_plans(missing)
    bad = tmp_path / "bad.plans"
    bad.write_text("\nv1 gemm mm=3 -> " + PLAN)
    with pytest.raises(ValueError, match=r"bad.plans:2:9: no key 'mm'; did you mean 'm'\?"):
        rooftile.use_plans(bad)
    assert rooftile.plan(64, 64, 64, "f32").source == f"{listed}:3"


def test_another_chip(tmp_path, integers):
    path = tmp_path / "h100.plans"
    path.write_text(f"chip h100\n{LINE}")
    rooftile.use_plans(path)
    with pytest.warns(RuntimeWarning, match="h100.plans:1: 1 line is for chip 'h100', left out"):
        plan = rooftile.plan(64, 64, 64, "f32", chip="h200")
    assert plan.source.startswith("the model")
    rooftile.use_plans(None)


def run(code, **environment):
    """Output of a process."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=os.environ | environment, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_environment(listed, tmp_path):
    code = "import rooftile; print(rooftile.plan(64, 64, 64, 'f32').source)"
    assert run(code, ROOFTILE_PLANS=str(listed)) == (f"{listed}:3", "")
    assert run(code, ROOFTILE_PLANS="") == ("the model", "")
    without = code.replace("print", "rooftile.use_plans(None); print")
    assert run(without, ROOFTILE_PLANS=str(listed)) == ("the model", "")


def test_environment_that_cannot_be_read(tmp_path):
    code = """
import numpy as np, rooftile
for n in (3, 4):
    print(rooftile.gemm(np.ones((n, n)), np.ones((n, n)))[0, 0])
"""
    text, errors = run(code, ROOFTILE_PLANS=str(tmp_path / "none.plans"))
    assert text.split() == ["3.0", "4.0"]
    assert errors.count("RuntimeWarning: ROOFTILE_PLANS: cannot read the list of plans") == 1


@pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")
def test_kernels_on_disk(listed, tmp_path):
    """A kernel with a plan of the list is stored beside that of the model, and in the process one
    after the other is launched."""
    code = f"""
import numpy as np, rooftile, torch
a, b, c = (torch.Tensor(np.ones((64, 64), 'f4')) for _ in range(3))
for path in (None, {str(listed)!r}, None):
    rooftile.use_plans(path)
    rooftile.gemm(a, b, out=c)
"""
    _, log = run_on_driver(code, tmp_path, {"LD_LIBRARY_PATH": DRIVER})
    stored = [path.read_bytes() for path in tmp_path.rglob("*.rooftile")]
    assert len(stored) == 2 and sum(KERNEL in each for each in stored) == 1
    assert len([line for line in log if line.startswith("cuLaunchKernel")]) == 3
    assert len([line for line in log if line.startswith("cuModuleLoadDataEx")]) == 2


def test_exported_libraries(listed, tmp_path):
    spec = {"library": "small", "chips": ["h200"], "operations": [
        {"name": "small", "order": "row", "type": "f32", "op": "nn", "m": 64, "n": 64, "k": 64,
         "ld": 64, "align": 16}]}
    rooftile.use_plans(listed)
    library = rooftile.dispatch(spec, tmp_path / "small")
    assert KERNEL.decode() in library.header.with_suffix(".json").read_text()
