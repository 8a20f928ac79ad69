#!/bin/sh
# With TESTS=yes: installs JAX for the CPU (130 MB to load, 500 MB on disk, 11 s) into $BUILD/venv,
# which setup_python.sh has made. Without it its tests are skipped. Does nothing when it is there,
# with JAX=no or with INSTALL=no.
set -u

python=${BUILD:-build}/venv/bin/python
[ "${TESTS:-}" = yes ] && [ "${INSTALL:-}" != no ] && [ -x "$python" ] || exit 0

[ "${JAX:-}" = no ] && exit 0
"$python" -c "import jax" 2>/dev/null && exit 0
echo "Installing into ${BUILD:-build}/venv: jax"
"$python" -m pip install --quiet --retries 1 --timeout 15 --disable-pip-version-check \
  "jax >= 0.6, < 0.11" 2>/dev/null || echo "note: tests with JAX are skipped: pip cannot install it" >&2
exit 0
