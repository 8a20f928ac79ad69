// K loops carry the stages of rings of 3 stages, and their phases; those of 2 are cheap to find.
// RUN: gemm-opt %s --micro-tile --carry-counters --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --micro-tile --carry-counters > %t.once
// RUN: gemm-opt %t.once --carry-counters | diff - %t.once

!ring = !tile.buffer<3 x 8x4xf32, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
!pair = !tile.buffer<2 x 8x4xf32, strides = [1, 8]>
#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!tile = !tile.matrix<8x4xf32, #lines>

gpu.module @kernels {

// Step 1 is the first: counter 1 of phase 0, and 3 of phase 1.
// CHECK-LABEL: @carried
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: scf.for %{{.*}} iter_args(%[[SLOT:[^ ]*]] = %[[ONE]], %[[PARITY:[^ ]*]] = %[[ZERO]], %{{.*}} = %[[ZERO]], %{{.*}} = %[[ONE]])
// CHECK-NOT: arith.remui
// CHECK: lane.arrived %{{.*}}[%[[INDEX:.*]]] parity
// CHECK-NOT: arith.remui
// CHECK: %[[MORE:.*]] = arith.addi %[[SLOT]], %[[ONE]] : i32
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[MORE]], %[[THREE]] : i32
// CHECK: %[[FLIPPED:.*]] = arith.xori %[[PARITY]], %[[ONE]] : i32
// CHECK: %[[NEXT:.*]] = arith.select %[[WRAPS]], %[[ZERO]], %[[MORE]] : i32
// CHECK: %[[PHASE:.*]] = arith.select %[[WRAPS]], %[[FLIPPED]], %[[PARITY]] : i32
// CHECK: scf.yield %[[NEXT]], %[[PHASE]]
gpu.func @carried(%a: memref<f32>, %n: index) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<f32> to memref<8x16xf32, strided<[1, 8]>>
  %ring = tile.alloc : !ring
  scf.for %i = %c1 to %n step %c1 {
    tile.arrived %ring[%i] : !ring
    %j = arith.addi %i, %c2 : index
    %stage = tile.view %ring[%j] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %j], %stage map #lines vector 4 bulk : memref<8x16xf32, strided<[1, 8]>>, !one
  } {tile.steps}
  gpu.return
}

// CHECK-LABEL: @pair
// CHECK-NOT: iter_args
// CHECK: arith.remui
gpu.func @pair(%x: f32, %n: index) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !pair
  %tile = tile.fill %x : f32 -> !tile
  scf.for %i = %c0 to %n step %c1 {
    %stage = tile.view %ring[%i] [%c0, %c0] : !pair -> !one
    tile.store %tile, %stage : !tile, !one
  } {tile.steps}
  gpu.return
}

}
