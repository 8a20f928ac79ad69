// Loads of the next step and of the next slice are issued before the multiplications.
// RUN: gemm-opt %s --split-input-file --leap-frog --canonicalize --cse | FileCheck %s

!acc = !tile.matrix<16x16xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(0, 8), 2:(8, 0)]>>
!a_tile = !tile.matrix<16x8xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>>
!a_ring = !tile.buffer<2 x 16x8xf32, strides = [1, 20]>
!a_slot = !tile.buffer<1 x 16x8xf32, strides = [1, 20]>
!a_slice = !tile.buffer<1 x 16x1xf32, strides = [1, 20]>
!a_part = !tile.matrix<16x1xf32, <threads = [8:(0, 0), 8:(1, 0)], values = [2:(8, 0)]>>
!b_part = !tile.matrix<1x16xf32, <threads = [8:(0, 1), 8:(0, 0)], values = [2:(0, 8)]>>

// CHECK-LABEL: func.func @two_slots
// CHECK:         %[[RING:.*]] = tile.alloc
// Before the loop: the tile of step 0, the only one with elements before k = 0.
// CHECK:         %[[FIRST:.*]] = tile.load %{{.*}} edges <inside, zero>
// CHECK:         tile.view %[[RING]][%c0]
// CHECK:         tile.store %[[FIRST]]
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %c0 to %c3
// CHECK:           %[[NEXT_STEP:.*]] = arith.addi %[[I]], %c1
// CHECK:           %[[NEXT:.*]] = tile.load %{{.*}} edges <inside, inside>
// CHECK:           tile.view %[[RING]][%[[I]]]
// CHECK:           %[[A0:.*]] = tile.load
// CHECK:           %[[LAST:[0-9]+]]:2 = scf.for %[[S:[a-z0-9]+]] = %c0 to %c7
// CHECK-SAME:        iter_args(%[[SUM:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[A:[a-z0-9]+]] = %[[A0]])
// CHECK:             %[[NEXT_SLICE:.*]] = arith.addi %[[S]], %c1
// CHECK:             tile.view %[[RING]][%[[I]]] [%c0, %[[NEXT_SLICE]]]
// CHECK:             %[[A1:.*]] = tile.load
// CHECK:             %[[NEW:.*]] = tile.mma %[[A]], %{{.*}}, %[[SUM]]
// CHECK:             scf.yield %[[NEW]], %[[A1]]
// CHECK:           } {tile.slices}
// CHECK:           tile.mma %[[LAST]]#1, %{{.*}}, %[[LAST]]#0
// The store of the next tile comes after the multiplications, to the other slot.
// CHECK:           tile.view %[[RING]][%[[NEXT_STEP]]]
// CHECK:           tile.store %[[NEXT]]
// CHECK:         } {tile.steps}
// After the loop: the multiplications of the last step.
// CHECK:         tile.view %[[RING]][%c3]
// CHECK:         tile.mma
func.func @two_slots(%m: memref<16x32xf32>, %b: !b_part, %init: !acc) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ring = tile.alloc : !a_ring
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%outer = %init) -> (!acc) {
    %k = arith.muli %i, %c8 : index
    %tile = tile.load %m[%c0, %k] edges <inside, zero> : memref<16x32xf32> -> !a_tile
    %slot = tile.view %ring[%i] [%c0, %c0] : !a_ring -> !a_slot
    tile.store %tile, %slot : !a_tile, !a_slot
    %part = scf.for %s = %c0 to %c8 step %c1 iter_args(%inner = %outer) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !a_ring -> !a_slice
      %a = tile.load %slice : !a_slice -> !a_part
      %new = tile.mma %a, %b, %inner : !a_part, !b_part, !acc
      scf.yield %new : !acc
    } {tile.slices}
    scf.yield %part : !acc
  } {tile.steps}
  return %sum : !acc
}

// -----

!acc = !tile.matrix<16x16xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(0, 8), 2:(8, 0)]>>
!a_tile = !tile.matrix<16x8xf32, <threads = [8:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>>
!a_slot = !tile.buffer<1 x 16x8xf32, strides = [1, 20]>

// One slot: there is nothing to leap over. Loops without the attributes are left alone, too.
// CHECK-LABEL: func.func @one_slot
// CHECK:         scf.for %[[I:[a-z0-9]+]] = %c0 to %c4
// CHECK-NEXT:      %[[K:.*]] = arith.muli %[[I]]
// CHECK-NEXT:      %[[TILE:.*]] = tile.load %{{.*}}[%c0, %[[K]]]
// CHECK-NEXT:      %[[SLOT:.*]] = tile.view
// CHECK-NEXT:      tile.store %[[TILE]], %[[SLOT]]
// CHECK-NEXT:    } {tile.steps}
// CHECK:         scf.for %[[J:[a-z0-9]+]] = %c0 to %c4
// CHECK-NEXT:      arith.muli %[[J]]
func.func @one_slot(%m: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ring = tile.alloc : !a_slot
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.muli %i, %c8 : index
    %tile = tile.load %m[%c0, %k] edges <inside, inside> : memref<16x32xf32> -> !a_tile
    %slot = tile.view %ring[%i] [%c0, %c0] : !a_slot -> !a_slot
    tile.store %tile, %slot : !a_tile, !a_slot
  } {tile.steps}
  scf.for %i = %c0 to %c4 step %c1 {
    %k = arith.muli %i, %c8 : index
    %tile = tile.load %m[%c0, %k] edges <inside, inside> : memref<16x32xf32> -> !a_tile
    %slot = tile.view %ring[%i] [%c0, %c0] : !a_slot -> !a_slot
    tile.store %tile, %slot : !a_tile, !a_slot
  }
  return
}
