"""The package that an array belongs to: how it is read, where it runs, how a result is made.

No framework is imported that the program has not imported itself: an array of it is the proof.
"""

import sys
from typing import NamedTuple

from ._native import core

# Devices as DLPack has them: a type and a number.
HOST = (1, 0)
DEVICES = {"cpu": HOST, "cuda": (2, 0), "hip": (10, 0)}
# The stream that `__dlpack__` gets: the default stream, by type, or none to wait for.
DEFAULT_STREAMS = {2: 1, 3: 1, 10: 0, 13: 1}
NO_WAIT = -1


class Triangle(NamedTuple):
    """The elements of a square matrix that are written; not the diagonal where that is `unit`."""

    lower: bool
    unit: bool

    def mask(self, module, ones):
        """A square matrix of ones, in a module of functions as NumPy's."""
        return module.tril(ones, -self.unit) if self.lower else module.triu(ones, +self.unit)


class Framework:
    """Arrays of a package that nothing more is known of: it gives no results of its own."""

    name = "another package"
    waits = False  # Whether a call on a GPU waits for its result.

    def import_array(self, source, name):
        """The `_core.Array` of `source`, which is called `name` in errors."""
        if hasattr(type(source), "__dlpack__") or not hasattr(source, "__cuda_array_interface__"):
            stream = DEFAULT_STREAMS.get(int(source.__dlpack_device__()[0]))
            return core().Array(source, name, "dlpack", stream)
        return core().Array(source, name, "cuda")

    def import_copied(self, source, name, check=None):
        """As above, of a copy where no kernel accepts its layout: `check` refuses it, by
        default as a matrix."""
        try:
            view = self.import_array(source, name)
            (check or core().check_matrix)(view)
            return view
        except (TypeError, ValueError):
            return self.import_array(self.contiguous(source), name)  # raises where it does not help

    def contiguous(self, source):
        """The array in row-major order and in the byte order of this machine: a copy, where the
        framework has one."""
        return source

    def stream(self, source, device):
        """The current stream of the framework, as a number."""
        return 0

    def empty(self, like, shape):
        """An array of the type and on the device of `like`, in row-major order."""
        raise TypeError(f"arrays of {type(like).__module__}.{type(like).__name__} need out=")

    def zeros(self, like, shape):
        """A new array of zeros."""
        return self.empty(like, shape)

    def copy(self, target, source, name):
        """Copies `source`, called `name` in errors, to `target`."""
        raise TypeError(f"{name}: cannot be copied; give the array that is to be written (out=)")

    def copy_of(self, source, like, shape, name):
        """A new array with the elements of `source`, repeated for all of a batch."""
        target = self.empty(like, shape)
        self.copy(target, source, name)
        return target

    def copy_triangle(self, target, source, triangle, name):
        """Copies one triangle of `source`."""
        self.copy(target, source, name)

    def triangle_of(self, source, triangle, name):
        """A new array of one triangle of `source`, with zeros beside it, and ones on a diagonal
        that is not of it."""
        return self.empty(source, source.shape)

    def check_out(self, out, name="out"):
        """Refuses an array that must not be written."""


def _native(dtype):
    """A type of NumPy in the byte order of this machine."""
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def _copy_triangle(module, target, source, triangle):
    """Namespace of NumPy's arrays, and of those of a module with its functions."""
    ones = module.ones(target.shape[-2:], bool)
    module.copyto(target, source, where=triangle.mask(module, ones))


def _triangle_of(module, source, triangle):
    mask = triangle.mask(module, module.ones(source.shape[-2:], bool))
    beside = module.eye(source.shape[-1], dtype=_native(source.dtype)) * int(triangle.unit)
    return module.where(mask, source, beside)


class NumPy(Framework):
    name = "numpy"

    def import_array(self, source, name):
        if source.dtype.kind == "V" and source.dtype.name == "bfloat16":  # no buffer describes it
            return core().Array(source.view("u2"), name, "buffer", "bf16")
        return core().Array(source, name, "buffer")

    def contiguous(self, source):
        return sys.modules["numpy"].array(source, _native(source.dtype), order="C")

    def empty(self, like, shape):
        return sys.modules["numpy"].empty(shape, _native(like.dtype))

    def zeros(self, like, shape):
        return sys.modules["numpy"].zeros(shape, _native(like.dtype))

    def copy(self, target, source, name):
        sys.modules["numpy"].copyto(target, source)

    def copy_triangle(self, target, source, triangle, name):
        _copy_triangle(sys.modules["numpy"], target, source, triangle)

    def triangle_of(self, source, triangle, name):
        return _triangle_of(sys.modules["numpy"], source, triangle)


class Torch(Framework):
    name = "torch"
    _plain, _exchange_api = None, None

    def _is_plain(self, source):
        """Whether DLPack's table of functions (PyTorch 2.10 and later) describes all of a tensor,
        in a tenth of the time of `__dlpack__`."""
        if self._plain is None:
            self._plain = sys.modules["torch"].Tensor
            api = getattr(self._plain, "__dlpack_c_exchange_api__", None)
            self._exchange_api = api if api and core().knows_exchange(api) else None
        return (self._exchange_api is not None and type(source) is self._plain
                and not source.requires_grad and not source.is_conj() and not source.is_neg())

    def import_array(self, source, name):
        if self._is_plain(source):
            try:
                return core().Array(source, name, "exchange", self._exchange_api)
            except RuntimeError:
                pass  # the message of __dlpack__ is shorter
        if source.is_neg():  # which __dlpack__ does not name
            raise ValueError(f"{name} is a negated view; expected {name}.resolve_neg()")
        stream = NO_WAIT if source.is_cuda else None
        return core().Array(source, name, "dlpack", stream)

    def contiguous(self, source):
        resolved = source.resolve_neg().resolve_conj()
        return resolved.clone(memory_format=sys.modules["torch"].contiguous_format)

    def stream(self, source, device):
        if self._exchange_api is not None:
            return core().current_stream(self._exchange_api, device)
        return sys.modules["torch"].cuda.current_stream(device[1]).cuda_stream

    def empty(self, like, shape):
        return sys.modules["torch"].empty(shape, dtype=like.dtype, device=like.device)

    def zeros(self, like, shape):
        return sys.modules["torch"].zeros(shape, dtype=like.dtype, device=like.device)

    def copy(self, target, source, name):
        target.copy_(source)

    def _mask(self, source, triangle):
        torch = sys.modules["torch"]
        ones = torch.ones(source.shape[-2:], dtype=torch.bool, device=source.device)
        return triangle.mask(torch, ones)

    def copy_triangle(self, target, source, triangle, name):
        where = sys.modules["torch"].where
        target.copy_(where(self._mask(target, triangle), source, target))

    def triangle_of(self, source, triangle, name):
        torch = sys.modules["torch"]
        ones = torch.eye(source.shape[-1], dtype=source.dtype, device=source.device)
        beside = ones * int(triangle.unit)
        return torch.where(self._mask(source, triangle), source, beside).contiguous()


class CuPy(Framework):
    name = "cupy"

    def import_array(self, source, name):
        return core().Array(source, name, "dlpack", NO_WAIT)

    def contiguous(self, source):
        with source.device:
            return sys.modules["cupy"].array(source, order="C")

    def stream(self, source, device):
        with source.device:
            return sys.modules["cupy"].cuda.get_current_stream().ptr

    def empty(self, like, shape):
        with like.device:
            return sys.modules["cupy"].empty(shape, like.dtype)

    def zeros(self, like, shape):
        with like.device:
            return sys.modules["cupy"].zeros(shape, like.dtype)

    def copy(self, target, source, name):
        with target.device:
            target[...] = source

    def copy_triangle(self, target, source, triangle, name):
        with target.device:
            _copy_triangle(sys.modules["cupy"], target, source, triangle)

    def triangle_of(self, source, triangle, name):
        with source.device:
            return _triangle_of(sys.modules["cupy"], source, triangle)


class Jax(Framework):
    """Arrays never change: a result is written into a fresh one that nobody has seen yet."""

    name = "jax"
    waits = True  # JAX runs on streams of its own.

    def import_array(self, source, name):
        if isinstance(source, sys.modules["jax"].core.Tracer):
            raise TypeError(f"{name} has no memory: it is traced, by jax.jit or the like; there, "
                            "call the functions of rooftile.jax")
        if source.is_deleted():
            raise RuntimeError(f"{name}: this array has been deleted or donated")
        return super().import_array(source, name)

    def check_out(self, out, name="out"):
        raise ValueError(f"{name} is a JAX array, which must not be written to")

    def empty(self, like, shape):
        jax = sys.modules["jax"]
        fresh = jax.device_put(jax.numpy.empty(shape, like.dtype), next(iter(like.devices())))
        return fresh.block_until_ready()

    def zeros(self, like, shape):
        jax = sys.modules["jax"]
        fresh = jax.device_put(jax.numpy.zeros(shape, like.dtype), next(iter(like.devices())))
        return fresh.block_until_ready()

    def triangle_of(self, source, triangle, name):
        return _triangle_of(sys.modules["jax"].numpy, source, triangle).block_until_ready()

    def copy_of(self, source, like, shape, name):
        numpy = sys.modules["jax"].numpy
        return numpy.array(numpy.broadcast_to(source, shape), copy=True).block_until_ready()


NUMPY = NumPy()
_KNOWN = {"numpy": NUMPY, "torch": Torch(), "cupy": CuPy(), "jax": Jax(), "jaxlib": Jax()}
_OTHER = Framework()
_of_type = {}


def _find(kind, name):
    for base in kind.__mro__:
        found = _KNOWN.get(base.__module__.partition(".")[0])
        if found and base.__name__ == "MaskedArray":
            raise TypeError(f"{name} is a masked array; its mask would be ignored")
        if found:
            return found
    if hasattr(kind, "__dlpack__") or hasattr(kind, "__cuda_array_interface__"):
        return _OTHER
    raise TypeError(f"{name} is of type {kind.__module__}.{kind.__name__}; expected an array with "
                    "__dlpack__ or __cuda_array_interface__")


def framework_of(source, name):
    """The framework of an array, called `name` in errors."""
    kind = type(source)
    found = _of_type.get(kind)
    if found is None:
        found = _of_type[kind] = _find(kind, name)
    return found


def common_framework(**operands):
    """The framework of all `operands` that are not None."""
    first = first_name = None
    for name, operand in operands.items():
        if operand is None:
            continue
        found = framework_of(operand, name)
        if first is None:
            first, first_name = found, name
        elif found.name != first.name:
            raise TypeError(f"{first_name} is an array of {first.name} and {name} of {found.name}")
    return first
