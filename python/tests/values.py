"""Matrices for scripts that run in each of several processes."""

import torch


def integers(*shape, dtype=torch.float64, device="cpu"):
    """From -4 to 4, the same for a shape in each process."""
    generator = torch.Generator().manual_seed(len(shape) * 1000 + sum(shape))
    values = torch.randint(-4, 5, shape, generator=generator).to(dtype)
    if dtype.is_complex:
        values = values + 1j * torch.randint(-4, 5, shape, generator=generator)
    return values.to(device, dtype)
