"""Threads, forks, and the time of importing."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import rooftile
from conftest import has_gpu

SECONDS = 30  # A child that runs longer hangs.


def test_threads(integers):
    """Many threads ask for the same products and for others, at once."""
    problems, start = [], threading.Barrier(4)
    operands = [(integers((5 + size, 7)), integers((7, 6))) for size in range(4)]

    def work():
        start.wait()
        for _ in range(10):
            for a, b in operands:
                if not (rooftile.gemm(a, b) == a @ b).all():
                    problems.append(a.shape)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_other_threads_run():
    """The lock of the interpreter is free while a kernel runs."""
    a = np.ones((256, 256), "float32")
    rooftile.gemm(a, a)
    counts, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counts[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before, start = counts[0], time.time()
        while time.time() - start < 0.5:
            rooftile.gemm(a, a)
        assert counts[0] - before > 50
    finally:
        is_over.set()
        thread.join()


DAEMON = """
import sys, threading, time
import numpy as np
import pytest
import rooftile

def work():
    size = 8
    while True:
        a = np.ones((size, size), "float32")
        rooftile.gemm(a, a)
        size += int(sys.argv[1])

rooftile.gemm(np.ones((8, 8), "float32"), np.ones((8, 8), "float32"))
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("step", [0, 1], ids=["runs", "compiles"])
def test_daemon_threads_at_exit(step):
    """Threads that nobody joins run kernels, or compile them, while the interpreter ends."""
    for _ in range(3):
        child = subprocess.run([sys.executable, "-c", DAEMON, str(step)], timeout=SECONDS,
                               stderr=subprocess.PIPE, text=True)
        assert child.returncode == 0, child.stderr


@pytest.fixture
def interrupts():
    """Ctrl-C raises, also in a process that a shell has started in the background, without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
def test_ctrl_c_ends_a_kernel(integers):
    """Python's handler runs while a kernel does, and what it raises ends the kernel."""
    sent, ones = [], np.ones((2048, 2048), "float32")
    out = np.full((2048, 2048), np.nan, "float32")

    def press():
        sent.append(time.time())
        os.kill(os.getpid(), signal.SIGINT)

    with rooftile.Gemm(ones, ones) as product:
        product.plan()
        timer = threading.Timer(0.1, press)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            product.execute(out=out)
        assert time.time() - sent[0] < 2
        timer.join()
    assert np.isnan(out).any(), "the kernel has come to its end"
    a, b = integers((5, 7)), integers((7, 6))
    np.testing.assert_array_equal(rooftile.matmul(a, b), a @ b)


def test_handlers_run_while_a_kernel_does():
    """One that raises nothing changes nothing."""
    calls, before = [], signal.signal(signal.SIGALRM, lambda *_: calls.append(time.time()))
    try:
        a = np.ones((512, 512), "float32")
        product = rooftile.Gemm(a, a).plan()
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        result = product.execute()
        assert calls and calls[0] < time.time()
        np.testing.assert_array_equal(result, 512 * a)
    finally:
        signal.signal(signal.SIGALRM, before)


KEEP = """
import numpy as np
import rooftile

def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

def compile_for(sizes):
    for size in sizes:
        rooftile.gemm(np.ones((size, 4), "float32"), np.ones((4, 3), "float32"))

compile_for(range(1, 13))
before = resident()
compile_for(range(13, 37))
print(resident() - before)
"""


def test_kernels_are_kept_by_their_bytes():
    """Those of the CPU device are large; what is older than the last few is given back."""
    some, all = (int(run(KEEP, ROOFTILE_KEPT_SIZE=size)) for size in ("2M", "1G"))
    assert 2 * some < all


def in_child(work):
    """Forks, and returns the output of the child's `work`, within bounds of time."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            os.write(write, work().encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    assert not os.WIFSIGNALED(status), f"the child ended by signal {os.WTERMSIG(status)}"
    return text


def outcome(a, b):
    def work():
        try:
            return "right" if (rooftile.gemm(a, b) == a @ b).all() else "wrong"
        except RuntimeError as error:
            return str(error)
    return work


AFTER_CUDA = ("this process was forked after its parent had used a GPU, which CUDA does not "
              "support; start processes with multiprocessing's 'spawn' or 'forkserver'")
# Where there is a GPU, tests before these may have used it.
WORKS = {"right", AFTER_CUDA} if has_gpu() else {"right"}


def test_fork(integers):
    """A child has what its parent compiled, and compiles more."""
    a, b = integers((5, 7)), integers((7, 6))
    rooftile.gemm(a, b)
    assert in_child(outcome(a, b)) in WORKS
    assert in_child(outcome(integers((11, 13)), integers((13, 3)))) in WORKS


def test_fork_while_compiling(integers):
    """The child works, or reports why not."""
    is_over = threading.Event()

    def compile_more():
        size = 20
        while not is_over.is_set():
            size += 1
            rooftile.gemm(np.ones((size, 3), "float32"), np.ones((3, 5), "float32"))

    thread = threading.Thread(target=compile_more)
    thread.start()
    try:
        outcomes = {in_child(outcome(integers((6, 5)), integers((5, 4)))) for _ in range(5)}
    finally:
        is_over.set()
        thread.join()
    assert all(text in WORKS or "was forked while another thread" in text for text in outcomes)
    assert any("was forked while" in text for text in outcomes)


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          timeout=60, env=os.environ | environment).stdout


IMPORT = """
import sys, time
start = time.process_time()
import rooftile
print(time.process_time() - start)
print({"rooftile._core", "numpy", "torch", "cupy", "jax"} & set(sys.modules))
"""


def test_import_is_quick():
    """Seconds of the processor, which other processes do not spend."""
    outcomes = [run(IMPORT).splitlines() for _ in range(3)]
    assert all(loaded == "set()" for _, loaded in outcomes)
    assert min(float(seconds) for seconds, _ in outcomes) < 0.25


def test_no_framework_is_imported():
    code = ("import sys, numpy, rooftile; a = numpy.ones((3, 3)); rooftile.gemm(a, a);"
            "print([name for name in ('torch', 'cupy', 'jax') if name in sys.modules])")
    assert run(code).strip() == "[]"


def test_calls_are_cheap():
    """Seconds of a product without elements, all but the kernel: 3 us on a machine of 2024."""
    a, b, out = np.empty((0, 4)), np.empty((4, 0)), np.empty((0, 0))
    best = min(timed(a, b, out) for _ in range(20))
    assert best < 50e-6


def timed(a, b, out):
    start = time.perf_counter()
    for _ in range(100):
        rooftile.gemm(a, b, out=out)
    return (time.perf_counter() - start) / 100
