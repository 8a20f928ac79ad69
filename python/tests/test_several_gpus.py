"""benchmarks/several_gpus.py on the CPU, in processes of torchrun that gloo connects: its file, and
what happens where a process is missing or fails."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch.distributed.tensor")

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SMALL = ["--device=cpu", "--orders=50", "--rows=301", "--columns=3", "--block=20", "--panels=2",
         "--seconds=0.01"]
# Three processes do not divide any of the sizes.
CASES = ["gemm f64 50 k strong", "gemm f64 50 gather weak", "gram-schmidt f64 301 rows strong",
         "trsm f64 50 columns strong", "cholesky f64 50 columns strong"]


def start(processes, *arguments):
    """The benchmark in a session of its own, so that all of its processes can be ended."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node",
               str(processes), str(BENCHMARKS / "several_gpus.py"), *SMALL, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "OMP_NUM_THREADS": "1"}, start_new_session=True)


def end_of(process, seconds=200):
    """Status, output and errors; fails where it hangs."""
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail(f"it hangs: {process.communicate()}")
    return process.returncode, output, errors


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def messages(errors):
    return [line for line in errors.splitlines() if line.startswith("error: ")]


def by_key(path):
    return {tuple(row[name] for name in ("operation", "placement", "ranks", "library")): row
            for row in rows_of(path)}


def test_results(tmp_path):
    """All is right; a file goes on, with the same bits; that of another chip does not."""
    path, only = tmp_path / "results.csv", f"--only={'|'.join(CASES)}"
    status, output, errors = end_of(start(3, f"--csv={path}", only))
    assert status == 0, output + errors
    found = by_key(path)
    assert len([row for row in found.values() if row["ranks"] == "3"]) == 2 * len(CASES)
    for row in found.values():
        assert row["verified"] == "yes", row
        assert row["library"] != "rooftile" or row["bits_equal"] == "yes", row
        if row["ranks"] == "3":
            expected = float(row["one_ms"]) / float(row["ms"])
            expected *= 1 if row["scaling"] == "weak" else 1 / 3
            assert float(row["efficiency"]) == pytest.approx(expected, rel=0.01, abs=1e-4), row

    lines = path.read_text().splitlines()
    assert "# chip: CPU" in lines
    path.write_text("\n".join(line for line in lines if not line.startswith("gemm")) + "\n")
    status, output, errors = end_of(start(3, f"--csv={path}", only))
    assert status == 0 and "2 cases to measure, 3 are in the file" in output, output + errors
    again = by_key(path)
    assert {key: row["digest"] for key, row in found.items() if row["library"] == "rooftile"} == {
        key: row["digest"] for key, row in again.items() if row["library"] == "rooftile"}

    path.write_text("# chip: other\n")
    status, _, errors = end_of(start(2, f"--csv={path}", only))
    expected = f"{path} has no line '# chip: CPU'; expected a file of this chip, or a new one"
    assert status == 1 and sorted(messages(errors)) == [
        f"error: rank {rank}: rank 0: SystemExit: {expected}" for rank in (0, 1)]


@pytest.mark.parametrize("what, expected", [
    ("raise", ["error: rank 0: ended, because of rank 1: RuntimeError: rehearsed",
               "error: rank 1: RuntimeError: rehearsed"]),
    ("kill", ["error: rank 0: "]),  # by gloo, or by the signal of torchrun: who is first
    ("stall", ["error: rank 0: ", "error: rank 1: ended, because of rank 0: "])])
def test_failures(what, expected):
    """A process that fails or dies ends all, each with a message; one that hangs, too."""
    before = time.monotonic()
    limit = ["--timeout=6"] if what == "stall" else []
    status, _, errors = end_of(start(2, f"--only={CASES[0]}", f"--rehearse={what}:1", *limit))
    found = sorted(messages(errors))
    assert status == 1 and len(found) == len(expected), errors
    assert all(each.startswith(text) for each, text in zip(found, expected)), found
    if what == "stall":
        assert found[0].endswith("(a process has ended or does not answer)"), found
    assert time.monotonic() - before < 100  # --timeout is 120 s


def test_missing_memory():
    """Operands that do not fit: the case is left out on all processes, and the next one runs."""
    status, output, errors = end_of(start(2, "--rows=1000000000000000", "--time=1e30",
                                          "--only=gram-schmidt f64 .* strong|trsm f64 50 .* weak"))
    lines = output.splitlines()
    assert status == 1 and not messages(errors), output + errors
    assert lines[1].startswith("1/2 trsm f64 50 columns weak: rooftile ")
    assert "not measured: rank 0: RuntimeError: " in lines[2] and "; rank 1: Runtime" in lines[2]
    assert lines[3] == "2 cases, 1 of them wrong or not measured"


def test_starts(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from scaling.ranks import VARIABLES, check_cards, check_start
    torchrun = dict.fromkeys(VARIABLES, "4")
    assert check_start(torchrun, "cuda", 4) is None
    assert check_start(torchrun, "cpu", 0) is None
    assert check_start(torchrun, "cuda", 1) == (
        "4 processes and 1 GPUs on this host; expected a GPU for each")
    assert check_start({**torchrun, "WORLD_SIZE": "1"}, "cuda", 1).startswith("one process; ")
    assert check_start({}, "cuda", 1).startswith("RANK, WORLD_SIZE, LOCAL_RANK, ")
    assert check_cards(["H200", "H200"]) is None
    assert check_cards(["H200", "H100"]).startswith("rank 0 H200, rank 1 H100; expected chips of "
                                                    "one kind")


@pytest.mark.parametrize("arguments, message", [
    (["--types=f16"], "type 'f16'; expected f32, f64, c64, c128, bf16"),
    (["--only=gemv"], "error: no case matches --only='gemv' of these types; --list prints all of"),
    (["--rehearse=die:1"], "--rehearse=die:1; expected raise:1, kill:1 or stall:1"),
    ([], "error: rank 0: RANK, WORLD_SIZE, LOCAL_RANK")])
def test_bad_options(arguments, message, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delenv("RANK", raising=False)
    monkeypatch.setattr(sys, "argv", ["several_gpus.py", *SMALL, *arguments])
    import several_gpus
    with pytest.raises(SystemExit) as error:
        several_gpus.main()
    assert message in f"{error.value} {capsys.readouterr().err}"


class Alone:
    """One process, in place of those of torchrun."""

    rank, size, device, mesh = 0, 1, torch.device("cpu"), None
    panels, block, columns = 2, 20, 3  # the options of a setting


@pytest.mark.parametrize("name, kind, sizes", [
    ("gemm", "f32", (50, 40, 60)), ("gemm", "bf16", (50, 40, 60)), ("gemm", "c128", (50, 40, 60)),
    ("trsm", "f64", (50, 40)), ("gram-schmidt", "f64", (301, 3)), ("cholesky", "f64", (50,))])
def test_wrong_results(name, kind, sizes, monkeypatch):
    """An element that is wrong by a thousandth is noticed, and so is a bit."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from scaling import cases, matrices, plain
    operation = cases.OPERATIONS[name](cases.Setting(Alone, Alone), kind, sizes, "one")
    operation.restore()
    operation.run(plain)
    assert operation.error() <= 1
    whole, digest = operation.sample().clone(), matrices.digest(operation.result)
    assert operation.difference(whole) == 0
    row = int(operation.chosen[-1])  # the last one
    # bf16 has eight bits: a thousandth is nothing there.
    wrong = float(operation.result[row].abs().max()) * (0.3 if kind == "bf16" else 1e-3)
    operation.result[row, 0] += wrong
    assert operation.error() > 1 and operation.difference(whole) > 0
    assert matrices.digest(operation.result) != digest
    operation.result[row, 0] = float("nan")
    assert operation.error() == float("inf")
