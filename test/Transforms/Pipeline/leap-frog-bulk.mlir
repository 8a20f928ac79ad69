// With fragments prefetched of the barrier, the wait for a stage that bulk copies fill is conditional, not the read:
// a stage of a step that does not exist was filled before, but nobody fills it again.
// RUN: gemm-opt %s --leap-frog | FileCheck %s
// Where a stage may never have been filled, the read stands under the condition, too.
// RUN: sed 's/arith.constant 4/arith.constant 2/' %s | gemm-opt --leap-frog | FileCheck %s --check-prefix=FEW

#map = #tile.map<threads = [4:(1, 0)], values = []>
#lines = #tile.map<threads = [2:(0, 0), 2:(0, 1)], values = [4:(1, 0)]>
!tile = !tile.matrix<4x1xf32, #map>
!ring = !tile.buffer<3 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
!slice = !tile.buffer<1 x 4x1xf32, strides = [1, 4]>

gpu.module @kernels {

// CHECK: tile.copy
// CHECK: tile.copy
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NEXT: tile.copy {{.*}} bulk
// CHECK: tile.pipelined, tile.slices
// CHECK: %[[NEXT:.*]] = tile.view %[[RING:[0-9]+]][%[[J:[0-9]+]]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: tile.arrived %[[RING]][%[[J]]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.load %[[NEXT]]
// CHECK: tile.pipelined, tile.prefetch, tile.steps

// FEW: tile.pipelined, tile.slices
// FEW-NOT: tile.arrived
// FEW: scf.if
// FEW-NEXT: tile.load
gpu.func @loop(%A: memref<8x8xf32>, %none: !tile) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %slices = arith.constant 2 : index
  %steps = arith.constant 4 : index
  %b0 = arith.constant 1.0 : f32
  %ring = tile.alloc : !ring
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%outer = %none) -> (!tile) {
    %stage = tile.view %ring[%i] [%c0, %c0] : !ring -> !one
    tile.copy %A[%c0, %i], %stage map #lines bulk : memref<8x8xf32>, !one
    %inner = scf.for %s = %c0 to %slices step %c1 iter_args(%before = %outer) -> (!tile) {
      %view = tile.view %ring[%i] [%c0, %s] : !ring -> !slice
      %fragment = tile.load %view : !slice -> !tile
      %b = tile.fill %b0 : f32 -> !tile.matrix<1x1xf32, <threads = [4:(0, 0)], values = []>>
      %after = tile.mma %fragment, %b, %before : !tile, !tile.matrix<1x1xf32, <threads = [4:(0, 0)], values = []>>, !tile
      scf.yield %after : !tile
    } {tile.slices}
    scf.yield %inner : !tile
  } {tile.steps, tile.prefetch}
  gpu.return
}

}
