// A tile program as the code of one thread: registers, index arithmetic, vector accesses.
// RUN: gemm-opt %s --pass-pipeline='builtin.module(gpu.module(micro-tile,canonicalize,cse))' \
// RUN:   | FileCheck %s
// Nothing of the tile dialect is left.
// RUN: gemm-opt %s --pass-pipeline='builtin.module(gpu.module(micro-tile))' \
// RUN:   | FileCheck %s --check-prefix=GONE --implicit-check-not="tile."
// GONE: gpu.func @fill_mma

!acc = !tile.matrix<16x16xf32, <threads = [8:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>
!a_tile = !tile.matrix<16x8xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>>
!a_ring = !tile.buffer<2 x 16x8xf32, strides = [1, 20]>
!a_slot = !tile.buffer<1 x 16x8xf32, strides = [1, 20]>
!a_slice = !tile.buffer<1 x 16x1xf32, strides = [1, 20]>
!a_part = !tile.matrix<16x1xf32, <threads = [8:(0, 0), 8:(1, 0)], values = [2:(8, 0)]>>
!b_part = !tile.matrix<1x16xf32, <threads = [8:(0, 2), 8:(0, 0)], values = [2:(0, 1)]>>

gpu.module @kernels {
  // Each thread holds 2 x 2 elements of C in two runs of 2: 4 multiply-adds, 2 vector stores.
  // CHECK-LABEL: gpu.func @fill_mma
  // CHECK-SAME:      %[[C:.*]]: memref<f32>, %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32
  // CHECK:         %[[PRODUCT:.*]] = math.fma %[[X]], %[[Y]], %[[Z]] : f32
  // CHECK:         %[[T:.*]] = gpu.thread_id x
  // CHECK:         %[[ROW:.*]] = arith.divui %[[T]], %c8
  // CHECK:         %[[GROUP:.*]] = arith.remui %[[T]], %c8
  // CHECK:         %[[COLUMN:.*]] = arith.muli %[[GROUP]], %c2
  // CHECK:         %[[PAIR:.*]] = vector.from_elements %[[PRODUCT]], %[[PRODUCT]] : vector<2xf32>
  // CHECK-COUNT-2: vector.store %[[PAIR]], %{{.*}} {alignment = 8 : i64}
  // CHECK-NEXT:    gpu.return
  gpu.func @fill_mma(%c: memref<f32>, %x: f32, %y: f32, %z: f32) kernel {
    %c0 = arith.constant 0 : index
    %a = tile.fill %x : f32 -> !a_part
    %b = tile.fill %y : f32 -> !b_part
    %acc = tile.fill %z : f32 -> !acc
    %new = tile.mma %a, %b, %acc : !a_part, !b_part, !acc
    %out = memref.reinterpret_cast %c to offset: [0], sizes: [16, 16], strides: [16, 1]
      : memref<f32> to memref<16x16xf32, strided<[16, 1]>>
    tile.update %new, %out[%c0, %c0] edges <inside, inside> vector 2
      : !acc, memref<16x16xf32, strided<[16, 1]>>
    gpu.return
  }

  // Rows beyond the edge are clamped to the last one, columns beyond it are zero; a slot of 156
  // elements (7 * 20 + 16) of the ring is the counter modulo 2.
  // CHECK-LABEL: gpu.func @shared
  // CHECK:         %[[SHARED:.*]] = gpu.dynamic_shared_memory
  // CHECK:         %[[RING:.*]] = memref.view %[[SHARED]][%c0][] {{.*}} to memref<312xf32,
  // CHECK:         arith.minsi %{{.*}}, %c14
  // CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c20
  // CHECK:         %[[LOADED:.*]] = memref.load
  // CHECK:         %[[VALUE:.*]] = arith.select %[[INSIDE]], %[[LOADED]], %cst
  // CHECK:         %[[SLOT:.*]] = arith.remui %{{.*}}, %c2
  // CHECK:         arith.muli %[[SLOT]], %c156
  // CHECK:         memref.store %[[VALUE]], %[[RING]]
  // CHECK:         memref.store {{.*}}, %[[RING]]
  // CHECK:         gpu.barrier
  // CHECK:         memref.load %[[RING]]
  // CHECK:         memref.load %[[RING]]
  gpu.func @shared(%p: memref<f32>, %q: memref<f32>, %i: index, %s: index) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.reinterpret_cast %p to offset: [0], sizes: [15, 20], strides: [20, 1]
      : memref<f32> to memref<15x20xf32, strided<[20, 1]>>
    %ring = tile.alloc : !a_ring
    %tile = tile.load %m[%c0, %i] edges <clamp, zero> : memref<15x20xf32, strided<[20, 1]>> -> !a_tile
    %slot = tile.view %ring[%s] [%c0, %c0] : !a_ring -> !a_slot
    tile.store %tile, %slot : !a_tile, !a_slot
    gpu.barrier
    %slice = tile.view %ring[%s] [%c0, %i] : !a_ring -> !a_slice
    %a = tile.load %slice : !a_slice -> !a_part
    %out = memref.reinterpret_cast %q to offset: [0], sizes: [16, 1], strides: [1, 1]
      : memref<f32> to memref<16x1xf32, strided<[1, 1]>>
    tile.update %a, %out[%c0, %c0] edges <inside, inside> : !a_part, memref<16x1xf32, strided<[1, 1]>>
    gpu.return
  }

  // The rows of C beyond the edge are neither read nor written; with beta = 0 at run time C is not
  // read at all.
  // CHECK-LABEL: gpu.func @guard
  // CHECK-SAME:      %[[BETA:[a-z0-9]+]]: f32) kernel
  // CHECK:         %[[READS:.*]] = arith.cmpf une, %[[BETA]], %cst
  // CHECK:         scf.if %[[READS]] {
  // CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %c15
  // CHECK:           scf.if %[[INSIDE]] {
  // CHECK:             vector.load
  // CHECK:             math.fma %[[BETA]]
  // CHECK:             vector.store
  // CHECK:         } else {
  // CHECK-NOT:       vector.load
  // CHECK:           scf.if
  // CHECK-NOT:       vector.load
  // CHECK:             vector.store
  // CHECK-NOT:       vector.load
  // CHECK:         gpu.return
  gpu.func @guard(%p: memref<f32>, %acc: f32, %alpha: f32, %beta: f32) kernel {
    %c0 = arith.constant 0 : index
    %m = memref.reinterpret_cast %p to offset: [0], sizes: [15, 16], strides: [16, 1]
      : memref<f32> to memref<15x16xf32, strided<[16, 1]>>
    %f = tile.fill %acc : f32 -> !acc
    tile.update %f, %m[%c0, %c0] alpha(%alpha : f32) beta(%beta : f32) edges <guard, inside> vector 2
      : !acc, memref<15x16xf32, strided<[16, 1]>>
    gpu.return
  }
}
