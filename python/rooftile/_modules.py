"""Modules of MLIR, compiled to functions of arrays."""

from typing import Any

from ._frameworks import DEVICES, HOST, common_framework, framework_of
from ._native import core


def _is_number(value):
    return isinstance(value, (bool, int, float, complex)) or not getattr(value, "shape", (0,))


class CompiledFunction:
    """A function of a module: called with arrays for memrefs, and numbers."""

    def __init__(self, module, name):
        self._module = module
        self.name = name
        self.parameters = module.parameters(name)  # as MLIR writes their types

    def __repr__(self):
        return f"<rooftile function {self.name}({', '.join(self.parameters)})>"

    def __call__(self, *arguments: Any) -> None:
        """Writes into the arrays that the function writes to. Returns nothing."""
        names = [f"argument {index} of {self.name}" for index in range(len(arguments))]
        arrays = {name: value for name, value in zip(names, arguments) if not _is_number(value)}
        for name, value in arrays.items():
            framework_of(value, name).check_out(value, name)
        framework = common_framework(**arrays)
        values, stream, device = [], 0, HOST
        for name, value in zip(names, arguments):
            if name not in arrays:
                values.append(value)
                continue
            view = framework.import_array(value, name)
            if view.device != HOST:
                device, stream = view.device, framework.stream(value, view.device)
            values.append(view)
        self._module.call(self.name, values, device, stream, bool(framework and framework.waits))


class CompiledModule:
    """A module: its public functions are attributes. With one function, it can be called itself."""

    def __init__(self, module):
        self._module = module
        self.functions = module.functions()

    def __getattr__(self, name: str) -> CompiledFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        function = CompiledFunction(self._module, name)
        setattr(self, name, function)
        return function

    def __getitem__(self, name: str) -> CompiledFunction:
        return getattr(self, name)

    def __call__(self, *arguments: Any) -> None:
        if len(self.functions) != 1:
            raise TypeError(f"the module has functions {', '.join(self.functions)}: name one")
        return getattr(self, self.functions[0])(*arguments)

    def __repr__(self):
        return f"<rooftile module of {', '.join(self.functions)}>"


def compile(mlir_text: str, device: str = "cpu", chip: str = "") -> CompiledModule:
    """Compiles a module of MLIR: products in the dialects blas or linalg, and what is around them.

    Args:
        mlir_text: its public functions have memrefs and scalars as arguments and return nothing.
        device: "cpu" (every GPU thread a coroutine of the host), "cuda" or "hip".
        chip: what is planned for; empty: the GPU present.

    Returns a CompiledModule. Raises ValueError for text that is no such module, RuntimeError where
    it does not compile.
    """
    for name, text in (("mlir_text", mlir_text), ("device", device), ("chip", chip)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r}; expected a str")
    if device not in DEVICES:
        raise ValueError(f"device is '{device}'; expected 'cpu', 'cuda' or 'hip'")
    return CompiledModule(core().compile(mlir_text, DEVICES[device], chip))
