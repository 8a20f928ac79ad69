// The grid of a batch has one dimension, of 2^31 - 1 workgroups at most on every GPU: no other would hold more than
// 65,535 matrices.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | FileCheck %s

// CHECK-LABEL: llvm.func @known(
// CHECK-DAG:     %[[COUNT:.*]] = llvm.mlir.constant(70000 : index) : i64
// CHECK-DAG:     %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK:         gpu.launch_func {{.*}} blocks in (%[[COUNT]], %[[ONE]], %[[ONE]])
func.func @known(%a: memref<70000x8x8xf32>, %b: memref<70000x8x8xf32>, %c: memref<70000x8x8xf32>) {
  blas.gemm ins(%a, %b : memref<70000x8x8xf32>, memref<70000x8x8xf32>) outs(%c : memref<70000x8x8xf32>)
    plan(<macro = [8, 8, 8], micro = [2, 1], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// CHECK-LABEL: llvm.func @dynamic(
// CHECK-DAG:     %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK:         gpu.launch_func {{.*}} blocks in (%{{.*}}, %[[ONE]], %[[ONE]])
func.func @dynamic(%a: memref<?x8x8xf32>, %b: memref<?x8x8xf32>, %c: memref<?x8x8xf32>) {
  blas.gemm ins(%a, %b : memref<?x8x8xf32>, memref<?x8x8xf32>) outs(%c : memref<?x8x8xf32>)
    plan(<macro = [8, 8, 8], micro = [2, 1], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}
