// ptxas accepts kernels with the source lines of their operations, optimised as those without, and keeps the lines.
// REQUIRES: ptxas
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=bin source-lines=true" 2>/dev/null | FileCheck %s

// CHECK: gpu.binary @gemm_f32_nn
// CHECK-SAME: debug_line
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}
