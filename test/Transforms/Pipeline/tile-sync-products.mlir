// Products of views: a fence and a barrier after stores, a wait before what they read is overwritten, and sums that are
// finished before they are used.
// RUN: split-file %s %t
// RUN: gemm-opt %t/right.mlir --tile-sync | FileCheck %s
// What is there already counts: nothing is added the second time.
// RUN: gemm-opt %t/right.mlir --tile-sync > %t.once
// RUN: gemm-opt %t.once --tile-sync | diff - %t.once
// RUN: gemm-opt %t/invalid.mlir --tile-sync --split-input-file --verify-diagnostics

//--- right.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
#copy = #tile.map<threads = [8:(0, 8), 16:(1, 0)], values = [8:(0, 1), 4:(16, 0)]>
!sums = !tile.matrix<64x8xf32, #c>
!tile = !tile.matrix<64x64xf16, #copy>
!ring = !tile.buffer<3 x 64x64xf16, strides = [64, 1], swizzle = 8>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
gpu.module @kernels {

// CHECK-LABEL: @store_multiply_store
// CHECK: tile.store
// CHECK-NEXT: tile.fence
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.mma
// CHECK-NEXT: tile.wait products 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.finish
gpu.func @store_multiply_store(%t: !tile, %zero: !sums, %A: memref<64x8xf32>, %i: index) kernel {
  %ring = tile.alloc : !ring
  %other = tile.alloc : !b
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !a
  tile.store %t, %stage : !tile, !a
  %sums = tile.mma %stage, %other, %zero instruction(#i) : !a, !b, !sums
  tile.store %t, %stage : !tile, !a
  %done = tile.finish %sums : !sums
  tile.update %done, %A[%i, %i] : !sums, memref<64x8xf32>
  gpu.return
}

// Asynchronous copies count as stores when they have arrived. The product of a step is on its way while the stage of the
// one before it is released.
// CHECK-LABEL: @ring
// CHECK: scf.for
// CHECK: tile.wait 1
// CHECK-NEXT: tile.fence
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.mma
// CHECK: tile.wait products 1
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.commit
// CHECK: tile.finish
gpu.func @ring(%zero: !sums, %A: memref<64x512xf16>, %C: memref<64x8xf32>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %ring = tile.alloc : !ring
  %other = tile.alloc : !b
  %first = tile.view %ring[%c0] [%c0, %c0] : !ring -> !a
  tile.copy %A[%c0, %c0], %first map #copy vector 8 : memref<64x512xf16>, !a
  %second = tile.view %ring[%c1] [%c0, %c0] : !ring -> !a
  tile.copy %A[%c0, %c0], %second map #copy vector 8 : memref<64x512xf16>, !a
  %sums = scf.for %step = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> !sums {
    %stage = tile.view %ring[%step] [%c0, %c0] : !ring -> !a
    %next = tile.mma %stage, %other, %sum instruction(#i) : !a, !b, !sums
    %ahead = arith.addi %step, %c2 : index
    %target = tile.view %ring[%ahead] [%c0, %c0] : !ring -> !a
    tile.copy %A[%c0, %ahead], %target map #copy vector 8 : memref<64x512xf16>, !a
    scf.yield %next : !sums
  } {tile.steps}
  %done = tile.finish %sums : !sums
  tile.update %done, %C[%c0, %c0] : !sums, memref<64x8xf32>
  gpu.return
}

// Loads of what a product reads need no wait.
// CHECK-LABEL: @read_too
// CHECK: tile.mma
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.finish
gpu.func @read_too(%zero: !sums, %A: memref<64x8xf32>, %i: index) kernel {
  %one = tile.alloc : !a
  %other = tile.alloc : !b
  %sums = tile.mma %one, %other, %zero instruction(#i) : !a, !b, !sums
  %read = tile.load %one : !a -> !tile
  %done = tile.finish %sums : !sums
  tile.update %done, %A[%i, %i] : !sums, memref<64x8xf32>
  gpu.return
}
}

//--- invalid.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
gpu.module @kernels {
gpu.func @unfinished(%zero: !sums, %A: memref<64x8xf32>, %i: index, %yes: i1) kernel {
  %one = tile.alloc : !a
  %other = tile.alloc : !b
  %sums = scf.if %yes -> !sums {
    %inner = tile.mma %one, %other, %zero instruction(#i) : !a, !b, !sums
    scf.yield %inner : !sums
  } else {
    scf.yield %zero : !sums
  }
  // expected-error @below {{'tile.update' op uses sums of products that may be on their way: tile.finish waits for them}}
  tile.update %sums, %A[%i, %i] : !sums, memref<64x8xf32>
  gpu.return
}
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
gpu.module @kernels {
gpu.func @carried(%zero: !sums, %A: memref<64x8xf32>, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = tile.alloc : !a
  %other = tile.alloc : !b
  %sums = scf.for %step = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums {
    // expected-error @below {{'tile.add' op uses sums of products that may be on their way}}
    %twice = tile.add %sum, %sum : !sums
    %inner = tile.mma %one, %other, %zero instruction(#i) : !a, !b, !sums
    scf.yield %inner : !sums
  }
  gpu.return
}
}
