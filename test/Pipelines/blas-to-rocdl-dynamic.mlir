// The planner's pick for views of unknown sizes and their guarded edges needs no scratch memory:
// accumulators are finished before the branches that store them, and residency has room for additional registers of LLVM.
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi60 format=isa" 2>&1 >/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x format=isa" 2>&1 >/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>&1 >/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=rx7900xtx format=isa" 2>&1 >/dev/null | FileCheck %s
// CHECK-COUNT-3: chose plan
// CHECK-NOT: error

!a = memref<?x64xf64, strided<[300, 1], offset: ?>>
!b = memref<64x40xf64, strided<[40, 1], offset: ?>>
!c = memref<?x40xf64, strided<[40, 1], offset: ?>>
func.func @update(%a: !a, %b: !b, %c: !c, %alpha: f64, %beta: f64) {
  blas.gemm ins(%a, %b : !a, !b) outs(%c : !c) alpha(%alpha : f64) beta(%beta : f64)
  return
}

!any = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @any(%a: !any, %b: !any, %c: !any) {
  blas.gemm opA<t> opB<t> ins(%a, %b : !any, !any) outs(%c : !any)
  return
}

// Eight columns of two bytes, transposed by subgroups of 64: no tile of them is without a bank conflict.
func.func @narrow(%a: memref<4095x4095xf16>, %b: memref<8x4095xf16>, %c: memref<4095x8xf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<4095x4095xf16>, memref<8x4095xf16>) outs(%c : memref<4095x8xf16>)
  return
}
