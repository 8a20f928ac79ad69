#!/bin/sh
# With TESTS=yes: installs JAX for the CPU (130 MB to load, 500 MB on disk, 11 s), Optuna, Dask
# (25 MB on disk, 8 s) and NVIDIA's disassembler (6 MB) into $BUILD/venv, which setup_python.sh has
# made. Without one of them its tests are skipped. Does nothing when they are there and with
# INSTALL=no; JAX=no leaves JAX out.
set -u

python=${BUILD:-build}/venv/bin/python
[ "${TESTS:-}" = yes ] && [ "${INSTALL:-}" != no ] && [ -x "$python" ] || exit 0

# install MODULE REQUIREMENT
install() {
  "$python" -c "import $1" 2>/dev/null && return
  echo "Installing into ${BUILD:-build}/venv: $1"
  "$python" -m pip install --quiet --retries 1 --timeout 15 --disable-pip-version-check "$2" \
    2>/dev/null || echo "note: tests with $1 are skipped: pip cannot install it" >&2
}
[ "${JAX:-}" = no ] || install jax "jax >= 0.6, < 0.11"
install optuna "optuna >= 4, < 6"
install distributed "distributed >= 2023.5"
install nvidia.cu13.bin "nvidia-cuda-nvdisasm >= 13, < 14"
exit 0
