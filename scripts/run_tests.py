"""Runs lit on a folder of tests and ends with one line: `N passed, N failed[, N skipped]`.

Exit status: 0 when every test that ran passed, 1 when one failed, 2 when lit itself did.
Skipped tests are named with what they miss, so that a machine without ptxas or a GPU shows it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def run_lit(options, report):
    command = [sys.executable, options.lit, "--time-tests" if options.times else "--no-progress-bar",
               "--verbose", "--show-unsupported", f"--output={report}",
               f"--workers={options.jobs}"]
    if options.filter:
        command.append(f"--filter={options.filter}")
    return subprocess.run(command + options.paths).returncode


def reason(output):
    """What lit says about a skipped test: the missing features, on one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "unsupported"


def summarize(tests):
    passed = [test for test in tests if test["code"] in PASSED]
    skipped = [test for test in tests if test["code"] in SKIPPED]
    failed = [test for test in tests if test["code"] not in PASSED | SKIPPED]
    for test in skipped:
        print(f"skipped: {test['name']}: {reason(test.get('output', ''))}")
    for test in failed:
        print(f"failed: {test['name']} ({test['code']})")
    line = f"{len(passed)} passed, {len(failed)} failed"
    print(line + (f", {len(skipped)} skipped" if skipped else ""), flush=True)
    return 1 if failed or not passed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lit", required=True, help="LLVM's lit")
    parser.add_argument("--jobs", default=str(os.cpu_count()), help="tests run at once")
    parser.add_argument("--filter", help="regular expression on test names")
    parser.add_argument("--times", action="store_true", help="print the slowest tests")
    parser.add_argument("paths", nargs="+", help="folders or files of the configured test tree")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        status = run_lit(options, report)
        if not os.path.exists(report):
            print(f"lit failed with status {status} and left no report")
            return 2
        with open(report) as file:
            return summarize(json.load(file)["tests"])


if __name__ == "__main__":
    sys.exit(main())
