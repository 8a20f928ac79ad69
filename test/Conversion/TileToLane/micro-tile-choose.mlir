// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

#two = #tile.map<threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1), 2:(2, 0)]>
!tile = !tile.matrix<4x4xf32, #two>
!C = memref<8x8xf32, strided<[8, 1]>>

gpu.module @kernels {

// Row minus column of a thread's first element decides, with those of its others: 0, -1, 2, 1 more.
// CHECK-LABEL: gpu.func @lower
// CHECK:         %[[TILE:.*]] = arith.subi %{{.*}}, %{{.*}} : index
// CHECK:         %[[NEAR:.*]] = arith.minsi %[[TILE]], %c1073741824
// CHECK:         arith.maxsi %[[NEAR]], %c-1073741824
// CHECK:         %[[D:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[I0:.*]] = arith.cmpi sge, %[[D]], %c0_i32
// CHECK:         arith.select %[[I0]], %{{.*}}, %{{.*}} : f32
// CHECK:         %[[I1:.*]] = arith.cmpi sge, %[[D]], %c1_i32
// CHECK:         arith.select %[[I1]], %{{.*}}, %{{.*}} : f32
// CHECK:         arith.cmpi sge, %[[D]], %c-2_i32
// CHECK:         arith.cmpi sge, %[[D]], %c-1_i32
gpu.func @lower(%p: memref<f32>, %m: index, %n: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !C
  %zero = arith.constant 0.0 : f32
  %inside = tile.load %a[%m, %n] : !C -> !tile
  %outside = tile.fill %zero : f32 -> !tile
  %w = tile.choose lower %inside, %outside at [%m, %n] : !tile
  tile.update %w, %a[%m, %n] : !tile, !C
  gpu.return
}

// CHECK-LABEL: gpu.func @strictly_upper
// CHECK-COUNT-4: arith.cmpi slt
gpu.func @strictly_upper(%p: memref<f32>, %m: index, %n: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !C
  %one = arith.constant 1.0 : f32
  %inside = tile.load %a[%m, %n] : !C -> !tile
  %outside = tile.fill %one : f32 -> !tile
  %w = tile.choose strict upper %inside, %outside at [%m, %n] : !tile
  tile.update %w, %a[%m, %n] : !tile, !C
  gpu.return
}

// 3 x 2 tiles from the last one back.
// CHECK-LABEL: gpu.func @backwards
// CHECK:         %[[M:.*]] = arith.subi %c2_i32, %{{.*}} : i32
// CHECK:         %[[N:.*]] = arith.subi %c1_i32, %{{.*}} : i32
// CHECK:         arith.index_castui %[[M]]
// CHECK:         arith.index_castui %[[N]]
gpu.func @backwards(%out: memref<2xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 12 : index
  %columns = arith.constant 8 : index
  %batch, %m, %n = tile.coord %rows, %columns backwards tile [4, 4]
  memref.store %m, %out[%c0] : memref<2xindex>
  memref.store %n, %out[%c1] : memref<2xindex>
  gpu.return
}
}
