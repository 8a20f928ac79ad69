// Barriers stand exactly where two accesses to one stage conflict.
// RUN: gemm-opt %s --tile-sync | FileCheck %s
// Barriers that are there count: nothing is added the second time.
// RUN: gemm-opt %s --tile-sync > %t.once
// RUN: gemm-opt %t.once --tile-sync | diff - %t.once

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
!tile = !tile.matrix<4x2xf32, #map>
!ring = !tile.buffer<2 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>

gpu.module @kernels {

// A write, then a read of the same stage: one barrier, before the read. Two reads: none.
// CHECK-LABEL: @write_read
// CHECK: tile.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: gpu.return
gpu.func @write_read(%tile: !tile, %i: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.store %tile, %stage : !tile, !one
  %first = tile.load %stage : !one -> !tile
  %second = tile.load %stage : !one -> !tile
  gpu.return
}

// A read, then a write; a write, then a write.
// CHECK-LABEL: @read_write_write
// CHECK: tile.load
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: gpu.return
gpu.func @read_write_write(%tile: !tile, %i: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  %read = tile.load %stage : !one -> !tile
  tile.store %tile, %stage : !tile, !one
  tile.store %tile, %stage : !tile, !one
  gpu.return
}

// Different stages, and different buffers, do not conflict; counters 0 and 2 of a ring of two are one stage.
// CHECK-LABEL: @stages
// CHECK-COUNT-2: tile.store
// CHECK-NOT: gpu.barrier
// CHECK: tile.store
// CHECK: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @stages(%tile: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  %slot2 = tile.view %ring[%c2] [%c0, %c0] : !ring -> !one
  %apart = tile.view %other[%c0] [%c0, %c0] : !ring -> !one
  tile.store %tile, %slot0 : !tile, !one
  tile.store %tile, %slot1 : !tile, !one
  tile.store %tile, %apart : !tile, !one
  %read = tile.load %slot2 : !one -> !tile
  gpu.return
}

// One stage, as macro-tile leaves it: two barriers a step. The second protects the stage from the next step.
// CHECK-LABEL: @one_slot
// CHECK: scf.for
// CHECK:      gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @one_slot(%tile: !tile, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %buffer = tile.alloc : !one
  scf.for %i = %c0 to %steps step %c1 {
    %stage = tile.view %buffer[%i] [%c0, %c0] : !one -> !one
    tile.store %tile, %stage : !tile, !one
    %read = tile.load %stage : !one -> !tile
  }
  gpu.return
}

// Two stages, as leap-frog leaves it: one barrier a step, and one before the epilogue.
// CHECK-LABEL: @two_slots
// CHECK: tile.store
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: tile.store
// CHECK-NEXT: }
// CHECK: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @two_slots(%tile: !tile, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  tile.store %tile, %slot0 : !tile, !one
  scf.for %i = %c0 to %steps step %c1 {
    %next = arith.addi %i, %c1 : index
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    %read = tile.load %stage : !one -> !tile
    %after = tile.view %ring[%next] [%c0, %c0] : !ring -> !one
    tile.store %tile, %after : !tile, !one
  }
  %last = tile.view %ring[%steps] [%c0, %c0] : !ring -> !one
  %read = tile.load %last : !one -> !tile
  gpu.return
}

// Three stages: step i reads stage i and fills stage i + 2, which step i - 1 has read. One barrier a step,
// between the two, which also stands between the filling of a stage and its reading two steps later.
// CHECK-LABEL: @three_slots
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: tile.load
// CHECK: gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
gpu.func @three_slots(%tile: !tile, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !tile.buffer<3 x 4x2xf32, strides = [1, 4]>
  scf.for %i = %c0 to %steps step %c1 {
    %stage = tile.view %ring[%i] [%c0, %c0] : !tile.buffer<3 x 4x2xf32, strides = [1, 4]> -> !one
    %read = tile.load %stage : !one -> !tile
    %next = arith.addi %i, %c2 : index
    %after = tile.view %ring[%next] [%c0, %c0] : !tile.buffer<3 x 4x2xf32, strides = [1, 4]> -> !one
    tile.store %tile, %after : !tile, !one
  }
  gpu.return
}

// Four stages, filled two steps before they are read and read nowhere near: only the reading of what was
// filled two steps ago needs a barrier.
// CHECK-LABEL: @four_slots
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-NEXT: tile.load
// CHECK-NOT: gpu.barrier
// CHECK: tile.store
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
gpu.func @four_slots(%tile: !tile, %steps: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !tile.buffer<4 x 4x2xf32, strides = [1, 4]>
  scf.for %i = %c0 to %steps step %c1 {
    %stage = tile.view %ring[%i] [%c0, %c0] : !tile.buffer<4 x 4x2xf32, strides = [1, 4]> -> !one
    %read = tile.load %stage : !one -> !tile
    %next = arith.addi %i, %c2 : index
    %after = tile.view %ring[%next] [%c0, %c0] : !tile.buffer<4 x 4x2xf32, strides = [1, 4]> -> !one
    tile.store %tile, %after : !tile, !one
  }
  gpu.return
}

// All threads meet before a branch that needs it; what follows sees both.
// CHECK-LABEL: @branches
// CHECK: tile.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.load
// CHECK: } else {
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
gpu.func @branches(%tile: !tile, %any: i1) kernel {
  %c0 = arith.constant 0 : index
  %buffer = tile.alloc : !one
  %stage = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  tile.store %tile, %stage : !tile, !one
  scf.if %any {
    %read = tile.load %stage : !one -> !tile
  } else {
  }
  tile.store %tile, %stage : !tile, !one
  gpu.return
}

// A view of a view may be any stage: better a barrier too many.
// CHECK-LABEL: @nested_views
// CHECK: tile.store
// CHECK: gpu.barrier
// CHECK-NEXT: tile.load
gpu.func @nested_views(%tile: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %slot0 = tile.view %ring[%c0] [%c0, %c0] : !ring -> !one
  tile.store %tile, %slot0 : !tile, !one
  %slot1 = tile.view %ring[%c1] [%c0, %c0] : !ring -> !one
  %part = tile.view %slot1[%c0] [%c0, %c0] : !one -> !one
  %read = tile.load %part : !one -> !tile
  gpu.return
}

// A buffer that lies over others waits for all accesses to them, in whatever stage.
// CHECK-LABEL: @over
// CHECK: tile.load
// CHECK-NEXT: tile.alloc over
// CHECK-NEXT: tile.view
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.load
gpu.func @over(%tile: !tile, %i: index) kernel {
  %c0 = arith.constant 0 : index
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
  %read = tile.load %stage : !one -> !tile
  %buffer = tile.alloc over : !one
  %all = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  tile.store %tile, %all : !tile, !one
  %back = tile.load %all : !one -> !tile
  gpu.return
}

// Global memory needs no barrier: a workgroup reads and writes its own part of C once.
// CHECK-LABEL: @global
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @global(%C: memref<8x8xf32>, %i: index) kernel {
  %tile = tile.load %C[%i, %i] : memref<8x8xf32> -> !tile
  tile.update %tile, %C[%i, %i] : !tile, memref<8x8xf32>
  gpu.return
}
}
