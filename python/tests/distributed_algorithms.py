"""Run by test_torch_distributed.py in each process: algorithms of rooftile.torch.distributed on
matrices that are spread over all of them, beside those on whole ones. Each process writes a file of
the errors that it was given.

    distributed_algorithms.py RANK PROCESSES FOLDER cpu|cuda
"""

import functools
import json
import os
import sys
from datetime import timedelta

import rooftile.torch
import torch
import torch.distributed as dist
from rooftile.torch import distributed
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
import values

DEVICE = sys.argv[4]
MULTIPLIED = (torch.float64, torch.complex64, torch.bfloat16)
FACTORED = (torch.float64, torch.complex128)
integers = functools.partial(values.integers, device=DEVICE)


def products(mesh):
    """Sizes that no number of processes divides; (1, 2, 2) has shards without rows, 150 columns
    are several panels, which are of whole cache lines."""
    for dtype in MULTIPLIED:
        few = ((1, 2, 2), (3, 0, 5)) if dtype == torch.float64 else ()
        for m, k, n in ((13, 17, 11), (13, 17, 150), (150, 17, 13), *few):
            a, b = integers(m, k, dtype=dtype), integers(k, n, dtype=dtype)
            for of_a, of_b, of_c in ((0, 0, Shard(0)), (0, 1, Shard(0)), (1, 1, Shard(1)),
                                     (1, 0, Replicate())):
                for panels in (1, 3):
                    left, right = (distribute_tensor(each, mesh, [Shard(of)])
                                   for each, of in ((a, of_a), (b, of_b)))
                    c = distributed.matmul(left, right, panels=panels)
                    assert c.placements == (of_c,)
                    assert torch.equal(c.full_tensor(), a @ b), (dtype, m, of_a, of_b, panels)


class Counted:
    """Products of rooftile.torch, counted."""

    def __init__(self):
        self.calls = 0

    def gemm(self, *arguments, **options):
        self.calls += 1
        return rooftile.torch.gemm(*arguments, **options)


def few_products(mesh):
    """Each one reads and writes its part of the result: of a panel at most two, and the own one."""
    a, b = (distribute_tensor(integers(*shape), mesh, [Shard(0)])
            for shape in ((13, 17), (17, 150)))
    for panels in (None, 3):
        counted = Counted()
        distributed.matmul(a, b, panels=panels, products=counted)
        most = 1 + 2 * (panels or max(1, mesh.size() // 2))
        assert counted.calls <= most, (panels, counted.calls)


def block_vectors(mesh):
    for dtype in FACTORED:
        whole = integers(101, 6, dtype=dtype)
        basis = torch.linalg.qr(integers(101, 5, dtype=dtype))[0]
        base, found = distribute_tensor(basis, mesh, [Shard(0)]), []
        for _ in range(2):
            x = distribute_tensor(whole, mesh, [Shard(0)])
            r, h = distributed.orthonormalize(x, base)
            found.append([each.full_tensor() for each in (x, r, h)])
        assert all(torch.equal(*pair) for pair in zip(*found)), "other bits in a second run"
        (q, r, h), local = found[0], r.to_local()
        every = [torch.empty_like(local) for _ in range(dist.get_world_size())]
        dist.all_gather(every, local)
        assert all(torch.equal(each, local) for each in every), "other bits on another process"
        assert torch.equal(r, r.triu())
        one = torch.eye(6, dtype=dtype, device=DEVICE)
        for got, expected in ((basis @ h + q @ r, whole), (q.mH @ q, one),
                              (basis.mH @ q, 0 * one[:5])):
            torch.testing.assert_close(got, expected, rtol=1e-13, atol=1e-12)
        alone = whole.clone()
        assert distributed.orthonormalize(alone)[1] is None
        torch.testing.assert_close(alone.mH @ alone, one, rtol=1e-13, atol=1e-13)


def definite(order, dtype):
    values = integers(order, order, dtype=dtype)
    return values @ values.mH + order * torch.eye(order, device=DEVICE)


def own_columns(matrix, block):
    columns = distributed.block_columns(len(matrix), block, dist.get_rank(), dist.get_world_size())
    parts = [matrix[:, first:last] for first, last in columns]
    return torch.cat(parts, 1) if parts else matrix[:, :0].clone()


def factors(mesh):
    """(5, 10): one block; (7, 3): the last one is narrower."""
    for dtype in FACTORED:
        for order, block in ((50, 7), (5, 10), (7, 3)) if dtype == torch.float64 else ((20, 8),):
            matrix = definite(order, dtype)
            expected = torch.linalg.cholesky(matrix)
            local = own_columns(matrix.tril(), block)
            assert distributed.cholesky(local, mesh, block=block) is local
            torch.testing.assert_close(local, own_columns(expected, block), rtol=1e-13, atol=1e-12)
            alone = distributed.cholesky(matrix.clone(), block=block)
            torch.testing.assert_close(alone, expected, rtol=1e-13, atol=1e-12)


def errors(mesh):
    """Messages of wrong calls: the same on all processes, and none waits for another."""
    def spread(tensor, dimension=0):
        return distribute_tensor(tensor, mesh, [Shard(dimension)])

    def cholesky(matrix, block=7, cut=0):
        local = own_columns(matrix, block)
        return distributed.cholesky(local[:, :local.shape[1] - cut], mesh, block=block)

    indefinite = definite(50, torch.float64)
    indefinite[30, 30] = -1
    dependent = integers(20, 4)
    dependent[:, 2] = 2 * dependent[:, 1]
    last = dist.get_rank() == dist.get_world_size() - 1
    a, b = integers(6, 4), integers(5, 3)
    whole = distribute_tensor(b[:4], mesh, [Replicate()])
    for call in (lambda: distributed.matmul(spread(a), spread(b)),
                 lambda: distributed.matmul(spread(a), whole),
                 lambda: distributed.matmul(spread(a), spread(b[:4]), panels=0),
                 lambda: distributed.matmul(a, spread(b)),
                 lambda: distributed.orthonormalize(spread(dependent)),
                 lambda: distributed.orthonormalize(spread(dependent), spread(b)),
                 lambda: distributed.orthonormalize(spread(dependent.mT.contiguous())),
                 lambda: distributed.orthonormalize(spread(dependent, 1)),
                 lambda: cholesky(indefinite), lambda: cholesky(definite(50, torch.float64), 0),
                 lambda: cholesky(definite(50, torch.float64), cut=int(last)),
                 lambda: cholesky(definite(50 + last, torch.float64))):
        try:
            call()
        except (TypeError, ValueError) as error:
            yield f"{type(error).__name__}: {error}"
        else:
            yield "no error"


def main(rank, size, folder):
    if DEVICE == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if DEVICE == "cuda" else "gloo", rank=rank, world_size=size,
                            init_method=f"file://{folder}/store", timeout=timedelta(seconds=120))
    mesh = init_device_mesh(DEVICE, (size,))
    products(mesh)
    few_products(mesh)
    block_vectors(mesh)
    factors(mesh)
    with open(os.path.join(folder, f"errors{rank}.json"), "w") as file:
        json.dump(list(errors(mesh)), file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
