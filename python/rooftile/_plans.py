"""The plans that the compiler would choose, without a GPU."""

import html
import json
import os
from typing import Any, Dict, List, Optional, Union

from ._native import core
from ._svg import PALETTE, Picture, Roofline

_NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
          "complex64": "c64", "complex128": "c128"}


def _type_name(dtype):
    """"f32" of it, of "float32", numpy.float32, numpy.dtype("f4"), torch.float32."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = name.rpartition(".")[2]
    name = _NAMES.get(name, name)
    if name not in _NAMES.values():
        raise TypeError(f"dtype is {dtype}; expected one of {', '.join(_NAMES.values())}")
    return name


def chips() -> List[str]:
    """The names of the chips that can be planned for."""
    return core().chips()


def _rows(rows, name):
    """Rows of a table in HTML, of cells that are called `name`."""
    return "".join("<tr>" + "".join(f"<{name}>{html.escape(cell)}</{name}>" for cell in row) +
                   "</tr>" for row in rows)


def use_plans(path: Optional[Union[str, "os.PathLike[str]"]]) -> None:
    """Uses a list of plans, which `gemm-tune select` writes: calls from now on have the plan of a
    line that applies, others that of the model. At the start, the list of the file that the
    environment variable ROOFTILE_PLANS names is used, if any; where that cannot be read, or has
    lines for another chip, the first call warns.

    Args:
        path: the file; None: the model alone chooses.

    Raises OSError for a file that cannot be opened, ValueError for one with mistakes, by line and
    column: then the list before is still in use.
    """
    if path is not None:
        with open(path, "rb"):
            pass
    core().use_plans("" if path is None else os.fspath(path))


class Plan:
    """The plans of a product: `text` is a table and the reasons of the choice, `json` the table,
    and `reasons` the lines after it, by their names ("roofline", "limit").

    `source` names where the plan of calls comes from: "the model", whose plans the table has, or a
    line of a list (use_plans), as "h200.plans:3". That plan is the last line of `text`, "from".

    In a notebook it is both tables.
    """

    def __init__(self, text: str, data: Dict[str, Any], source: str = "the model") -> None:
        self.text = text
        self.json = data
        self.source = source
        lines = (line.partition(":") for line in text.rpartition("\n\n")[2].splitlines())
        self.reasons: Dict[str, str] = {name: why.strip() for name, _, why in lines}

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<rooftile.Plan {self.json['shape']} on {self.json['chip']}: " \
               f"{self.json['plans'][0]['plan']}>"

    def _repr_html_(self) -> str:
        plans = self.json["plans"]
        resources = list(plans[0]["resources"])
        times = [[each["seconds"], *each["resources"].values()] for each in plans]
        rows = [[f"{1e6 * seconds:.2f}" for seconds in of_plan] + [each["plan"]]
                for of_plan, each in zip(times, plans)]
        caption = html.escape(f"{self.json['shape']} on {self.json['chip']}, microseconds")
        return (f"<table><caption>{caption}</caption>"
                f"{_rows([['time', *resources, 'plan']], 'th')}{_rows(rows, 'td')}</table>"
                f"<table>{_rows(self.reasons.items(), 'td')}</table>")

    def roofline(self) -> Picture:
        """A picture, which a notebook shows: the roofline of the chip for this product, and the
        plans. Its str() is SVG, for a file.
        """
        facts = self.json
        points = [(facts["flops"] / each["bytes"], facts["flops"] / each["seconds"] / 1e12)
                  for each in facts["plans"]]
        picture = Picture(560, 330, f"{facts['shape']} on {facts['chip']}")
        ceilings = facts["flopsPerSecond"] / 1e12, facts["bytesPerSecond"] / 1e12
        axes = Roofline(picture, (48, 44, 460, 280), ceilings, points)
        axes.name(picture.title, "flops a byte from and to DRAM", "TFLOP/s")
        axes.marks(points, PALETTE[0])
        picture.mark(*axes.entry("plans"), PALETTE[0])
        return picture


def plan(m: int, n: int, k: int, dtype: Any, chip: str = "h200", op: str = "nn", batch: int = 1,
         *, math: str = "strict", top: int = 8) -> Plan:
    """The fastest plans of a product C (m x n) = op(A) op(B), by the cost model, and the plan of a
    list that is in use. Needs no GPU.

    Args:
        m, n, k, batch: sizes of 1 or more.
        dtype: "f16", "bf16", "f32", "f64", "c64", "c128", or a dtype of NumPy or PyTorch.
        chip: a name of chips(), or a file of a target; empty: the GPU present.
        op: "nn", "nt", "tn" or "tt": which of A and B is transposed.
        math: "strict", "emulated" or "tf32", as of gemm.
        top: plans in the table.

    Raises ValueError for an unknown chip or op and for sizes out of range, TypeError for a dtype.
    """
    op = op.lower()
    if op not in ("nn", "nt", "tn", "tt"):
        raise ValueError(f"op is '{op}'; expected nn, nt, tn or tt")
    if math not in ("strict", "emulated", "tf32"):
        raise ValueError(f"math is '{math}'; expected strict, emulated or tf32")
    for name, value in (("m", m), ("n", n), ("k", k), ("batch", batch), ("top", top)):
        if int(value) != value or value < 1:
            raise ValueError(f"{name} is {value}; expected 1 or more")
    line = f"{_type_name(dtype)} {op} {int(m)}x{int(n)}x{int(k)}"
    if batch > 1:
        line += f" batch={int(batch)}"
    if math != "strict":
        line += f" {math}"
    text, data, report = core().plan(line, chip, int(top))
    if not report:
        return Plan(text, json.loads(data))
    operation = json.loads(report)["operations"][0]
    source, chosen = operation["source"], operation["plans"][0]
    if not source.startswith("the model"):
        text += f"from: {source}: {chosen['plan']}, {1e6 * chosen['seconds']:.1f} us predicted\n"
    return Plan(text, json.loads(data), source)
