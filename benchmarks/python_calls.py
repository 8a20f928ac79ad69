#!/usr/bin/env python3
"""Costs of a call from Python: rooftile.gemm(out=) and torch.ops.rooftile.gemm_out beside
torch.mm(out=), on small squares. Microseconds, medians of samples that alternate.

    PYTHONPATH=build/python python3 benchmarks/python_calls.py

host: until the call returns, the GPU being idle when a sample starts. end to end: until all results
of a sample are there, by the number of calls. ratio: torch.mm's end to end by rooftile.gemm's.
Needs PyTorch.
"""

import argparse
import math
import statistics
import sys
import time

import rooftile
import rooftile.torch  # registers the operators
import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
SIZES = [64, 96, 128, 192, 256, 384, 512]
HOST_CALLS = 50  # fewer than the driver's queue holds


def ways(a, b, out):
    operator = torch.ops.rooftile.gemm_out.default
    return {"gemm": lambda: rooftile.gemm(a, b, out=out),
            "operator": lambda: operator(a, b, None, out),
            "torch.mm": lambda: torch.mm(a, b, out=out)}


def wait(device):
    if device == "cuda":
        torch.cuda.synchronize()


def seconds(call, calls, device):
    """Host and end-to-end time of one call, of a sample."""
    wait(device)
    start = time.perf_counter()
    for _ in range(calls):
        call()
    returned = time.perf_counter()
    wait(device)
    return (returned - start) / calls, (time.perf_counter() - start) / calls


def measure(dtype, size, options):
    """{name: (host, end to end)} in microseconds."""
    a, b = (torch.randn(size, size, dtype=dtype, device=options.device) for _ in range(2))
    out = torch.empty_like(a)
    calls = ways(a, b, out)
    expected = torch.mm(a, b)
    for name, call in calls.items():
        out.fill_(math.nan)
        call()
        torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-3, msg=f"{name}: wrong result")
    host = {name: [] for name in calls}
    whole = {name: [] for name in calls}
    for _ in range(options.samples):
        for name, call in calls.items():
            host[name].append(seconds(call, min(HOST_CALLS, options.calls), options.device)[0])
            whole[name].append(seconds(call, options.calls, options.device)[1])
    return {name: (1e6 * statistics.median(host[name]), 1e6 * statistics.median(whole[name]))
            for name in calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--types", default="sdcz")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("--calls", type=int, default=200, help="of a sample")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    where = torch.cuda.get_device_name() if options.device == "cuda" else "the CPU device"
    print(f"{where}, PyTorch {torch.__version__}, Python {sys.version.split()[0]}")
    print("             host, us                    end to end, us              ratio")
    print("type size    gemm  operator  torch.mm    gemm  operator  torch.mm")
    ratios = []
    for letter in options.types:
        for size in options.sizes:
            found = measure(TYPES[letter], size, options)
            host, whole = ([found[name][i] for name in ("gemm", "operator", "torch.mm")]
                           for i in range(2))
            ratios.append(whole[2] / whole[0])
            print(f"{letter:4} {size:4} {host[0]:7.2f} {host[1]:9.2f} {host[2]:9.2f} "
                  f"{whole[0]:7.2f} {whole[1]:9.2f} {whole[2]:9.2f} {ratios[-1]:9.3f}", flush=True)
    print(f"ratio: geometric mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}")


if __name__ == "__main__":
    main()
