// With ptxas, format=bin and auto embed a cubin (an ELF file).
// REQUIRES: ptxas
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=bin" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-nvvm=chip=h200 2>/dev/null | FileCheck %s
// CHECK: gpu.binary @{{.*}} bin = "\7FELF
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
