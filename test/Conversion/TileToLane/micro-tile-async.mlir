// Copies become one lane.copy for each run that is contiguous on both sides.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<3 x 8x4xf32, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
#straight = #tile.map<threads = [2:(4, 0), 4:(0, 1)], values = [4:(1, 0)]>
#transposed = #tile.map<threads = [4:(0, 1), 2:(1, 0)], values = [4:(2, 0)]>
!line = !tile.buffer<1 x 1x16xf32, strides = [16, 1]>
#line = #tile.map<threads = [4:(0, 4)], values = [4:(0, 1)]>
#lines = #tile.map<threads = [4:(0, 4)], values = [4:(0, 1), 2:(0, 16)]>
!lines = !tile.buffer<1 x 1x32xf32, strides = [32, 1]>
!sum = !tile.matrix<1x4xf32, #tile.map<threads = [4:(0, 1)], values = []>>

gpu.module @kernels {

// Contiguous along rows in memory and in the ring: 16 bytes at a time.
// CHECK-LABEL: @straight
// CHECK: lane.copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 4 : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
// CHECK-NOT: lane.copy
// CHECK: lane.commit
// CHECK-NEXT: lane.wait 1
// CHECK-NEXT: gpu.return
gpu.func @straight(%a: memref<f32>, %step: index) kernel
    attributes {known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<f32> to memref<8x16xf32, strided<[1, 8]>>
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %step], %stage map #straight vector 4 : memref<8x16xf32, strided<[1, 8]>>, !one
  tile.commit
  tile.wait 1
  gpu.return
}

// Contiguous along columns in memory, along rows in the ring: one element at a time. What lies
// before column 0, or after the last row, is not read.
// CHECK-LABEL: @transposed
// CHECK: arith.minsi
// CHECK: %[[VALID:.*]] = arith.cmpi ult
// CHECK-COUNT-4: lane.copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 1 inside(%[[VALID]]) :
// CHECK-NOT: lane.copy
// CHECK: gpu.return
gpu.func @transposed(%a: memref<f32>, %k: index, %rows: index) kernel
    attributes {known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [%rows, 16], strides: [16, 1]
    : memref<f32> to memref<?x16xf32, strided<[16, 1]>>
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%k] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %k], %stage map #transposed edges <clamp, zero>
    : memref<?x16xf32, strided<[16, 1]>>, !one
  gpu.return
}

// 39 elements, 16 a tile: an access of 16 bytes may be cut. Workgroups that lie before the end, at 23 or before, copy all;
// only the last one asks how much is left of each access. In a loop each access asks.
// CHECK-LABEL: @cut
// CHECK: %[[WHOLE:.*]] = arith.cmpi ule, %{{.*}}, %c23
// CHECK: scf.if %[[WHOLE]]
// CHECK: lane.copy %{{.*}} elements 4 :
// CHECK: } else {
// CHECK: %[[LEFT:.*]] = arith.subi %c39
// CHECK: lane.copy %{{.*}} elements 4 first(%[[LEFT]]) inside(
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: lane.copy %{{.*}} elements 4 first(%{{.*}}) inside(
// CHECK: gpu.return
gpu.func @cut(%a: memref<f32>, %tile: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [1, 39], strides: [39, 1]
    : memref<f32> to memref<1x39xf32, strided<[39, 1]>>
  %ring = tile.alloc : !line
  %stage = tile.view %ring[%c0] [%c0, %c0] : !line -> !line
  tile.copy %A[%c0, %tile], %stage map #line edges <inside, zero> vector 4 : memref<1x39xf32, strided<[39, 1]>>, !line
  scf.for %k = %c0 to %c48 step %c16 {
    tile.copy %A[%c0, %k], %stage map #line edges <inside, zero> vector 4 : memref<1x39xf32, strided<[39, 1]>>, !line
  }
  gpu.return
}

// Rows may be missing, but no access is cut: 16 bytes of a row.
// CHECK-LABEL: @whole
// CHECK-NOT: scf.if
// CHECK: lane.copy %{{.*}} elements 4 inside(
// CHECK: gpu.return
gpu.func @whole(%a: memref<f32>, %tile: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [39, 16], strides: [16, 1]
    : memref<f32> to memref<39x16xf32, strided<[16, 1]>>
  %ring = tile.alloc : !line
  tile.copy %A[%tile, %c0], %ring map #line edges <zero, inside> vector 4 : memref<39x16xf32, strided<[16, 1]>>, !line
  gpu.return
}

// Where the remainder of K comes last nothing lies before the matrix: what is left of it is counted once, in 32 bits, and
// compared with constants. The places of copies that read nothing need not lie inside. Loops with sums are made anew on
// the way, and keep their mark.
// CHECK-LABEL: @last
// CHECK: scf.for {{.*}} iter_args(
// CHECK: %[[LEFT:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK-NOT: arith.select
// CHECK: %[[FIRST:.*]] = arith.cmpi sgt, %[[LEFT]], %c0_i32
// CHECK: lane.copy %{{.*}} elements 4 inside(%[[FIRST]])
// CHECK: %[[SECOND:.*]] = arith.cmpi sgt, %[[LEFT]], %c16_i32
// CHECK: lane.copy %{{.*}} elements 4 inside(%[[SECOND]])
// CHECK: %[[REST:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: lane.copy %{{.*}} elements 4 first(%{{.*}}) inside(
// CHECK: %[[THIRD:.*]] = arith.cmpi sgt, %[[REST]], %c16_i32
// CHECK: %[[CUT:.*]] = arith.subi %[[REST]], %c16_i32 : i32
// CHECK: %[[SOME:.*]] = arith.minsi %[[CUT]], %c4_i32 : i32
// CHECK: %[[PART:.*]] = arith.index_cast %[[SOME]] : i32 to index
// CHECK: lane.copy %{{.*}} elements 4 first(%[[PART]]) inside(%[[THIRD]])
gpu.func @last(%a: memref<f32>, %x: f32, %steps: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [1, 40], strides: [40, 1]
    : memref<f32> to memref<1x40xf32, strided<[40, 1]>>
  %B = memref.reinterpret_cast %a to offset: [0], sizes: [1, 39], strides: [39, 1]
    : memref<f32> to memref<1x39xf32, strided<[39, 1]>>
  %ring = tile.alloc : !lines
  %none = tile.fill %x : f32 -> !sum
  %sum = scf.for %k = %c0 to %steps step %c1 iter_args(%before = %none) -> (!sum) {
    tile.copy %A[%c0, %k], %ring map #lines edges <inside, zero> vector 4 : memref<1x40xf32, strided<[40, 1]>>, !lines
    tile.copy %B[%c0, %k], %ring map #lines edges <inside, zero> vector 4 : memref<1x39xf32, strided<[39, 1]>>, !lines
    %next = arith.addf %before, %none : !sum
    scf.yield %next : !sum
  } {tile.remainder_last}
  tile.update %sum, %B[%c0, %c0] : !sum, memref<1x39xf32, strided<[39, 1]>>
  gpu.return
}

// Where it comes first the first step begins before the matrix: an index below 0 is beyond all sizes without its sign.
// CHECK-LABEL: @first
// CHECK: scf.for
// CHECK: arith.cmpi ult, %{{.*}}, %c40
// CHECK-NOT: i32
// CHECK: lane.copy %{{.*}} elements 4 inside(
gpu.func @first(%a: memref<f32>, %steps: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [1, 40], strides: [40, 1]
    : memref<f32> to memref<1x40xf32, strided<[40, 1]>>
  %ring = tile.alloc : !lines
  scf.for %k = %c0 to %steps step %c1 {
    tile.copy %A[%c0, %k], %ring map #lines edges <inside, zero> vector 4 : memref<1x40xf32, strided<[40, 1]>>, !lines
  }
  gpu.return
}

}
