// Loads of the next step or slice come before the multiplications of this one.
// RUN: gemm-opt %s --leap-frog --canonicalize --cse | FileCheck %s
// A pipelined loop is left alone.
// RUN: gemm-opt %s --leap-frog > %t.once
// RUN: gemm-opt %t.once --leap-frog | diff - %t.once

#copy = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
#rows = #tile.map<threads = [4:(1, 0)], values = []>
#columns = #tile.map<threads = [4:(0, 0)], values = [4:(0, 1)]>
#accumulator = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
!tile = !tile.matrix<4x2xf32, #copy>
!a = !tile.matrix<4x1xf32, #rows>
!b = !tile.matrix<1x4xf32, #columns>
!acc = !tile.matrix<4x4xf32, #accumulator>
!ring = !tile.buffer<2 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
!slice = !tile.buffer<1 x 4x1xf32, strides = [1, 4]>

// A ring of two: step i + 1 is loaded to registers, step i multiplied, step i + 1 stored. Only the
// first step may lie before k = 0.
// CHECK-LABEL: @two_slots
// CHECK-SAME: %[[A:[a-z0-9_]+]]: memref<4x?xf32>, %[[B:[a-z0-9_]+]]: {{.*}}, %[[SUM:[a-z0-9_]+]]: {{.*}}, %[[FIRST:[a-z0-9_]+]]: index, %[[STEPS:[a-z0-9_]+]]: index)
// CHECK: %[[RING:[a-z0-9_]+]] = tile.alloc
// CHECK: %[[TILE_0:[a-z0-9_]+]] = tile.load %[[A]][%c0, %[[FIRST]]] edges <clamp, zero>
// CHECK: %[[SLOT_0:[a-z0-9_]+]] = tile.view %[[RING]][%c0] [%c0, %c0]
// CHECK: tile.store %[[TILE_0]], %[[SLOT_0]]
// CHECK: %[[LAST:[a-z0-9_]+]] = arith.subi %[[STEPS]], %c1
// CHECK: %[[MOST:[a-z0-9_]+]] = scf.for %[[I:[a-z0-9_]+]] = %c0 to %[[LAST]] step %c1 iter_args(%[[BEFORE:[a-z0-9_]+]] = %[[SUM]])
// CHECK:   %[[NEXT:[a-z0-9_]+]] = arith.addi %[[I]], %c1
// CHECK:   %[[DISTANCE:[a-z0-9_]+]] = arith.muli %[[NEXT]], %c2
// CHECK:   %[[K:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[DISTANCE]]
// CHECK:   %[[TILE:[a-z0-9_]+]] = tile.load %[[A]][%c0, %[[K]]] edges <clamp, inside>
// CHECK:   tile.view %[[RING]][%[[I]]] [%c0, %c0]
// CHECK:   tile.load
// CHECK:   tile.view %[[RING]][%[[I]]] [%c0, %c1]
// CHECK:   tile.load
// CHECK:   tile.mma %{{.*}}, %[[B]], %[[BEFORE]]
// CHECK:   tile.mma
// CHECK:   %[[SLOT:[a-z0-9_]+]] = tile.view %[[RING]][%[[NEXT]]] [%c0, %c0]
// CHECK:   tile.store %[[TILE]], %[[SLOT]]
// CHECK:   scf.yield
// CHECK: } {tile.pipelined, tile.steps}
// CHECK-NOT: tile.store
// CHECK: tile.mma %{{.*}}, %[[B]], %[[MOST]]
// CHECK: tile.mma
// CHECK: return
func.func @two_slots(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %tile = tile.load %A[%c0, %k] edges <clamp, zero> : memref<4x?xf32> -> !tile
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.store %tile, %stage : !tile, !one
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %a = tile.load %slice : !slice -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}

// One stage: there is nowhere to put the next step; the slices are pipelined all the same.
// CHECK-LABEL: @one_slot
// CHECK: scf.for
// CHECK:   tile.load %{{.*}} edges <clamp, zero>
// CHECK:   tile.store
// CHECK:   %[[FRAGMENT_0:[a-z0-9_]+]] = tile.load %{{.*}} : !tile.buffer
// CHECK:   %[[MOST:[a-z0-9_]+]]:2 = scf.for %[[S:[a-z0-9_]+]] = %c0 to %c3 step %c1 iter_args(%[[PARTIAL:[a-z0-9_]+]] = %{{.*}}, %[[FRAGMENT:[a-z0-9_]+]] = %[[FRAGMENT_0]])
// CHECK:     %[[T:[a-z0-9_]+]] = arith.addi %[[S]], %c1
// CHECK:     %[[SLICE:[a-z0-9_]+]] = tile.view %{{.*}} [%c0, %[[T]]]
// CHECK:     %[[LATER:[a-z0-9_]+]] = tile.load %[[SLICE]]
// CHECK:     %[[SUM:[a-z0-9_]+]] = tile.mma %[[FRAGMENT]], %{{.*}}, %[[PARTIAL]]
// CHECK:     scf.yield %[[SUM]], %[[LATER]]
// CHECK:   } {tile.pipelined, tile.slices}
// CHECK:   tile.mma %[[MOST]]#1, %{{.*}}, %[[MOST]]#0
// CHECK: } {tile.steps}
func.func @one_slot(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %ring = tile.alloc : !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c4 : index
    %k = arith.addi %first, %distance : index
    %tile = tile.load %A[%c0, %k] edges <clamp, zero> : memref<4x?xf32> -> !acc
    %stage = tile.view %ring[%i] [%c0, %c0] : !tile.buffer<1 x 4x4xf32, strides = [1, 4]> -> !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
    tile.store %tile, %stage : !acc, !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
    %after = scf.for %s = %c0 to %c4 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !tile.buffer<1 x 4x4xf32, strides = [1, 4]> -> !slice
      %a = tile.load %slice : !slice -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}

// No ring: fragments straight from global memory are pipelined by slices only, and keep their edges.
// CHECK-LABEL: @direct
// CHECK: scf.for
// CHECK:   tile.load {{.*}} edges <clamp, zero>
// CHECK:   tile.load {{.*}} edges <clamp, zero>
// CHECK:   tile.mma
// CHECK:   tile.mma
// CHECK: } {tile.steps}
func.func @direct(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %k = arith.muli %i, %c2 : index
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %column = arith.addi %k, %s : index
      %a = tile.load %A[%c0, %column] edges <clamp, zero> : memref<4x?xf32> -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}

// A K loop of one step becomes a prologue and an epilogue.
// CHECK-LABEL: @one_step
// CHECK-NOT: scf.for
// CHECK: tile.store
// CHECK: tile.load %{{.*}} : !tile.buffer
// CHECK: tile.mma
// CHECK-NOT: tile.store
// CHECK: return
func.func @one_step(%A: memref<4x2xf32>, %b: !b, %sum: !acc) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %c1 step %c1 iter_args(%before = %sum) -> (!acc) {
    %tile = tile.load %A[%c0, %i] : memref<4x2xf32> -> !tile
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.store %tile, %stage : !tile, !one
    %slice = tile.view %ring[%i] [%c0, %c1] : !ring -> !slice
    %a = tile.load %slice : !slice -> !a
    %after = tile.mma %a, %b, %before : !a, !b, !acc
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}

// A stored value need not be loaded in the loop: the store is all that moves.
// CHECK-LABEL: @stored_from_outside
// CHECK-SAME: %{{[a-z0-9_]+}}: {{.*}}, %[[TILE:[a-z0-9_]+]]: !tile.matrix<4x2xf32
// CHECK: tile.store %[[TILE]]
// CHECK: scf.for
// CHECK: tile.mma
// CHECK: tile.store %[[TILE]]
// CHECK: } {tile.pipelined, tile.steps}
func.func @stored_from_outside(%b: !b, %tile: !tile, %sum: !acc, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.store %tile, %stage : !tile, !one
    %slice = tile.view %ring[%i] [%c0, %c1] : !ring -> !slice
    %a = tile.load %slice : !slice -> !a
    %after = tile.mma %a, %b, %before : !a, !b, !acc
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}

// Loops that macro-tile did not mark are not ours.
// CHECK-LABEL: @other
// CHECK-NOT: tile.pipelined
// CHECK: return
func.func @other(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %a = tile.load %A[%c0, %i] : memref<4x?xf32> -> !a
    %after = tile.mma %a, %b, %before : !a, !b, !acc
    scf.yield %after : !acc
  }
  return %total : !acc
}
