"""Exports a transformer block of torch.nn to linalg on tensors, with a static and a dynamic batch.

    python3.11 -m venv venv && venv/bin/pip install -r examples/frontends/requirements.txt
    venv/bin/python examples/frontends/export_transformer.py FOLDER

writes FOLDER/transformer-static.mlir and FOLDER/transformer-dynamic.mlir, the files that are in
test/FrontEnds/Inputs. Made with torch 2.15.0 and torch-mlir 20261001, on the CPU.

The weights are arguments of the exported function, behind the input and in the order of
Block.named_parameters(), so the files hold no constants and do not depend on a seed. MLIR 22.1 reads
the text as torch-mlir prints it: nothing is rewritten but the line that says where it comes from.
"""

import argparse
from importlib.metadata import version
from pathlib import Path

import torch
from torch import nn
from torch.func import functional_call
from torch_mlir import fx

BATCH, SEQUENCE, WIDTH, HEADS = 2, 128, 256, 4


class Block(nn.Module):
    """A pre-norm transformer block: (batch, sequence, width) to the same shape, 8 products.

    Attention is written out, so that both exported functions and the one of JAX can be compared line
    by line; torch-mlir takes scaled_dot_product_attention apart into the same two products.
    """

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.mlp_norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def split_heads(self, x):
        """(batch, sequence, width) to (batch, heads, sequence, width / heads)."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attend(self, x):
        query, key, value = (self.split_heads(project(x))
                             for project in (self.query, self.key, self.value))
        scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
        heads = torch.softmax(scores, dim=-1) @ value
        return self.output(heads.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(self.attention_norm(x))
        return x + self.down(nn.functional.gelu(self.up(self.mlp_norm(x))))


class WithWeights(nn.Module):
    """A module whose parameters are arguments, in the order of named_parameters()."""

    def __init__(self, module):
        super().__init__()
        self.names = [name for name, _ in module.named_parameters()]
        self.wrapped = [module]  # In a list, so that its parameters are not this module's.

    def forward(self, x, *weights):
        return functional_call(self.wrapped[0], dict(zip(self.names, weights)), (x,))


def export(name, dynamic):
    """The text of a module with one function `name`; its batch is `?` if dynamic, else BATCH."""
    block = Block(WIDTH, HEADS)
    weights = [weight.detach() for weight in block.parameters()]
    shapes = {"x": {0: torch.export.Dim("batch")}, "weights": tuple(None for _ in weights)}
    module = fx.export_and_import(
        WithWeights(block), torch.zeros(BATCH, SEQUENCE, WIDTH), *weights, func_name=name,
        output_type="linalg-on-tensors", dynamic_shapes=shapes if dynamic else None)
    return str(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for kind in ("static", "dynamic"):
        text = export(f"transformer_{kind}", kind == "dynamic")
        versions = ", ".join(f"{name} {version(name)}" for name in ("torch", "torch-mlir"))
        heading = f"// Written by examples/frontends/export_transformer.py ({versions}).\n"
        (folder / f"transformer-{kind}.mlir").write_text(heading + text)


if __name__ == "__main__":
    main()
