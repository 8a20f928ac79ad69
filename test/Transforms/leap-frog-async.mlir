// Asynchronous copies are issued as many steps ahead as the ring has other slots.
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

func.func @three_slots(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %c9 step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %slot = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %slot map #copy edges <clamp, zero> : memref<4x?xf32>, !one
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

func.func @ahead(%A: memref<4x?xf32>, %b: !b, %sum: !acc, %first: index, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %distance = arith.muli %i, %c2 : index
    %k = arith.addi %first, %distance : index
    %slot = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %slot map #copy edges <clamp, zero> : memref<4x?xf32>, !one
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %slice = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %a = tile.load %slice : !slice -> !a
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps, tile.ahead}
  return %total : !acc
}

// One operand by copies, one through registers: the loads run one step ahead, under a condition.
func.func @mixed(%A: memref<4x?xf32>, %B: memref<?x4xf32>, %sum: !acc, %steps: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !ring
  %total = scf.for %i = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %k = arith.muli %i, %c2 : index
    %slot = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %k], %slot map #copy : memref<4x?xf32>, !one
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
