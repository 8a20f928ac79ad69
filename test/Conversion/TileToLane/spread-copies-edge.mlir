// Copies in a loop of unknown steps are spread; what lies outside a zero edge stays zero: both conditions
// must hold.
// RUN: gemm-opt %s --micro-tile --spread-copies --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<3 x 8x4xf32, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
#straight = #tile.map<threads = [2:(4, 0), 4:(0, 1)], values = [4:(1, 0)]>

gpu.module @kernels {
// CHECK-LABEL: gpu.func @edge
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: %[[INSIDE:[a-z0-9_]+]] = arith.cmpi
// CHECK: %[[BOTH:[a-z0-9_]+]] = arith.andi %[[INSIDE]], %arg3
// CHECK: math.fma
// CHECK-NEXT: lane.copy {{.*}} inside(%[[BOTH]])
// CHECK-NEXT: math.fma
// CHECK-NEXT: lane.copy
// CHECK-NEXT: math.fma
// CHECK-NEXT: lane.copy
// CHECK-NEXT: math.fma
// CHECK-NEXT: lane.copy
// CHECK-NEXT: lane.commit
gpu.func @edge(%a: memref<f32>, %steps: index, %x: f32, %more: i1, %to: memref<f32>) kernel
    attributes {known_block_size = array<i32: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<f32> to memref<8x16xf32, strided<[1, 8]>>
  %ring = tile.alloc : !ring
  %sum = scf.for %step = %c0 to %steps step %c1 iter_args(%s = %x) -> f32 {
    %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !one
    scf.if %more {
      tile.copy %A[%c0, %step], %stage map #straight edges <inside, zero> : memref<8x16xf32, strided<[1, 8]>>, !one
    }
    tile.commit
    %s1 = math.fma %x, %x, %s : f32
    %s2 = math.fma %x, %x, %s1 : f32
    %s3 = math.fma %x, %x, %s2 : f32
    %s4 = math.fma %x, %x, %s3 : f32
    scf.yield %s4 : f32
  }
  memref.store %sum, %to[] : memref<f32>
  gpu.return
}
}
