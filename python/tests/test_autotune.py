"""autotune(), in a process of its own with a driver that runs nothing and a worker that stands in
for that of gemm-tune.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import run_on_driver

DRIVER = os.environ.get("ROOFTILE_FAKE_CUDA", "")
WORKER = Path(__file__).parents[2] / "test" / "Tools" / "Inputs" / "stand_in_worker.py"
on_driver = pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")

TUNE = """
import rooftile
report = rooftile.autotune({operations}, {folder!r}, time="5m")
print(report)
print(report.gains == dict(report.gains), report.operations, report.errors, report.chip)
print(rooftile.plan(300, 200, 100, "f32").source)
"""


def run(code, tmp_path, tuner=None, **more):
    """Output of `code`, with gemm-tune of the package, which runs the worker; or with `tuner`."""
    program = tmp_path / "tuner"
    program.write_text(tuner or f'#!/bin/sh\nexec "{sys.executable}" -m rooftile "$@" '
                                f'--worker={WORKER}\n')
    program.chmod(0o755)
    own = {"LD_LIBRARY_PATH": DRIVER, "TRIALS": f"{tmp_path}/trials",
           "ROOFTILE_TUNER": str(program)}
    text, _ = run_on_driver(code, tmp_path, own | more)
    return text.splitlines()


@on_driver
def test_plans_are_used(tmp_path):
    """Again, nothing is measured: in another process, by the file of a list."""
    folder, listed = f"{tmp_path}/tuned", tmp_path / "list.txt"
    first = run(TUNE.format(operations=["f32 nn 300x200x100"], folder=folder), tmp_path)
    assert first[0].startswith("[1/1] f32 nn 300x200x100: ") and first[0].endswith("0m00s left")
    assert first[1].endswith(" v1 gemm type=f32 op=nn m=300 n=200 k=100")
    assert float(first[1].split()[0]) > 1
    assert first[2].startswith("1 of 1 operations have a plan that is faster")
    assert first[3:] == ["True 1 {} h200", f"{folder}/plans.txt:4"]
    trials = (tmp_path / "trials").read_text()
    listed.write_text("f32 nn 300x200x100\n")
    again = run(TUNE.format(operations=repr(str(listed)), folder=folder), tmp_path)
    assert again[1:] == first[1:] and (tmp_path / "trials").read_text() == trials


@on_driver
def test_progress_and_the_log_of_a_program(tmp_path):
    (tmp_path / "calls.log").write_text(
        "a kernel computes [v1 gemm type=f32 op=nn m=300 n=200 k=100]\n"
        "a kernel computes [v1 gemv type=f32]\n")
    code = f"""
import rooftile
def show(tuned):
    print(tuned.done, tuned.count, tuned.operation, tuned.gain >= 1, tuned.tried <= tuned.plans)
report = rooftile.autotune(like={str(tmp_path / "calls.log")!r}, folder={str(tmp_path / "tuned")!r},
                           progress=show)
print(report.errors)
"""
    shown, errors = run(code, tmp_path)
    assert shown == "1 1 f32 nn 300x200x100 True True"
    assert errors == "{'v1 gemv type=f32': \"no routine 'gemv'; did you mean 'gemm'?\"}"


@on_driver
def test_errors(tmp_path):
    code = f"""
import rooftile
for arguments in (dict(operations="f31 nn 3x3x3\\n"), dict(time="soon"), dict(chip="h20o"),
                  dict(operations=[], like="calls.log")):
    try:
        rooftile.autotune(folder={str(tmp_path / "tuned")!r}, **arguments)
    except Exception as error:
        print(type(error).__name__, error)
"""
    line, time, chip, both = run(code, tmp_path)
    assert line.startswith("RuntimeError /") and line.endswith("c128, f16, bf16, got 'f31'")
    assert time == "RuntimeError --time needs 90s, 20m or 2h, got 'soon'"
    assert chip.startswith("RuntimeError unknown chip 'h20o'")
    assert both == "ValueError operations and like exclude each other"


@on_driver
def test_an_operation_that_fails(tmp_path):
    """Its search has an error, which the report has; what the tuner warns of is a warning."""
    result = '{"list":"%s","store":"s","chip":"h200","operations":1,"gain":1,"faster":[]}'
    (tmp_path / "plans.txt").write_text("chip h200\n")
    tuner = f"""#!/bin/sh
echo "gemm-tune: warning: it is hot" >&2
echo '{{"step":"search"}}'
echo '{{"done":1,"of":1,"operation":"x","tried":3,"plans":9,"secondsLeft":0,"error":"wrong"}}'
echo '{result % (tmp_path / "plans.txt")}'
"""
    code = """
import rooftile, warnings
with warnings.catch_warnings(record=True) as caught:
    print(rooftile.autotune().errors)
print(caught[0].category.__name__, caught[0].message)
"""
    assert run(code, tmp_path, tuner) == ["[1/1] x: error: wrong, 0m00s left", "{'x': 'wrong'}",
                                          "RuntimeWarning it is hot"]


@on_driver
def test_the_end_of_a_call_ends_the_tuner(tmp_path):
    """An exception of `progress`, as Ctrl-C: nothing of the tuner goes on."""
    tuner = """#!/bin/sh
sleep 1000 &
echo $! > $TRIALS
echo '{"done":1,"of":2,"operation":"x","tried":3,"plans":9,"secondsLeft":0}'
wait
"""
    code = """
import rooftile
def stop(tuned):
    raise KeyboardInterrupt
try:
    rooftile.autotune(progress=stop)
except KeyboardInterrupt:
    print("stopped")
"""
    assert run(code, tmp_path, tuner) == ["stopped"]
    child = Path(f"/proc/{(tmp_path / 'trials').read_text().strip()}/stat")
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


def test_the_tool_is_in_the_package(tmp_path):
    missing = tmp_path / "none.store"
    done = subprocess.run([sys.executable, "-m", "rooftile", "export", missing],
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"gemm-tune: error: {missing}: there is no such file\n"
