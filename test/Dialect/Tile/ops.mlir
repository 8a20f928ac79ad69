// Every operation of the tile dialect, as printed and read back.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s

!acc = !tile.matrix<16x16xf32, <threads = [8:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>
!a_tile = !tile.matrix<16x8xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>>
!a_part = !tile.matrix<16x1xf32, <threads = [8:(0, 0), 8:(1, 0)], values = [2:(8, 0)]>>
!b_part = !tile.matrix<1x16xf32, <threads = [8:(0, 2), 8:(0, 0)], values = [2:(0, 1)]>>
!a_ring = !tile.buffer<2 x 16x8xf32, strides = [1, 20]>
!a_slot = !tile.buffer<1 x 16x8xf32, strides = [1, 20]>
!a_slice = !tile.buffer<1 x 16x1xf32, strides = [1, 20]>

// CHECK-LABEL: func.func @program
func.func @program(%m: index, %n: index, %x: f32, %a: memref<?x?xf32>, %c: memref<?x?xf32>,
                   %b: !b_part) -> !acc {
  %c0 = arith.constant 0 : index
  // CHECK: %[[BATCH:.*]], %[[ROW:.*]], %[[COLUMN:.*]] = tile.coord %{{.*}}, %{{.*}} tile [16, 16] raster 4
  %batch, %row, %column = tile.coord %m, %n tile [16, 16] raster 4
  // CHECK: tile.alloc : !tile.buffer<2 x 16x8xf32, strides = [1, 20]>
  %ring = tile.alloc : !a_ring
  // CHECK: tile.fill %{{.*}} : f32 -> !tile.matrix<16x16xf32, <threads = [8:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>
  %zero = tile.fill %x : f32 -> !acc
  // CHECK: tile.load %{{.*}}[%[[ROW]], %{{.*}}] edges <clamp, zero> : memref<?x?xf32> -> !tile.matrix<16x8xf32
  %tile = tile.load %a[%row, %c0] edges <clamp, zero> : memref<?x?xf32> -> !a_tile
  // CHECK: tile.view %{{.*}}[%{{.*}}] [%{{.*}}, %{{.*}}] : !tile.buffer<2 x 16x8xf32, strides = [1, 20]> -> !tile.buffer<1 x 16x8xf32, strides = [1, 20]>
  %slot = tile.view %ring[%c0] [%c0, %c0] : !a_ring -> !a_slot
  // CHECK: tile.store
  tile.store %tile, %slot : !a_tile, !a_slot
  %slice = tile.view %ring[%c0] [%c0, %c0] : !a_ring -> !a_slice
  // CHECK: tile.load %{{.*}} : !tile.buffer<1 x 16x1xf32, strides = [1, 20]> -> !tile.matrix<16x1xf32
  %part = tile.load %slice : !a_slice -> !a_part
  // CHECK: tile.mma
  %sum = tile.mma %part, %b, %zero : !a_part, !b_part, !acc
  // CHECK: tile.update %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]] alpha(%{{.*}} : f32) beta(%{{.*}} : f32) edges <guard, guard> vector 2
  tile.update %sum, %c[%row, %column] alpha(%x : f32) beta(%x : f32) edges <guard, guard> vector 2
    : !acc, memref<?x?xf32>
  return %sum : !acc
}
