#!/bin/sh
# With TESTS=yes: installs what the Python package and its tests need from PyPI, into
# $BUILD/venv. Without a network, venv or pip these tests are skipped. PyTorch (1.2 GB, half a
# minute) is left out with TORCH=no.
# Does nothing when all are there, with INSTALL=no, and for sanitized builds, which have no package.
set -u

venv=${BUILD:-build}/venv
modules="numpy, pytest, nanobind"
[ "${TESTS:-}" = yes ] && [ "${SANITIZE:-}" != yes ] || exit 0
torch="torch == 2.15.0"
has() { "$venv/bin/python" -c "import $1" 2>/dev/null; }
has "$modules" && { [ "${TORCH:-yes}" = no ] || has torch; } && exit 0

skip() {
  echo "note: tests of the Python package are skipped: $1" >&2
  rm -rf "$venv" # half of one would be found by the build
  exit 0
}
if [ "${INSTALL:-}" = no ]; then
  echo "note: tests of the Python package are skipped: INSTALL=no was given" >&2
  exit 0
fi

pip() {
  "$venv/bin/python" -m pip install --quiet --retries 1 --timeout 15 --disable-pip-version-check \
    --no-cache-dir "$@" 2>/dev/null
}

if ! has "$modules"; then
  echo "Installing into $venv: $modules"
  python3 -m venv "$venv" >/dev/null 2>&1 || skip "python3 -m venv fails (install python3-venv)"
  pip "numpy >= 1.23" "pytest >= 7" "nanobind >= 2.2" || skip "pip cannot install them"
  # The next build finds the package's interpreter.
  [ -f "${BUILD:-build}/CMakeCache.txt" ] && cmake "${BUILD:-build}" >/dev/null
fi

# PyTorch with CUDA is what PyPI has. Of its requirements only what runs on the CPU is installed.
install_torch() {
  pip --no-deps "$torch" "nvidia-cuda-runtime == 13.2.*" "nvidia-cuda-cupti == 13.2.*" &&
    pip filelock typing-extensions setuptools sympy networkx jinja2 fsspec &&
    "$venv/bin/python" scripts/torch_without_cuda.py && has torch
}
if [ "${TORCH:-yes}" != no ] && ! has torch; then
  echo "Installing into $venv: $torch"
  if ! install_torch; then
    echo "note: tests with PyTorch are skipped: it cannot be installed" >&2
    "$venv/bin/python" -m pip uninstall --quiet --yes torch 2>/dev/null
  fi
fi
exit 0
