"""Stands in for PyTorch on a GPU: tensors that DLPack describes, and a current stream. Their memory
is the host's, as is all memory of the drivers of test/Runtime. TORCH_STAND_IN=rocm makes it the one
for AMD's GPUs, which are called cuda there, too, but not in DLPack."""

import ctypes
import os
import types

import numpy as np

CODES = {"f": 2, "c": 5}
GPU = 10 if os.environ.get("TORCH_STAND_IN") == "rocm" else 2
ALIGNMENT = 256
STREAM = 4242

_kept = {}  # Tensors that are lent, by address.


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_number", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def release(address):
    del _kept[address]


def lent():
    """Count of tensors that are not released."""
    return len(_kept)


def capsule(address, name):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                     ctypes.c_void_p]
    return make(address, name, None)


class Tensor:
    is_cuda = True

    def __init__(self, array, device=0):
        memory = np.zeros(array.nbytes + ALIGNMENT, "u1")
        start = -memory.ctypes.data % ALIGNMENT
        self.array = memory[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
        self.array[...] = array
        self.shape, self.dtype, self.device = array.shape, array.dtype, device
        self.kind = GPU  # As DLPack numbers it.

    def __dlpack_device__(self):
        return self.kind, self.device

    def __dlpack__(self, stream=None):
        assert stream == -1, "nothing is to wait: the work goes to the current stream"
        rank, array = len(self.shape), self.array
        numbers = ctypes.c_int64 * rank
        strides = numbers(*(stride // array.itemsize for stride in array.strides))
        tensor = DLTensor(array.ctypes.data, self.kind, self.device, rank, CODES[array.dtype.kind],
                          8 * array.itemsize, 1, numbers(*self.shape), strides, 0)
        managed = Managed(tensor, None, ctypes.cast(release, ctypes.c_void_p))
        _kept[ctypes.addressof(managed)] = managed
        return capsule(ctypes.addressof(managed), b"dltensor")

    requires_grad = False

    def is_conj(self):
        return False

    is_neg = is_conj

    def copy_(self, source):
        self.array[...] = source.array


EXCHANGE_STREAM = 4343


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
def tensor_of(source, result):
    array, numbers = source.array, ctypes.c_int64 * len(source.shape)
    source.kept = numbers(*array.shape), numbers(*(s // array.itemsize for s in array.strides))
    shape, strides = (ctypes.cast(each, ctypes.POINTER(ctypes.c_int64)) for each in source.kept)
    result[0] = DLTensor(array.ctypes.data, source.kind, source.device, len(array.shape),
                         CODES[array.dtype.kind], 8 * array.itemsize, 1, shape, strides, 0)
    return 0


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def stream_of(kind, device, result):
    assert kind == GPU
    result[0] = EXCHANGE_STREAM + device
    return 0


class ExchangeApi(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("unused", ctypes.c_void_p * 4), ("tensor_of", type(tensor_of)),
                ("current_stream", type(stream_of))]


def offer_exchange(major=1):
    """From now on tensors are described by DLPack's table of functions, as of PyTorch 2.10."""
    Tensor.table = ExchangeApi(major, 3, (None, None, None, None), tensor_of, stream_of)
    Tensor.__dlpack_c_exchange_api__ = capsule(ctypes.addressof(Tensor.table),
                                               b"dlpack_exchange_api")


def empty(shape, dtype, device):
    return Tensor(np.empty(shape, dtype), device)


def current_stream(device):
    return types.SimpleNamespace(cuda_stream=STREAM + device)


cuda = types.SimpleNamespace(current_stream=current_stream)
