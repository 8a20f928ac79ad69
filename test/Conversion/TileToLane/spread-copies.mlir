// Asynchronous copies of a K loop of many steps stand among its multiplications, under a condition of their
// own; those of a loop of few steps stay together before them, under a branch.
// RUN: gemm-opt %s --split-input-file --macro-tile --leap-frog --canonicalize --tile-sync --unroll-slices --micro-tile --spread-copies --canonicalize | FileCheck %s

// The first three of 64 steps fill the ring: a loop of 64, with 1 + 1 copies and 8 multiplications.
// CHECK-LABEL: func.func @many
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: %[[MORE:[a-z0-9_]+]] = arith.cmpi
// CHECK-NOT: lane.commit
// CHECK: math.fma
// CHECK: lane.copy {{.*}} elements 2 inside(%[[MORE]])
// CHECK: math.fma
// CHECK: lane.copy {{.*}} elements 2 inside(%[[MORE]])
// CHECK-NEXT: lane.commit
// CHECK: math.fma
// CHECK: scf.yield
func.func @many(%a: memref<512x4xf32>, %b: memref<512x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<512x4xf32>, memref<512x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared, copy = async, vector = 2>, b = <via = shared, copy = async, vector = 2>, stages = 4>)
  return
}

// -----

// CHECK-LABEL: func.func @few
// CHECK: scf.for
// CHECK: scf.if
// CHECK: lane.copy {{.*}} elements 2 : memref
// CHECK: lane.commit
// CHECK: math.fma
// CHECK-NOT: lane.copy
// CHECK: scf.yield
func.func @few(%a: memref<64x4xf32>, %b: memref<64x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<64x4xf32>, memref<64x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared, copy = async, vector = 2>, b = <via = shared, copy = async, vector = 2>, stages = 4>)
  return
}
