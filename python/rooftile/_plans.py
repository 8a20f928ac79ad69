"""The plans that the compiler would choose, without a GPU."""

import html
import json
from typing import Any, Dict, List

from ._native import core

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


class Plan:
    """The plans of a product: `text` is a table and the reasons of the choice, `json` the table."""

    def __init__(self, text: str, data: Dict[str, Any]) -> None:
        self.text = text
        self.json = data

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<rooftile.Plan {self.json['shape']} on {self.json['chip']}: " \
               f"{self.json['plans'][0]['plan']}>"

    def _repr_html_(self) -> str:
        plans = self.json["plans"]
        resources = list(plans[0]["resources"])
        head = "".join(f"<th>{html.escape(name)}</th>" for name in ["us", *resources, "plan"])
        rows = [f"<caption>{html.escape(self.json['shape'])} on "
                f"{html.escape(self.json['chip'])}</caption>", f"<tr>{head}</tr>"]
        for each in plans:
            times = [each["seconds"], *each["resources"].values()]
            cells = "".join(f"<td>{1e6 * seconds:.2f}</td>" for seconds in times)
            rows.append(f"<tr>{cells}<td>{html.escape(each['plan'])}</td></tr>")
        return f"<table>{''.join(rows)}</table>"

    def roofline(self) -> Any:
        """A matplotlib figure: the roofline of the chip for this product, and the plans."""
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise RuntimeError("roofline() needs matplotlib: pip install matplotlib") from error
        facts = self.json
        figure = Figure()
        axes = figure.add_subplot(xscale="log", yscale="log", xlabel="flop / byte of DRAM",
                                  ylabel="flop / s", title=f"{facts['shape']} on {facts['chip']}")
        ridge = facts["flopsPerSecond"] / facts["bytesPerSecond"]
        at = [facts["flops"] / each["bytes"] for each in facts["plans"]]
        low, high = min([ridge, *at]) / 4, max([ridge, *at]) * 4
        axes.plot([low, ridge, high],
                  [low * facts["bytesPerSecond"]] + 2 * [facts["flopsPerSecond"]], label="roofline")
        axes.plot(at, [facts["flops"] / each["seconds"] for each in facts["plans"]], "o",
                  label="plans")
        axes.legend()
        return figure


def plan(m: int, n: int, k: int, dtype: Any, chip: str = "h200", op: str = "nn", batch: int = 1,
         *, top: int = 8) -> Plan:
    """The fastest plans of a product C (m x n) = op(A) op(B), by the cost model. Needs no GPU.

    Args:
        m, n, k, batch: sizes of 1 or more.
        dtype: "f16", "bf16", "f32", "f64", "c64", "c128", or a dtype of NumPy or PyTorch.
        chip: a name of chips(), or a file of a target; empty: the GPU present.
        op: "nn", "nt", "tn" or "tt": which of A and B is transposed.
        top: plans in the table.

    Raises ValueError for an unknown chip or op and for sizes out of range, TypeError for a dtype.
    """
    if op not in ("nn", "nt", "tn", "tt"):
        raise ValueError(f"op is '{op}'; expected nn, nt, tn or tt")
    for name, value in (("m", m), ("n", n), ("k", k), ("batch", batch), ("top", top)):
        if int(value) != value or value < 1:
            raise ValueError(f"{name} is {value}; expected 1 or more")
    line = f"{_type_name(dtype)} {op} {int(m)}x{int(n)}x{int(k)}"
    if batch > 1:
        line += f" batch={int(batch)}"
    text, data = core().plan(line, chip, int(top))
    return Plan(text, json.loads(data))
