"""run_jobs.py FILE [JOB...]: runs jobs one after another, and ends with `N passed, N failed` of all.

A line of FILE is a job: a name, the minutes that it may need, a command of the shell. A job counts
as the last line of its output that says `N passed, N failed`, else as one test. One that fails
without a failed test, or that needs more time, has one failed test more. The jobs after it run in
any case. Exit status: 0 when every job passed.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time

COUNTS = re.compile(rb"^(\d+) passed, (\d+) failed\b")


class Job:
    def __init__(self, line):
        self.name, minutes, self.command = line.strip().split(None, 2)
        self.limit = 60 * float(minutes)
        self.counts = self.note = None

    def follow(self, output):
        """Prints what the job prints, and keeps the last counts."""
        for line in output:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
            match = COUNTS.match(line)
            if match:
                self.counts = [int(count) for count in match.groups()]

    def run(self):
        start = time.monotonic()
        # In a process group of its own, so that all of it can be ended.
        process = subprocess.Popen(self.command, shell=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        reader = threading.Thread(target=self.follow, args=[process.stdout], daemon=True)
        reader.start()
        try:
            status = process.wait(self.limit)
            self.note = f"exit status {status}" if status else None
        except subprocess.TimeoutExpired:
            self.note = f"ended after its limit of {self.limit / 60:g} minutes"
        finally:
            end_group(process)
        reader.join(10)  # what has left the group may hold the pipe
        self.seconds = time.monotonic() - start
        self.counts = self.counts or [0 if self.note else 1, 0]
        if self.note and not self.counts[1]:
            self.counts[1] = 1


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def read_jobs(path):
    with open(path) as file:
        return [Job(line) for line in file if line.strip() and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the jobs")
    parser.add_argument("names", nargs="*", metavar="JOB", help="these alone")
    options = parser.parse_args()
    jobs = read_jobs(options.file)
    unknown = set(options.names) - {job.name for job in jobs}
    if unknown:
        parser.error(f"{options.file} has no job {', '.join(sorted(unknown))}")
    jobs = [job for job in jobs if not options.names or job.name in options.names]
    for job in jobs:
        print(f"== {job.name}: {job.command}", flush=True)
        job.run()
    for job in jobs:
        passed, failed = job.counts
        print(f"{job.name:<10} {passed} passed, {failed} failed, {job.seconds:.0f} s"
              + (f" ({job.note})" if job.note else ""))
    passed, failed = (sum(job.counts[i] for job in jobs) for i in (0, 1))
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
