#!/bin/sh
# With TESTS=yes: installs what the Python package and its tests need from PyPI, into
# $BUILD/venv. Without a network, venv or pip these tests are skipped.
# Does nothing when all are there, with INSTALL=no, and for sanitized builds, which have no package.
set -u

venv=${BUILD:-build}/venv
modules="numpy, pytest, nanobind"
[ "${TESTS:-}" = yes ] && [ "${SANITIZE:-}" != yes ] || exit 0
"$venv/bin/python" -c "import $modules" 2>/dev/null && exit 0

skip() {
  echo "note: tests of the Python package are skipped: $1" >&2
  rm -rf "$venv" # half of one would be found by the build
  exit 0
}
if [ "${INSTALL:-}" = no ]; then
  echo "note: tests of the Python package are skipped: INSTALL=no was given" >&2
  exit 0
fi

echo "Installing into $venv: $modules"
python3 -m venv "$venv" >/dev/null 2>&1 || skip "python3 -m venv fails (install python3-venv)"
"$venv/bin/python" -m pip install --quiet --retries 1 --timeout 15 --disable-pip-version-check \
  "numpy >= 1.23" "pytest >= 7" "nanobind >= 2.2" 2>/dev/null || skip "pip cannot install them"
# The next build finds the package's interpreter.
[ -f "${BUILD:-build}/CMakeCache.txt" ] && cmake "${BUILD:-build}" >/dev/null
exit 0
