#!/bin/sh
# Installs the Debian packages that the build needs and that are missing; with TESTS=yes also those
# that some tests need, with SANITIZE=yes those of the sanitizers, with WHEEL=yes those of a wheel of
# Debian's Python. Does nothing (in a few milliseconds) when all are there.
# INSTALL=no: never install. LLVM: prefix of LLVM and MLIR; a prefix outside /usr/lib is taken as is.
set -u

LLVM=${LLVM:-/usr/lib/llvm-22}
minimum=22.1
# Of LLVM, each must be at least $minimum.
llvm_packages="clang-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools lld-22 liblld-22-dev"
[ "${SANITIZE:-}" = yes ] && llvm_packages="$llvm_packages libclang-rt-22-dev"
packages="cmake ninja-build g++ python3 libgtest-dev zlib1g-dev libzstd-dev libxml2-dev
  libsqlite3-dev libeigen3-dev"
[ "${WHEEL:-}" = yes ] && packages="$packages python3-dev python3-venv"
# Nice to have: faster rebuilds, library functions in kernels for AMD GPUs.
optional="ccache rocm-device-libs"
# Tests are skipped without them: of the format, of fitting the cost model, and of BLAS in place.
[ "${TESTS:-}" = yes ] &&
  optional="$optional clang-format-22 python3-scipy libblas-test"

version() { # installed version without its epoch, empty when not installed
  dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2>/dev/null |
    sed -n 's/^installed \([0-9]*:\)\{0,1\}//p' | head -n 1
}

unsatisfied() { # names those of "$@" that are missing or, for LLVM's, too old
  for package in "$@"; do
    have=$(version "$package")
    case "$package" in
      *-22*) [ -n "$have" ] && dpkg --compare-versions "$have" ge "$minimum~" && continue ;;
      *) [ -n "$have" ] && continue ;;
    esac
    printf '%s ' "$package"
  done
}

refuse() { # the clear list, and how to mend it
  echo "error: $1" >&2
  echo "These packages (LLVM's at version $minimum or later) are missing:" >&2
  for package in $missing; do echo "  $package" >&2; done
  echo "Install them, then run make again:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends $missing" >&2
  echo "LLVM 22 is in Debian 12's bookworm-security and in apt.llvm.org." >&2
  exit 1
}

case "$LLVM" in
  /usr/lib/*) ;;
  *) test -f "$LLVM/lib/cmake/mlir/MLIRConfig.cmake" && exit 0
     echo "error: LLVM=$LLVM holds no lib/cmake/mlir/MLIRConfig.cmake" >&2
     exit 1 ;;
esac
if ! command -v dpkg-query >/dev/null 2>&1; then
  test -f "$LLVM/lib/cmake/mlir/MLIRConfig.cmake" && exit 0
  missing="$llvm_packages $packages"
  refuse "this is no Debian system, and $LLVM holds no MLIR"
fi

missing=$(unsatisfied $llvm_packages $packages)
wanted=
[ "${TESTS:-}" = yes ] && wanted=$(unsatisfied $optional)
[ -z "$missing$wanted" ] && exit 0

# Why nothing can be installed; empty where it can.
why=
root=
if [ "${INSTALL:-}" = no ]; then
  why="INSTALL=no was given"
elif [ "$(id -u)" -ne 0 ]; then
  root=sudo
  command -v sudo >/dev/null 2>&1 || why="not root, and there is no sudo"
fi
command -v apt-get >/dev/null 2>&1 || why="${why:-there is no apt-get here}"
if [ -n "$why" ]; then
  [ -n "$missing" ] && refuse "$why"
  echo "note: without ${wanted% } some tests are skipped: $why" >&2
  exit 0
fi

echo "Installing: $missing$wanted"
install() {
  $root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y \
    --no-install-recommends "$@" >/dev/null
}
$root apt-get -qq update || echo "warning: apt-get update failed" >&2
wanted=$(unsatisfied $optional)
install $missing $wanted 2>/dev/null || install $missing || refuse "apt-get install failed (see above)"
wanted=$(unsatisfied $wanted)
[ -z "$wanted" ] || echo "note: $wanted could not be installed" >&2

missing=$(unsatisfied $llvm_packages $packages)
[ -z "$missing" ] || refuse "apt-get installed other versions than needed"
echo "Installed."
