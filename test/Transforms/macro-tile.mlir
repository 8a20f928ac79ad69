// One kernel per operation: a tile program for one workgroup, launched by the host.
// RUN: gemm-opt %s --split-input-file --macro-tile --canonicalize --cse | FileCheck %s

// Full tiles, all static: three pointers, no guard.
// CHECK-LABEL: func.func @full
// CHECK-DAG:     %[[GRID:.*]] = arith.constant 12 : index
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 2304 : i32
// CHECK:         gpu.launch_func @gemm_f32_nt_16x16x8_module::@gemm_f32_nt_16x16x8
// CHECK-SAME:      blocks in (%[[GRID]], %[[ONE]], %[[ONE]]) threads in (%[[THREADS]], %[[ONE]], %[[ONE]])
// CHECK-SAME:      dynamic_shared_memory_size %[[SHARED]]
// CHECK:         gpu.func @gemm_f32_nt_16x16x8
// CHECK-SAME:      (%[[A:[a-z0-9]+]]: memref<f32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:      %[[B:[a-z0-9]+]]: memref<f32> {llvm.align = 8 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME:      %[[C:[a-z0-9]+]]: memref<f32> {llvm.align = 4 : i64
// CHECK-SAME:      #blas.contract<args = [<pointer a align 4>, <pointer b align 8>, <pointer c align 4>], tile = [16, 16], workgroup = 64, sharedBytes = 2304>
// CHECK-SAME:      known_block_size = array<i32: 64, 1, 1>
// CHECK:           %{{.*}}, %[[M:.*]], %[[N:.*]] = tile.coord {{.*}} tile [16, 16] raster 2
// CHECK:           %[[A_MATRIX:.*]] = memref.reinterpret_cast %[[A]] {{.*}} sizes: [64, 32], strides: [32, 1]
// CHECK:           %[[A_SHARED:.*]] = tile.alloc : !tile.buffer<2 x 16x8xf32, strides = [1, 20]>
// CHECK:           %[[B_MATRIX:.*]] = memref.reinterpret_cast %[[B]] {{.*}} sizes: [32, 48], strides: [1, 32]
// CHECK:           %[[B_SHARED:.*]] = tile.alloc : !tile.buffer<2 x 8x16xf32, strides = [16, 1]>
// CHECK:           %[[C_MATRIX:.*]] = memref.reinterpret_cast %[[C]]
// CHECK:           %[[ZERO:.*]] = tile.fill
// CHECK:           %[[SUM:.*]] = scf.for %[[STEP:[a-z0-9]+]] = %{{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:             %[[K:.*]] = arith.muli %[[STEP]]
// CHECK:             %[[A_TILE:.*]] = tile.load %[[A_MATRIX]][%[[M]], %[[K]]] edges <inside, inside> :
// CHECK:             %[[A_SLOT:.*]] = tile.view %[[A_SHARED]][%[[STEP]]]
// CHECK:             tile.store %[[A_TILE]], %[[A_SLOT]]
// CHECK:             tile.load {{.*}} edges <inside, inside> vector 2
// CHECK:             tile.view %[[B_SHARED]][%[[STEP]]]
// CHECK:             scf.for %[[SLICE:[a-z0-9]+]] =
// CHECK:               tile.view %[[A_SHARED]][%[[STEP]]] [%{{.*}}, %[[SLICE]]]
// CHECK:               %[[A_FRAGMENT:.*]] = tile.load
// CHECK:               tile.view %[[B_SHARED]][%[[STEP]]] [%[[SLICE]], %{{.*}}]
// CHECK:               %[[B_FRAGMENT:.*]] = tile.load
// CHECK:               tile.mma %[[A_FRAGMENT]], %[[B_FRAGMENT]],
// CHECK:             } {tile.slices}
// CHECK:           } {tile.steps}
// CHECK-NOT:       alpha
// CHECK:           tile.update %[[SUM]], %[[C_MATRIX]][%[[M]], %[[N]]] edges <inside, inside> :
func.func @full(%a: memref<64x32xf32>, %b: memref<48x32xf32>, %c: memref<64x48xf32>) {
  blas.gemm op_b<t> ins(%a, %b : memref<64x32xf32>, memref<48x32xf32>)
    outs(%c : memref<64x48xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8],
          a = <via = shared, pad = 4>, b = <via = shared, vector = 2>, raster = 2>)
  return
}

// -----

// Nothing static: sizes and strides are arguments, an empty C launches nothing, the loads are
// clamped, the K remainder comes first and is zero-filled, the stores are guarded.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[ROWS:.*]] = arith.ceildivui
// CHECK:         %[[COLUMNS:.*]] = arith.ceildivui
// CHECK:         %[[GRID:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[GRID]]
// CHECK:         scf.if %[[ANY]]
// CHECK:           gpu.launch_func
// CHECK:         gpu.func
// CHECK-SAME:      args = [<pointer a align 4>, <size a>, <size a[1]>, <stride a>,
// CHECK-SAME:      <scalar alpha>, <scalar beta>]
// CHECK:           %[[PRODUCT:.*]] = scf.if
// CHECK:             %[[STEPS:.*]] = arith.ceildivui %[[DEPTH:.*]], %[[EIGHT:.*]] : index
// CHECK:             %[[PADDED:.*]] = arith.muli %[[STEPS]], %[[EIGHT]]
// CHECK:             %[[FIRST:.*]] = arith.subi %[[DEPTH]], %[[PADDED]]
// CHECK:             scf.for
// CHECK:               arith.addi %[[FIRST]]
// CHECK:               tile.load {{.*}} edges <clamp, zero> :
// CHECK:               tile.load {{.*}} edges <zero, clamp> :
// CHECK:           tile.update %[[PRODUCT]], {{.*}} alpha(%{{.*}} : f32) beta(%{{.*}} : f32) edges <guard, guard>
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %alpha: f32,
                   %beta: f32) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    alpha(%alpha : f32) beta(%beta : f32)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared>>)
  return
}

// -----

// A batch with an offset, and B straight from global memory: one buffer only.
// CHECK-LABEL: func.func @batch
// CHECK-DAG:     %[[GRID:.*]] = arith.constant 12 : index
// CHECK:         gpu.launch_func {{.*}} blocks in (%[[GRID]],
// CHECK:         gpu.func
// CHECK-SAME:      sharedBytes = 1024
// CHECK:           %[[BATCH:.*]], %{{.*}}, %{{.*}} = tile.coord
// CHECK:           %[[MATRIX:.*]] = arith.muli %[[BATCH]]
// CHECK:           %[[OFFSET:.*]] = arith.addi %[[MATRIX]]
// CHECK:           memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [32, 20], strides: [1, 40]
// CHECK-COUNT-1:   tile.alloc
// CHECK-NOT:       tile.alloc
// CHECK:           tile.load {{.*}} edges <inside, zero> vector 2
// CHECK:           tile.load {{.*}} edges <zero, inside> vector 2
// CHECK:           tile.mma
// CHECK:           tile.update {{.*}} beta(%{{.*}} : f64)
func.func @batch(%a: memref<3x32x20xf64, strided<[1000, 1, 40], offset: 8>>, %b: memref<20x32xf64>,
                 %c: memref<3x32x32xf64>) {
  %beta = arith.constant 1.0 : f64
  blas.gemm ins(%a, %b : memref<3x32x20xf64, strided<[1000, 1, 40], offset: 8>>, memref<20x32xf64>)
    outs(%c : memref<3x32x32xf64>) beta(%beta : f64)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], vector = 2,
          a = <via = shared, vector = 2>, b = <via = register, vector = 2>, stages = 1, raster = 2>)
  return
}

// -----

// Two operations, two kernels; what is not of blas is left alone.
// CHECK-LABEL: func.func @two
// CHECK:         memref.copy
// CHECK:         gpu.launch_func @[[FIRST:.*]]::@gemm_f32_nn_16x16x8
// CHECK:         gpu.launch_func @[[SECOND:.*]]::@gemm_f32_nn_16x16x8
// CHECK-DAG:     gpu.module @[[FIRST]]
// CHECK-DAG:     gpu.module @[[SECOND]]
func.func @two(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  memref.copy %a, %c : memref<16x16xf32> to memref<16x16xf32>
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared>>)
  blas.gemm ins(%c, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%a : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared>>)
  return
}
