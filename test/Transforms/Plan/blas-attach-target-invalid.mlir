// RUN: not gemm-opt %s --blas-attach-target=chip=h20 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not gemm-opt %s --blas-attach-target=chip=abacus 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not gemm-opt %s --tile-select=chip=gfx90 2>&1 | FileCheck %s --check-prefix=ARCH

// NEAR: error: unknown chip 'h20'; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx; did you mean 'h200'?
// FAR: error: unknown chip 'abacus'; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx
// FAR-NOT: did you mean
// ARCH: error: unknown chip 'gfx90'; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx; did you mean 'gfx906'?
module {}
