"""Plans of one operation, for optimizers of other packages.

    import rooftile.tuning
    with rooftile.tuning.Problem("f32 nn 1000x1000x1000", store="h200.store") as problem:
        print(problem.measure(problem.candidates[0]))

Each measurement is one of gemm-tune: in a process of its own, verified, kept in the store, and not
repeated where the store has it. docs/Tuning.md of the project drives Optuna by it.
"""

import contextlib
import json
import os
import signal
import subprocess
import warnings
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple, Union

from ._tool import command

_Path = Union[str, "os.PathLike[str]"]


class Failed(RuntimeError):
    """A candidate has no time: it does not compile or run, or its result is wrong."""


@dataclass(frozen=True)
class Candidate:
    """A plan: its text, its keys with their values, and the milliseconds that the model predicts.
    A key that the plan does not have, but others of the problem, has the value ""."""

    number: int
    plan: str
    keys: Dict[str, str]
    predicted: float


class Problem:
    """An operation and its candidates, which are measured on request.

    `candidates` are all plans that the model evaluates, the fastest by the model first: the first
    one is that which is used without tuning. `keys` are those in which they differ, with all
    values. `best` is the fastest candidate that was measured, with its milliseconds.

    Args:
        operation: a line of a list, as "f32 nn 1000x1000x1000".
        store: the file that keeps all measurements; made where there is none.
        replay: a store in place of a GPU and of `store`: its candidates, with its samples.
        time: after which nothing is measured any more: "90s", "20m" or "2h".
        device, chip: as of rooftile.autotune.
        plans: candidates: "all", "top:K" by the model, or "spread:K" of different tiles.

    Raises RuntimeError with the message of gemm-tune where the operation cannot be measured.
    """

    def __init__(self, operation: str, store: Optional[_Path] = None, *,
                 replay: Optional[_Path] = None, time: str = "20m", device: int = 0,
                 chip: str = "", plans: str = "all") -> None:
        if (store is None) == (replay is None):
            raise ValueError("a problem needs store, or replay")
        arguments = ["ask", operation, f"--device={device}", f"--time={time}", f"--plans={plans}"]
        arguments += [f"--chip={chip}"] if chip else []
        arguments += [f"--store={os.fspath(store)}"] if store is not None else []
        arguments += [f"--replay={os.fspath(replay)}"] if replay is not None else []
        self._error = ""
        self._times: Dict[int, float] = {}
        self._failed: Set[int] = set()
        self._child = subprocess.Popen(command() + arguments, stdin=subprocess.PIPE, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       start_new_session=True)
        with self._closing_on_errors():
            self.operation, found = self._read_candidates()
        names = {key: None for candidate in found for key in candidate.keys}
        self.candidates: List[Candidate] = [_with_keys(candidate, names) for candidate in found]
        values = {name: list(dict.fromkeys(each.keys[name] for each in self.candidates))
                  for name in names}
        self.keys: Dict[str, List[str]] = {name: all for name, all in values.items()
                                           if len(all) > 1}

    def measure(self, candidate: Candidate, samples: int = 10) -> float:
        """Milliseconds of one call: the median of all samples of the candidate so far, each over
        the time of the model's plan beside it, times the first time of that: clocks that drift do
        not matter. `samples` more are taken, or as many as a measurement of the store has. Raises
        Failed.
        """
        with self._closing_on_errors():
            self._write({"measure": [candidate.number], "samples": samples})
            answer = self._read()
        if "candidate" not in answer:
            raise ValueError(answer["error"])
        if "sameAs" in answer:  # Plans with equal machine code are timed once.
            return self.measure(self.candidates[answer["sameAs"]], samples)
        if "milliseconds" not in answer:
            self._failed.add(candidate.number)
            raise Failed(answer["error"])
        self._times[candidate.number] = answer["milliseconds"]
        return answer["milliseconds"]

    def nearest(self, keys: Mapping[str, str]) -> Candidate:
        """The candidate that differs from `keys` in the fewest, of several the fastest by the
        model; those that failed are left out.
        """
        def distance(candidate):
            return sum(candidate.keys.get(key) != value for key, value in keys.items())

        return min((each for each in self.candidates if each.number not in self._failed),
                   key=distance)

    def neighbours(self, candidate: Candidate) -> List[Candidate]:
        """Plans with one other value than the candidate that are not among `candidates` yet, to
        which they are added; `keys` stay as they are.
        """
        with self._closing_on_errors():
            self._write({"neighbours": candidate.number})
            _, found = self._read_candidates()
        added = [_with_keys(each, self.candidates[0].keys) for each in found]
        self.candidates += added
        return added

    @property
    def best(self) -> Optional[Tuple[Candidate, float]]:
        if not self._times:
            return None
        number = min(self._times, key=lambda each: self._times[each])
        return self.candidates[number], self._times[number]

    def close(self) -> None:
        """Ends the tuner, and what it has started."""
        if self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
        self._child.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self._child.stdin.close()

    def __enter__(self) -> "Problem":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @contextlib.contextmanager
    def _closing_on_errors(self) -> Iterator[None]:
        """An answer that was not read to its end would be that of the next request."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _write(self, request: Dict[str, Any]) -> None:
        if self._child.stdin.closed:
            raise RuntimeError("the problem is closed")
        with contextlib.suppress(BrokenPipeError):  # The reason is in its output.
            self._child.stdin.write(json.dumps(request) + "\n")
            self._child.stdin.flush()

    def _read(self) -> Dict[str, Any]:
        """The next line of JSON; messages before it are kept, or warned of."""
        for line in self._child.stdout:
            if line.startswith("{"):
                return json.loads(line)
            if line.startswith("gemm-tune: warning: "):
                warnings.warn(line[len("gemm-tune: warning: "):].rstrip("\n"), RuntimeWarning, 4)
            elif line.startswith("gemm-tune: error: "):
                self._error = line[len("gemm-tune: error: "):].rstrip("\n")
        status = self._child.wait()
        raise RuntimeError(self._error or f"gemm-tune ended with status {status}")

    def _read_candidates(self) -> Tuple[str, List[Candidate]]:
        """Candidates to the line that ends them, which has the operation."""
        found = []
        while "operation" not in (data := self._read()):
            found.append(Candidate(data["candidate"], data["plan"], data["keys"],
                                   data["predicted"]))
        return data["operation"], found


def _with_keys(candidate: Candidate, names: Any) -> Candidate:
    """With a value for each name."""
    keys = {**dict.fromkeys(names, ""), **candidate.keys}
    return Candidate(candidate.number, candidate.plan, keys, candidate.predicted)
