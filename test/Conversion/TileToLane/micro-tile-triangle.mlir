// A triangle of tiles is walked in pairs of rows; what lies beyond the diagonal is neither read nor written.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

#two = #tile.map<threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1), 2:(2, 0)]>
!sum = !tile.matrix<4x4xf32, #two>
!C = memref<?x?xf32, strided<[8, 1]>>

gpu.module @kernels {

// 3 x 3 tiles: 6 of them in 2 pairs of 3, the first of which is the last row alone.
// CHECK-LABEL: gpu.func @lower
// CHECK: %[[X:[a-z0-9_]+]] = arith.index_castui
// CHECK: %[[BATCH:[a-z0-9_]+]] = arith.divui %[[X]], %c6_i32
// CHECK: %[[Y:[a-z0-9_]+]] = arith.remui %[[X]], %c6_i32
// CHECK: %[[PAIR:[a-z0-9_]+]] = arith.divui %[[Y]], %c3_i32
// CHECK: %[[PLACE:[a-z0-9_]+]] = arith.remui %[[Y]], %c3_i32
// CHECK: %[[LONG:[a-z0-9_]+]] = arith.subi %c2_i32, %[[PAIR]]
// CHECK: %[[IN_LONG:[a-z0-9_]+]] = arith.cmpi ule, %[[PLACE]], %[[LONG]]
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.select %[[IN_LONG]], %[[LONG]], %{{.*}}
// CHECK: %[[COLUMN:[a-z0-9_]+]] = arith.select %[[IN_LONG]], %[[PLACE]], %{{.*}}
// CHECK: arith.index_castui %[[BATCH]]
// CHECK: arith.index_castui %[[ROW]]
// CHECK: arith.index_castui %[[COLUMN]]
gpu.func @lower(%out: memref<3xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %size = arith.constant 9 : index
  %batch, %m, %n = tile.coord %size, %size triangle lower tile [4, 4]
  memref.store %batch, %out[%c0] : memref<3xindex>
  memref.store %m, %out[%c1] : memref<3xindex>
  memref.store %n, %out[%c2] : memref<3xindex>
  gpu.return
}

// Rows and columns change places; of T tiles that are not known, pairs of T | 1; splits come first.
// CHECK-LABEL: gpu.func @upper
// CHECK: %[[X:[a-z0-9_]+]] = arith.index_castui
// CHECK: %[[TILE:[a-z0-9_]+]] = arith.divui %[[X]], %c2_i32
// CHECK: %[[T:[a-z0-9_]+]] = arith.index_castui
// CHECK: %[[WIDTH:[a-z0-9_]+]] = arith.ori %[[T]], %c1_i32
// CHECK: %[[NEXT:[a-z0-9_]+]] = arith.addi %[[T]], %c1_i32
// CHECK: %[[PAIRS:[a-z0-9_]+]] = arith.shrui %[[NEXT]], %c1_i32
// CHECK: %[[ALL:[a-z0-9_]+]] = arith.muli %[[PAIRS]], %[[WIDTH]]
// CHECK: %[[Y:[a-z0-9_]+]] = arith.remui %[[TILE]], %[[ALL]]
// CHECK: %[[ODD:[a-z0-9_]+]] = arith.andi %[[T]], %c1_i32
// CHECK: %[[PAIR:[a-z0-9_]+]] = arith.divui %[[Y]], %[[WIDTH]]
// CHECK: arith.subi %[[PAIR]], %[[ODD]]
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.select
// CHECK: %[[COLUMN:[a-z0-9_]+]] = arith.select
// CHECK: arith.index_castui %[[COLUMN]]
// CHECK: arith.index_castui %[[ROW]]
gpu.func @upper(%out: memref<3xindex>, %size: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %batch, %m, %n, %split = tile.coord %size, %size triangle upper tile [4, 4] splits 2
  memref.store %split, %out[%c0] : memref<3xindex>
  memref.store %m, %out[%c1] : memref<3xindex>
  memref.store %n, %out[%c2] : memref<3xindex>
  gpu.return
}

// A tile inside is written in runs, without a condition; one on the diagonal element by element.
// CHECK-LABEL: gpu.func @update
// CHECK-SAME: %{{.*}}: memref<f32>, %[[M:[a-z0-9_]+]]: index, %[[N:[a-z0-9_]+]]: index
// CHECK: %[[LAST:[a-z0-9_]+]] = arith.addi %[[N]], %c3
// CHECK: %[[INSIDE:[a-z0-9_]+]] = arith.cmpi sge, %[[M]], %[[LAST]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NOT: scf.if
// CHECK-COUNT-2: vector.store {{.*}} vector<2xf32>
// CHECK: } else {
// CHECK-NOT: memref.load
// CHECK: %[[FROM:[a-z0-9_]+]] = arith.subi
// CHECK: %[[SELF:[a-z0-9_]+]] = arith.cmpi sge, %[[FROM]], %c0
// CHECK: scf.if %[[SELF]] {
// CHECK: memref.load
// CHECK: memref.store
// CHECK: %[[NEIGHBOUR:[a-z0-9_]+]] = arith.cmpi sge, %[[FROM]], %c1
// CHECK: scf.if %[[NEIGHBOUR]] {
// CHECK: memref.store
// CHECK: arith.cmpi sge, %[[FROM]], %c-2
// CHECK: arith.cmpi sge, %[[FROM]], %c-1
gpu.func @update(%p: memref<f32>, %m: index, %n: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %c8 = arith.constant 8 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [%c8, %c8], strides: [8, 1] : memref<f32> to !C
  %sum = tile.fill %x : f32 -> !sum
  tile.update %sum, %C[%m, %n] beta(%one : f32) triangle lower vector 2 : !sum, !C
  gpu.return
}

// All reads of C come before the first write, those on the diagonal each under its condition.
// CHECK-LABEL: gpu.func @update_ahead
// CHECK: scf.if
// CHECK-COUNT-2: vector.load {{.*}} vector<2xf32>
// CHECK-COUNT-2: vector.store {{.*}} vector<2xf32>
// CHECK: } else {
// CHECK: %[[SELF:[a-z0-9_]+]] = arith.cmpi sge, %{{.*}}, %c0
// CHECK: scf.if %[[SELF]] -> (f32) {
// CHECK-NEXT: memref.load
// CHECK-NOT: memref.store
// CHECK: %[[NEIGHBOUR:[a-z0-9_]+]] = arith.cmpi sge, %{{.*}}, %c1
// CHECK: scf.if %[[NEIGHBOUR]] -> (f32) {
// CHECK: scf.if %[[SELF]] {
// CHECK: memref.store
// CHECK: scf.if %[[NEIGHBOUR]] {
// CHECK: memref.store
gpu.func @update_ahead(%p: memref<f32>, %m: index, %n: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %c8 = arith.constant 8 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [%c8, %c8], strides: [8, 1] : memref<f32> to !C
  %sum = tile.fill %x : f32 -> !sum
  tile.update %sum, %C[%m, %n] beta(%one : f32) triangle lower vector 2 ahead 4 : !sum, !C
  gpu.return
}

// The other triangle, within the edges of C.
// CHECK-LABEL: gpu.func @update_upper
// CHECK: %[[LAST:[a-z0-9_]+]] = arith.addi %{{.*}}, %c3
// CHECK: arith.cmpi sge, %{{.*}}, %[[LAST]]
// CHECK: } else {
// CHECK: arith.cmpi sle, %{{.*}}, %c0
gpu.func @update_upper(%p: memref<f32>, %m: index, %n: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c7 = arith.constant 7 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [%c7, %c7], strides: [8, 1] : memref<f32> to !C
  %sum = tile.fill %x : f32 -> !sum
  tile.update %sum, %C[%m, %n] triangle upper edges <guard, guard> : !sum, !C
  gpu.return
}
}
