#!/usr/bin/env python3
"""Stands in for `gemm-tune worker`: the time of a kernel follows from the bytes of its file, and
every trial is a line of $TRIALS. With LIMIT=n the process stays in its nth job, as long as it has a parent, and makes a file that shows it."""

import hashlib
import json
import os
import sys

jobs = 0
for line in sys.stdin:
    job, jobs = json.loads(line), jobs + 1
    files = [open(name, "rb").read() for name in job["kernels"]]
    names = [hashlib.sha1(content).hexdigest() for content in files]
    if jobs == int(os.environ.get("LIMIT", "0")):
        open(os.environ["TRIALS"] + ".waiting", "w").close()
        sys.stdin.read()

    def say(**answer):
        print(json.dumps(answer), flush=True)

    for kernel in range(len(names)):
        say(step="checking", kernel=kernel)
    say(step="timing")
    with open(os.environ["TRIALS"], "a") as trials:
        for kernel, name in enumerate(names):
            # Most are faster than the baseline, which is the plan of the model.
            milliseconds = 0.1 * (1 + int(name[:4], 16) / 65536) if kernel > 0 else 0.19
            say(step="result", kernel=kernel, verified=True,
                samples=[milliseconds * (1 + sample / 1000) for sample in range(job["samples"])])
            if kernel > 0:  # The first is the baseline of every job.
                print(name, file=trials)
    say(step="done")
