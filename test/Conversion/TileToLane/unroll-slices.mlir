// A plan with `unroll` leaves the slices of a step in a loop whose body holds that many of them.
// RUN: gemm-opt %s --split-input-file --macro-tile | FileCheck %s --check-prefix=MARK
// Loops that are left are no longer marked, and so not unrolled again.
// RUN: gemm-opt %s --split-input-file --macro-tile --unroll-slices | FileCheck %s --check-prefix=UNROLLED
// RUN: gemm-opt %s --split-input-file --macro-tile --unroll-slices > %t.once
// RUN: gemm-opt %t.once --split-input-file --unroll-slices | diff - %t.once
// UNROLLED: loop_annotation
// UNROLLED-NOT: tile.slices
// UNROLLED-NOT: tile.unroll
// RUN: gemm-opt %s --split-input-file --macro-tile --leap-frog --canonicalize | FileCheck %s --check-prefix=AGAIN
// RUN: gemm-opt %s --split-input-file --macro-tile --leap-frog --canonicalize --tile-sync --unroll-slices --micro-tile --canonicalize | FileCheck %s

// 8 slices are twice 3 and a remainder of 2.
// MARK-LABEL: func.func @remainder
// MARK: tile.slices, tile.unroll = 3 : i64
// CHECK-LABEL: func.func @remainder
// CHECK: gpu.func @gemm_f32_nn_4x4x8
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c3
// CHECK-COUNT-3: math.fma
// CHECK-NOT: math.fma
// CHECK: scf.yield
// CHECK-COUNT-2: math.fma
// CHECK-NOT: math.fma
// CHECK: gpu.return
func.func @remainder(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared>, b = <via = shared>, stages = 1, unroll = 3>)
  return
}

// -----

// Leap-frog peels no last slice: where there is no next one it reads the first again. So 4 are all the code.
// AGAIN-LABEL: func.func @again
// AGAIN: tile.load
// AGAIN: scf.for %[[SLICE:.*]] = %c0 to %c8 step %c1
// AGAIN: %[[MORE:.*]] = arith.cmpi slt, %[[SLICE]], %c7
// AGAIN: %[[NEXT:.*]] = arith.addi %[[SLICE]], %c1
// AGAIN: %[[WHICH:.*]] = arith.select %[[MORE]], %[[NEXT]], %c0
// AGAIN: tile.view %{{.*}}[%{{.*}}] [%c0, %[[WHICH]]]
// AGAIN: tile.mma
// AGAIN: tile.slices
// AGAIN-NOT: tile.mma
// AGAIN: gpu.return
// CHECK-LABEL: func.func @again
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
// CHECK-COUNT-4: math.fma
// CHECK-NOT: math.fma
// CHECK: gpu.return
func.func @again(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared>, b = <via = shared>, stages = 1, unroll = 4>)
  return
}

// -----

// Fragments that come from global memory are not read in vain: the last slice is peeled, 7 are once 4 and 3.
// CHECK-LABEL: func.func @direct
// CHECK-COUNT-8: math.fma
// CHECK-NOT: math.fma
// CHECK: gpu.return
func.func @direct(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared>, b = <via = register>, stages = 1, unroll = 4>)
  return
}

// -----

// All slices, and no loop around them.
// MARK-LABEL: func.func @all
// MARK-NOT: tile.unroll
// CHECK-LABEL: func.func @all
// CHECK: gpu.func @gemm_f32_nn_4x4x8
// CHECK-NOT: scf.for
// CHECK-COUNT-8: math.fma
// CHECK-NOT: math.fma
// CHECK: gpu.return
func.func @all(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 8], micro = [1, 1], lanes = [4, 4], a = <via = shared>, b = <via = shared>, stages = 1>)
  return
}
