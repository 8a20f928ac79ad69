// A tensor copy is one lane.tensor_copy of the whole view, by the thread that is elected of the first subgroup.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<3 x 8x4xcomplex<f32>, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xcomplex<f32>, strides = [1, 8]>
#whole = #tile.map<threads = [32:(0, 0), 2:(0, 0)], values = [8:(1, 0), 4:(0, 1)]>

!padded = !tile.buffer<3 x 8x4xf32, strides = [1, 9]>
!line = !tile.buffer<1 x 8x4xf32, strides = [1, 9]>
#line = #tile.map<threads = [8:(1, 0), 8:(0, 0)], values = [4:(0, 1)]>

gpu.module @kernels {

// Lines run along the rows of the view: the element of a line is its row, in real numbers.
// CHECK-LABEL: @whole
// CHECK-SAME: %[[DESCRIPTOR:[a-z0-9]+]]: !llvm.array<16 x i64>, %[[ROW:[a-z0-9]+]]: index, %[[STEP:[a-z0-9]+]]: index)
// CHECK: lane.arrivals %{{.*}} stages 3 copiers 1
// CHECK: gpu.barrier
// CHECK: %[[SLOT:.*]] = arith.remui %[[STEP]], %c3
// CHECK: scf.if
// CHECK: lane.elect 32
// CHECK: lane.expect %{{.*}}[%[[SLOT]]] bytes 256
// CHECK: lane.tensor_copy %[[DESCRIPTOR]][%{{.*}}, %[[STEP]]], %{{.*}}[%{{.*}}] elements 64 arrives %{{.*}}[%[[SLOT]]]
// CHECK-NOT: lane.bulk_copy
// CHECK: lane.arrived
gpu.func @whole(%a: memref<complex<f32>>, %d: !llvm.array<16 x i64>, %row: index, %step: index) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<complex<f32>> to memref<8x16xcomplex<f32>, strided<[1, 8]>>
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !one
  tile.copy %A[%row, %step], %stage map #whole vector 2 bulk descriptor(%d : !llvm.array<16 x i64>) : memref<8x16xcomplex<f32>, strided<[1, 8]>>, !one
  tile.arrived %ring[%step] : !ring
  gpu.return
}

// A ring of 3 stages of 8x4 with vectors of 9 has 3 * 256 bytes, 144 of them in use: the boxes after it begin at a multiple of 128, too.
// CHECK-LABEL: @behind
// CHECK: memref.view %{{.*}}[%c768][]
// CHECK: lane.tensor_copy
gpu.func @behind(%a: memref<complex<f32>>, %d: !llvm.array<16 x i64>, %row: index, %step: index, %value: f32) kernel
    attributes {known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %A = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [1, 8]
    : memref<complex<f32>> to memref<8x16xcomplex<f32>, strided<[1, 8]>>
  %other = tile.alloc : !padded
  %part = tile.view %other[%step] [%c0, %c0] : !padded -> !line
  %filled = tile.fill %value : f32 -> !tile.matrix<8x4xf32, #line>
  tile.store %filled, %part : !tile.matrix<8x4xf32, #line>, !line
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !one
  tile.copy %A[%row, %step], %stage map #whole vector 2 bulk descriptor(%d : !llvm.array<16 x i64>) : memref<8x16xcomplex<f32>, strided<[1, 8]>>, !one
  tile.arrived %ring[%step] : !ring
  gpu.return
}

}
