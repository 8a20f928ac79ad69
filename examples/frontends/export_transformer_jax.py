"""Exports a transformer block of JAX to linalg on tensors, by way of StableHLO.

    python3.11 -m venv venv && venv/bin/pip install -r examples/frontends/requirements-jax.txt
    venv/bin/python examples/frontends/export_transformer_jax.py FOLDER

writes FOLDER/transformer-jax.mlir, the file that is in test/FrontEnds/Inputs. Made with jax 0.10.2
and the torch-mlir-opt of torch-mlir 20261001, on the CPU.

It is the block of export_transformer.py with the same arguments. MLIR 22.1 reads the text as
torch-mlir-opt prints it: nothing is rewritten but the line that says where it comes from. The batch
is static: torch-mlir-opt does not lower StableHLO's operations of dynamic shapes.
"""

import argparse
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export

BATCH, SEQUENCE, WIDTH, HEADS = 2, 128, 256, 4
LOWERING = ["--stablehlo-legalize-to-linalg", "--canonicalize", "--cse"]


def normalize(x, gain, shift):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * gain + shift


def attend(x, query, key, value, output):
    """Attention of (batch, sequence, width); every projection is a pair of weight and bias."""
    heads = (*x.shape[:2], HEADS, WIDTH // HEADS)
    queries, keys, values = ((x @ weight.T + bias).reshape(heads)
                             for weight, bias in (query, key, value))
    scores = jnp.einsum("bqhc,bkhc->bhqk", queries, keys) / heads[-1] ** 0.5
    mixed = jnp.einsum("bhqk,bkhc->bqhc", jax.nn.softmax(scores, axis=-1), values)
    return mixed.reshape(x.shape) @ output[0].T + output[1]


def block(x, gain1, shift1, query_w, query_b, key_w, key_b, value_w, value_b, output_w, output_b,
          gain2, shift2, up_w, up_b, down_w, down_b):
    """A pre-norm transformer block: (batch, sequence, width) to the same shape, 8 products."""
    x = x + attend(normalize(x, gain1, shift1), (query_w, query_b), (key_w, key_b),
                   (value_w, value_b), (output_w, output_b))
    hidden = jax.nn.gelu(normalize(x, gain2, shift2) @ up_w.T + up_b, approximate=False)
    return x + hidden @ down_w.T + down_b


def arguments():
    row, square = (WIDTH,), (WIDTH, WIDTH)
    shapes = [(BATCH, SEQUENCE, WIDTH), row, row, *4 * [square, row], row, row,
              (4 * WIDTH, WIDTH), (4 * WIDTH,), (WIDTH, 4 * WIDTH), row]
    return [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]


def to_linalg(stablehlo):
    """StableHLO's text as linalg on tensors; raises CalledProcessError where that fails."""
    tool = Path(sys.executable).parent / "torch-mlir-opt"
    return subprocess.run([tool, *LOWERING], input=stablehlo, stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    exported = export.export(jax.jit(block), platforms=["cpu"])(*arguments())
    versions = ", ".join(f"{name} {version(name)}" for name in ("jax", "torch-mlir"))
    heading = f"// Written by examples/frontends/export_transformer_jax.py ({versions}).\n"
    (folder / "transformer-jax.mlir").write_text(heading + to_linalg(exported.mlir_module()))


if __name__ == "__main__":
    main()
