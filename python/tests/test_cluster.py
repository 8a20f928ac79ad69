"""tune_on_cluster(), in a process of its own with four workers of Dask, a driver that runs nothing
and a program that stands in for the worker of gemm-tune.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import run_on_driver

pytest.importorskip("distributed")
DRIVER = os.environ.get("ROOFTILE_FAKE_CUDA", "")
WORKER = Path(__file__).parents[2] / "test" / "Tools" / "Inputs" / "stand_in_worker.py"
pytestmark = pytest.mark.skipif(not DRIVER, reason="ROOFTILE_FAKE_CUDA names no folder")

OPERATIONS = [f"f32 nn {m}x64x64" for m in (32, 64, 96, 128, 160)] + ["f64 trsm-llnn 16x64x16"]
OPERATIONS[2] += " dynamic"

# The first search with VICTIM=1 notes its process and that of Dask, and its second job never ends.
TUNER = f"""#!/bin/sh
tool="{sys.executable} -m rooftile"
case "$*" in *--dry-run*|import*|export*) exec $tool "$@" ;; esac
echo "$CUDA_VISIBLE_DEVICES" >> "$TRIALS.devices"
if [ "$VICTIM" = 1 ] && mkdir "$TRIALS.victim" 2>/dev/null; then
  echo $PPID $$ > "$TRIALS.processes"
  export LIMIT=2
fi
if [ "$DEADLY" ] && grep -q "$DEADLY" "$2"; then
  kill -9 $$
fi
[ "$DEADLY" ] && echo "gemm-tune: warning: it is hot" >&2
exec $tool "$@" --worker={WORKER}
"""

KILL = """
import os, signal, threading, time
def kill():
    while not os.path.exists(os.environ["TRIALS"] + ".waiting"):
        time.sleep(0.05)
    with open(os.environ["TRIALS"] + ".processes") as processes:
        os.kill(int(processes.read().split()[0]), signal.SIGKILL)
threading.Thread(target=kill, daemon=True).start()
"""


def run(code, tmp_path, **more):
    program = tmp_path / "tuner"
    program.write_text(TUNER)
    program.chmod(0o755)
    own = {"LD_LIBRARY_PATH": DRIVER, "TRIALS": f"{tmp_path}/trials",
           "ROOFTILE_TUNER": str(program)}
    return run_on_driver(code, tmp_path, own | more)[0].splitlines()


def tune(tmp_path, **arguments):
    given = {"devices": [4, 5, 6, 7], "candidates": 4, "progress": None} | arguments
    operations = given.pop("operations", OPERATIONS)
    return f"""
import rooftile
tuned = rooftile.tune_on_cluster({operations!r}, {str(tmp_path / "all.store")!r}, **{given})
for name, each in sorted(tuned.items()):
    print(name, each.tried, each.error or "fine")
"""


def lines(store, tmp_path):
    """Measurements of a store without their dates, sorted."""
    done = subprocess.run([sys.executable, "-m", "rooftile", "export", store], check=True,
                          capture_output=True, text=True)
    return sorted(json.dumps({key: value for key, value in json.loads(line).items()
                              if key != "date"}) for line in done.stdout.splitlines())


def is_running(process):
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def search_alone(tmp_path):
    """Measurements of a search by one process."""
    listed, store = tmp_path / "list.txt", tmp_path / "alone.store"
    listed.write_text("\n".join(OPERATIONS))
    own = os.environ | {"LD_LIBRARY_PATH": DRIVER, "TRIALS": f"{tmp_path}/alone"}
    subprocess.run([sys.executable, "-m", "rooftile", "search", listed, f"--store={store}",
                    "--candidates=4", f"--worker={WORKER}"], check=True, env=own,
                   capture_output=True)
    return lines(store, tmp_path)


def test_a_worker_is_killed(tmp_path):
    """Its operations are searched by others: the store is that of one process, line by line."""
    text = run(KILL + tune(tmp_path), tmp_path, VICTIM="1")
    assert len(text) == len(OPERATIONS) and all(line.endswith(" fine") for line in text), text
    assert lines(tmp_path / "all.store", tmp_path) == search_alone(tmp_path)
    of_dask, of_tuner = (tmp_path / "trials.processes").read_text().split()
    assert not is_running(of_dask) and not is_running(of_tuner)
    devices = set((tmp_path / "trials.devices").read_text().split())
    assert devices <= {"4", "5", "6", "7"} and len(devices) > 1

    # Again: nobody is asked, in another form of the operations, and with one that is new.
    trials = (tmp_path / "trials").read_text()
    again = run(tune(tmp_path, operations="\n".join(OPERATIONS), devices=[4]), tmp_path)
    assert again == text and (tmp_path / "trials").read_text() == trials
    more = run(tune(tmp_path, operations=[OPERATIONS[0], "f32 tt 8x8x8"], devices=[4]), tmp_path)
    assert len(more) == 2 and len((tmp_path / "trials").read_text()) > len(trials)


def test_a_pack_and_a_client(tmp_path):
    """Workers of another cluster compile nothing; progress comes as of autotune()."""
    listed, pack = tmp_path / "list.txt", tmp_path / "a.pack"
    listed.write_text("\n".join(OPERATIONS[:2]))
    subprocess.run([sys.executable, "-m", "rooftile", "pack", listed, "--chip=h200",
                    "--candidates=4", "-o", pack], check=True, capture_output=True)
    code = f"""
import rooftile
from dask.distributed import Client, LocalCluster
with LocalCluster(n_workers=2, threads_per_worker=1, processes=False,
                  dashboard_address=None) as cluster, Client(cluster) as client:
    rooftile.tune_on_cluster(store={str(tmp_path / "a.store")!r}, pack={str(pack)!r}, client=client)
"""
    text = run(code, tmp_path, CUDA_ROOT="/nowhere")
    assert [line.split(":")[0][:6] for line in text] == ["[1/2] ", "[2/2] "]
    assert all(": 4 of 4 plans, " in line for line in text)
    assert len(lines(tmp_path / "a.store", tmp_path)) >= 8


def test_an_operation_that_fails(tmp_path):
    """Those of its group are searched without it; what the tuner warns of is a warning here."""
    code = "import warnings; warnings.showwarning = lambda text, *more: print('warned:', text)"
    text = run(code + tune(tmp_path, operations=OPERATIONS[4:] + OPERATIONS[:1], devices=[0]),
               tmp_path, DEADLY="trsm")
    assert text.pop(0) == "warned: it is hot"
    assert text[:2] == ["f32 nn 160x64x64 4 fine", "f32 nn 32x64x64 4 fine"]
    assert text[2:] == ["v1 trsm type=f64 op=n m=16 n=64 0 gemm-tune ended with status -9"]


def test_errors(tmp_path):
    """Wrong arguments are found before any worker is started; then, all searches fail."""
    code = f"""
import rooftile
for arguments in (dict(operations=["f31 nn 3x3x3"]), dict(operations=["f32 nn 3x3x3"], time="soon"),
                  dict(), dict(pack="none.pack"), dict(operations=["f32 nn 3x3x3"], chip="h20o"),
                  dict(operations=["f32 nn 3x3x3"], strategy="luck", devices=[0])):
    try:
        rooftile.tune_on_cluster(store={str(tmp_path / "a.store")!r}, progress=None, **arguments)
    except Exception as error:
        print(type(error).__name__, error)
"""
    line, time, nothing, pack, chip, strategy = run(code, tmp_path)
    assert line.startswith("RuntimeError /") and line.endswith("c128, f16, bf16, got 'f31'")
    assert time == "ValueError time needs 90s, 20m or 2h, got 'soon'"
    assert nothing.startswith("ValueError operations are missing")
    assert pack.endswith("none.pack: there is no such file")
    assert chip.startswith("RuntimeError unknown chip 'h20o'")
    assert strategy.startswith("RuntimeError no strategy is called 'luck'")


def test_gpus_of_this_host(tmp_path):
    """Those of the driver, or the ones that the environment shows."""
    code = "from rooftile._cluster import _visible_devices; print(_visible_devices())"
    assert run(code, tmp_path, ROOFTILE_FAKE_DEVICES="2") == ["['0', '1']"]
    assert run(code, tmp_path, CUDA_VISIBLE_DEVICES="GPU-8a,3") == ["['GPU-8a', '3']"]


def test_dask_is_not_imported_with_the_package():
    code = "import rooftile, sys; print('dask' in sys.modules, 'distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False\n"
