"""A stand-in for XLA that calls a handler for CUDA, on a machine that has none.

`call` puts together what xla/ffi/api/c_api.h describes: a call frame, its arguments, results and
attributes, and the functions that a handler asks for the stream and the device.
"""

import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, addressof, c_char_p, c_int, c_int32,
                    c_int64, c_size_t, c_uint32, c_void_p, cast, sizeof)

TYPES = {"float16": 10, "float32": 11, "float64": 12, "complex64": 15, "complex128": 18}


def struct(name, *fields):
    """A struct with its size and extensions in front."""
    return type(name, (Structure,), {"_fields_": [("size", c_size_t), ("extensions", c_void_p),
                                                  *fields]})


Version = struct("Version", ("major", c_int), ("minor", c_int))
Buffer = struct("Buffer", ("type", c_int32), ("data", c_void_p), ("rank", c_int64),
                ("sizes", c_void_p))
Buffers = struct("Buffers", ("count", c_int64), ("kinds", c_void_p), ("buffers", c_void_p))
Attributes = struct("Attributes", ("count", c_int64), ("kinds", c_void_p), ("names", c_void_p),
                    ("values", c_void_p))
Asked = struct("Asked", ("context", c_void_p), ("answer", c_void_p))
Refusal = struct("Refusal", ("message", c_char_p), ("code", c_int32))
Function = CFUNCTYPE(c_void_p, c_void_p)
Api = struct("Api", ("version", Version), ("internal", c_void_p),
             ("functions", c_void_p * 18))
Frame = struct("Frame", ("api", c_void_p), ("context", c_void_p), ("stage", c_int32),
               ("arguments", Buffers), ("results", Buffers), ("attributes", Attributes),
               ("future", c_void_p))


class Text(Structure):
    _fields_ = [("begin", c_char_p), ("length", c_size_t)]


class Number(Structure):
    _fields_ = [("type", c_int32), ("value", c_void_p)]


class Metadata(Structure):
    _fields_ = [("size", c_size_t), ("version", Version), ("traits", c_uint32),
                ("state_type", c_int64)]


class MetadataExtension(Structure):
    _fields_ = [("size", c_size_t), ("kind", c_int32), ("next", c_void_p), ("metadata", c_void_p)]


def function_of(capsule):
    ctypes.pythonapi.PyCapsule_GetPointer.restype = c_void_p
    ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, c_char_p]
    return Function(ctypes.pythonapi.PyCapsule_GetPointer(capsule, None))


class Runtime:
    """XLA as a handler sees it."""

    def __init__(self, stream=4242, device=0, version=(0, 3), functions=18):
        self.errors, self.kept, self.has_api = [], [], True

        def answer(value):
            def give(asked):
                cast(asked, POINTER(Asked))[0].answer = value
            return Function(give)

        def refuse(refusal):
            found = cast(refusal, POINTER(Refusal))[0]
            self.errors.append((found.code, found.message.decode()))
            return 1

        self.functions = {0: Function(refuse), 4: answer(stream), 17: answer(device)}
        self.api = Api(size=sizeof(Api) - 8 * (18 - functions))
        self.api.version = Version(sizeof(Version), None, *version)
        for place, function in self.functions.items():
            self.api.functions[place] = cast(function, c_void_p)

    def keep(self, value):
        self.kept.append(value)
        return value

    def addresses(self, values):
        return addressof(self.keep((c_void_p * len(values))(*map(addressof, values))))

    def kinds(self, values):
        return addressof(self.keep((c_int32 * len(values))(*values)))

    def buffers(self, arrays):
        made = []
        for array in arrays:
            sizes = self.keep((c_int64 * array.ndim)(*array.shape))
            made.append(self.keep(Buffer(sizeof(Buffer), None, TYPES[array.dtype.name],
                                         array.ctypes.data, array.ndim, addressof(sizes))))
        return Buffers(sizeof(Buffers), None, len(made), self.kinds([1] * len(made)),
                       self.addresses(made))

    def attributes(self, attributes):
        names, values, kinds = [], [], []
        for name, value in sorted(attributes.items()):
            names.append(self.keep(Text(name.encode(), len(name))))
            if isinstance(value, str):
                values.append(self.keep(Text(value.encode(), len(value))))
                kinds.append(4)
            else:
                number = self.keep(ctypes.c_double(value))
                values.append(self.keep(Number(12, addressof(number))))
                kinds.append(3)
        return Attributes(sizeof(Attributes), None, len(names), self.kinds(kinds),
                          self.addresses(names), self.addresses(values))

    def call(self, capsule, arguments, results, extensions=None, **attributes):
        """None, or the code and message of the error."""
        frame = Frame(size=sizeof(Frame), extensions=extensions, stage=3)
        frame.api = addressof(self.api) if self.has_api else None
        frame.arguments, frame.results = self.buffers(arguments), self.buffers(results)
        frame.attributes = self.attributes(attributes)
        self.errors.clear()
        function_of(capsule)(addressof(frame))
        return self.errors[0] if self.errors else None

    def metadata(self, capsule):
        """Metadata of a handler: its version and traits."""
        told = Metadata(size=sizeof(Metadata))
        extension = MetadataExtension(sizeof(MetadataExtension), 1, None, addressof(told))
        error = self.call(capsule, [], [], extensions=addressof(extension))
        return error or ((told.version.major, told.version.minor), told.traits)
