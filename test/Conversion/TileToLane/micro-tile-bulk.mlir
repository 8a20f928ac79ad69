// Bulk copies become one lane.bulk_copy for each line of a thread, waits those of a stage's counter.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<3 x 8x4xf32, strides = [1, 12]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 12]>
#lines = #tile.map<threads = [8:(0, 0), 2:(0, 2), 2:(0, 0)], values = [8:(1, 0), 2:(0, 1)]>
#alone = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>

gpu.module @kernels {

// Counters lie after the ring of 3 * 256 bytes. One thread copies each vector: the first of the last digit,
// elected among 8.
// CHECK-LABEL: @lines
// CHECK-DAG: %[[PLACE:.*]] = arith.constant 768 : index
// CHECK: scf.if
// CHECK: memref.view %{{.*}}[%[[PLACE]]][] : {{.*}} to memref<3xi64,
// CHECK: lane.arrivals %{{.*}} stages 3 copiers 2
// CHECK: gpu.barrier
// CHECK: %[[SLOT:.*]] = arith.remui %[[STEP:.*]], %c3
// CHECK: scf.if
// CHECK-NEXT: lane.elect 8
// CHECK-NEXT: scf.if
// CHECK: lane.expect %{{.*}}[%[[SLOT]]] bytes 64
// CHECK: lane.bulk_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 8 arrives %{{.*}}[%[[SLOT]]]
// CHECK: lane.bulk_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 8 arrives %{{.*}}[%[[SLOT]]]
// CHECK-NOT: lane.bulk_copy
// CHECK: %[[PHASE:.*]] = arith.divui %[[STEP]], %c3
// CHECK: %[[PARITY:.*]] = arith.remui %[[PHASE]], %c2
// CHECK: lane.arrived %{{.*}}[%[[SLOT]]] parity %[[PARITY]]
gpu.func @lines(%a: memref<f32>, %step: index) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<f32> to memref<8x16xf32, strided<[1, 8]>>
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !one
  tile.copy %A[%c0, %step], %stage map #lines vector 4 bulk : memref<8x16xf32, strided<[1, 8]>>, !one
  tile.arrived %ring[%step] : !ring
  gpu.return
}

// Complex numbers: twice as many reals. Every thread has a line of its own.
// CHECK-LABEL: @alone
// CHECK: lane.arrivals %{{.*}} stages 3 copiers 4
// CHECK-NOT: lane.elect
// CHECK: lane.expect %{{.*}} bytes 64
// CHECK: lane.bulk_copy %{{.*}} elements 16 arrives
gpu.func @alone(%a: memref<complex<f32>>, %step: index) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<complex<f32>> to memref<8x16xcomplex<f32>, strided<[1, 8]>>
  %ring = tile.alloc : !tile.buffer<3 x 8x4xcomplex<f32>, strides = [1, 12]>
  %stage = tile.view %ring[%step] [%c0, %c0] : !tile.buffer<3 x 8x4xcomplex<f32>, strides = [1, 12]> -> !tile.buffer<1 x 8x4xcomplex<f32>, strides = [1, 12]>
  tile.copy %A[%c0, %step], %stage map #alone vector 2 bulk : memref<8x16xcomplex<f32>, strided<[1, 8]>>, !tile.buffer<1 x 8x4xcomplex<f32>, strides = [1, 12]>
  tile.arrived %ring[%step] : !tile.buffer<3 x 8x4xcomplex<f32>, strides = [1, 12]>
  gpu.return
}

}
