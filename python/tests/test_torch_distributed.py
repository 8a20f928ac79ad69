"""rooftile.torch.distributed in three processes that gloo connects, and where there are GPUs in up
to as many by NCCL: distributed_algorithms.py runs it and checks results; here are its errors."""

import json

import pytest
from conftest import run_processes

torch = pytest.importorskip("torch")
pytest.importorskip("torch.distributed.tensor")

PROCESSES = 3
GPUS = min(PROCESSES, torch.cuda.device_count())
SETTINGS = [("cpu", PROCESSES)] + ([("cuda", GPUS)] if GPUS > 1 else [])


def expected_errors(processes):
    from rooftile.torch import distributed
    last = processes - 1
    own = sum(end - first for first, end in distributed.block_columns(50, 7, last, processes))
    return [
        "ValueError: a is 6 x 4 and b is 5 x 3: K is 4 and 5",
        "ValueError: a is S(0) and b is R; expected shards of both: by rows (0) or columns (1)",
        "ValueError: panels is 0; expected 1 or more",
        "TypeError: a is of type torch.Tensor; expected a torch.distributed.tensor.DTensor",
        "ValueError: column 2 of x depends on those before it, or on basis, to rounding: the "
        "leading minor of order 3 of x^H x is not positive definite",
        "ValueError: x has 20 rows and basis 5",
        "ValueError: x is 4 x 20; expected rows for all columns",
        "ValueError: x is S(1); expected Shard(0), by rows",
        "ValueError: A is not positive definite: its leading minor of order 31 is not",
        "ValueError: block is 0; expected 1 or more",
        f"ValueError: process {last} has {own - 1} columns; expected {own}, of order 50 in blocks "
        f"of 7 on {processes} processes",
        f"ValueError: process 0 has 50 rows and blocks of 7, process {last} 51 rows and blocks of "
        "7",
    ]


@pytest.mark.parametrize("device, processes", SETTINGS)
def test_algorithms(device, processes, tmp_path):
    run_processes("distributed_algorithms.py", processes, tmp_path, device)
    for rank in range(processes):
        errors = json.loads((tmp_path / f"errors{rank}.json").read_text())
        assert errors == expected_errors(processes), f"of process {rank}"


def test_block_columns():
    distributed = pytest.importorskip("rooftile.torch.distributed")
    assert distributed.block_columns(10, 3, 0, 2) == [(0, 3), (6, 9)]
    assert distributed.block_columns(10, 3, 1, 2) == [(3, 6), (9, 10)]
    assert distributed.block_columns(3, 3, 1, 2) == []
