"""Gemm: a product as an object, in the manner of nvmath-python's Matmul."""

import json
import math
from typing import Any, Dict, Optional

from ._calls import check_addend, words_of
from ._frameworks import common_framework
from ._native import core
from ._products import gemm, letter_of


def _replaced(values, **others):
    """`values`, with those of `others` that are not None."""
    return {**values, **{name: value for name, value in others.items() if value is not None}}


class Gemm:
    """A product that is planned once and executed many times.

        with rooftile.Gemm(a, b, alpha=2) as product:
            product.plan()
            result = product.execute()
            product.reset_operands(a=other)
            result = product.execute()

    Arguments are those of gemm. What is wrong with them is said at once.
    """

    def __init__(self, a: Any, b: Any, c: Any = None, alpha: complex = 1, beta: complex = 0, *,
                 op_a: str = "n", op_b: str = "n", bias: Any = None,
                 activation: Optional[str] = None, chip: str = "") -> None:
        self._operands = {"a": a, "b": b, "c": c, "bias": bias}
        self._scalars = {"alpha": alpha, "beta": beta}
        self._options = {"op_a": letter_of(op_a, "op_a"), "op_b": letter_of(op_b, "op_b"),
                         "activation": activation, "chip": chip}
        self._check()

    def _check_open(self):
        if self._operands is None:
            raise RuntimeError("this Gemm is closed")

    def _request(self):
        words = {name: self._options[name] for name in ("op_a", "op_b")}
        words["activation"] = words_of(self._options["activation"])
        return core().Request("gemm", words, **self._scalars, chip=self._options["chip"])

    def _views(self):
        """Framework, a and b as arrays, and the shape of the result."""
        framework = common_framework(**self._operands)
        a = framework.import_array(self._operands["a"], "a")
        b = framework.import_array(self._operands["b"], "b")
        shape = core().shape(self._request(), a, b, None)
        return framework, a, b, shape

    def _check(self):
        """Refuses what gemm would refuse without `out`."""
        c, beta = self._operands["c"], self._scalars["beta"]
        if c is None and beta != 0:
            raise ValueError(f"beta is {beta} and there is no c")
        framework, a, b, shape = self._views()
        if c is not None:
            check_addend(framework.import_array, c, beta, shape, a, b)
        out = core().Array.traced("out", a.dtype, list(shape), a.device)
        core().check(*self._call(framework, a, b, out))

    def _call(self, framework, a, b, out):
        """Arguments of `_core`."""
        bias = self._operands["bias"]
        bias_view = None if bias is None else framework.import_array(bias, "bias")
        return self._request(), a, b, out, bias_view

    def _call_of_new_result(self):
        framework, a, b, shape = self._views()
        out = framework.import_array(framework.empty(self._operands["a"], shape), "out")
        return self._call(framework, a, b, out)

    def plan(self) -> "Gemm":
        """Compiles and loads the kernels of a result in row-major order, and returns self. A stream
        that is captured into a CUDA graph then needs no call before."""
        self._check_open()
        core().prepare(*self._call_of_new_result())
        return self

    @property
    def report(self) -> Dict[str, Any]:
        """The plans of the kernels that `execute` runs, and their predicted times: what
        rooftile_plan_gemm of the C interface. Nothing is compiled."""
        self._check_open()
        return json.loads(core().report(*self._call_of_new_result()))

    @property
    def description(self) -> str:
        """The fastest plans by the cost model, and why the first was chosen."""
        self._check_open()
        from ._plans import plan

        _, a, b, shape = self._views()
        ops = ["t" if self._options[name] in "tc" and len(matrix.shape) > 1 else "n"
               for name, matrix in (("op_a", a), ("op_b", b))]
        k = a.shape[-2 if ops[0] == "t" else -1]
        m = 1 if len(a.shape) == 1 else a.shape[-1 if ops[0] == "t" else -2]
        n = 1 if len(b.shape) == 1 else b.shape[-2 if ops[1] == "t" else -1]
        batch = math.prod(shape) // max(1, m * n)
        return plan(m, n, k, a.dtype, chip=self._options["chip"], op="".join(ops),
                    batch=batch).text

    def execute(self, out: Any = None) -> Any:
        """The product, in `out` or a new array."""
        self._check_open()
        return gemm(**self._operands, **self._scalars, **self._options, out=out)

    def reset_operands(self, a: Any = None, b: Any = None, c: Any = None, *, bias: Any = None,
                       alpha: Optional[complex] = None,
                       beta: Optional[complex] = None) -> "Gemm":
        """Other operands; those that are None stay, and where the new ones do not fit, all do.
        Shapes and types may change: what was planned serves equal ones. Returns self."""
        self._check_open()
        before = self._operands, self._scalars
        self._operands = _replaced(self._operands, a=a, b=b, c=c, bias=bias)
        self._scalars = _replaced(self._scalars, alpha=alpha, beta=beta)
        try:
            self._check()
        except Exception:
            self._operands, self._scalars = before
            raise
        return self

    def close(self) -> None:
        """Lets go of the operands."""
        self._operands = None

    def __enter__(self) -> "Gemm":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
