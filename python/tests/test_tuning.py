"""Problems for optimizers of other packages: on a store in place of a GPU, and on a driver that
runs nothing with a worker that stands in for that of gemm-tune.
"""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import rooftile.tuning
from conftest import run_on_driver

DRIVER = os.environ.get("ROOFTILE_FAKE_CUDA", "")
WORKER = Path(__file__).parents[2] / "test" / "Tools" / "Inputs" / "stand_in_worker.py"
OPERATION = "v1 gemm type=f32 op=nn m=64 n=64 k=64"
SIZES, STAGES = (16, 32, 64, 128), (1, 2, 3, 4)


def time_of(size, stages):
    """Time of a plan over that of the model's."""
    return 1 + abs(SIZES.index(size) - 2) / 4 + abs(stages - 3) / 8 - 0.375


@pytest.fixture
def store(tmp_path):
    """A store of 16 plans, of which one is wrong: the best is (64, 3), the model's (16, 1)."""
    lines = []
    for size, stages in itertools.product(SIZES, STAGES):
        wrong = (size, stages) == (128, 4)
        baseline = 2.0
        lines.append(json.dumps({
            "operation": OPERATION, "chip": "h200", "device": "NVIDIA H200", "driver": "CUDA 13.0",
            "plan": f"<macro = [{size}, 64, 8]" + (f", stages = {stages}>" if stages > 1 else ">"),
            "compiler": "Rooftile 2", "planVersion": 1, "outcome": "wrong" if wrong else "right",
            "reason": "row 3" if wrong else "", "predicted": 0.01 * (1 + size / 64 + stages / 4),
            "samples": [] if wrong else 5 * [baseline * time_of(size, stages)],
            "baselineBefore": baseline, "baselineAfter": baseline,
            "date": "2026-11-27T10:00:00Z"}))
    (tmp_path / "lines").write_text("\n".join(lines) + "\n")
    subprocess.run([sys.executable, "-m", "rooftile", "import", tmp_path / "a.store",
                    tmp_path / "lines"], check=True, capture_output=True)
    return tmp_path / "a.store"


def test_candidates(store):
    with rooftile.tuning.Problem("f32 nn 64x64x64", replay=store) as problem:
        assert problem.operation == OPERATION and len(problem.candidates) == 16
        first = problem.candidates[0]
        assert first.plan == "<macro = [16, 64, 8]>" and first.predicted == pytest.approx(0.015)
        assert first.keys == {"macro.0": "16", "macro.1": "64", "macro.2": "8", "stages": ""}
        assert {key: set(values) for key, values in problem.keys.items()} == {
            "macro.0": {"16", "32", "64", "128"}, "stages": {"", "2", "3", "4"}}
        assert problem.nearest({"macro.0": "64", "stages": "3"}).plan.startswith("<macro = [64")
        assert problem.nearest({"macro.0": "64"}).keys["stages"] == ""
        assert problem.neighbours(first) == []


def test_measurements(store):
    with rooftile.tuning.Problem(OPERATION, replay=store) as problem:
        assert problem.best is None
        assert problem.measure(problem.candidates[0]) == pytest.approx(2 * time_of(16, 1))
        bad = {"macro.0": "128", "stages": "4"}
        with pytest.raises(rooftile.tuning.Failed, match="wrong: row 3"):
            problem.measure(problem.nearest(bad))
        assert problem.nearest(bad).keys != bad
        with pytest.raises(ValueError, match="samples is 0, not 1 to 1000"):
            problem.measure(problem.candidates[0], samples=0)
        best = problem.nearest({"macro.0": "64", "stages": "3"})
        assert problem.measure(best, samples=3) == pytest.approx(2 * time_of(64, 3))
        assert problem.best == (best, pytest.approx(2 * time_of(64, 3)))
    with pytest.raises(RuntimeError, match="the problem is closed"):
        problem.measure(best)


def test_errors(store, tmp_path):
    with pytest.raises(ValueError, match="a problem needs store, or replay"):
        rooftile.tuning.Problem(OPERATION)
    with pytest.raises(RuntimeError, match="a.store: has no measurements of v1 gemm .* m=3 n=3"):
        rooftile.tuning.Problem("f32 nn 3x3x3", replay=store)
    with pytest.raises(RuntimeError, match="expected a type of f32"):
        rooftile.tuning.Problem("f31 nn 3x3x3", store=tmp_path / "b.store")


def test_optuna(store, capsys):
    """The example of the document, on a store of 16 plans: their best is found. A plan that is
    wrong is a failed trial.
    """
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    text = (Path(__file__).parents[2] / "docs" / "Tuning.md").read_text()
    code = text.partition("```python\n")[2].partition("```")[0]
    own = code.replace('"f32 nn 1000x1000x1000", store="mychip.store"',
                       f'"{OPERATION}", replay={str(store)!r}')
    assert own != code
    own = own.replace("create_study()", "create_study(sampler=optuna.samplers.TPESampler(seed=1))")
    bad = '    study.enqueue_trial({"macro.0": "128", "stages": "4"})\n'
    own = own.replace("    study.optimize", f"{bad}    study.optimize")
    names = {}
    exec(compile(own, "Tuning.md", "exec"), names)
    study, problem = names["study"], names["problem"]
    assert study.trials[0].value == pytest.approx(2 * time_of(16, 1))
    assert study.trials[1].state == optuna.trial.TrialState.FAIL
    assert study.best_params == {"macro.0": "64", "stages": "3"}
    assert problem.best == (problem.nearest(study.best_params), study.best_value)
    assert "<macro = [64, 64, 8], stages = 3>" in capsys.readouterr().out


@pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")
def test_measurements_are_kept(tmp_path):
    """In a store, which another problem does not measure again; plans beside one, too."""
    program = tmp_path / "tuner"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rooftile "$@" --worker={WORKER}\n')
    program.chmod(0o755)
    code = f"""
import rooftile.tuning
with rooftile.tuning.Problem("f32 nn 300x200x100", {str(tmp_path / "a.store")!r}) as problem:
    added = problem.neighbours(problem.candidates[5])
    assert added and added[0] is problem.candidates[added[0].number]
    assert len({{each.plan for each in problem.candidates}}) == len(problem.candidates)
    print(*(problem.measure(each) for each in (*problem.candidates[:3], added[0])))
    print(problem.best[1])
"""
    environment = {"LD_LIBRARY_PATH": DRIVER, "TRIALS": f"{tmp_path}/trials",
                   "ROOFTILE_TUNER": str(program)}
    first, _ = run_on_driver(code, tmp_path, environment)
    times, best = first.splitlines()
    assert float(best) == min(map(float, times.split()))
    trials = (tmp_path / "trials").read_text()
    assert run_on_driver(code, tmp_path, environment)[0] == first
    assert (tmp_path / "trials").read_text() == trials
