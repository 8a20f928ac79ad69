// RUN: gemm-opt %s --macro-tile --canonicalize --cse --tile-sync | FileCheck %s

// c = shared: the tile passes through shared memory after the K loop, so that the 64 threads write
// four rows of 16 neighbouring elements at a time. It lies over the tiles of A and B: one barrier stands between
// their last load and its store, one between store and load.
// CHECK-DAG: #[[ROWS:.*]] = #tile.map<threads = [16:(0, 1), 4:(1, 0)], values = [4:(4, 0)]>
// CHECK-LABEL: gpu.func @gemm_f32_nn_16x16x8(
// CHECK-SAME:    sharedBytes = 1280
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} -> (!tile.matrix<16x16xf32
// CHECK:         %[[BUFFER:.*]] = tile.alloc over : !tile.buffer<1 x 16x16xf32, strides = [20, 1]>
// CHECK:         %[[ALL:.*]] = tile.view %[[BUFFER]][%c0] [%c0, %c0]
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    tile.store %[[SUM]], %[[ALL]]
// CHECK:         gpu.barrier
// CHECK-NEXT:    %[[TILE:.*]] = tile.load {{.*}} -> !tile.matrix<16x16xf32, #[[ROWS]]>
// CHECK-NEXT:    tile.update %[[TILE]], %{{.*}}
// CHECK-NOT:     barrier
func.func @odd(%a: memref<33x64xf32>, %b: memref<64x47xf32>, %c: memref<33x47xf32>) {
  blas.gemm ins(%a, %b : memref<33x64xf32>, memref<64x47xf32>) outs(%c : memref<33x47xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], vector = 2, a = <via = shared>, b = <via = shared>,
          c = shared, stages = 1>)
  return
}

// Accesses to C are of 16 bytes of accumulators, whatever runs threads hold: four elements of f16.
// CHECK-LABEL: gpu.func @gemm_f16_nn_16x16x8(
// CHECK:       tile.update {{.*}} vector 4 : !tile.matrix<16x16xf32
func.func @wide(%a: memref<32x64xf16>, %b: memref<64x32xf16>, %c: memref<32x32xf16>) {
  blas.gemm ins(%a, %b : memref<32x64xf16>, memref<64x32xf16>) outs(%c : memref<32x32xf16>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], vector = 2, a = <via = shared>, b = <via = shared>,
          c = shared, stages = 1>)
  return
}

// `loadsC` counts where C is read.
// CHECK-LABEL: gpu.func @gemm_f32_nn_8x8x4(
// CHECK:       tile.update {{.*}} beta(%{{.*}} : f32) {{.*}}vector 2 ahead 4 :
// CHECK-LABEL: gpu.func @gemm_f32_nn_4x8x4(
// CHECK:       tile.update {{.*}} vector 2 :
func.func @ahead(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    beta(%beta : f32)
    plan(<macro = [8, 8, 4], micro = [2, 2], lanes = [2, 2], vector = 2, a = <via = shared>, b = <via = shared>,
          loadsC = 4, stages = 1>)
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [4, 8, 4], micro = [2, 2], lanes = [2, 2], vector = 2, a = <via = shared>, b = <via = shared>,
          loadsC = 4, stages = 1>)
  return
}
