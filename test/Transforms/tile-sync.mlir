// A barrier before the first access that conflicts with one since the last barrier, and no other.
// RUN: gemm-opt %s --split-input-file --tile-sync | FileCheck %s
// Done already: nothing is added.
// RUN: gemm-opt %s --split-input-file --tile-sync --tile-sync | FileCheck %s

!tile = !tile.matrix<16x8xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>>
!one = !tile.buffer<1 x 16x8xf32, strides = [1, 20]>
!two = !tile.buffer<2 x 16x8xf32, strides = [1, 20]>

gpu.module @kernels {
  // One slot: a barrier between store and load, and one between load and the next store.
  // CHECK-LABEL: gpu.func @one_slot
  // CHECK:         scf.for
  // CHECK-NEXT:      tile.view
  // CHECK-NEXT:      gpu.barrier
  // CHECK-NEXT:      tile.store
  // CHECK-NEXT:      gpu.barrier
  // CHECK-NEXT:      tile.load
  // CHECK-NEXT:    }
  // CHECK-NEXT:    gpu.return
  gpu.func @one_slot(%value: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %ring = tile.alloc : !one
    scf.for %i = %c0 to %c4 step %c1 {
      %slot = tile.view %ring[%i] [%c0, %c0] : !one -> !one
      tile.store %value, %slot : !tile, !one
      %read = tile.load %slot : !one -> !tile
    }
    gpu.return
  }

  // Two slots, leap-frog: the load of slot i and the store to slot i + 1 do not conflict: one barrier.
  // CHECK-LABEL: gpu.func @two_slots
  // CHECK:         tile.store
  // CHECK-NEXT:    scf.for
  // CHECK-NOT:       gpu.barrier
  // CHECK:           %[[SLOT:.*]] = tile.view %{{.*}}[%[[I:.*]]] [
  // CHECK-NEXT:      gpu.barrier
  // CHECK-NEXT:      tile.load %[[SLOT]]
  // CHECK-NOT:       gpu.barrier
  // CHECK:           tile.store
  // CHECK-NEXT:    }
  // CHECK-NOT:     gpu.barrier
  // CHECK:         gpu.return
  gpu.func @two_slots(%value: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %ring = tile.alloc : !two
    %first = tile.view %ring[%c0] [%c0, %c0] : !two -> !one
    tile.store %value, %first : !tile, !one
    scf.for %i = %c0 to %c4 step %c1 {
      %slot = tile.view %ring[%i] [%c0, %c0] : !two -> !one
      %read = tile.load %slot : !one -> !tile
      %next = arith.addi %i, %c1 : index
      %other = tile.view %ring[%next] [%c0, %c0] : !two -> !one
      tile.store %value, %other : !tile, !one
    }
    gpu.return
  }

  // Two buffers, and loads after loads: no conflict.
  // CHECK-LABEL: gpu.func @no_conflict
  // CHECK-NOT:     gpu.barrier
  // CHECK:         gpu.return
  gpu.func @no_conflict(%value: !tile) kernel {
    %written = tile.alloc : !one
    %read = tile.alloc : !one
    tile.store %value, %written : !tile, !one
    %first = tile.load %read : !one -> !tile
    %second = tile.load %read : !one -> !tile
    gpu.return
  }

  // Counters that cannot be compared may name the same slot; a store in one branch meets the load
  // after it.
  // CHECK-LABEL: gpu.func @unknown
  // CHECK:         tile.store
  // CHECK:         gpu.barrier
  // CHECK-NEXT:    tile.load
  // CHECK:         scf.if
  // CHECK:           gpu.barrier
  // CHECK-NEXT:      tile.store
  // CHECK:         }
  // CHECK-NEXT:    gpu.barrier
  // CHECK-NEXT:    tile.load
  gpu.func @unknown(%value: !tile, %i: index, %j: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !two
    %slot = tile.view %ring[%i] [%c0, %c0] : !two -> !one
    %other = tile.view %ring[%j] [%c0, %c0] : !two -> !one
    tile.store %value, %slot : !tile, !one
    %first = tile.load %other : !one -> !tile
    scf.if %c {
      tile.store %value, %slot : !tile, !one
    }
    %second = tile.load %slot : !one -> !tile
    gpu.return
  }
}
