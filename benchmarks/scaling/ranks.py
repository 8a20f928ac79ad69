"""Processes of a measurement, one for each GPU: their start, agreement, failures and times."""
import os
import signal
import sys
import threading
import time
import traceback
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

VARIABLES = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
# Without NVLink multicast: the switch then adds in an order that nothing states, and a program that
# is killed while it holds multicast memory can leave the GPUs of the host unusable.
WITHOUT_MULTICAST = {"NCCL_NVLS_ENABLE": "0", "TORCH_SYMM_MEM_DISABLE_MULTICAST": "1"}
# Sums along a ring, in whole chunks: one order of addition for a number of GPUs and a size.
FIXED_ORDER = {"NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple"}
FAILURE = "several_gpus/failure"
# Words of errors of gloo and NCCL where another process is missing.
LOST = ("closed by peer", "reset by peer", "imed out", "monitoredBarrier")


class Failure(Exception):
    """An error that all processes have, and go on from together."""


def check_start(environment, device, count):
    """An error of the processes of this host and its GPUs, or None."""
    command = "torchrun --nproc-per-node=2 benchmarks/several_gpus.py"
    missing = [name for name in VARIABLES if name not in environment]
    if missing:
        return f"{', '.join(missing)} not set; start it with {command}"
    if int(environment["WORLD_SIZE"]) < 2:
        return f"one process; expected two or more, one for each GPU: {command}"
    processes = int(environment["LOCAL_WORLD_SIZE"])
    if device == "cuda" and processes > count:
        return f"{processes} processes and {count} GPUs on this host; expected a GPU for each"
    return None


def check_cards(cards):
    """An error where the chips of all processes are not of one kind, or None."""
    if len(set(cards)) == 1:
        return None
    names = ", ".join(f"rank {rank} {card}" for rank, card in enumerate(cards))
    return f"{names}; expected chips of one kind, since one is compared with all (--mixed: run)"


class Processes:
    def __init__(self, options):
        self.device_type = options.device
        count = torch.cuda.device_count() if options.device == "cuda" else 0
        if wrong := check_start(os.environ, options.device, count):
            sys.exit(f"error: rank {os.environ.get('RANK', 0)}: {wrong}")
        self.rank, self.size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        self.timeout = timedelta(seconds=options.timeout)
        # A connection of its own, since the group's may be waiting.
        self.store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]),
                                   is_master=False, timeout=self.timeout)
        self._end_with_others()
        self._join(options)
        self.card = self.name_of_card()
        if (wrong := check_cards(self.gather(self.card))) and not options.mixed:
            self.end(f"error: rank {self.rank}: {wrong}", 1)

    def _join(self, options):
        order = {} if options.any_order else FIXED_ORDER
        for name, value in {**WITHOUT_MULTICAST, **order}.items():
            os.environ.setdefault(name, value)
        if self.device_type == "cuda":
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        self.device = torch.device(self.device_type)
        dist.init_process_group(options.backend, timeout=self.timeout)
        self.control = dist.new_group(backend="gloo", timeout=self.timeout)
        self.wait()
        self.mesh = init_device_mesh(self.device_type, (self.size,))
        self.token = torch.zeros(1, device=self.device)

    def name_of_card(self):
        return torch.cuda.get_device_name() if self.device_type == "cuda" else "CPU"

    def memory(self):
        """Bytes of the smallest GPU; infinite on the CPU."""
        own = float("inf")
        if self.device_type == "cuda":
            own = torch.cuda.get_device_properties(self.device).total_memory
        return min(self.gather(own))

    # Failures

    def _end_with_others(self):
        """torchrun ends all processes with SIGTERM where one has ended. One that waits inside of a
        library cannot run a handler: a thread reports and ends it."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer)
        signal.signal(signal.SIGTERM, lambda *_: None)

        def watch():
            while os.read(reader, 1)[0] != signal.SIGTERM:
                pass
            reason = "another process ended: the report of torchrun names it"
            if self.store.check([FAILURE]):
                reason = self.store.get(FAILURE).decode()
            self.end(f"error: rank {self.rank}: ended, because of {reason}", 1)

        threading.Thread(target=watch, daemon=True).start()

    def fail(self, error):
        """Ends this process. The first one to fail is the reason of all."""
        own = f"rank {self.rank}: {type(error).__name__}: {' '.join(str(error).split())[:400]}"
        first = self.store.compare_set(FAILURE, "", own).decode()
        if first == own:
            traceback.print_exception(error)
            lost = any(word in own for word in LOST)
            self.end(f"error: {own}{' (a process has ended or does not answer)' * lost}", 1)
        self.end(f"error: rank {self.rank}: ended, because of {first}", 1)

    def end(self, text, code):
        """Without the end of the interpreter, which would wait for collectives."""
        sys.stdout.flush()
        if text:
            os.write(2, f"{text}\n".encode())
        os._exit(code)

    def wait(self):
        """Until all processes are here; an error names those that are not."""
        dist.monitored_barrier(self.control, self.timeout, wait_all_ranks=True)

    def everywhere(self, function):
        """The result of a function. An error of one process is a Failure of all of them, unless
        another process is missing."""
        text = result = None
        try:
            result = function()
        except (Exception, SystemExit) as error:
            if any(word in str(error) for word in LOST):
                raise
            text = f"rank {self.rank}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
        if found := [each for each in self.gather(text) if each]:
            raise Failure("; ".join(found))
        return result

    # Agreement

    def gather(self, value):
        values = [None] * self.size
        dist.all_gather_object(values, value, group=self.control)
        return values

    def largest(self, value):
        return max(self.gather(value))

    def first(self, value):
        """The value of the first process."""
        values = [value]
        dist.broadcast_object_list(values, 0, group=self.control)
        return values[0]

    # Times

    def synchronize(self):
        if self.device_type == "cuda":
            torch.cuda.synchronize()

    def seconds(self, call, calls, together):
        """Time of a call. Together they start when the GPUs have met, and the slowest counts."""
        self.synchronize()
        dist.barrier(self.control)
        if together:
            dist.all_reduce(self.token)
        if self.device_type == "cuda":
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(calls):
                call()
            end.record()
            self.synchronize()
            own = begin.elapsed_time(end) * 1e-3 / calls
        else:
            start = time.perf_counter()
            for _ in range(calls):
                call()
            own = (time.perf_counter() - start) / calls
        return self.largest(own) if together else own
