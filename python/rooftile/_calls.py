"""Calls of routines of BLAS: one way for all, from arrays to a result."""

from ._frameworks import HOST, Triangle, common_framework
from ._native import core

# The operand that the result overwrites.
_IN_PLACE = {"trmm": "b", "trsm": "b", "trtri": "a"}
_ONE_TRIANGLE = ("syrk", "herk", "syr2k", "her2k", "trtri")


def _check_copy(shape, target, name, matrix_rank=2):
    """A copy may repeat matrices for all of a batch, and nothing else. The last `matrix_rank`
    dimensions of `target` are those of a matrix."""
    shape, target = tuple(shape), tuple(target)
    batch = len(target) - matrix_rank
    repeated = zip(shape[::-1][matrix_rank:], target[::-1][matrix_rank:])
    if (len(shape) > len(target) or shape[len(shape) - matrix_rank:] != target[batch:]
            or not all(size in (1, whole) for size, whole in repeated)):
        raise ValueError(f"{name} has shape {shape}; expected {target}")


def words_of(activation):
    """The text of an activation for `_core`."""
    if activation is not None and not isinstance(activation, str):
        raise TypeError(f"activation is of type {type(activation).__name__}; expected a name")
    return activation or ""


def _importer(framework, copy):
    """The function that makes arrays of `_core`; with `copy` of copies, where that is needed."""
    return framework.import_copied if copy else framework.import_array


def _import_bias(framework, bias, copy):
    if copy:
        return framework.import_copied(bias, "bias", core().check_vector)
    return framework.import_array(bias, "bias")


def _matrix_rank(a_view, b_view):
    """Dimensions of a matrix of the result: a vector has one less."""
    return 2 - (len(a_view.shape) == 1) - (b_view is not None and len(b_view.shape) == 1)


def _check_type(view, expected, name="c", expected_name="out"):
    if view.dtype != expected.dtype:
        raise TypeError(f"{name} is {view.dtype} and {expected_name} is {expected.dtype}")


def check_addend(as_array, c, beta, shape, a_view, b_view):
    """The error of c, where a new result of `shape` begins as its copy."""
    _check_copy(c.shape, shape, "c", _matrix_rank(a_view, b_view))
    if beta != 0:
        _check_type(as_array(c, "c"), a_view, expected_name="a")


def _triangle_of(routine, choices):
    """The triangle that is written, or None."""
    if routine not in _ONE_TRIANGLE:
        return None
    return Triangle(choices["triangle"] == "lower", choices.get("diagonal") == "unit")


def _copy(framework, source, view, name, out, out_view, triangle):
    """Copies the initial result to out, where it is not in it already."""
    _check_type(view, out_view, name)
    if core().are_same(out_view, view):
        return
    core().check_disjoint(out_view, view)
    if triangle is None:
        framework.copy(out, source, name)
    else:
        framework.copy_triangle(out, source, triangle, name)


def _new(framework, like, shape, start, name, triangle):
    """A new result: what it begins as, and zeros in a triangle that is not written."""
    if triangle is not None and start is None:
        return framework.zeros(like, shape)
    if triangle is not None and name != "c":
        return framework.triangle_of(start, triangle, name)
    if start is None:
        return framework.empty(like, shape)
    return framework.copy_of(start, like, shape, name)


def call(routine, a, b=None, c=None, out=None, *, alpha=1, beta=0, bias=None, copy=False, chip="",
         **choices):
    """Calls a routine with arrays as it names them, and returns the result: `out`, or a new array.
    `choices` are words, by the names of Request.h."""
    framework = common_framework(a=a, b=b, c=c, out=out, bias=bias)
    native, as_array = core(), _importer(framework, copy)
    a_view, b_view = as_array(a, "a"), None if b is None else as_array(b, "b")
    bias_view = None if bias is None else _import_bias(framework, bias, copy)
    if c is None and beta != 0:
        raise ValueError(f"beta is {beta} and there is no c; c=out adds to out")
    name = _IN_PLACE.get(routine, "c")
    start, start_view, inputs = c if beta != 0 else None, None, (a_view, b_view)
    if name == "b":
        start, start_view, inputs = b, b_view, (a_view, None)
    elif name == "a":
        start, start_view, inputs = a, a_view, (None, None)
    request = native.Request(routine, choices, alpha, beta, chip,
                             name == "b" and len(b_view.shape) == 1)
    has_out, triangle = out is not None, _triangle_of(routine, choices)
    if start_view is not None or not has_out:
        shape = native.shape(request, *inputs, start_view)
    if has_out:
        framework.check_out(out)
        if start_view is not None and tuple(out.shape) != shape:
            raise ValueError(f"out has shape {tuple(out.shape)}; expected {shape}")
    else:
        if c is not None:
            check_addend(as_array, c, beta, shape, a_view, b_view)
        out = _new(framework, b if name == "b" else a, shape, start, name, triangle)
    out_view = framework.import_array(out, "out")
    operands = (request, *inputs, out_view, bias_view)
    if has_out and start is not None and start is not out:
        native.prepare(*operands)  # reports errors before out changes
        if name == "c":
            _check_copy(c.shape, out.shape, "c", _matrix_rank(a_view, b_view))
            start_view = as_array(c, "c")
        _copy(framework, start, start_view, name, out, out_view, triangle)
    stream = framework.stream(out, out_view.device) if out_view.device != HOST else 0
    native.run(*operands, stream, framework.waits)
    return out
