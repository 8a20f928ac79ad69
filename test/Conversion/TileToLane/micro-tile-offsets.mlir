// Accesses of several elements, and what is 0 beyond an edge, where a loop counts the offsets of slices: its bounds and
// step say what divides these, and how large they get.
// RUN: gemm-opt %s --micro-tile --canonicalize --cse | FileCheck %s

!ring = !tile.buffer<1 x 32x32xf32, strides = [32, 1], swizzle = 4>
!slice = !tile.buffer<1 x 32x4xf32, strides = [32, 1], swizzle = 4>
!pair = !tile.buffer<1 x 32x2xf32, strides = [32, 1], swizzle = 4>
#runs = #tile.map<threads = [32:(1, 0)], values = [4:(0, 1)]>
#pairs = #tile.map<threads = [32:(1, 0)], values = [2:(0, 1)]>
!odd = !tile.buffer<1 x 32x31xf32, strides = [31, 1]>
!part = !tile.buffer<1 x 32x2xf32, strides = [31, 1]>

gpu.module @kernels {

// Four elements along K, whose places XOR changes together.
// CHECK-LABEL: @slices
// CHECK: scf.for %[[K:.*]] = %c0 to %c32 step %c4
// CHECK: %[[PLACE:.*]] = arith.xori %[[K]]
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK-NOT: memref.load
// CHECK: gpu.return
gpu.func @slices(%out: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %ring = tile.alloc : !ring
  scf.for %k = %c0 to %c32 step %c4 {
    %slice = tile.view %ring[%c0] [%c0, %k] : !ring -> !slice
    %fragment = tile.load %slice : !slice -> !tile.matrix<32x4xf32, #runs>
    tile.store %fragment, %slice : !tile.matrix<32x4xf32, #runs>, !slice
  }
  gpu.return
}

// Steps of two: pairs; and the next slice, or the first one at the end, as leap-frog reads ahead.
// CHECK-LABEL: @ahead
// CHECK: arith.select
// CHECK: vector.load {{.*}} vector<2xf32>
// CHECK-NOT: memref.load
// CHECK: gpu.return
gpu.func @ahead(%out: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c30 = arith.constant 30 : index
  %c32 = arith.constant 32 : index
  %ring = tile.alloc : !ring
  scf.for %k = %c0 to %c32 step %c2 {
    %more = arith.cmpi slt, %k, %c30 : index
    %next = arith.addi %k, %c2 : index
    %at = arith.select %more, %next, %c0 : index
    %slice = tile.view %ring[%c0] [%c0, %at] : !ring -> !pair
    %fragment = tile.load %slice : !pair -> !tile.matrix<32x2xf32, #pairs>
    tile.store %fragment, %slice : !tile.matrix<32x2xf32, #pairs>, !pair
  }
  gpu.return
}

// A step of three divides nothing: element by element.
// CHECK-LABEL: @odd
// CHECK-NOT: vector.load
// CHECK: gpu.return
gpu.func @odd(%out: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c30 = arith.constant 30 : index
  %ring = tile.alloc : !ring
  scf.for %k = %c0 to %c30 step %c3 {
    %slice = tile.view %ring[%c0] [%c0, %k] : !ring -> !pair
    %fragment = tile.load %slice : !pair -> !tile.matrix<32x2xf32, #pairs>
    tile.store %fragment, %slice : !tile.matrix<32x2xf32, #pairs>, !pair
  }
  gpu.return
}

// 31 columns: slices of two up to 28 lie before the edge, in a loop up to 30 the last one does not.
// CHECK-LABEL: @edge
// CHECK: scf.for %{{.*}} = %c0 to %c30 step %c2
// CHECK-NOT: arith.select
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c2
// CHECK: %[[INSIDE:.*]] = arith.cmpi sgt
// CHECK: arith.select %[[INSIDE]]
// CHECK: gpu.return
gpu.func @edge(%out: memref<f32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c30 = arith.constant 30 : index
  %c32 = arith.constant 32 : index
  %ring = tile.alloc : !odd
  scf.for %k = %c0 to %c30 step %c2 {
    %slice = tile.view %ring[%c0] [%c0, %k] : !odd -> !part
    %fragment = tile.load %slice edges <inside, zero> : !part -> !tile.matrix<32x2xf32, #pairs>
    tile.store %fragment, %slice : !tile.matrix<32x2xf32, #pairs>, !part
  }
  scf.for %k = %c0 to %c32 step %c2 {
    %slice = tile.view %ring[%c0] [%c0, %k] : !odd -> !part
    %fragment = tile.load %slice edges <inside, zero> : !part -> !tile.matrix<32x2xf32, #pairs>
    tile.store %fragment, %slice : !tile.matrix<32x2xf32, #pairs>, !part
  }
  gpu.return
}
}
