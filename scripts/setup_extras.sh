#!/bin/sh
# With TESTS=yes: installs into $BUILD/venv, which setup_python.sh has made, what single tests of
# the Python package need: JAX for the CPU (130 MB to load, 500 MB on disk, 11 s; not with JAX=no)
# and matplotlib (20 and 90 MB). Without them these tests are skipped. Does nothing when all are
# there, or with INSTALL=no.
set -u

python=${BUILD:-build}/venv/bin/python
[ "${TESTS:-}" = yes ] && [ "${INSTALL:-}" != no ] && [ -x "$python" ] || exit 0

add() { # a module, and what pip is asked for
  "$python" -c "import $1" 2>/dev/null && return
  echo "Installing into ${BUILD:-build}/venv: $1"
  "$python" -m pip install --quiet --retries 1 --timeout 15 --disable-pip-version-check \
    "$2" 2>/dev/null || echo "note: tests with $1 are skipped: pip cannot install it" >&2
}
[ "${JAX:-}" = no ] || add jax "jax >= 0.6, < 0.11"
add matplotlib "matplotlib >= 3.5"
exit 0
