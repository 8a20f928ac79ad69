// Each planned operation becomes a launch and the program of one workgroup.
// RUN: gemm-opt %s --split-input-file --macro-tile --canonicalize --cse | FileCheck %s
// Nothing is left to do the second time.
// RUN: gemm-opt %s --split-input-file --macro-tile > %t.once
// RUN: gemm-opt %t.once --split-input-file --macro-tile | diff - %t.once

// Full tiles: no edge, no guard.
// CHECK-DAG: #[[ACC:.*]] = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
// CHECK-DAG: #[[COPY_A:.*]] = #tile.map<threads = [2:(0, 1), 2:(1, 0)], values = [2:(2, 0)]>
// CHECK-DAG: #[[COPY_B:.*]] = #tile.map<threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1)]>
// CHECK-DAG: #[[ROWS:.*]] = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @full
// CHECK-SAME: %[[A:[a-z0-9_-]+]]: memref<8x4xf32>, %[[B:[a-z0-9_-]+]]: memref<4x8xf32>, %[[C:[a-z0-9_-]+]]: memref<8x8xf32>
// CHECK-DAG: %[[POINTER_A:[a-z_0-9]+]], %{{.*}} = memref.extract_strided_metadata %[[A]]
// CHECK-DAG: %[[POINTER_B:[a-z_0-9]+]], %{{.*}} = memref.extract_strided_metadata %[[B]]
// CHECK-DAG: %[[POINTER_C:[a-z_0-9]+]], %{{.*}} = memref.extract_strided_metadata %[[C]]
// CHECK-DAG: %[[FOUR:[a-z0-9_-]+]] = arith.constant 4 : index
// CHECK-DAG: %[[BYTES:[a-z0-9_-]+]] = arith.constant 512 : i32
// CHECK: gpu.launch_func @gemm_f32_nn_4x4x2_module::@gemm_f32_nn_4x4x2 blocks in (%[[FOUR]], %c1, %c1) threads in (%[[FOUR]], %c1, %c1)
// CHECK-SAME: dynamic_shared_memory_size %[[BYTES]]
// CHECK-SAME: args(%[[POINTER_A]] : memref<f32>, %[[POINTER_B]] : memref<f32>, %[[POINTER_C]] : memref<f32>)
// CHECK: gpu.module @gemm_f32_nn_4x4x2_module
// CHECK: gpu.func @gemm_f32_nn_4x4x2(%[[PA:[a-z0-9_-]+]]: memref<f32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %[[PB:[a-z0-9_-]+]]: memref<f32> {llvm.align = 8 : i64, llvm.noalias, llvm.readonly}, %[[PC:[a-z0-9_-]+]]: memref<f32> {llvm.align = 8 : i64, llvm.noalias})
// CHECK-SAME: blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 8>, <pointer c align 8>], tile = [4, 4], output = [{{[0-9?]+, [0-9?]+}}], workgroup = 4, sharedBytes = 512, residency = 2>
// CHECK-SAME: known_block_size = array<i32: 4, 1, 1>
// CHECK-DAG: %[[ZERO:[a-z0-9_-]+]] = arith.constant 0 : index
// CHECK-DAG: %[[TWO:[a-z0-9_-]+]] = arith.constant 2 : index
// CHECK: %[[BATCH:[a-z0-9_-]+]], %[[M:[a-z0-9_-]+]], %[[N:[a-z0-9_-]+]] = tile.coord %{{.*}}, %{{.*}} tile [4, 4] raster 3
// CHECK: %[[GLOBAL_A:[a-z0-9_-]+]] = memref.reinterpret_cast %[[PA]] to offset: [0], sizes: [8, 4], strides: [4, 1]
// CHECK: %[[A_SHARED:[a-z0-9_-]+]] = tile.alloc : !tile.buffer<2 x 4x2xf32, strides = [1, 8]>
// CHECK: %[[GLOBAL_B:[a-z0-9_-]+]] = memref.reinterpret_cast %[[PB]] to offset: [0], sizes: [4, 8], strides: [8, 1]
// CHECK: %[[B_SHARED:[a-z0-9_-]+]] = tile.alloc : !tile.buffer<2 x 2x4xf32, strides = [4, 1]>
// CHECK: %[[GLOBAL_C:[a-z0-9_-]+]] = memref.reinterpret_cast %[[PC]]
// CHECK: %[[SUM:[a-z0-9_-]+]] = tile.fill %{{.*}} : f32 -> !tile.matrix<4x4xf32, #[[ACC]]>
// CHECK: %[[TOTAL:[a-z0-9_-]+]] = scf.for %[[STEP:[a-z0-9_-]+]] = %[[ZERO]] to %[[TWO]] step %{{.*}} iter_args(%[[BEFORE:[a-z0-9_-]+]] = %[[SUM]])
// CHECK:   %[[K:[a-z0-9_-]+]] = arith.muli %[[STEP]], %[[TWO]]
// CHECK:   %[[TILE_A:[a-z0-9_-]+]] = tile.load %[[GLOBAL_A]][%[[M]], %[[K]]] edges <inside, inside> : {{.*}} -> !tile.matrix<4x2xf32, #[[COPY_A]]>
// CHECK:   %[[SLOT_A:[a-z0-9_-]+]] = tile.view %[[A_SHARED]][%[[STEP]]] [%[[ZERO]], %[[ZERO]]]
// CHECK:   tile.store %[[TILE_A]], %[[SLOT_A]]
// CHECK:   %[[TILE_B:[a-z0-9_-]+]] = tile.load %[[GLOBAL_B]][%[[K]], %[[N]]] edges <inside, inside> vector 2 : {{.*}} -> !tile.matrix<2x4xf32, #[[COPY_B]]>
// CHECK:   %[[SLOT_B:[a-z0-9_-]+]] = tile.view %[[B_SHARED]][%[[STEP]]] [%[[ZERO]], %[[ZERO]]]
// CHECK:   tile.store %[[TILE_B]], %[[SLOT_B]]
// CHECK:   %[[AFTER:[a-z0-9_-]+]] = scf.for %[[SLICE:[a-z0-9_-]+]] = %[[ZERO]] to %[[TWO]] step %{{.*}} iter_args(%[[PARTIAL:[a-z0-9_-]+]] = %[[BEFORE]])
// CHECK:     %[[SLICE_A:[a-z0-9_-]+]] = tile.view %[[A_SHARED]][%[[STEP]]] [%[[ZERO]], %[[SLICE]]] : {{.*}} -> !tile.buffer<1 x 4x1xf32, strides = [1, 8]>
// CHECK:     %[[FRAGMENT_A:[a-z0-9_-]+]] = tile.load %[[SLICE_A]] : {{.*}} -> !tile.matrix<4x1xf32, #[[ROWS]]>
// CHECK:     %[[SLICE_B:[a-z0-9_-]+]] = tile.view %[[B_SHARED]][%[[STEP]]] [%[[SLICE]], %[[ZERO]]] : {{.*}} -> !tile.buffer<1 x 1x4xf32, strides = [4, 1]>
// CHECK:     %[[FRAGMENT_B:[a-z0-9_-]+]] = tile.load %[[SLICE_B]] : {{.*}} -> !tile.matrix<1x4xf32, #[[COLUMNS]]>
// CHECK:     %[[NEXT:[a-z0-9_-]+]] = tile.mma %[[FRAGMENT_A]], %[[FRAGMENT_B]], %[[PARTIAL]]
// CHECK:     scf.yield %[[NEXT]]
// CHECK:   } {tile.slices}
// CHECK:   scf.yield %[[AFTER]]
// CHECK: } {tile.steps}
// CHECK: tile.update %[[TOTAL]], %[[GLOBAL_C]][%[[M]], %[[N]]] edges <inside, inside> vector 2
// CHECK-NEXT: gpu.return
func.func @full(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared, vector = 2>, raster = 3, residency = 2>)
  return
}

// -----

// Tails: 3 x 3 workgroups; the last tiles are moved back inside the matrix, so neither loads nor
// stores need a guard along M and N; K = 5 begins with the remainder at k = -1, zero before 0.
// CHECK-LABEL: func.func @tail
// CHECK-DAG: %[[GRID:[a-z0-9_-]+]] = arith.constant 9 : index
// CHECK: gpu.launch_func {{.*}} blocks in (%[[GRID]],
// CHECK-DAG: %[[STEPS:[a-z0-9_-]+]] = arith.constant 3 : index
// CHECK-DAG: %[[FIRST:[a-z0-9_-]+]] = arith.constant -1 : index
// CHECK: %{{.*}}, %[[ROW:[a-z0-9_-]+]], %[[COLUMN:[a-z0-9_-]+]] = tile.coord
// CHECK-DAG: %[[M:[a-z0-9_-]+]] = arith.minsi %[[ROW]], %c5
// CHECK-DAG: %[[N:[a-z0-9_-]+]] = arith.minsi %[[COLUMN]], %c7
// CHECK: scf.for %[[STEP:[a-z0-9_-]+]] = %{{.*}} to %[[STEPS]]
// CHECK:   %[[DISTANCE:[a-z0-9_-]+]] = arith.muli %[[STEP]], %{{.*}}
// CHECK:   %[[K:[a-z0-9_-]+]] = arith.addi %[[DISTANCE]], %[[FIRST]]
// CHECK:   tile.load %{{.*}}[%[[M]], %[[K]]] edges <inside, zero> : memref<9x5xf32, strided<[5, 1]>>
// CHECK:   tile.load %{{.*}}[%[[K]], %[[N]]] edges <zero, inside> : memref<5x11xf32, strided<[11, 1]>>
// CHECK: tile.update {{.*}}[%[[M]], %[[N]]] edges <inside, inside> : {{.*}} memref<9x11xf32, strided<[11, 1]>>
func.func @tail(%a: memref<9x5xf32>, %b: memref<5x11xf32>, %c: memref<9x11xf32>) {
  blas.gemm ins(%a, %b : memref<9x5xf32>, memref<5x11xf32>) outs(%c : memref<9x11xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// Dynamic sizes, strides and offset cross as numbers; an empty C launches nothing; K = 0 reads nothing.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[TILES_M:[a-z0-9_-]+]] = arith.ceildivui
// CHECK: %[[TILES_N:[a-z0-9_-]+]] = arith.ceildivui
// CHECK: %[[GRID:[a-z0-9_-]+]] = arith.muli %[[TILES_M]], %[[TILES_N]]
// CHECK: %[[ANY:[a-z0-9_-]+]] = arith.cmpi ne, %[[GRID]], %{{.*}}
// CHECK: scf.if %[[ANY]] {
// CHECK:   gpu.launch_func {{.*}} blocks in (%[[GRID]],
// CHECK: args = [<pointer a align 8>, <offset a>, <size a>, <size a[1]>, <stride a>, <stride a[1]>, <pointer b align 8>, <size b>, <size b[1]>, <stride b>, <pointer c align 8>, <size c>, <size c[1]>, <stride c>, <scalar alpha>, <scalar beta>]
// CHECK: %[[SUM:[a-z0-9_-]+]] = tile.fill
// CHECK: %[[STEPS:[a-z0-9_-]+]] = arith.ceildivui %[[K:[a-z0-9_-]+]], %[[TWO:[a-z0-9_-]+]] : index
// CHECK: %[[COVERED:[a-z0-9_-]+]] = arith.muli %[[STEPS]], %[[TWO]]
// CHECK: %[[FIRST:[a-z0-9_-]+]] = arith.subi %[[K]], %[[COVERED]]
// CHECK: %[[POSITIVE:[a-z0-9_-]+]] = arith.cmpi sgt, %[[STEPS]], %{{.*}}
// CHECK: %[[SCALED:[a-z0-9_-]+]] = arith.cmpf une, %{{.*}}, %{{.*}} : f64
// CHECK: %[[PRODUCT:[a-z0-9_-]+]] = arith.andi %[[POSITIVE]], %[[SCALED]]
// CHECK: %[[TOTAL:[a-z0-9_-]+]] = scf.if %[[PRODUCT]]
// CHECK:   scf.for %{{.*}} = %{{.*}} to %[[STEPS]]
// CHECK: } else {
// CHECK:   scf.yield %[[SUM]]
// CHECK: tile.update %[[TOTAL]], {{.*}} alpha(%{{.*}} : f64) beta(%{{.*}} : f64) edges <guard, guard> :
func.func @dynamic(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %b: memref<?x?xf64>,
                   %c: memref<?x?xf64>, %alpha: f64, %beta: f64) {
  blas.gemm ins(%a, %b : memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64>)
            outs(%c : memref<?x?xf64>) alpha(%alpha : f64) beta(%beta : f64)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// With beta the neighbour's part of a moved tile is not written again.
// CHECK-LABEL: gpu.func @gemm_f32_nn_4x4x2
// CHECK: %{{.*}}, %[[ROW:[a-z0-9_-]+]], %[[COLUMN:[a-z0-9_-]+]] = tile.coord
// CHECK: %[[M:[a-z0-9_-]+]] = arith.minsi %[[ROW]], %c5
// CHECK: tile.update %{{.*}}, %{{.*}}[%[[M]], %[[COLUMN]]] beta(%{{.*}} : f32) from(%[[ROW]], %[[COLUMN]]) edges <inside, inside>
func.func @moved_with_beta(%a: memref<9x4xf32>, %b: memref<4x8xf32>, %c: memref<9x8xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<9x4xf32>, memref<4x8xf32>) outs(%c : memref<9x8xf32>) beta(%beta : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// One K step: the loop over steps is gone. A batch with one B for all; the first coordinate moves A and C.
// CHECK-LABEL: func.func @batch
// CHECK-DAG: %[[GRID:[a-z0-9_-]+]] = arith.constant 3 : index
// CHECK: gpu.launch_func {{.*}} blocks in (%[[GRID]],
// CHECK: %[[BATCH:[a-z0-9_-]+]], %{{.*}}, %{{.*}} = tile.coord
// CHECK: %[[OFFSET_A:[a-z0-9_-]+]] = arith.muli %[[BATCH]], %c8
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET_A]]], sizes: [4, 2], strides: [2, 1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 4], strides: [4, 1]
// CHECK: %[[OFFSET_C:[a-z0-9_-]+]] = arith.muli %[[BATCH]], %c16
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET_C]]], sizes: [4, 4], strides: [4, 1]
// CHECK-COUNT-2: tile.store
// CHECK: scf.for
// CHECK: } {tile.slices}
// CHECK-NOT: tile.steps
// CHECK: tile.update
func.func @batch(%a: memref<3x4x2xf32>, %b: memref<2x4xf32>, %c: memref<3x4x4xf32>) {
  blas.gemm ins(%a, %b : memref<3x4x2xf32>, memref<2x4xf32>) outs(%c : memref<3x4x4xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// Both transposed: strides are exchanged, and accesses lie along M of A and K of B, which are contiguous.
// C is column-major: its rows are not contiguous, so it is written by single elements.
// CHECK-DAG: #[[ALONG_M:.*]] = #tile.map<threads = [2:(4, 0), 2:(0, 1)], values = [4:(1, 0), 2:(0, 2)]>
// CHECK-DAG: #[[ALONG_K:.*]] = #tile.map<threads = [4:(0, 1)], values = [4:(1, 0), 2:(0, 4)]>
// CHECK-LABEL: func.func @transposed
// CHECK: gpu.func @gemm_f32_tt_8x8x4({{.*}} {llvm.align = 16 : i64, {{.*}} {llvm.align = 16 : i64, {{.*}} {llvm.align = 4 : i64,
// CHECK: %[[SCALE:[a-z0-9_-]+]] = arith.constant 2.000000e+00 : f32
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [16, 8], strides: [1, 16]
// CHECK: tile.alloc : !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [8, 16], strides: [1, 8]
// CHECK: tile.alloc : !tile.buffer<1 x 4x8xf32, strides = [12, 1]>
// CHECK: tile.load {{.*}} vector 4 : {{.*}} -> !tile.matrix<8x4xf32, #[[ALONG_M]]>
// CHECK: tile.load {{.*}} vector 4 : {{.*}} -> !tile.matrix<4x8xf32, #[[ALONG_K]]>
// CHECK: tile.update {{.*}} alpha(%[[SCALE]] : f32) edges <inside, inside> : {{.*}}, memref<16x16xf32, strided<[1, 16]>>
func.func @transposed(%a: memref<8x16xf32>, %b: memref<16x8xf32>,
                      %c: memref<16x16xf32, strided<[1, 16]>>) {
  %two = arith.constant 2.0 : f32
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<8x16xf32>, memref<16x8xf32>)
            outs(%c : memref<16x16xf32, strided<[1, 16]>>) alpha(%two : f32)
    plan(<macro = [8, 8, 4], micro = [4, 4], lanes = [2, 2], vector = 4,
          a = <via = shared, vector = 4>, b = <via = shared, vector = 4, pad = 4>, stages = 1>)
  return
}

// -----

// A column stored as memref<64x1> and transposed is one row, contiguous along K although both strides
// are 1: accesses of 4 along M would begin before the matrix.
// CHECK-DAG: #[[ALONG_K:.*]] = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1), 2:(4, 0)]>
// CHECK-LABEL: func.func @row
// CHECK: tile.load {{.*}} edges <clamp, inside> vector 4 : memref<1x64xf32, strided<[1, 1]>> -> !tile.matrix<8x4xf32, #[[ALONG_K]]>
func.func @row(%a: memref<64x1xf32>, %b: memref<64x64xf32>, %c: memref<1x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<64x1xf32>, memref<64x64xf32>) outs(%c : memref<1x64xf32>)
    plan(<macro = [8, 8, 4], micro = [4, 4], lanes = [2, 2], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared>>)
  return
}

// -----

// A through shared memory, B straight to the fragments: no ring for B, and none counted.
// CHECK-LABEL: func.func @direct
// CHECK: sharedBytes = 256
// CHECK: %[[GLOBAL_B:[a-z0-9_-]+]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 8]
// CHECK-NOT: tile.alloc
// CHECK: scf.for
// CHECK:   %[[K:[a-z0-9_-]+]] = arith.muli
// CHECK:   scf.for %[[SLICE:[a-z0-9_-]+]] =
// CHECK:     tile.load %{{.*}} : !tile.buffer
// CHECK:     %[[ROW:[a-z0-9_-]+]] = arith.addi %[[K]], %[[SLICE]]
// CHECK:     tile.load %[[GLOBAL_B]][%[[ROW]], %{{.*}}] edges <inside, inside> vector 2 : {{.*}} -> !tile.matrix<1x4xf32
func.func @direct(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = register, vector = 2>>)
  return
}

// -----

// K = 0: no load at all, C becomes beta * C.
// CHECK-LABEL: func.func @empty_sum
// CHECK: %[[SUM:[a-z0-9_-]+]] = tile.fill
// CHECK-NOT: tile.load
// CHECK: tile.update %[[SUM]], {{.*}} beta(
func.func @empty_sum(%a: memref<8x0xf32>, %b: memref<0x8xf32>, %c: memref<8x8xf32>, %beta: f32) {
  %d = memref.cast %c : memref<8x8xf32> to memref<?x?xf32>
  blas.gemm ins(%a, %b : memref<8x0xf32>, memref<0x8xf32>) outs(%d : memref<?x?xf32>) beta(%beta : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// Two operations of one shape: two kernels, told apart; stages of 3 elements begin at multiples of 128 bytes.
// CHECK-LABEL: func.func @two
// CHECK: gpu.launch_func @[[FIRST:.*]]::@gemm_f32_nn_3x3x1
// CHECK: gpu.launch_func @[[SECOND:.*]]::@gemm_f32_nn_3x3x1
// CHECK: gpu.module @[[FIRST]] {
// CHECK: sharedBytes = 512
// CHECK: gpu.module @[[SECOND]] {
func.func @two(%a: memref<3x1xf32>, %b: memref<1x3xf32>, %c: memref<3x3xf32>) {
  blas.gemm ins(%a, %b : memref<3x1xf32>, memref<1x3xf32>) outs(%c : memref<3x3xf32>)
    plan(<macro = [3, 3, 1], micro = [1, 3], lanes = [3, 1], a = <via = shared>, b = <via = shared>>)
  blas.gemm ins(%a, %b : memref<3x1xf32>, memref<1x3xf32>) outs(%c : memref<3x3xf32>)
    plan(<macro = [3, 3, 1], micro = [1, 3], lanes = [3, 1], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// tail = guard moves nothing: rows and columns beyond the edge read the nearest one, and are not stored.
// CHECK-LABEL: func.func @guard
// CHECK-NOT: arith.minsi
// CHECK: tile.load %{{.*}} edges <clamp, zero>
// CHECK: tile.load %{{.*}} edges <zero, inside>
// CHECK: tile.update {{.*}} edges <guard, inside>
func.func @guard(%a: memref<9x5xf32>, %b: memref<5x8xf32>, %c: memref<9x8xf32>) {
  blas.gemm ins(%a, %b : memref<9x5xf32>, memref<5x8xf32>) outs(%c : memref<9x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>, tail = guard>)
  return
}

// -----

// Facts about dynamic sizes: M holds a tile, so the last one is moved back; N and K divide; accesses
// are as wide as what is given of pointers and strides allows.
// CHECK-LABEL: func.func @given
// CHECK: args = [<pointer a align 16>, {{.*}}<pointer b align 8>, {{.*}}<pointer c align 8>
// CHECK: %[[LAST:[a-z0-9_-]+]] = arith.subi %{{.*}}, %c4
// CHECK: %[[M:[a-z0-9_-]+]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK: tile.load %{{.*}}[%[[M]], %{{.*}}] edges <inside, inside> vector 4
// CHECK: tile.load %{{.*}} edges <inside, inside> vector 2
// CHECK: tile.update {{.*}}[%[[M]], %{{.*}}] edges <inside, inside> vector 2
func.func @given(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    given(<m = <least = 5>, n = <multiple = 8>, k = <multiple = 4>, a = 4, b = 2, c = 4>)
    plan(<macro = [4, 4, 4], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, vector = 4>, b = <via = shared, vector = 2>>)
  return
}
