"""Errors, with the operand and the sizes."""

import numpy as np
import pytest
import rooftile
from conftest import has_gpu


@pytest.fixture
def ab(integers):
    return integers((5, 7)), integers((7, 6))


def refuses(kind, text, *arguments, **options):
    with pytest.raises(kind, match=text):
        rooftile.gemm(*arguments, **options)


def test_types(ab):
    a, b = ab
    refuses(TypeError, "a is f32 and b is f64", a, b.astype("float64"))
    refuses(TypeError, "a is i32; expected f16, bf16, f32", a.astype("int32"), b.astype("int32"))
    refuses(TypeError, "a: elements of format '>f'", a.astype(">f4"), b)
    refuses(TypeError, "a is f32 and out is f64", a, b, out=np.empty((5, 6)))
    refuses(TypeError, "c is f64 and a is f32", a, b, beta=1, c=np.empty((5, 6)))
    refuses(TypeError, "c is f64 and out is f32", a, b, beta=1, c=np.empty((5, 6)),
            out=np.empty((5, 6), "float32"))
    refuses(TypeError, "a is of type builtins.list", [[1.0]], b)
    refuses(TypeError, "a is a masked array", np.ma.masked_array(a), b)
    refuses(TypeError, "a: no array of a type that is known|a: elements of format",
            a.astype(object), b)


def test_scalars(ab):
    a, b = ab
    refuses(TypeError, "alpha is complex and out is f32", a, b, alpha=1j)
    refuses(TypeError, "alpha is no number", a, b, alpha="2")
    refuses(ValueError, "beta is 2 and there is no c", a, b, beta=2)
    refuses(ValueError, "op_a is 'x'; expected 'n', 't'", a, b, op_a="x")


def test_shapes(ab, integers):
    a, b = ab
    refuses(ValueError, r"a is 5 x 7 and b is 5 x 7 \(op nn\): K is 7 and 5", a, a)
    refuses(ValueError, r"\(op tn\): K is 5 and 7", a, b, op_a="t")
    refuses(ValueError, "a is 2 of 5 x 7 and b is 3 of 7 x 6: batches of 2 and 3 matrices",
            integers((2, 5, 7)), integers((3, 7, 6)))
    refuses(ValueError, r"out has shape \(6, 5\); expected \(5, 6\)", a, b,
            out=np.empty((6, 5), "float32"))
    refuses(ValueError, r"c has shape \(6,\); expected \(5, 6\)", a, b, beta=1,
            c=np.empty(6, "float32"))


def test_strides(ab):
    a, b = ab
    refuses(ValueError, "a: the stride of dimension 0 is -7 elements; expected a positive",
            a[::-1], b)
    refuses(ValueError, "b: the stride of dimension 1 is -1 elements", a, b[:, ::-1])
    refuses(ValueError, "a: the stride of dimension 0 is 0 elements",
            np.broadcast_to(a[0], (5, 7)), b)
    refuses(ValueError, r"a: strides of \(28, 2\) elements for a shape of \(5, 7\); expected one "
            "contiguous dimension", np.zeros((10, 14), "float32")[::2, ::2], b)
    windows = np.lib.stride_tricks.as_strided(np.zeros(99, "float32"), (5, 7), (8, 4))
    refuses(ValueError, "a: strides of .* lines that do not overlap", windows, b)
    records = np.zeros((5, 7), [("x", "f4"), ("y", "i1")])
    refuses(ValueError, "a: a stride of 35 bytes is no multiple of the 4 bytes", records["x"], b)


def test_addresses(ab):
    a, b = ab
    shifted = np.frombuffer(bytes(4 * 35 + 1), "u1")[1:].view("float32").reshape(5, 7)
    refuses(ValueError, "a: the address 0x.*1 is no multiple of 4 bytes, the size of its real el",
            shifted, b)


def test_out(ab, integers):
    a, b = ab
    out = np.empty((5, 6), "float32")
    out.flags.writeable = False
    refuses(ValueError, "out is read-only", a, b, out=out)
    square, overlaps = integers((4, 4)), "out: its 64 bytes at 0x.* overlap {}, 64 bytes at 0x"
    refuses(ValueError, overlaps.format("a"), square, square.copy(), out=square)
    refuses(ValueError, overlaps.format("b"), square.copy(), square, out=square)
    whole = integers((4, 12))
    refuses(ValueError, "out: its 160 bytes at 0x.* overlap b, 160 bytes", whole[:, :4],
            whole[:, 5:9], out=whole[:, 8:])
    shared = integers(40)
    refuses(ValueError, overlaps.format("c"), square, square.copy(), beta=1,
            c=shared[:16].reshape(4, 4), out=shared[4:20].reshape(4, 4))
    refuses(ValueError, "out: matrices of the batch overlap, since their stride is 0 elements",
            integers((3, 4, 4)), square,
            out=np.lib.stride_tricks.as_strided(shared, (3, 4, 4), (0, 16, 4)))


def test_out_stays_where_a_call_fails(ab):
    a, b = ab
    out = np.full((5, 6), 42, "float32")
    refuses(ValueError, "K is", a, a, beta=1, c=np.zeros((5, 6), "float32"), out=out)
    assert (out == 42).all()


class Deleted:
    def __dlpack__(self, **_):
        raise RuntimeError("Array has been deleted.")

    def __dlpack_device__(self):
        return (1, 0)


class OnGpu:
    """An array as of a package on a GPU."""

    def __init__(self, address):
        self.address = address

    @property
    def __cuda_array_interface__(self):
        return {"shape": (4, 4), "typestr": "<f4", "version": 3, "data": (self.address, False)}


def test_other_packages(ab):
    a, b = ab
    refuses(RuntimeError, "a: Array has been deleted", Deleted(), Deleted())
    refuses(TypeError, "a is an array of numpy and b of another package", a, Deleted())


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_no_driver():
    arrays = [OnGpu(1 << 20 | index << 10) for index in range(3)]
    refuses(RuntimeError, "libcuda|CUDA", arrays[0], arrays[1], out=arrays[2])
    refuses(ValueError, "a: the memory of this array has been freed", OnGpu(0), arrays[1],
            out=arrays[2])


def test_chip(ab):
    refuses(ValueError, "chip: .*h20o", *ab, chip="h20o")
