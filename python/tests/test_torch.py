"""PyTorch, where it is installed."""

import subprocess
import sys
from pathlib import Path

import pytest
import rooftile

torch = pytest.importorskip("torch")
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.complex64])
def test_types(device, dtype):
    a = torch.randint(-4, 5, (5, 7), device=device).to(dtype)
    b = torch.randint(-4, 5, (6, 7), device=device).to(dtype).T
    result = rooftile.gemm(a, b)
    assert type(result) is torch.Tensor and result.dtype == dtype and result.device == a.device
    expected = a.to(torch.complex128) @ b.to(torch.complex128)
    assert (result.to(torch.complex128) == expected).all()


@pytest.mark.skipif(DEVICES == ["cpu"], reason="no GPU")
def test_stream():
    """Work goes to the current stream: it waits for what is there."""
    a = torch.ones(64, 64, device="cuda")
    rooftile.gemm(a, a)
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(100_000_000)
        a.add_(1)
        result = rooftile.gemm(a, a)
        torch.cuda.current_stream().synchronize()
    assert (result == 4 * 64).all()


@pytest.mark.skipif(DEVICES == ["cpu"], reason="no GPU")
def test_devices():
    with pytest.raises(ValueError, match="a is on the CPU and b is on CUDA device 0"):
        rooftile.gemm(torch.ones(4, 4), torch.ones(4, 4, device="cuda"))


def test_gradients():
    a = torch.ones(4, 4, requires_grad=True)
    with pytest.raises((ValueError, TypeError), match="a: .*grad"):
        rooftile.gemm(a, a)
    with pytest.raises((ValueError, TypeError), match="a: .*grad"):
        rooftile.gemm(torch.nn.Parameter(a.detach()), a)


def test_subclasses():
    """A tensor of a class of its own is no other than a tensor."""
    a = torch.nn.Parameter(torch.ones(4, 3), requires_grad=False)
    assert (rooftile.gemm(a, a.T) == 3).all()


def test_views_that_change_elements():
    """DLPack describes the memory; what is read of a view may be another number."""
    a = torch.ones(4, 4)
    with pytest.raises(ValueError, match=r"b is a negated view; expected b.resolve_neg\(\)"):
        rooftile.gemm(a, torch._neg_view(a))
    with pytest.raises(ValueError, match="a: .*conjugate bit"):
        rooftile.gemm(a.cfloat().conj(), a.cfloat())


def test_tensors_without_memory():
    a = torch.ones(4, 4)
    with pytest.raises((ValueError, TypeError, RuntimeError), match="a"):
        rooftile.gemm(torch.ones(4, 4, device="meta"), a)
    with pytest.raises((ValueError, TypeError, RuntimeError), match="a"):
        rooftile.gemm(torch.eye(4).to_sparse(), a)


def test_benchmark_of_calls():
    script = Path(__file__).parents[2] / "benchmarks" / "python_calls.py"
    options = ["--device", "cpu", "--sizes", "8", "--samples", "2", "--calls", "3"]
    done = subprocess.run([sys.executable, str(script), *options], capture_output=True, text=True,
                          timeout=200)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 8 and "ratio: geometric mean" in done.stdout
