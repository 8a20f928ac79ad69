"""Run by test_torch_sharding.py in each of four processes: products of DTensors, with the
collectives that each of them uses. Process 0 writes what happened to a file.

    sharded_products.py RANK PROCESSES FOLDER cpu|cuda
"""

import functools
import json
import os
import sys
from datetime import timedelta

import rooftile.torch as products
import rooftile.torch.sharding  # noqa: F401
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.debug import CommDebugMode
import values

R, P = Replicate(), Partial()
S0, S1, S2 = Shard(0), Shard(1), Shard(2)
ROWS, COLUMNS = 42, 6  # of block vectors; 4 does not divide 42
DEVICE = sys.argv[4]
LETTERS = {R: "R", P: "P", S0: "0", S1: "1", S2: "2"}
integers = functools.partial(values.integers, device=DEVICE)


def triangle(order):
    return integers(order, order).tril(-1) / 4 + 2 * torch.eye(order).to(integers(1))


class Case:
    """One call: what it gives, on all processes together, and its collectives."""

    def __init__(self, mesh):
        self.mesh = mesh
        self.leaves = []

    def spread(self, tensor, *placements, grad=False):
        spread = distribute_tensor(tensor, self.mesh, placements)
        if grad:
            self.leaves.append(spread.requires_grad_())
        return spread

    def run(self, function, expected, *then):
        """`then`: placements that the result is brought to, inside the measurement."""
        with CommDebugMode() as communication:
            result = function()
            placements = result.placements
            if then:
                result = result.redistribute(self.mesh, then)
        whole = result.full_tensor()
        torch.testing.assert_close(whole.to(expected.dtype), expected)
        counts = {str(name).rpartition(".")[2]: count
                  for name, count in communication.get_comm_counts().items() if count}
        return {"placements": "".join(LETTERS[each] for each in placements), "counts": counts}


def block_vectors(line, square):
    """Tall and narrow matrices, sharded by rows."""
    tall, other, small = (integers(ROWS, COLUMNS), integers(ROWS, 5), integers(COLUMNS, 5))
    case = Case(line)
    a, b, c = case.spread(tall, S0), case.spread(other, S0), case.spread(small, R)
    yield "A^T B", case.run(lambda: products.gemm(a, b, op_a="t"), tall.T @ other, R)
    yield "A^T B, local", case.run(lambda: products.gemm(a, b, op_a="t"), tall.T @ other)
    yield "A^T B + C", case.run(lambda: products.gemm(a, b, op_a="t", alpha=2, beta=3, c=c),
                                2 * tall.T @ other + 3 * small, R)
    yield "A B", case.run(lambda: products.matmul(a, c), tall @ small)
    yield "A B + C", case.run(lambda: products.gemm(a, c, beta=-1, c=b), tall @ small - other)
    few, fewer = integers(5, 3), integers(5, 2)  # one process has no row
    a, b = case.spread(few, S0), case.spread(fewer, S0)
    yield "A^T B of 5 rows", case.run(lambda: products.gemm(a, b, op_a="t"), few.T @ fewer, R)
    left = integers(ROWS, COLUMNS, dtype=torch.complex128)
    adjoint = case.spread(left, S0)
    yield "A^H A", case.run(lambda: products.gemm(adjoint, adjoint, op_a="c"),
                            (left.mH @ left).resolve_conj(), R)


def products_of_placements(line, square):
    """gemm by rows, columns, K, in two dimensions, and what is replicated for want of a rule."""
    left, right, sum_ = integers(12, 8), integers(8, 10), integers(12, 10)
    expected = left @ right
    for name, mesh, of_a, of_b in (
            ("M", line, [S0], [R]), ("N", line, [R], [S1]), ("K", line, [S1], [S0]),
            ("replicated", line, [R], [R]), ("M x N", square, [S0, R], [R, S1]),
            ("K x N", square, [S1, R], [S0, S1]), ("M x K", square, [S0, S1], [R, S0]),
            ("M and N", line, [S0], [S1]), ("N and M", line, [S1], [S1])):
        case = Case(mesh)
        a, b = case.spread(left, *of_a), case.spread(right, *of_b)
        yield name, case.run(lambda: products.matmul(a, b), expected)
    case = Case(square)
    a, b, c = (case.spread(left, S0, R), case.spread(right, R, S1), case.spread(sum_, S0, S1))
    yield "M x N + C", case.run(lambda: products.gemm(a, b, c=c, beta=2), expected + 2 * sum_)
    case = Case(line)
    batch = integers(8, 3, 4)
    a, b = case.spread(batch, S0), case.spread(integers(4, 5), R)
    yield "batch", case.run(lambda: products.matmul(a, b), batch @ integers(4, 5))
    two, shared = case.spread(integers(8, 4, 5), S0), case.spread(integers(3, 5), R)
    yield "batch + C", case.run(lambda: products.gemm(a, two, c=shared, beta=1),
                                batch @ integers(8, 4, 5) + integers(3, 5))
    many, added = integers(2, 8, 3, 4), integers(8, 3, 5)
    a, c = case.spread(many, S1), case.spread(added, S0)
    yield "broadcast", case.run(lambda: products.gemm(a, two, c=c, beta=1),
                                many @ integers(8, 4, 5) + added)
    a, b = case.spread(integers(3, 4), R), case.spread(integers(8, 2, 4, 5), S0)
    yield "broadcast A", case.run(lambda: products.matmul(a, b),
                                  integers(3, 4) @ integers(8, 2, 4, 5))
    parts = DTensor.from_local(left / 4, line, [P])
    b = case.spread(right, R)
    yield "sum of parts", case.run(lambda: products.matmul(parts, b), expected)


def triangular(line, square):
    """By right-hand sides: columns of B on the left, rows on the right."""
    a, b = triangle(6), integers(6, 8)
    inverse = torch.linalg.inv(a)
    for routine, full in (("trmm", a), ("trsm", inverse)):
        function = getattr(products, routine)
        for name, mesh, of_a, of_b in (
                ("left", line, [R], [S1]), ("replicated", line, [R], [R]),
                ("2-D", square, [R, R], [R, S1]), ("rows", line, [R], [S0]),
                ("triangle", line, [S0], [S1])):
            case = Case(mesh)
            t, x = case.spread(a, *of_a), case.spread(b, *of_b)
            yield f"{routine} {name}", case.run(lambda: function(t, x, alpha=2), 2 * full @ b)
        case = Case(line)
        t, x = case.spread(a.T.contiguous(), R), case.spread(b, S1)
        yield f"{routine} upper", case.run(lambda: function(t, x, triangle="upper"), full.T @ b)
        t, x = case.spread(a, R), case.spread(b.T.contiguous(), S0)
        yield f"{routine} right", case.run(lambda: function(t, x, "right", op="t"),
                                           b.T @ full.T)
        case = Case(line)
        batch = integers(4, 6, 3)
        t, x = case.spread(a, R), case.spread(batch, S0)
        yield f"{routine} batch", case.run(lambda: function(t, x), full @ batch)


def layers(line, square):
    """linear by rows of the input and by rows of the weight, one after the other."""
    shapes = ((12, 8), (4, 8), (4,))
    x, weight, bias = (integers(*shape, dtype=torch.float32) / 4 for shape in shapes)
    expected = torch.nn.functional.silu(torch.nn.functional.linear(x, weight, bias))
    for name, of_x, of_weight in (("rows", S0, R), ("columns", R, S0), ("both", S0, S0)):
        case = Case(line)
        all = (case.spread(x, of_x), case.spread(weight, of_weight), case.spread(bias, of_weight))
        yield f"linear {name}", case.run(lambda: products.linear(*all, "silu"), expected)
    case = Case(line)
    all = [case.spread(x, S0, grad=True), case.spread(weight, R, grad=True),
           case.spread(bias, R, grad=True)]
    products.linear(*all, "silu").square().sum().backward()
    whole = [each.clone().requires_grad_() for each in (x, weight, bias)]
    torch.nn.functional.silu(torch.nn.functional.linear(*whole)).square().sum().backward()
    for name, spread, each in zip(("input", "weight", "bias"), all, whole):
        yield f"gradient of {name}", case.run(lambda: spread.grad, each.grad)


def gradients(line, square):
    """Gradient of a matrix that is replicated, and multiplied with one by rows: partial sums."""
    tall, small = integers(ROWS, COLUMNS), integers(COLUMNS, 5)
    case = Case(line)
    a, b = case.spread(tall, S0, grad=True), case.spread(small, R, grad=True)
    products.matmul(a, b).square().sum().backward()
    whole = [each.clone().requires_grad_() for each in (tall, small)]
    (whole[0] @ whole[1]).square().sum().backward()
    yield "gradient of A", case.run(lambda: a.grad, whole[0].grad)
    yield "gradient of B", case.run(lambda: b.grad, whole[1].grad)
    case = Case(line)
    t, x = case.spread(triangle(6), R, grad=True), case.spread(integers(6, 8), S1, grad=True)
    products.trsm(t, x).square().sum().backward()
    full, right = triangle(6).requires_grad_(), integers(6, 8).requires_grad_()
    torch.linalg.solve_triangular(full, right, upper=False).square().sum().backward()
    yield "gradient of T", case.run(lambda: t.grad, full.grad.tril())
    yield "gradient of X", case.run(lambda: x.grad, right.grad)


def refusals(line):
    """An operator without a rule raises, and writes nothing."""
    case = Case(line)
    a, b, out = (case.spread(integers(8, 8), R) for _ in range(3))
    for call, message in ((lambda: products.matmul(a, b, out=out), "sharding strategy"),
                          (lambda: products.matmul(a, integers(8, 8)), "mixed torch.Tensor"),
                          (lambda: products.matmul(a, case.spread(integers(7, 8), R)), "K is 8")):
        try:
            call()
        except (ValueError, RuntimeError, NotImplementedError) as error:
            assert message in str(error), str(error)
        else:
            raise AssertionError(f"no error of {message}")
    assert torch.equal(out.to_local(), integers(8, 8))


def main(rank, size, folder):
    if DEVICE == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group("nccl" if DEVICE == "cuda" else "gloo", rank=rank, world_size=size,
                            init_method=f"file://{folder}/store", timeout=timedelta(seconds=120))
    line, square = init_device_mesh(DEVICE, (size,)), init_device_mesh(DEVICE, (2, size // 2))
    refusals(line)
    results = {}
    for group in (block_vectors, products_of_placements, triangular, layers, gradients):
        results.update(group(line, square))
    if rank == 0:
        with open(os.path.join(folder, "results.json"), "w") as file:
            json.dump(results, file)
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
