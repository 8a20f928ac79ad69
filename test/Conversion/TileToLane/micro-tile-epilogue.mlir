// The function of an epilogue for each element; what rows or columns share is read once.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

#accumulator = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
!acc = !tile.matrix<4x4xf32, #accumulator>

gpu.module @kernels {
// CHECK-LABEL: gpu.func @update
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: memref<f32>, %[[COLUMN:[a-z0-9]+]]: memref<f16>, %[[R:[a-z0-9]+]]: memref<f32>, %[[S:[a-z0-9]+]]: f32)
// CHECK-DAG: %[[FLAT_BIAS:.*]] = memref.reinterpret_cast %[[BIAS]]
// CHECK-DAG: %[[FLAT_COLUMN:.*]] = memref.reinterpret_cast %[[COLUMN]]
// CHECK-DAG: %[[FLAT_R:.*]] = memref.reinterpret_cast %[[R]]
// The bias of columns, before the conditions of rows.
// CHECK: %[[ACCESS:.*]] = vector.load %[[FLAT_BIAS]][%{{.*}}] {{.*}} vector<2xf32>
// CHECK: %[[B:.*]]:2 = vector.to_elements %[[ACCESS]]
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = memref.load %[[FLAT_COLUMN]]
// CHECK: %[[PAIR:.*]] = vector.load %[[FLAT_R]][%{{.*}}] {{.*}} vector<2xf32>
// CHECK: %[[Z:.*]]:2 = vector.to_elements %[[PAIR]]
// CHECK: %[[T:.*]] = arith.addf %{{.*}}, %[[B]]#0 : f32
// 16-bit arithmetic in f32, rounded after each operation.
// CHECK: %[[H:.*]] = arith.extf %[[ROW]] : f16 to f32
// CHECK: %[[D:.*]] = arith.addf %[[H]], %[[H]] : f32
// CHECK: %[[N:.*]] = arith.truncf %[[D]] : f32 to f16
// CHECK: %[[E:.*]] = arith.extf %[[N]] : f16 to f32
// CHECK: %[[U:.*]] = arith.addf %[[T]], %[[E]] : f32
// CHECK: %[[V:.*]] = arith.addf %[[U]], %[[Z]]#0 : f32
// CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[S]] : f32
// CHECK-NOT: vector.load %[[FLAT_BIAS]]
gpu.func @update(%c: memref<f32>, %bias: memref<f32>, %column: memref<f16>, %r: memref<f32>, %s: f32) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %C = memref.reinterpret_cast %c to offset: [0], sizes: [3, 4], strides: [4, 1] : memref<f32> to memref<3x4xf32, strided<[4, 1]>>
  %X = memref.reinterpret_cast %bias to offset: [0], sizes: [3, 4], strides: [0, 1] : memref<f32> to memref<3x4xf32, strided<[0, 1]>>
  %Y = memref.reinterpret_cast %column to offset: [0], sizes: [3, 4], strides: [1, 0] : memref<f16> to memref<3x4xf16, strided<[1, 0]>>
  %Z = memref.reinterpret_cast %r to offset: [0], sizes: [3, 4], strides: [4, 1] : memref<f32> to memref<3x4xf32, strided<[4, 1]>>
  %acc = tile.load %Z[%c0, %c0] edges <clamp, inside> vector 2 : memref<3x4xf32, strided<[4, 1]>> -> !acc
  tile.update %acc, %C[%c0, %c0] edges <guard, inside> vector 2 : !acc, memref<3x4xf32, strided<[4, 1]>>
    epilogue(%sum: f32, %x = %X[2] : memref<3x4xf32, strided<[0, 1]>>, %y = %Y[1] : memref<3x4xf16, strided<[1, 0]>>, %z = %Z[2] : memref<3x4xf32, strided<[4, 1]>>, %w = %s : f32) {
      %0 = arith.addf %sum, %x : f32
      %1 = arith.addf %y, %y : f16
      %2 = arith.extf %1 : f16 to f32
      %3 = arith.addf %0, %2 : f32
      %4 = arith.addf %3, %z : f32
      %5 = arith.mulf %4, %w : f32
      tile.yield %5 : f32
    }
  gpu.return
}
}
