// A pipeline for one vendor's GPUs is told so before anything is planned, in one line.
// RUN: gemm-opt %s --require-vendor="vendor=nvidia chip=h200" | FileCheck %s --check-prefix=H200
// RUN: gemm-opt %s --require-vendor="vendor=amd chip=gfx906" | FileCheck %s --check-prefix=MI60
// RUN: not gemm-opt %s --require-vendor="vendor=amd chip=h200" 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not gemm-opt %s --blas-attach-target=chip=mi60 --require-vendor="vendor=nvidia chip=h200" 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --require-vendor="vendor=amd chip=h200" | FileCheck %s --check-prefix=MI60
// RUN: not gemm-opt %s --require-vendor="vendor=intel" 2>&1 | FileCheck %s --check-prefix=INTEL
// Every pipeline for GPUs.
// RUN: not gemm-opt %s --blas-to-rocdl=chip=h200 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not gemm-opt %s --blas-attach-target=chip=mi60 --blas-to-nvvm 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not gemm-opt %s --blas-attach-target=chip=mi60 --blas-to-kernels 2>&1 | FileCheck %s --check-prefix=MODULE
// Kernels for the host, or for another compiler, are planned for any chip.
// RUN: gemm-opt %s --blas-to-cpu=chip=mi60 -o /dev/null
// RUN: gemm-opt %s --blas-to-kernels="chip=mi60 format=func" -o /dev/null

// H200: blas.target = #blas.target<chip = "h200"
// MI60: blas.target = #blas.target<chip = "mi60"
// AMD-NOT: remark
// AMD: error: chip 'h200' (named by chip=) is made by NVIDIA, but this pipeline compiles for AMD GPUs: use --blas-to-nvvm, or chip=mi300x
// AMD-NOT: error
// MODULE-NOT: remark
// MODULE: error: chip 'mi60' (blas.target of the module) is made by AMD, but this pipeline compiles for NVIDIA GPUs: use --blas-to-rocdl, or --blas-attach-target=chip=h200
// MODULE-NOT: error
// INTEL: for the --vendor option: Cannot find option named 'intel'!
module {
  func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
    blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    return
  }
}
