// Before the first access to a stage that bulk copies fill, its counter is waited for: no barrier follows.
// RUN: gemm-opt %s --tile-sync | FileCheck %s
// What is there already counts: nothing is added the second time.
// RUN: gemm-opt %s --tile-sync > %t.once
// RUN: gemm-opt %t.once --tile-sync | diff - %t.once

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
#lines = #tile.map<threads = [2:(0, 0), 2:(0, 1)], values = [4:(1, 0)]>
!tile = !tile.matrix<4x2xf32, #map>
!ring = !tile.buffer<3 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>

gpu.module @kernels {

// CHECK-LABEL: @copy_read
// CHECK: %[[RING:.*]] = tile.alloc
// CHECK: tile.copy
// CHECK-NEXT: tile.arrived %[[RING]][%arg1]
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.return
gpu.func @copy_read(%A: memref<8x8xf32>, %i: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  %read = tile.load %stage : !one -> !tile
  %again = tile.load %stage : !one -> !tile
  gpu.return
}

// A first step that may not exist: copied under a condition, awaited under the same one, it is settled after that.
// CHECK-LABEL: @first_step
// CHECK: %[[RING:.*]] = tile.alloc
// CHECK: scf.if %arg2
// CHECK-NEXT: tile.copy
// CHECK: scf.if %arg2
// CHECK-NEXT: tile.arrived %[[RING]][%arg1]
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.arrived %[[RING]][%arg1]
// CHECK-NEXT: tile.load
gpu.func @first_step(%A: memref<8x8xf32>, %i: index, %any: i1) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  scf.if %any {
    tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  }
  scf.if %any {
    %read = tile.load %stage : !one -> !tile
  }
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  %again = tile.load %stage : !one -> !tile
  gpu.return
}

// A pipelined loop: a wait for each ring and one barrier a step, before the stage of the step before is filled
// again. After the loop nothing is on its way: what lies over the rings needs a barrier only.
// CHECK-LABEL: @loop
// CHECK: %[[RING:.*]] = tile.alloc
// CHECK: %[[OTHER:.*]] = tile.alloc
// CHECK-NOT: gpu.barrier
// CHECK: scf.for %[[I:.*]] =
// CHECK: tile.arrived %[[RING]][%[[I]]]
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.arrived %[[OTHER]][%[[I]]]
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.copy
// CHECK-NEXT: }
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
// CHECK-NOT: tile.commit
// CHECK: gpu.barrier
// CHECK-NEXT: tile.store
gpu.func @loop(%A: memref<8x8xf32>, %steps: index, %tile: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %other0 = tile.view %other[%c0] [%c0, %c0] : !ring -> !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  %other1 = tile.view %other[%c1] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %slot0 map #lines bulk : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c0], %other0 map #lines bulk : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c1], %slot1 map #lines bulk : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c1], %other1 map #lines bulk : memref<8x8xf32>, !one
  scf.for %i = %c0 to %steps step %c1 {
    %now = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    %now_too = tile.view %other[%i] [%c0, %c0] : !ring -> !one
    %j = arith.addi %i, %c2 : index
    %later = tile.view %ring[%j] [%c0, %c0] : !ring -> !one
    %later_too = tile.view %other[%j] [%c0, %c0] : !ring -> !one
    %any = arith.cmpi slt, %j, %steps : index
    %a = tile.load %now : !one -> !tile
    %b = tile.load %now_too : !one -> !tile
    scf.if %any {
      tile.copy %A[%c0, %j], %later map #lines bulk : memref<8x8xf32>, !one
      tile.copy %A[%c0, %j], %later_too map #lines bulk : memref<8x8xf32>, !one
    }
    %again = tile.load %now : !one -> !tile
  } {tile.steps}
  %buffer = tile.alloc over : !one
  %all = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  tile.store %tile, %all : !tile, !one
  gpu.return
}

// One ring in bulk, one asynchronously: the group is closed after both, outside of the condition.
// CHECK-LABEL: @mixed
// CHECK: scf.for %[[I:.*]] =
// CHECK: tile.arrived %{{.*}}[%[[I]]]
// CHECK: scf.if
// CHECK-NOT: tile.commit
// CHECK: }
// CHECK-NEXT: tile.commit
// CHECK-NEXT: }
gpu.func @mixed(%A: memref<8x8xf32>, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %other0 = tile.view %other[%c0] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %other0 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c0], %slot0 map #lines bulk : memref<8x8xf32>, !one
  scf.for %i = %c0 to %steps step %c1 {
    %now = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    %now_too = tile.view %other[%i] [%c0, %c0] : !ring -> !one
    %j = arith.addi %i, %c1 : index
    %later = tile.view %ring[%j] [%c0, %c0] : !ring -> !one
    %later_too = tile.view %other[%j] [%c0, %c0] : !ring -> !one
    %any = arith.cmpi slt, %j, %steps : index
    %a = tile.load %now : !one -> !tile
    %b = tile.load %now_too : !one -> !tile
    scf.if %any {
      tile.copy %A[%c0, %j], %later_too map #map : memref<8x8xf32>, !one
      tile.copy %A[%c0, %j], %later map #lines bulk : memref<8x8xf32>, !one
    }
  } {tile.steps}
  gpu.return
}

}
