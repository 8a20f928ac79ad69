// Asynchronous copies are issued as many steps ahead as the ring has other stages.
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
!ring = !tile.buffer<3 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
!slice = !tile.buffer<1 x 4x1xf32, strides = [1, 4]>

// Three stages: steps 0 and 1 are copied first, of which only step 0 may lie before k = 0; then step
// i + 2 after the first fragments of step i, and nothing where there is no such step.
// CHECK-LABEL: @three_slots
// CHECK-SAME: %[[A:[a-z0-9_]+]]: memref<4x?xf32>, %[[B:[a-z0-9_]+]]: {{.*}}, %[[SUM:[a-z0-9_]+]]: {{.*}}, %[[FIRST:[a-z0-9_]+]]: index)
// CHECK: %[[RING:[a-z0-9_]+]] = tile.alloc
// CHECK: %[[SLOT_0:[a-z0-9_]+]] = tile.view %[[RING]][%c0] [%c0, %c0]
// CHECK: tile.copy %[[A]][%c0, %[[FIRST]]], %[[SLOT_0]] {{.*}} edges <clamp, zero>
// CHECK: %[[K_1:[a-z0-9_]+]] = arith.addi %[[FIRST]], %c2
// CHECK: %[[SLOT_1:[a-z0-9_]+]] = tile.view %[[RING]][%c1] [%c0, %c0]
// CHECK: tile.copy %[[A]][%c0, %[[K_1]]], %[[SLOT_1]] {{.*}} edges <clamp, inside>
// CHECK-NOT: tile.copy
// CHECK: scf.for %[[I:[a-z0-9_]+]] = %c0 to %c9 step %c1
// CHECK:   %[[ANY:[a-z0-9_]+]] = arith.cmpi slt, %[[I]], %c7
// CHECK:   tile.view %[[RING]][%[[I]]] [%c0, %c0]
// CHECK:   tile.load
// CHECK:   %[[LATER:[a-z0-9_]+]] = arith.addi %[[I]], %c2
// CHECK:   %[[SLOT:[a-z0-9_]+]] = tile.view %[[RING]][%[[LATER]]] [%c0, %c0]
// CHECK:   scf.if %[[ANY]] {
// CHECK-NEXT: tile.copy %[[A]][%c0, %{{.*}}], %[[SLOT]] {{.*}} edges <clamp, inside>
// CHECK-NEXT: }
// CHECK:   tile.mma
// CHECK:   tile.mma
// CHECK: } {tile.pipelined, tile.steps}
// CHECK-NEXT: return
func.func @three_slots(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %c9 step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %stage map #copy edges <clamp, zero> : memref<4x?xf32>, !one
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

// The first fragment of step i + 1 is read before the last slice of step i is multiplied, and travels
// to the next iteration. With sizes known at run time only there may be fewer steps than stages: a stage
// that was never filled is not read.
// CHECK-LABEL: @ahead
// CHECK: %[[RING:[a-z0-9_]+]] = tile.alloc
// CHECK: scf.if
// CHECK-NEXT: tile.copy
// CHECK: scf.if
// CHECK-NEXT: tile.copy
// CHECK: %[[FRAGMENT_0:[a-z0-9_]+]] = scf.if
// CHECK-NEXT: tile.load
// CHECK: scf.for %[[I:[a-z0-9_]+]] = %c0 to %{{.*}} iter_args(%[[SUM:[a-z0-9_]+]] = %{{.*}}, %[[FRAGMENT:[a-z0-9_]+]] = %[[FRAGMENT_0]])
// CHECK:   scf.if
// CHECK-NEXT: tile.copy
// CHECK:   %[[SECOND:[a-z0-9_]+]] = tile.load
// CHECK:   %[[PART:[a-z0-9_]+]] = tile.mma %[[FRAGMENT]], %{{.*}}, %[[SUM]]
// CHECK:   %[[NEXT:[a-z0-9_]+]] = arith.addi %[[I]], %c1
// CHECK:   %[[SLOT:[a-z0-9_]+]] = tile.view %[[RING]][%[[NEXT]]] [%c0, %c0]
// CHECK:   %[[AHEAD:[a-z0-9_]+]] = scf.if
// CHECK-NEXT: tile.load %[[SLOT]]
// CHECK:   } else {
// CHECK-NEXT: tile.fill
// CHECK:   %[[TOTAL:[a-z0-9_]+]] = tile.mma %[[SECOND]], %{{.*}}, %[[PART]]
// CHECK:   scf.yield %[[TOTAL]], %[[AHEAD]]
// CHECK: } {tile.pipelined, tile.prefetch, tile.steps}
func.func @ahead(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %stage map #copy edges <clamp, zero> : memref<4x?xf32>, !one
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %a = tile.load %slice : !slice -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps, tile.prefetch}
  return %total : !acc
}

// At least three steps: each stage is filled at some time, and the last fragment is unused.
// CHECK-LABEL: @least
// CHECK: scf.if
// CHECK-NEXT: tile.copy
// CHECK-NOT: tile.fill
// CHECK: %[[FRAGMENT_0:[a-z0-9_]+]] = tile.load
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[FRAGMENT:[a-z0-9_]+]] = %[[FRAGMENT_0]])
// CHECK-NOT: tile.fill
// CHECK:   tile.mma %[[FRAGMENT]]
// CHECK:   %[[AHEAD:[a-z0-9_]+]] = tile.load
// CHECK:   scf.yield %{{.*}}, %[[AHEAD]]
// CHECK: tile.least_steps = 3
func.func @least(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %stage map #copy edges <clamp, zero> : memref<4x?xf32>, !one
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %a = tile.load %slice : !slice -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps, tile.prefetch, tile.least_steps = 3 : i64}
  return %total : !acc
}

// One operand by copies, one through registers: the loads run one step ahead, under a condition.
// CHECK-LABEL: @mixed
// CHECK: scf.for %[[I:[a-z0-9_]+]] = %c0 to
// CHECK:   %[[LATER:[a-z0-9_]+]] = arith.cmpi slt, %[[I]], %{{.*}}
// CHECK:   %[[SOON:[a-z0-9_]+]] = arith.cmpi slt, %[[I]], %{{.*}}
// CHECK:   %[[NEXT:[a-z0-9_]+]] = arith.addi %[[I]], %c1
// CHECK:   %[[TILE:[a-z0-9_]+]] = scf.if %[[SOON]] -> {{.*}} {
// CHECK:     tile.load
// CHECK:   } else {
// CHECK:     tile.fill
// CHECK:   scf.if %[[LATER]] {
// CHECK-NEXT: tile.copy
// CHECK:   tile.mma
// CHECK:   tile.mma
// CHECK:   %[[SLOT:[a-z0-9_]+]] = tile.view %{{.*}}[%[[NEXT]]] [%c0, %c0]
// CHECK:   scf.if %[[SOON]] {
// CHECK-NEXT: tile.store %[[TILE]], %[[SLOT]]
// CHECK: } {tile.pipelined, tile.steps}
func.func @mixed(%A: memref<4x?xf32>, %B: memref<?x4xf32>, %sum: !acc, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %k = arith.muli %i, %c2 : index
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %stage map #copy : memref<4x?xf32>, !one
    %tile = tile.load %B[%k, %c0] : memref<?x4xf32> -> !tile
    %target = tile.view %other[%i] [%c0, %c0] : !ring -> !one
    tile.store %tile, %target : !tile, !one
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %a = tile.load %slice : !slice -> !a
      %across = tile.view %other[%i] [%c0, %s] : !ring -> !slice
      %square = tile.load %across : !slice -> !a
      %product = arith.mulf %a, %square : !a
      %b = tile.load %B[%k, %c0] : memref<?x4xf32> -> !b
      %next = tile.mma %product, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps}
  return %total : !acc
}
