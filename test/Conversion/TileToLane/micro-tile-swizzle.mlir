// Swizzled lines: fragments read a known line at another address or in another order, copies and
// stores compute the place of each thread once.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<2 x 16x32xf32, strides = [1, 20], swizzle = 4>
!slice = !tile.buffer<1 x 16x1xf32, strides = [1, 20], swizzle = 4>
!fine = !tile.buffer<1 x 16x32xf32, strides = [1, 20], swizzle = 1>
!line = !tile.buffer<1 x 16x1xf32, strides = [1, 20], swizzle = 1>
#rows = #tile.map<threads = [4:(4, 0), 8:(0, 0)], values = [4:(1, 0)]>
#tile = #tile.map<threads = [8:(0, 4), 4:(1, 0)], values = [4:(0, 1), 4:(4, 0)]>
!fragment = !tile.matrix<16x1xf32, #rows>
!matrix = !tile.matrix<16x32xf32, #tile>

gpu.module @kernels {

// Line 9 is in the second group: 4 elements away, 180 = 9 * 20.
// CHECK-LABEL: @fragment
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c4
// CHECK: arith.addi %{{.*}}, %c180
// CHECK: arith.xori %[[ROW]], %c4
// CHECK: vector.load {{.*}} vector<4xf32>
gpu.func @fragment(%out: memref<16x1xf32, strided<[1, 1]>>, %step: index) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %ring = tile.alloc : !ring
  %slice = tile.view %ring[%step] [%c0, %c9] : !ring -> !slice
  %fragment = tile.load %slice : !slice -> !fragment
  %sum = arith.addf %fragment, %fragment : !fragment
  tile.store %sum, %slice : !fragment, !slice
  gpu.return
}

// Line 17 is in the third group of a swizzle of single elements: the order in a run is 2 3 0 1.
// CHECK-LABEL: @permuted
// CHECK-NOT: arith.xori
// CHECK: %[[PIECE:.*]] = vector.load
// CHECK: %[[E:.*]]:4 = vector.to_elements %[[PIECE]]
// CHECK: vector.from_elements %[[E]]#2, %[[E]]#3, %[[E]]#0, %[[E]]#1
gpu.func @permuted() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c17 = arith.constant 17 : index
  %tile = tile.alloc : !fine
  %from = tile.view %tile[%c0] [%c0, %c17] : !fine -> !line
  %to = tile.view %tile[%c0] [%c0, %c1] : !fine -> !line
  %fragment = tile.load %from : !line -> !fragment
  tile.store %fragment, %to : !fragment, !line
  gpu.return
}

// A thread stores four neighbours along K of one row, which share a group: one XOR for all.
// CHECK-LABEL: @store
// CHECK-COUNT-1: arith.xori
// CHECK-NOT: arith.xori
// CHECK: gpu.return
gpu.func @store(%value: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %tile = tile.alloc : !fine
  %stage = tile.view %tile[%c0] [%c0, %c0] : !fine -> !fine
  %matrix = tile.fill %value : f32 -> !matrix
  tile.store %matrix, %stage : !matrix, !fine
  gpu.return
}

}
