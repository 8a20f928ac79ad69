"""Primitives of JAX whose compiled form is a call of a handler of rooftile._core."""

import functools
import numbers

import jax
import numpy
from jax.extend.core import Primitive
from jax.interpreters import mlir

from .._native import core

_NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
          "complex64": "c64", "complex128": "c128"}


def as_operand(value, name):
    """`value` as a JAX array or tracer."""
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"{name} is of type {type(value).__module__}.{type(value).__name__}; "
                        "expected an array")
    return jax.numpy.asarray(value)


def view(name, shape, dtype):
    """An array without memory, for checks of `_core`."""
    dtype_name = getattr(dtype, "name", str(dtype))
    if dtype_name not in _NAMES:
        raise TypeError(f"{name} is {dtype_name}; expected f16, bf16, f32, f64, c64 or c128")
    return core().Array.traced(name, _NAMES[dtype_name], list(shape))


def view_of(name, array):
    return view(name, array.shape, array.dtype)


def split_scalar(value, name, dtype):
    """A number known now, and None; or 1 and a number that the program computes, of `dtype`."""
    if not isinstance(value, (jax.Array, jax.core.Tracer)):
        if not isinstance(value, (numbers.Number, numpy.number)) and getattr(value, "ndim", 1) != 0:
            raise TypeError(f"{name} is of type {type(value).__name__}; expected a number")
        return complex(value), None
    if value.shape != ():
        raise ValueError(f"{name} has shape {value.shape}; expected a number")
    if jax.numpy.iscomplexobj(value) and numpy.dtype(dtype).kind != "c":
        raise TypeError(f"{name} is complex and the result is {_NAMES[numpy.dtype(dtype).name]}")
    return 1 + 0j, value.astype(dtype)


def times(scalar, array):
    """Multiplies by a number known now, which may be complex for complex arrays only."""
    if scalar == 1:
        return array
    is_complex = jax.numpy.iscomplexobj(array)
    return array * numpy.asarray(scalar if is_complex else scalar.real, array.dtype)


def _attributes(params):
    """Texts, and pairs of f64."""
    found = {}
    for name, value in params.items():
        if isinstance(value, complex):
            found[name] = numpy.float64(value.real)
            found[name + "_imaginary"] = numpy.float64(value.imag)
        else:
            found[name] = value
    return found


def _varying(array):
    """The axes of a mesh over which an array varies, inside jax.shard_map."""
    aval = array.aval if hasattr(array, "aval") else array
    return aval.mat.varying if hasattr(aval, "mat") else getattr(aval, "vma", frozenset())


def vary_alike(*arrays):
    """Arrays that vary over the same axes of a mesh, as operands of a primitive must: else the
    derivative of one that is the same everywhere would lack the sum over the axis."""
    axes = frozenset().union(*(_varying(array) for array in arrays if array is not None))

    def vary(array):
        missing = () if array is None else tuple(sorted(axes - _varying(array)))
        if not missing:
            return array
        cast = getattr(jax.lax, "pcast", None)
        return cast(array, missing, to="varying") if cast else jax.lax.pvary(array, missing)

    return tuple(vary(array) for array in arrays)


def result_aval(operand, shape, dtype):
    """The abstract result of a primitive: it varies over a mesh as its operands do."""
    more = {}
    mesh = getattr(getattr(operand, "sharding", None), "mesh", None)
    if mesh is not None:
        spec = jax.sharding.PartitionSpec(*[None] * len(shape))
        more["sharding"] = jax.sharding.NamedSharding(mesh, spec)
    return operand.update(shape=tuple(shape), dtype=numpy.dtype(dtype), weak_type=False, **more)


def define(name, abstract, in_place):
    """A primitive.

    Args:
        name: as it is printed.
        abstract: from abstract arguments and parameters to that of the result.
        in_place: from the number of arguments to that of the one that the result overwrites, or
            None. Parameters whose names begin with "_" are no attributes of the handler.
    """
    primitive = Primitive(name)
    for platform, capsule in core().xla_handlers().items():
        jax.ffi.register_ffi_target(name, capsule, platform=platform)

    def lower(ctx, *operands, **params):
        place = in_place(len(operands))
        aliases = {} if place is None else {place: 0}
        given = {key: value for key, value in params.items() if not key.startswith("_")}
        rule = jax.ffi.ffi_lowering(name, operand_output_aliases=aliases)
        return rule(ctx, *operands, **_attributes(given))

    @functools.partial(jax.jit, static_argnums=0)
    def run(params, *operands):
        return primitive.bind(*operands, **dict(params))

    primitive.def_abstract_eval(abstract)
    primitive.def_impl(lambda *operands, **params: run(tuple(sorted(params.items())), *operands))
    for platform in ("cpu", "cuda"):
        mlir.register_lowering(primitive, lower, platform=platform)
    return primitive


def to_front(array, dimension):
    """With the dimension that vmap maps in front; None: it maps none."""
    return array if dimension is None else jax.numpy.moveaxis(array, dimension, 0)


def align(arrays, dimensions):
    """Arrays of which vmap maps `dimensions` (or None), as arrays of one more dimension before
    the batches that are there: matrices that are one for all are broadcast."""
    rank = max(array.ndim - (place is not None) for array, place in zip(arrays, dimensions))
    aligned = []
    for array, place in zip(arrays, dimensions):
        if place is not None:
            array = to_front(array, place)
            ones = (1,) * (rank + 1 - array.ndim)
            array = array.reshape(array.shape[:1] + ones + array.shape[1:])
        aligned.append(array)
    return aligned


def as_matrix(array, dimension):
    """A vector as a matrix of one row (-2) or one column (-1); None, and what is a matrix, stay."""
    is_vector = array is not None and array.ndim == 1
    return jax.numpy.expand_dims(array, dimension) if is_vector else array
