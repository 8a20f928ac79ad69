// Lines that begin at multiples of 128 bytes: e XOR 4 (l mod 4), of 32 bytes four times in 128.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<1 x 16x32xf64, strides = [32, 1], swizzle = 4>
!slice = !tile.buffer<1 x 16x8xf64, strides = [32, 1], swizzle = 4>
#lanes = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = [2:(0, 4), 2:(8, 0)]>
#copy = #tile.map<threads = [16:(0, 2), 2:(1, 0)], values = [2:(0, 1), 8:(2, 0)]>
!fragment = !tile.matrix<16x8xf64, #lanes>

gpu.module @kernels {

// Lane t holds row t / 4 and t / 4 + 8, which are changed alike: one XOR for each of both elements along K, and what is a
// multiple of 16 elements follows it: the slice at 24 reads elements 8 and 12, 16 further.
// CHECK-LABEL: @fragment
// CHECK-DAG: %[[ROW:.*]] = arith.divui %{{.*}}, %c4
// CHECK-DAG: %[[OWN:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[WAY:.*]] = arith.remui %[[ROW]], %c4
// CHECK: %[[CHANGE:.*]] = arith.muli %[[WAY]], %c4
// CHECK: %[[EIGHT:.*]] = arith.addi %[[OWN]], %c8
// CHECK: %[[PLACE:.*]] = arith.xori %[[EIGHT]], %[[CHANGE]]
// CHECK: arith.addi %[[PLACE]], %c16
// CHECK: %[[TWELVE:.*]] = arith.addi %[[OWN]], %c12
// CHECK: arith.xori %[[TWELVE]], %[[CHANGE]]
// CHECK-NOT: arith.xori
// CHECK: gpu.return
gpu.func @fragment(%out: memref<f64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %ring = tile.alloc : !ring
  %slice = tile.view %ring[%c0] [%c0, %c24] : !ring -> !slice
  %fragment = tile.load %slice : !slice -> !fragment
  tile.store %fragment, %slice : !fragment, !slice
  gpu.return
}

// A copy of 16 bytes stays together. A thread's lines are l, l + 2, ...: two of four ways.
// CHECK-LABEL: @copy
// CHECK-COUNT-2: arith.xori
// CHECK-NOT: arith.xori
// CHECK: gpu.return
gpu.func @copy(%base: memref<f64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %view = memref.reinterpret_cast %base to offset: [0], sizes: [16, 32], strides: [32, 1] : memref<f64> to memref<16x32xf64, strided<[32, 1]>>
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%c0] [%c0, %c0] : !ring -> !ring
  tile.copy %view[%c0, %c0], %stage map #copy vector 2 : memref<16x32xf64, strided<[32, 1]>>, !ring
  gpu.return
}

}
