"""Plans that are measured on the GPU."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Union

from ._plans import use_plans
from ._tool import command

_Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Tuned:
    """An operation whose search has ended. Its str() is a line, with the time that is left."""

    operation: str
    done: int  #: Operations whose search has ended, of `count`.
    count: int
    tried: int  #: Plans that were measured, of `plans`.
    plans: int
    milliseconds: Optional[float]  #: Of the fastest plan; None: none was measured.
    gain: Optional[float]  #: Time of the model's plan over that.
    error: str  #: Why there is none, or the search ended early; empty for none.
    seconds_left: float  #: Expected, for the others.

    @classmethod
    def _of(cls, data, done, count, seconds_left):
        """That of a line of `gemm-tune search --json`."""
        return cls(data["operation"], done, count, data.get("tried", 0), data.get("plans", 0),
                   data.get("milliseconds"), data.get("gain"), data.get("error", ""), seconds_left)

    def __str__(self) -> str:
        if self.gain is None:
            what = f"error: {self.error}" if self.error else "no time was left"
        else:
            what = f"{self.tried} of {self.plans} plans, {self.milliseconds:.4f} ms, " \
                   f"{self.gain:.3f} times as fast as the model's"
            what += f"; {self.error}" if self.error else ""
        minutes, seconds = divmod(int(self.seconds_left), 60)
        return f"[{self.done}/{self.count}] {self.operation}: {what}, {minutes}m{seconds:02}s left"


class TuningReport:
    """Results of autotune(), of this run and of those before: `gains`, the time of the model's plan
    over that of the fastest one, for each operation where that is faster; `gain`, their geometric
    mean; `operations`, the number of those that were measured. `errors` has the operations of this
    run whose search failed. `plans` is the list of plans and `store` the file of all measurements;
    `chip` a name, or the file that describes a GPU, for the argument `chip` of calls.
    """

    def __init__(self, data: Dict[str, Any], errors: Dict[str, str]) -> None:
        self.plans = Path(data["list"])
        self.store = Path(data["store"])
        self.chip: str = data["chip"]
        self.operations: int = data["operations"]
        self.gain: float = data["gain"]
        self.gains: Dict[str, float] = {each["operation"]: each["gain"] for each in data["faster"]}
        self.errors = errors

    def __str__(self) -> str:
        lines = [f"{gain:.3f} {operation}" for operation, gain in self.gains.items()]
        lines.append(f"{len(self.gains)} of {self.operations} operations have a plan that is "
                     f"faster than the model's, {self.gain:.3f} times on average")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<rooftile.TuningReport {self.plans}: {len(self.gains)} of {self.operations}, " \
               f"{self.gain:.3f}>"


@contextlib.contextmanager
def _list_of(operations) -> Iterator[str]:
    """The name of a file with the operations."""
    if isinstance(operations, os.PathLike) or \
            (isinstance(operations, str) and "\n" not in operations):
        yield os.fspath(operations)
        return
    lines = operations.splitlines() if isinstance(operations, str) else operations
    with tempfile.NamedTemporaryFile("w", prefix="rooftile", suffix=".txt") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        yield file.name


class _Reader:
    """Reads the output of gemm-tune: lines of JSON are results, others are messages."""

    def __init__(self, progress):
        self.progress = progress
        self.errors: Dict[str, str] = {}
        self.result: Optional[Dict[str, Any]] = None
        self.error = ""

    def read(self, line):
        for kind in ("error", "warning"):
            _, begin, text = line.partition(f"gemm-tune: {kind}: ")
            if begin and kind == "error":
                self.error = text
            elif begin:
                warnings.warn(text, RuntimeWarning, stacklevel=4)
        if not line.startswith("{"):
            return
        data = json.loads(line)
        if "list" in data:
            self.result = data
        elif "leftOut" in data:
            self.errors[data["leftOut"]] = data["error"]
        elif "operation" in data:
            self._report(data)

    def _report(self, data):
        tuned = Tuned._of(data, data["done"], data["of"], data["secondsLeft"])
        if tuned.error:
            self.errors[tuned.operation] = tuned.error
        if self.progress:
            self.progress(tuned)


def _run(arguments, reader):
    """Runs gemm-tune, with all that it starts in a group of its own, which ends with this call."""
    child = subprocess.Popen(command() + arguments, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             start_new_session=True)
    try:
        for line in child.stdout:
            reader.read(line.rstrip("\n"))
        status = child.wait()
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        child.stdout.close()
    if reader.result is None:
        raise RuntimeError(reader.error or f"gemm-tune ended with status {status}")


def autotune(operations: Union[None, _Path, Iterable[str]] = None, folder: _Path = "tuned", *,
             like: Optional[_Path] = None, time: str = "20m", device: int = 0, chip: str = "",
             progress: Optional[Callable[[Tuned], Any]] = print) -> TuningReport:
    """Measures plans of operations on the GPU, as `gemm-tune autotune` does, and uses the fastest
    from now on (use_plans). Results are kept in a folder: another call goes on, and measures
    nothing again. Other work on the GPU makes the times worthless.

        report = rooftile.autotune(["f32 nn 1000x1000x1000", "f64 nt 641x1608x5564"], time="2m")
        print(report)

    Args:
        operations: lines of a list (docs/Tuning.md of the project), a text of them, or its file;
            None: operations.txt of the folder, which begins as 108 of all types and classes.
        folder: of all results.
        like: the log of a program (ROOFTILE_LOG=calls) whose operations are searched instead.
        time: for all: "90s", "20m" or "2h".
        device: number of the GPU, as the driver counts those that it shows.
        chip: a name of chips(), or a file of a target that is planned for; empty: that of the GPU,
            which is described first where it is not known.
        progress: called with each operation whose search has ended, on this thread; None: nothing.

    Raises RuntimeError with the message of gemm-tune where nothing can be measured. An operation
    that fails is in the report's `errors`, and keeps the plan of the model.
    """
    if operations is not None and like is not None:
        raise ValueError("operations and like exclude each other")
    arguments = ["autotune", os.fspath(folder), "--json", f"--time={time}", f"--device={device}"]
    arguments += [f"--chip={chip}"] if chip else []
    arguments += [f"--like={os.fspath(like)}"] if like is not None else []
    reader = _Reader(progress)
    if operations is None:
        _run(arguments, reader)
    else:
        with _list_of(operations) as name:
            _run(arguments + [f"--list={name}"], reader)
    report = TuningReport(reader.result, reader.errors)
    use_plans(report.plans)
    return report
