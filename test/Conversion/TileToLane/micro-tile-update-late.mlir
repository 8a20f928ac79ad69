// Accumulators that come from shared memory are read with the access to C that needs them, after what is read of C
// ahead; also where beta is known at run time alone, in both programs.
// RUN: gemm-opt %s --micro-tile --cse --canonicalize | FileCheck %s

#rows = #tile.map<threads = [2:(1, 0)], values = [4:(0, 1), 2:(0, 4)]>
!sums = !tile.matrix<2x8xf32, #rows>
!buffer = !tile.buffer<1 x 2x8xf32, strides = [12, 1]>
!c = memref<8x8xf32, strided<[8, 1]>>

gpu.module @kernels {
// CHECK-LABEL: gpu.func @ahead
// CHECK:      gpu.barrier
// CHECK-NOT:  workgroup
// CHECK:      vector.load {{.*}}strided<[1]>>, vector<4xf32>
// CHECK:      vector.load {{.*}}strided<[1]>>, vector<4xf32>
// CHECK:      vector.load {{.*}}<workgroup>
// CHECK:      vector.store
// CHECK:      vector.load {{.*}}<workgroup>
// CHECK:      vector.store
// CHECK-NOT:  workgroup
gpu.func @ahead(%p: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !c
  %buffer = tile.alloc : !buffer
  %tile = tile.load %C[%i, %i] vector 4 : !c -> !sums
  tile.store %tile, %buffer : !sums, !buffer
  gpu.barrier
  %sums = tile.load %buffer : !buffer -> !sums
  tile.update %sums, %C[%i, %i] beta(%one : f32) vector 4 ahead 2 : !sums, !c
  gpu.return
}

// CHECK-LABEL: gpu.func @two_programs
// CHECK:      gpu.barrier
// CHECK-NOT:  workgroup
// CHECK:      scf.if
// CHECK-COUNT-2: vector.load {{.*}}<workgroup>
// CHECK:      } else {
// CHECK-COUNT-2: vector.load {{.*}}<workgroup>
gpu.func @two_programs(%p: memref<f32>, %i: index, %beta: f32) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !c
  %buffer = tile.alloc : !buffer
  %tile = tile.load %C[%i, %i] vector 4 : !c -> !sums
  tile.store %tile, %buffer : !sums, !buffer
  gpu.barrier
  %sums = tile.load %buffer : !buffer -> !sums
  tile.update %sums, %C[%i, %i] beta(%beta : f32) vector 4 : !sums, !c
  gpu.return
}

// In a branch, too, as rows of C without gaps have two: narrower accesses read a run again.
// CHECK-LABEL: gpu.func @branch
// CHECK:      gpu.barrier
// CHECK-NOT:  workgroup
// CHECK:      scf.if
// CHECK-COUNT-2: vector.load {{.*}}<workgroup>
// CHECK:      } else {
// CHECK-COUNT-4: vector.load {{.*}}<workgroup>
gpu.func @branch(%p: memref<f32>, %i: index, %first: i1) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !c
  %buffer = tile.alloc : !buffer
  %tile = tile.load %C[%i, %i] vector 4 : !c -> !sums
  tile.store %tile, %buffer : !sums, !buffer
  gpu.barrier
  %sums = tile.load %buffer : !buffer -> !sums
  scf.if %first {
    tile.update %sums, %C[%i, %i] vector 4 : !sums, !c
  } else {
    tile.update %sums, %C[%i, %i] vector 2 : !sums, !c
  }
  gpu.return
}

// A loop may write there between two updates.
// CHECK-LABEL: gpu.func @loop
// CHECK-COUNT-2: vector.load {{.*}}<workgroup>
// CHECK:      scf.for
// CHECK-NOT:  workgroup
// CHECK:      gpu.return
gpu.func @loop(%p: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !c
  %buffer = tile.alloc : !buffer
  %tile = tile.load %C[%i, %i] vector 4 : !c -> !sums
  tile.store %tile, %buffer : !sums, !buffer
  gpu.barrier
  %sums = tile.load %buffer : !buffer -> !sums
  scf.for %n = %c0 to %i step %c1 {
    tile.update %sums, %C[%n, %n] vector 4 : !sums, !c
  }
  gpu.return
}

// After a barrier others may have written there.
// CHECK-LABEL: gpu.func @barrier
// CHECK-COUNT-2: vector.load {{.*}}<workgroup>
// CHECK:      gpu.barrier
// CHECK-NOT:  workgroup
// CHECK:      gpu.return
gpu.func @barrier(%p: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to !c
  %buffer = tile.alloc : !buffer
  %tile = tile.load %C[%i, %i] vector 4 : !c -> !sums
  tile.store %tile, %buffer : !sums, !buffer
  gpu.barrier
  %sums = tile.load %buffer : !buffer -> !sums
  gpu.barrier
  tile.update %sums, %C[%i, %i] vector 4 : !sums, !c
  gpu.return
}
}
