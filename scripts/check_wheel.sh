#!/bin/sh
# check_wheel.sh PYTHON WHEEL: installs a wheel into a fresh environment, and runs tests of products
# on the CPU with it.
set -eu

venv=$(dirname "$2")/../installed
rm -rf "$venv"
"$1" -m venv "$venv"
pip() { "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install --retries 1 --timeout 15 "numpy >= 1.23" "pytest >= 7"
pip install --no-index --no-deps "$2"
# From another folder, so that the sources are not taken for the package.
tests=$(pwd)/python/tests
cd "$venv"
status=0
env -u PYTHONPATH bin/python -m pytest -q -p no:cacheprovider "$tests/test_products.py" \
  "$tests/test_triangular.py" "$tests/test_plans.py" "$tests/test_autotune.py" > results.txt || status=$?
cat results.txt
# As scripts/run_tests.py says it.
bin/python - results.txt <<'EOF'
import re, sys
last = open(sys.argv[1]).read().splitlines()[-1]
count = lambda words: sum(map(int, re.findall(rf"(\d+) (?:{words})", last)))
print(f"{count('passed')} passed, {count('failed|error')} failed")
EOF
exit $status
