"""Products of matrices: gemm, matmul, trmm, trsm, and the stateful Gemm."""

from typing import Any, Optional, TypeVar

from ._frameworks import common_framework
from ._native import core

ArrayT = TypeVar("ArrayT")


def _check_copy(shape, target_shape, name):
    """A copy may repeat a matrix for all of a batch, and nothing else."""
    if tuple(shape) not in (tuple(target_shape), tuple(target_shape)[-2:]):
        raise ValueError(f"{name} has shape {tuple(shape)}; expected {tuple(target_shape)}")


def _stream(framework, source, view):
    return framework.stream(source, view.device) if view.device >= 0 else 0


def gemm(a: ArrayT, b: ArrayT, *, alpha: complex = 1, beta: complex = 0,
         c: Optional[ArrayT] = None, out: Optional[ArrayT] = None, op_a: str = "n",
         op_b: str = "n", chip: str = "") -> ArrayT:
    """alpha op(a) op(b) + beta c.

    Args:
        a, b: matrices with op(a) of M x K and op(b) of K x N; or batches of them, of three
            dimensions, of which one may be a matrix (or a batch of one) for all of the other.
            f16, bf16, f32, f64, c64 or c128, both the same, in row or column order with any
            leading dimension.
        alpha, beta: numbers; complex ones for complex matrices only. With beta = 0, c is not read.
        c: M x N, or the batch; not changed, unless it is `out` too.
        out: is written and returned, of the type of a (or f32 for a of f16 and bf16). It must not
            overlap with a or b. Without it, a new array is made, in row-major order.
        op_a, op_b: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).
        chip: what is planned for; empty: the GPU present.

    Returns an array of the framework of a and b. On a GPU the work is put on the framework's
    current stream, and not waited for.

    Raises TypeError for types that differ or are not supported, ValueError for shapes, strides,
    devices and overlaps, RuntimeError where compiling or running fails.
    """
    framework = common_framework(a=a, b=b, c=c, out=out)
    native, as_array = core(), framework.import_array
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    is_added, has_out = c is not None and beta != 0, out is not None
    if out is None:
        shape = native.gemm_shape(a_view, b_view, op_a, op_b)
        if c is not None:
            _check_copy(c.shape, shape, "c")
        if is_added:
            _check_type(as_array(c, "c"), a_view, expected_name="a")
        out = framework.copy_of(c, a, shape, "c") if is_added else framework.empty(a, shape)
    else:
        framework.check_out(out)
    out_view = as_array(out, "out")
    call = (a_view, b_view, out_view, alpha, beta, op_a, op_b,
            _stream(framework, out, out_view), framework.waits, chip)
    if is_added and c is not out and has_out:
        native.gemm(*call, True)  # says what is wrong before out changes
        _copy_addend(framework, c, out, out_view)
    native.gemm(*call)
    return out


def _check_type(view, expected, name="c", expected_name="out"):
    if view.dtype != expected.dtype:
        raise TypeError(f"{name} is {view.dtype} and {expected_name} is {expected.dtype}")


def _copy_addend(framework, c, out, out_view):
    """c to out, where it is not there already."""
    _check_copy(c.shape, out.shape, "c")
    c_view = framework.import_array(c, "c")
    _check_type(c_view, out_view)
    if not core().are_same(out_view, c_view):
        core().check_disjoint(out_view, c_view)
        framework.copy(out, c, "c")


def matmul(a: ArrayT, b: ArrayT, out: Optional[ArrayT] = None) -> ArrayT:
    """a b: as gemm(a, b, out=out)."""
    return gemm(a, b, out=out)


def _copy_operand(framework, b, b_view, out, out_view):
    """b to out, where it is not there already."""
    if tuple(out_view.shape) != tuple(b_view.shape):
        raise ValueError(f"out has shape {out_view.shape}; expected {b_view.shape}")
    _check_type(b_view, out_view, "b")
    if not core().are_same(out_view, b_view):
        core().check_disjoint(out_view, b_view)
        framework.copy(out, b, "b")


def _triangular(routine, a, b, side, triangle, diagonal, op, alpha, out, chip):
    framework = common_framework(a=a, b=b, out=out)
    native, as_array = core(), framework.import_array
    a_view, b_view = as_array(a, "a"), as_array(b, "b")
    native.check_matrix(b_view)
    has_out = out is not None
    if has_out:
        framework.check_out(out)
    else:
        out = framework.copy_of(b, b, tuple(b.shape), "b")
    out_view = as_array(out, "out")
    call = (routine, a_view, out_view, side, triangle, diagonal, op, alpha,
            _stream(framework, out, out_view), framework.waits, chip)
    if has_out and out is not b:
        native.triangular(*call, True)  # says what is wrong before out changes
        _copy_operand(framework, b, b_view, out, out_view)
    native.triangular(*call, False)
    return out


def trmm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, chip: str = "") -> ArrayT:
    """alpha op(a) b, or alpha b op(a) with side="right", of a triangular matrix a.

    Args:
        a: square, f32 or f64; the other triangle is not read, nor is the diagonal with
            diagonal="unit".
        b: M x N, or a batch of such matrices; a is one for all of them, or a batch as well.
        side: "left" or "right". triangle: "lower" or "upper". diagonal: "nonunit" or "unit".
        op: "n", "t" (transposed), "c" (adjoint) or "j" (conjugated).
        out: is written and returned; it may be b itself. Without it, a new array is made.

    Orders, frameworks, streams and errors are those of gemm.
    """
    return _triangular("trmm", a, b, side, triangle, diagonal, op, alpha, out, chip)


def trsm(a: ArrayT, b: ArrayT, side: str = "left", triangle: str = "lower",
         diagonal: str = "nonunit", op: str = "n", alpha: complex = 1,
         out: Optional[ArrayT] = None, *, chip: str = "") -> ArrayT:
    """The x of op(a) x = alpha b, or of x op(a) = alpha b with side="right".

    Arguments are those of trmm. A zero on the diagonal gives infinities, as in BLAS.
    """
    return _triangular("trsm", a, b, side, triangle, diagonal, op, alpha, out, chip)


class Gemm:
    """A product that is planned once and executed many times.

        with rooftile.Gemm(a, b, alpha=2) as product:
            product.plan()
            result = product.execute()
            product.reset_operands(a=other)
            result = product.execute()

    Arguments are those of gemm.
    """

    def __init__(self, a: Any, b: Any, c: Any = None, alpha: complex = 1, beta: complex = 0, *,
                 op_a: str = "n", op_b: str = "n", chip: str = "") -> None:
        self._operands = {"a": a, "b": b, "c": c}
        self._scalars = {"alpha": alpha, "beta": beta}
        self._options = {"op_a": op_a, "op_b": op_b, "chip": chip}
        if c is None and beta != 0:
            raise ValueError(f"beta is {beta} and there is no c")
        self._views()  # what is wrong with the operands is said at once

    def _check_open(self):
        if self._operands is None:
            raise RuntimeError("this Gemm is closed")

    def _views(self):
        """Framework, a and b as arrays, and the shape of the result."""
        framework = common_framework(**self._operands)
        a = framework.import_array(self._operands["a"], "a")
        b = framework.import_array(self._operands["b"], "b")
        shape = core().gemm_shape(a, b, self._options["op_a"], self._options["op_b"])
        if self._operands["c"] is not None:
            _check_copy(self._operands["c"].shape, shape, "c")
        return framework, a, b, shape

    def plan(self) -> "Gemm":
        """Compiles the kernels of a result in row-major order, and returns self."""
        self._check_open()
        framework, a, b, shape = self._views()
        like = framework.empty(self._operands["a"], shape)
        core().gemm(a, b, framework.import_array(like, "out"), self._scalars["alpha"],
                    self._scalars["beta"], self._options["op_a"], self._options["op_b"], 0, False,
                    self._options["chip"], True)
        return self

    @property
    def description(self) -> str:
        """The fastest plans by the cost model, and why the first was chosen."""
        self._check_open()
        from ._plans import plan

        _, a, b, shape = self._views()
        ops = "".join("t" if self._options[name] in "tc" else "n" for name in ("op_a", "op_b"))
        k = a.shape[-2 if ops[0] == "t" else -1]
        batch = shape[0] if len(shape) == 3 else 1
        return plan(shape[-2], shape[-1], k, a.dtype, chip=self._options["chip"], op=ops,
                    batch=batch).text

    def execute(self, out: Any = None) -> Any:
        """The product, in `out` or a new array."""
        self._check_open()
        return gemm(**self._operands, **self._scalars, **self._options, out=out)

    def reset_operands(self, a: Any = None, b: Any = None, c: Any = None) -> "Gemm":
        """Other operands; those that are None stay. Returns self."""
        self._check_open()
        before = dict(self._operands)
        for name, operand in (("a", a), ("b", b), ("c", c)):
            if operand is not None:
                self._operands[name] = operand
        try:
            self._views()
        except Exception:
            self._operands = before
            raise
        return self

    def close(self) -> None:
        """Lets go of the operands."""
        self._operands = None

    def __enter__(self) -> "Gemm":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
