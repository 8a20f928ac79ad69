// Unsupported input is an error at its location.
// RUN: not gemm-opt %s --blas-to-nvvm=chip=mi60 -o /dev/null 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: not gemm-opt %s --blas-to-nvvm=chip=h2000 -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not gemm-opt %s --blas-to-nvvm="chip=h200 format=elf" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not gemm-opt %s --blas-to-nvvm="chips=h200" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTION
// AMD: error: chip 'mi60' (named by chip=) is made by AMD, but this pipeline compiles for NVIDIA GPUs
// CHIP: error: {{.*}}h2000{{.*}}h200
// FORMAT: for the --format option: Cannot find option named 'elf'!
// OPTION: no such option chips
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
