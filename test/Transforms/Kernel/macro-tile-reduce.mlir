// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s

// Four workgroups to a tile of partial sums, each with a share of the 8 steps of K.
// CHECK-LABEL: gpu.func @gemm_f32_nn_16x16x8_partial(
// CHECK-SAME:    splits = 3
// CHECK:         %[[BATCH:.*]], %[[M:.*]], %[[N:.*]], %[[SPLIT:.*]] = tile.coord %{{.*}}, %{{.*}} tile [16, 16] splits 3
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[SPLIT]], %c1536
// CHECK:         %[[SLICE:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [32, 48], strides: [48, 1]
// CHECK:         %[[FIRST:.*]] = arith.muli %[[SPLIT]], %c8
// CHECK:         %[[LEFT:.*]] = arith.subi %c10, %[[SPLIT]]
// CHECK:         %[[COUNT:.*]] = arith.divui %[[LEFT]], %c3
// CHECK:         scf.for %{{.*}} = %c0 to %[[COUNT]]
// CHECK:           %[[STEP:.*]] = arith.muli %{{.*}}, %c24
// CHECK:           arith.addi %[[FIRST]], %[[STEP]]
// CHECK:         } {tile.least_steps = 2 : i64, tile.steps}
// CHECK:         tile.update %{{.*}}, %[[SLICE]][%[[M]], %[[N]]]

// A sum in order, one tile of C to a workgroup; sizes that the tile does not divide are guarded.
// CHECK-LABEL: gpu.func @reduce_f32(
// CHECK-SAME:    <pointer w align 16>, <pointer c align 16>, <scalar beta>], tile = [8, 32], output = [{{[0-9?]+, [0-9?]+}}], workgroup = 64
// CHECK:         %[[BATCH:.*]], %[[M:.*]], %[[N:.*]] = tile.coord
// CHECK:         %[[SUM:.*]] = scf.for %[[S:.*]] = %c0 to %c3 step %c1 iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK:           %[[PART:.*]] = tile.load %{{.*}}[%[[M]], %[[N]]] edges <inside, clamp> vector 4
// CHECK:           %[[NEW:.*]] = tile.add %[[OLD]], %[[PART]]
// CHECK:           scf.yield %[[NEW]]
// CHECK:         tile.update %[[SUM]], %{{.*}}[%[[M]], %[[N]]] beta(%{{.*}} : f32) edges <inside, guard> vector 4
func.func @workspace(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %w: memref<3x32x48xf32>, %c: memref<32x48xf32>, %beta: f32) {
  blas.gemm partial ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%w : memref<3x32x48xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 3>)
  blas.reduce ins(%w : memref<3x32x48xf32>) outs(%c : memref<32x48xf32>) beta(%beta : f32)
    plan(<tile = [8, 32], threads = 64, vector = 4>)
  return
}

// Additions to C, where no element may be added twice: a tile that was moved inside leaves its
// neighbour's part out. With more splits than steps some have nothing to do.
// CHECK-LABEL: gpu.func @gemm_f32_nn_16x16x8(
// CHECK:         tile.coord %{{.*}}, %{{.*}} tile [16, 16] splits 9
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// CHECK:         scf.if %[[SOME]]
// CHECK:           scf.for
// CHECK:         } else {
// CHECK:         tile.update atomic %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] from(%{{.*}}, %{{.*}}) edges <inside, inside>
func.func @atomic(%a: memref<33x64xf32>, %b: memref<64x48xf32>, %c: memref<33x48xf32>) {
  %one = arith.constant 1.0 : f32
  blas.gemm anyOrder ins(%a, %b : memref<33x64xf32>, memref<64x48xf32>) outs(%c : memref<33x48xf32>)
    beta(%one : f32)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = atomic, splits = 9>)
  return
}

// A cluster: every workgroup shows its sums and adds up those of all, in order, in its own rows.
// CHECK-LABEL: gpu.func @gemm_f32_nn_16x16x8(
// CHECK-SAME:    splits = 2, cluster = 2>
// CHECK:         %{{.*}}, %[[M:.*]], %[[N:.*]], %[[SPLIT:.*]] = tile.coord %{{.*}}, %{{.*}} tile [16, 16] splits 2
// CHECK:         %[[FIRST:.*]] = arith.muli %[[SPLIT]], %c8
// CHECK:         %[[BUFFER:.*]] = tile.alloc over : !tile.buffer<1 x 16x16xf32, strides = [16, 1]>
// CHECK:         %[[OWN:.*]] = tile.view %[[BUFFER]][%c0] [%c0, %c0]
// CHECK-NEXT:    tile.store %{{.*}}, %[[OWN]]
// CHECK:         tile.view %[[BUFFER]][%c0] [%[[FIRST]], %c0] peer %c0
// CHECK:         %[[A:.*]] = tile.load
// CHECK:         tile.view %[[BUFFER]][%c0] [%[[FIRST]], %c0] peer %c1
// CHECK:         %[[B:.*]] = tile.load
// CHECK:         %[[SUM:.*]] = tile.add %[[A]], %[[B]]
// CHECK:         %[[ROW:.*]] = arith.addi %[[M]], %[[FIRST]]
// CHECK:         tile.update %[[SUM]], %{{.*}}[%[[ROW]], %[[N]]]
func.func @cluster(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>) {
  blas.gemm ins(%a, %b : memref<32x64xf32>, memref<64x48xf32>) outs(%c : memref<32x48xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = cluster, splits = 2>)
  return
}

// Groups of threads share out the slices of a row of C: one above the other, zeros after the last
// one. Their sums are added up in shared memory: 16 parts in two turns.
// CHECK-LABEL: gpu.func @reduce_f64(
// CHECK-SAME:    tile = [1, 4], output = [{{[0-9?]+, [0-9?]+}}], workgroup = 64, sharedBytes = 768
// CHECK:         %[[ROW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [100, 7], strides: [35, 1]
// CHECK:         %[[SUMS:.*]] = scf.for %[[S:.*]] = %c0 to %c100 step %c16
// CHECK:           tile.load %[[ROW]][%[[S]], %{{.*}}] edges <zero, clamp> : {{.*}} -> !tile.matrix<16x4xf64
// CHECK:         tile.store %[[SUMS]], %{{.*}} : !tile.matrix<16x4xf64
// CHECK:         tile.load {{.*}} -> !tile.matrix<4x4xf64
// CHECK-COUNT-3: tile.add
// CHECK-NEXT:    %{{.*}} = tile.alloc over
// CHECK:         tile.load {{.*}} -> !tile.matrix<1x4xf64
// CHECK:         tile.update
func.func @groups(%w: memref<100x5x7xf64>, %c: memref<5x7xf64>) {
  blas.reduce ins(%w : memref<100x5x7xf64>) outs(%c : memref<5x7xf64>)
    plan(<tile = [1, 4], threads = 64, vector = 1, groups = 16>)
  return
}
