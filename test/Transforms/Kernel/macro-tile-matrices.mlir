// Each thread has a whole matrix of a batch, straight from memory; threads beyond the last one have nothing to do.
// RUN: gemm-opt %s --macro-tile | FileCheck %s

// CHECK-LABEL: func.func @guarded
// CHECK: [[SHARES:%.+]] = arith.ceildivui %{{.*}}, %c64{{.*}}
// CHECK: [[GRID:%.+]] = arith.muli %{{.*}}, [[SHARES]]
// CHECK: gpu.launch_func {{.*}} blocks in ([[GRID]],
// CHECK: gpu.func @gemm_f32_nn_2x2x4({{.*}}matrices = 64
// CHECK-NOT: tile.alloc
// CHECK: [[BATCH:%[a-z]+]], %m, %n = tile.coord
// CHECK: [[FIRST:%.+]] = arith.muli [[BATCH]], %c64
// CHECK: [[THREAD:%.+]] = gpu.thread_id x
// CHECK: [[MATRIX:%.+]] = arith.addi [[FIRST]], [[THREAD]]
// CHECK: [[EXISTS:%.+]] = arith.cmpi slt, [[MATRIX]], %c100
// CHECK: scf.if [[EXISTS]] {
// CHECK: arith.muli [[MATRIX]], %c8
// CHECK: tile.load {{.*}} vector 4 : {{.*}} -> !tile.matrix<2x4xf32
// CHECK: tile.load {{.*}} vector 2 : {{.*}} -> !tile.matrix<4x2xf32
// CHECK: tile.update {{.*}} vector 2
// CHECK: gpu.func @gemm_f32_nn_2x2x4({{.*}}matrices = 64
// CHECK-NOT: arith.cmpi
// CHECK: tile.update
// Runs along K do not part the columns of a thread that has all of them.
// CHECK: gpu.func @gemm_f32_nt_2x2x4(
// CHECK: tile.load {{.*}} vector 4
// CHECK: tile.load {{.*}} vector 4
// CHECK: tile.update {{.*}} vector 2
#plan = #blas.plan<macro = [2, 2, 4], micro = [2, 2], lanes = [1, 1], depth = 4, a = <via = register, vector = 4, major = k>, b = <via = register, vector = 2>, vector = 2, stages = 1, matrices = 64>
#lines = #blas.plan<macro = [2, 2, 4], micro = [2, 2], lanes = [1, 1], depth = 4, a = <via = register, vector = 4, major = k>, b = <via = register, vector = 4, major = k>, vector = 2, stages = 1, matrices = 64>
func.func @guarded(%a: memref<100x2x4xf32>, %b: memref<100x4x2xf32>, %c: memref<100x2x2xf32>) {
  blas.gemm ins(%a, %b : memref<100x2x4xf32>, memref<100x4x2xf32>) outs(%c : memref<100x2x2xf32>) plan(#plan)
  return
}
func.func @whole(%a: memref<128x2x4xf32>, %b: memref<128x4x2xf32>, %c: memref<128x2x2xf32>) {
  blas.gemm ins(%a, %b : memref<128x2x4xf32>, memref<128x4x2xf32>) outs(%c : memref<128x2x2xf32>) plan(#plan)
  return
}
func.func @transposed(%a: memref<128x2x4xf32>, %b: memref<128x2x4xf32>, %c: memref<128x2x2xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<128x2x4xf32>, memref<128x2x4xf32>) outs(%c : memref<128x2x2xf32>) plan(#lines)
  return
}
