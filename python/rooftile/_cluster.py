"""Plans that are measured on several GPUs, by workers of Dask: nothing of it is imported before
tune_on_cluster() is called.
"""

import contextlib
import ctypes
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time as clock
import warnings
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from ._native import core
from ._tool import command
from ._tune import Tuned, _list_of

_Path = Union[str, "os.PathLike[str]"]

_SOME_FAILED = 2  # Exit status of a search in which some operations failed.
_UNITS = {"s": 1, "m": 60, "h": 3600}
_WARNING = re.compile("^gemm-tune: warning: (.*)$", re.MULTILINE)
_ONE_AT_A_TIME = threading.Lock()  # A GPU that does something else gives worthless times.


def _end_with_parent():
    """Has this process killed with the thread that started it (Linux: PR_SET_PDEATHSIG)."""
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control:
        control(1, signal.SIGKILL)


def _run_tool(arguments, text=""):
    """Output and messages of gemm-tune with `text` as its input. Its failure is a RuntimeError."""
    done = subprocess.run(command() + arguments, input=text, text=True, capture_output=True,
                          preexec_fn=_end_with_parent)
    if done.returncode not in (0, _SOME_FAILED):
        _, begin, message = done.stderr.rpartition("gemm-tune: error: ")
        raise RuntimeError(message.strip() if begin
                           else f"gemm-tune ended with status {done.returncode}")
    return done.stdout, done.stderr


def _tool(arguments, text=""):
    return _run_tool(arguments, text)[0]


# ---------------------------------------------------------------------------------------------
# On a worker
# ---------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Task:
    """Operations that a worker searches at once."""

    operations: Tuple[str, ...]
    known: str  #: Their measurements of the store, lines of JSON.
    pack: str  #: Of their kernels; empty: they are compiled.
    options: Tuple[str, ...]
    until: float  #: Time at which no more measurements begin.


@dataclass(frozen=True)
class _Measured:
    results: List[Dict[str, Any]]  #: Of each operation.
    lines: str = ""  #: New measurements.
    warnings: Tuple[str, ...] = ()


def _measure(task: _Task) -> _Measured:
    with _ONE_AT_A_TIME, tempfile.TemporaryDirectory(prefix="rooftile") as folder:
        left = math.ceil(task.until - clock.time())
        if left <= 0:
            return _Measured([{"operation": line} for line in task.operations])
        store, listed = os.path.join(folder, "store"), os.path.join(folder, "list.txt")
        with open(listed, "w") as file:
            file.write("".join(f"{line}\n" for line in task.operations))
        if task.known:
            _tool(["import", store, "-"], task.known)
        command_of = ["measure", task.pack, listed] if task.pack else ["search", listed]
        output, messages = _run_tool(command_of + [f"--store={store}", f"--time={left}s", "--json",
                                                   *task.options])
        known = set(task.known.splitlines())
        exported = _tool(["export", store]).splitlines()
        results = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        lines = "".join(f"{line}\n" for line in exported if line not in known)
        return _Measured(results, lines, tuple(_WARNING.findall(messages)))


# ---------------------------------------------------------------------------------------------
# Clusters
# ---------------------------------------------------------------------------------------------

def _visible_devices():
    shown = os.environ.get("CUDA_VISIBLE_DEVICES")
    names = shown.split(",") if shown else [str(number) for number in range(core().gpu_count())]
    if not names:
        raise RuntimeError("no GPU to measure on: name those of other hosts by `client`")
    return names


@contextlib.contextmanager
def _workers_of(devices):
    """A client of a cluster on this host with one process for each GPU."""
    from dask.distributed import Client, LocalCluster
    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as cluster:
        # Commands, not multiprocessing: the program of the user is not imported again.
        begin = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address,
                 "--nthreads=1", "--memory-limit=0", "--no-dashboard", "--death-timeout=10"]
        workers = [subprocess.Popen(begin, env=dict(os.environ, CUDA_VISIBLE_DEVICES=device),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                    preexec_fn=_end_with_parent)
                   for device in devices]
        try:
            with Client(cluster) as client:
                client.wait_for_workers(len(workers), timeout=300)
                yield client
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()


# ---------------------------------------------------------------------------------------------
# Here
# ---------------------------------------------------------------------------------------------

def _seconds(time):
    number, unit = (time[:-1], time[-1:]) if time[-1:] in _UNITS else (time, "s")
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = 0
    if not seconds > 0:
        raise ValueError(f"time needs 90s, 20m or 2h, got {time!r}")
    return seconds


def _operations_of(operations, pack, chip):
    """Lines of the operations, each once."""
    if operations is None and not pack:
        raise ValueError("operations are missing: a list of them, or a pack that has them")
    with contextlib.ExitStack() as stack:
        listed = [] if operations is None else [stack.enter_context(_list_of(operations))]
        output = _tool((["measure", pack] if pack else ["search"]) + listed +
                       ["--dry-run", *([f"--chip={chip}"] if chip and not pack else [])])
    lines = (line.partition("#")[0].strip() for line in output.splitlines())
    return list(dict.fromkeys(line for line in lines if line))


class _Session:
    """Results of tasks, on their way to the store."""

    def __init__(self, store, progress, count):
        self.store, self.progress, self.count = store, progress, count
        self.begin = clock.monotonic()
        self.done = 0
        self.tuned: Dict[str, Tuned] = {}

    def known(self):
        """Measurements of the store by operation, lines of JSON; makes the store."""
        _tool(["import", self.store, "-"])
        lines: Dict[str, str] = defaultdict(str)
        for line in _tool(["export", self.store]).splitlines():
            lines[json.loads(line)["operation"]] += line + "\n"
        return lines

    def add(self, data):
        self.done += 1
        left = (clock.monotonic() - self.begin) / self.done * (self.count - self.done)
        tuned = Tuned._of(data, self.done, self.count, left)
        self.tuned[tuned.operation] = tuned
        if self.progress:
            self.progress(tuned)

    def finish(self, measured):
        """Keeps the measurements of a task, before anything is said of them."""
        if measured.lines:
            _tool(["import", self.store, "-"], measured.lines)
        for text in measured.warnings:
            warnings.warn(text, RuntimeWarning, stacklevel=4)
        for data in measured.results:
            self.add(data)


def _run(client, tasks: Sequence[_Task], session: _Session) -> None:
    from dask.distributed import as_completed
    futures = {}

    def submit(task):
        future = client.submit(_measure, task, pure=False, priority=-len(futures))
        futures[future] = task
        return future

    try:
        completed = as_completed([submit(task) for task in tasks])
        for future in completed:
            task = futures[future]
            try:
                measured = future.result()
            except Exception as error:  # gemm-tune failed, or its workers died again and again.
                if len(task.operations) > 1:  # One of them is to blame.
                    for line in task.operations:
                        completed.add(submit(replace(task, operations=(line,))))
                    continue
                measured = _Measured([{"operation": task.operations[0], "error": str(error)}])
            session.finish(measured)
            future.release()
    finally:
        client.cancel(list(futures))


def tune_on_cluster(operations: Union[None, _Path, Iterable[str]] = None,
                    store: _Path = "tuned.store", *, client: Any = None,
                    devices: Optional[Sequence[Union[int, str]]] = None,
                    pack: Optional[_Path] = None, time: str = "20m", chip: str = "",
                    strategy: str = "guided", candidates: int = 48, group: int = 4,
                    progress: Optional[Callable[[Tuned], Any]] = print) -> Dict[str, Tuned]:
    """Measures plans of operations on several GPUs, each by a process of Dask, and keeps all
    measurements in one store. Another call with the store goes on, and measures nothing again.
    Returns the results by operation; `gemm-tune select` makes a list of plans of the store.

        rooftile.tune_on_cluster("list.txt", "h200.store", time="10m")       # all GPUs of this host

    Operations of a worker that dies are searched by another one, each alone where that happens
    again and again. The store gets the measurements of an operation when its search has ended, so
    each is there once.

    Args:
        operations: lines of a list (docs/Tuning.md of the project), a text of them, or its file;
            None: all of the pack.
        store: the file, made where there is none.
        client: of dask.distributed, whose workers have this package, one thread each and a GPU of
            their own; None: a process for each of `devices`.
        devices: GPUs of this host, as CUDA_VISIBLE_DEVICES names them; None: all that are shown.
        pack: a file of `gemm-tune pack` that all workers can read: they compile nothing.
        time: for all, from the first worker on: "90s", "20m" or "2h".
        chip: planned for; empty: that of each worker's GPU.
        strategy, candidates: as of `gemm-tune search`.
        group: operations that a worker searches at once, at most: some compile while one is
            measured.
        progress: called with each operation whose search has ended; None: nothing.

    Raises RuntimeError where nothing could be measured. An operation that fails has its `error`.
    """
    try:
        import dask.distributed  # noqa: F401
    except ImportError as error:
        raise ImportError("tune_on_cluster needs dask.distributed: "
                          "pip install rooftile[cluster]") from error
    seconds = _seconds(time)
    pack, store = os.path.abspath(pack) if pack else "", os.fspath(store)
    lines = _operations_of(operations, pack, chip)
    session = _Session(store, progress, len(lines))
    known = session.known()
    options = [f"--strategy={strategy}", f"--candidates={candidates}"]
    options += [f"--chip={chip}"] if chip and not pack else []
    with contextlib.ExitStack() as stack:
        if client is None:
            names = _visible_devices() if devices is None else [str(name) for name in devices]
            client = stack.enter_context(_workers_of(names))
        client.wait_for_workers(1)
        size = max(1, min(group, len(lines) // len(client.nthreads())))
        until = clock.time() + seconds
        parts = [lines[begin:begin + size] for begin in range(0, len(lines), size)]
        tasks = [_Task(tuple(part), "".join(known[line] for line in part), pack, tuple(options),
                       until) for part in parts]
        _run(client, tasks, session)
    failed = [each.error for each in session.tuned.values() if each.error and each.gain is None]
    if failed and len(failed) == len(session.tuned):
        raise RuntimeError(failed[0])
    return session.tuned
