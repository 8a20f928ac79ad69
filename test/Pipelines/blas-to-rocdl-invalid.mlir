// Unsupported input is an error at its location; chips of the other vendor are named.
// RUN: not gemm-opt %s --blas-to-rocdl=chip=h200 -o /dev/null 2>&1 | FileCheck %s --check-prefix=NVIDIA
// RUN: not gemm-opt %s --blas-to-rocdl=chip=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=A100
// RUN: not gemm-opt %s --blas-to-nvvm=chip=mi300x -o /dev/null 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not gemm-opt %s --blas-to-nvvm=chip=gfx1100 -o /dev/null 2>&1 | FileCheck %s --check-prefix=RX
// RUN: not gemm-opt %s --blas-to-rocdl=chip=mi300 -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not gemm-opt %s --blas-to-rocdl="chip=mi60 format=elf" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORMAT
// NVIDIA-NOT: remark
// NVIDIA: error: chip 'h200' (named by chip=) is made by NVIDIA, but this pipeline compiles for AMD GPUs: use --blas-to-nvvm, or chip=mi300x
// A100-NOT: remark
// A100: error: chip 'a100' (named by chip=) is made by NVIDIA, but this pipeline compiles for AMD GPUs
// AMD-NOT: remark
// AMD: error: chip 'mi300x' (named by chip=) is made by AMD, but this pipeline compiles for NVIDIA GPUs: use --blas-to-rocdl, or chip=h200
// RX-NOT: remark
// RX: error: chip 'rx7900xtx' (named by chip=) is made by AMD, but this pipeline compiles for NVIDIA GPUs
// CHIP: error: unknown chip 'mi300', did you mean 'mi300x'?
// FORMAT: for the --format option: Cannot find option named 'elf'!
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
