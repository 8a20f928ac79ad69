// Copies become groups; a wait and a barrier stand before what they fill is read.
// RUN: gemm-opt %s --tile-sync | FileCheck %s
// What is there already counts: nothing is added the second time.
// RUN: gemm-opt %s --tile-sync > %t.once
// RUN: gemm-opt %t.once --tile-sync | diff - %t.once

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
!tile = !tile.matrix<4x2xf32, #map>
!ring = !tile.buffer<3 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>

gpu.module @kernels {

// CHECK-LABEL: @copy_read
// CHECK: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.return
gpu.func @copy_read(%A: memref<8x8xf32>, %i: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #map : memref<8x8xf32>, !one
  %read = tile.load %stage : !one -> !tile
  gpu.return
}

// Three stages, three groups; the first is waited for with two on their way, the third with none. A
// read and a copy into the same stage need all threads between them.
// CHECK-LABEL: @groups
// CHECK-COUNT-3: tile.view
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: tile.wait 2
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: gpu.return
gpu.func @groups(%A: memref<8x8xf32>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  %slot2 = tile.view %ring[%c2] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %slot0 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c0], %slot1 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c0], %slot2 map #map : memref<8x8xf32>, !one
  %first = tile.load %slot0 : !one -> !tile
  gpu.barrier
  %last = tile.load %slot2 : !one -> !tile
  tile.copy %A[%c0, %c0], %slot2 map #map : memref<8x8xf32>, !one
  gpu.return
}

// A buffer over a ring waits for all of its copies.
// CHECK-LABEL: @over
// CHECK: tile.commit
// CHECK: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
gpu.func @over(%A: memref<8x8xf32>, %tile: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %stage map #map : memref<8x8xf32>, !one
  %buffer = tile.alloc over : !one
  %all = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  tile.store %tile, %all : !tile, !one
  gpu.return
}

// A pipelined loop: one wait and one barrier a step, and a group also where nothing is copied. The
// copies of two rings are one group; the reads of both wait at once.
// CHECK-LABEL: @loop
// CHECK: tile.commit
// CHECK: tile.copy
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: scf.for
// CHECK: tile.wait 1
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK-NOT: tile.commit
// CHECK: }
// CHECK-NEXT: tile.commit
// CHECK-NEXT: }
// CHECK-NOT: tile.commit
// CHECK: gpu.return
gpu.func @loop(%A: memref<8x8xf32>, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %other0 = tile.view %other[%c0] [%c0, %c0] : !ring -> !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  %other1 = tile.view %other[%c1] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %slot0 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c0], %other0 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c1], %slot1 map #map : memref<8x8xf32>, !one
  tile.copy %A[%c0, %c1], %other1 map #map : memref<8x8xf32>, !one
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
      tile.copy %A[%c0, %j], %later map #map : memref<8x8xf32>, !one
      tile.copy %A[%c0, %j], %later_too map #map : memref<8x8xf32>, !one
    }
  } {tile.steps}
  gpu.return
}

// One ring by copies, one through registers: the wait shares the barrier that the stores need.
// CHECK-LABEL: @mixed
// CHECK: scf.for
// CHECK: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @mixed(%A: memref<8x8xf32>, %tile: !tile, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %other0 = tile.view %other[%c0] [%c0, %c0] : !ring -> !one
  tile.store %tile, %slot0 : !tile, !one
  tile.copy %A[%c0, %c0], %other0 map #map : memref<8x8xf32>, !one
  scf.for %i = %c0 to %steps step %c1 {
    %now = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    %now_too = tile.view %other[%i] [%c0, %c0] : !ring -> !one
    %j = arith.addi %i, %c1 : index
    %later = tile.view %ring[%j] [%c0, %c0] : !ring -> !one
    %later_too = tile.view %other[%j] [%c0, %c0] : !ring -> !one
    %a = tile.load %now : !one -> !tile
    %b = tile.load %now_too : !one -> !tile
    tile.copy %A[%c0, %j], %later_too map #map : memref<8x8xf32>, !one
    tile.store %a, %later : !tile, !one
  } {tile.steps}
  gpu.return
}

// Two paths with different numbers of later groups: the wait is right for both.
// CHECK-LABEL: @paths
// CHECK: tile.copy
// CHECK-NEXT: tile.commit
// CHECK-NEXT: scf.if
// CHECK: tile.commit
// CHECK: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
gpu.func @paths(%A: memref<8x8xf32>, %more: i1) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %slot0 map #map : memref<8x8xf32>, !one
  tile.commit
  scf.if %more {
    tile.copy %A[%c0, %c0], %slot1 map #map : memref<8x8xf32>, !one
    tile.commit
  }
  %first = tile.load %slot0 : !one -> !tile
  gpu.return
}

// A stage that is copied and read under a condition, as of a step that may not exist, is waited for before
// it: once a step, whether it exists or not.
// CHECK-LABEL: @conditions
// CHECK: scf.for
// CHECK-NOT: tile.wait
// CHECK-NOT: gpu.barrier
// CHECK: tile.copy
// CHECK: tile.commit
// CHECK: scf.for
// CHECK-NEXT: tile.view
// CHECK-NEXT: tile.load
// CHECK: tile.wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.wait
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
gpu.func @conditions(%A: memref<8x8xf32>, %steps: index, %none: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %ring = tile.alloc : !ring
  %first = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %c0], %first map #map : memref<8x8xf32>, !one
  %start = tile.load %first : !one -> !tile
  %end = scf.for %i = %c0 to %steps step %c1 iter_args(%held = %start) -> (!tile) {
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %steps : index
    %filled = tile.view %ring[%next] [%c0, %c0] : !ring -> !one
    scf.if %more {
      tile.copy %A[%c0, %i], %filled map #map : memref<8x8xf32>, !one
    }
    scf.for %s = %c0 to %c4 step %c1 {
      %now = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
      %slice = tile.load %now : !one -> !tile
    }
    %read = scf.if %more -> (!tile) {
      %fragment = tile.load %filled : !one -> !tile
      scf.yield %fragment : !tile
    } else {
      scf.yield %none : !tile
    }
    scf.yield %read : !tile
  } {tile.steps}
  gpu.return
}

}
