"""torch.autocast: products in its type, solves in float32, as PyTorch does with its own."""

import torch

from ._operators import gemm, library, linear, trmm, trsm


def _cast(value, device, dtype):
    """Tensors of float32 and narrower, on the device that casts."""
    if not isinstance(value, torch.Tensor) or value.device.type != device:
        return value
    return value.to(dtype) if value.dtype in _CAST else value


_CAST = (torch.float32, torch.float16, torch.bfloat16)


def _register(name, operator, is_product):
    for device, key in (("cpu", "AutocastCPU"), ("cuda", "AutocastCUDA")):
        keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))

        def call(*arguments, device=device, keys=keys, **options):
            dtype = torch.get_autocast_dtype(device) if is_product else torch.float32
            with torch._C._ExcludeDispatchKeyGuard(keys):
                return operator(*(_cast(each, device, dtype) for each in arguments), **options)

        library.impl(name, call, key)


_register("gemm", gemm, True)
_register("linear", linear, True)
_register("trmm", trmm, True)
_register("trsm", trsm, False)  # there is none of float16 and bfloat16
