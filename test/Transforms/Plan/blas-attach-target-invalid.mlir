// One line on a name that is not known: misspelt, or a chip that has no description yet.
// RUN: not gemm-opt %s --blas-attach-target=chip=h20o 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not gemm-opt %s --blas-attach-target=chip=abacus 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not gemm-opt %s --tile-select=chip=gfx90 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not gemm-opt %s --tile-select=chip=B200 2>&1 | FileCheck %s --check-prefix=REAL
// RUN: not gemm-opt %s --tile-select=chip=rtx-4090 2>&1 | FileCheck %s --check-prefix=ADA
// RUN: not gemm-opt %s --tile-select=chip=mi355x 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not gemm-opt %s --tile-select=chip=sm_100a 2>&1 | FileCheck %s --check-prefix=BLACKWELL

// NEAR: error: unknown chip 'h20o', did you mean 'h200'?; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx
// NEAR-NOT: error
// FAR: error: unknown chip 'abacus'; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx
// ARCH: error: unknown chip 'gfx90', did you mean 'gfx906'?; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx
// REAL: error: 'B200' is a real chip (NVIDIA, sm_100) that has no description yet: see docs/Targets.md; known chips: h200, h100, a100, v100, mi60, mi250x, mi300x, rx7900xtx
// REAL-NOT: error
// ADA: error: 'rtx-4090' is a real chip (NVIDIA, sm_89) that has no description yet
// AMD: error: 'mi355x' is a real chip (AMD, gfx950) that has no description yet
// BLACKWELL: error: 'sm_100a' is a real chip (NVIDIA, sm_100) that has no description yet
module {}
