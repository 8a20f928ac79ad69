// Planning's own choice leaves registers for C, which a beta of run time reads: no scratch, which is an error.
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | FileCheck %s

// CHECK: gpu.binary
// CHECK: gpu.binary
func.func @tall(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>) beta(%beta : f32)
  return
}

func.func @wide(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>, %beta: f32) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>) beta(%beta : f32)
  return
}
