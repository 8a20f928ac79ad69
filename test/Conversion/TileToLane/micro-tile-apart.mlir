// Planar complex elements: an access of each plane, 72 real elements apart, and twice that a stage.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

#map = #tile.map<threads = [4:(0, 1), 4:(1, 0)], values = [2:(4, 0)]>
#runs = #tile.map<threads = [4:(0, 2), 4:(1, 0)], values = [2:(0, 1)]>
!ring = !tile.buffer<2 x 8x8xcomplex<f64>, strides = [9, 1], planeStride = 72>
!half = !tile.buffer<1 x 8x4xcomplex<f64>, strides = [9, 1], planeStride = 72>
!wide = !tile.buffer<2 x 4x8xcomplex<f32>, strides = [12, 1], planeStride = 48>
!stage = !tile.buffer<1 x 4x8xcomplex<f32>, strides = [12, 1], planeStride = 48>
!lines = memref<4x8xcomplex<f32>, strided<[8, 1]>>

gpu.module @apart {
  // CHECK-LABEL: gpu.func @single
  gpu.func @single(%step: index) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    // CHECK-DAG: %[[STAGE:.*]] = arith.constant 144 : index
    // CHECK-DAG: %[[APART:.*]] = arith.constant 72 : index
    // CHECK-DAG: memref.view {{.*}} : memref<?xi8, #gpu.address_space<workgroup>> to memref<288xf64, #gpu.address_space<workgroup>>
    %ring = tile.alloc : !ring
    // CHECK: arith.muli %{{.*}}, %[[STAGE]]
    %view = tile.view %ring[%step] [%c0, %c4] : !ring -> !half
    // CHECK: memref.load %{{.*}}[%[[PLACE:.*]]] : memref<288xf64
    // CHECK: %[[BEHIND:.*]] = arith.addi %[[PLACE]], %[[APART]]
    // CHECK: memref.load %{{.*}}[%[[BEHIND]]] : memref<288xf64
    %x = tile.load %view : !half -> !tile.matrix<8x4xcomplex<f64>, #map>
    // CHECK-COUNT-4: memref.store
    // CHECK-NOT: memref.store
    tile.store %x, %view : !tile.matrix<8x4xcomplex<f64>, #map>, !half
    gpu.return
  }

  // Runs of two are one access of each plane.
  // CHECK-LABEL: gpu.func @runs
  gpu.func @runs() kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !wide
    %view = tile.view %ring[%c0] [%c0, %c0] : !wide -> !stage
    // CHECK-COUNT-2: vector.load {{.*}} : memref<192xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    // CHECK-NOT: vector.load
    %x = tile.load %view : !stage -> !tile.matrix<4x8xcomplex<f32>, #runs>
    // CHECK-COUNT-2: vector.store {{.*}} : memref<192xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    tile.store %x, %view : !tile.matrix<4x8xcomplex<f32>, #runs>, !stage
    gpu.return
  }

  // Asynchronous copies move number by number: a run of two elements is four of them.
  // CHECK-LABEL: gpu.func @copied
  gpu.func @copied(%in: memref<complex<f32>>) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %ring = tile.alloc : !wide
    %view = tile.view %ring[%c0] [%c0, %c0] : !wide -> !stage
    %A = memref.reinterpret_cast %in to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<complex<f32>> to !lines
    // CHECK: lane.copy %{{.*}}[%[[FROM:.*]]], %{{.*}}[%[[TO:.*]]] elements 1
    // CHECK-DAG: %[[IM:.*]] = arith.addi %[[FROM]], %c1
    // CHECK-DAG: %[[BEHIND:.*]] = arith.addi %[[TO]], %c48
    // CHECK: lane.copy %{{.*}}[%[[IM]]], %{{.*}}[%[[BEHIND]]] elements 1
    // CHECK-COUNT-2: lane.copy {{.*}} elements 1
    // CHECK-NOT: lane.copy
    tile.copy %A[%c0, %c0], %view map #runs vector 2 : !lines, !stage
    tile.commit
    gpu.return
  }
}
