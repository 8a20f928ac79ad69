"""Rules for DTensor, in four processes that gloo connects, or NCCL where there are four GPUs:
sharded_products.py runs the products and compares them with those of whole matrices; here is what
they may communicate."""

import json

import pytest
from conftest import run_processes

torch = pytest.importorskip("torch")
pytest.importorskip("torch.distributed.tensor")

PROCESSES = 4
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.device_count() >= PROCESSES else [])
NOTHING = {}
REDUCED, GATHERED = {"all_reduce": 1}, {"all_gather_into_tensor": 1}

# Placement of the result on each dimension of the mesh (its dimension that is sharded, R:
# replicated,
# P: as partial sums), and the collectives.
EXPECTED = {
    "A^T B": ("P", REDUCED),
    "A^T B, local": ("P", NOTHING),
    "A^T B + C": ("P", REDUCED),
    "A^T B of 5 rows": ("P", REDUCED),
    "A^H A": ("P", REDUCED),
    "A B": ("0", NOTHING),
    "A B + C": ("0", NOTHING),
    "M": ("0", NOTHING),
    "N": ("1", NOTHING),
    "K": ("P", NOTHING),
    "replicated": ("R", NOTHING),
    "M x N": ("01", NOTHING),
    "M x N + C": ("01", NOTHING),
    "K x N": ("P1", NOTHING),
    "M x K": ("0P", NOTHING),
    "M and N": ("0", GATHERED),
    "N and M": ("1", GATHERED),
    "batch": ("0", NOTHING),
    "batch + C": ("0", NOTHING),
    "broadcast": ("1", NOTHING),
    "broadcast A": ("0", NOTHING),
    "sum of parts": ("P", NOTHING),
    "linear rows": ("0", NOTHING),
    "linear columns": ("1", NOTHING),
    "linear both": ("1", GATHERED),
    "gradient of input": ("0", NOTHING),
    "gradient of weight": ("P", NOTHING),
    "gradient of bias": ("P", NOTHING),
    "gradient of A": ("0", NOTHING),
    "gradient of B": ("P", NOTHING),
    "gradient of T": ("R", NOTHING),
    "gradient of X": ("1", NOTHING),
}
for routine in ("trmm", "trsm"):
    EXPECTED.update({
        f"{routine} left": ("1", NOTHING),
        f"{routine} upper": ("1", NOTHING),
        f"{routine} right": ("0", NOTHING),
        f"{routine} replicated": ("R", NOTHING),
        f"{routine} 2-D": ("R1", NOTHING),
        f"{routine} batch": ("0", NOTHING),
        f"{routine} rows": ("R", GATHERED),
        f"{routine} triangle": ("1", GATHERED),
    })


@pytest.fixture(scope="module", params=DEVICES)
def results(request, tmp_path_factory):
    """Output of process 0; fails with the output of a process that failed."""
    folder = tmp_path_factory.mktemp("sharding")
    run_processes("sharded_products.py", PROCESSES, folder, request.param)
    return json.loads((folder / "results.json").read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_communication(results, name):
    placements, counts = EXPECTED[name]
    assert results[name] == {"placements": placements, "counts": counts}


def test_all_are_expected(results):
    assert set(results) == set(EXPECTED)
