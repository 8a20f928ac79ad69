// A plan with `unroll` leaves the slices of a step in a loop whose body holds that many of them.
// RUN: gemm-opt %s --split-input-file --macro-tile | FileCheck %s --check-prefix=MARK
// RUN: gemm-opt %s --split-input-file --macro-tile --leap-frog --canonicalize --tile-sync --micro-tile --canonicalize | FileCheck %s

// Of 8 slices the last is peeled by leap-frog: 7 are twice 3 and a remainder of 1.
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
