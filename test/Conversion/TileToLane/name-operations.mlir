// Operations of tile are numbered in each kernel; others, and kernels of others, are left alone.
// RUN: gemm-opt %s --name-operations --mlir-print-debuginfo --mlir-use-nameloc-as-prefix=false | FileCheck %s

#one = #tile.map<threads = [4:(1, 0)], values = []>

// CHECK-DAG: #[[PLACE:loc[0-9]*]] = loc({{.*}}"gemm.mlir":3:5)
// CHECK-DAG: loc("tile.fill 1"(#[[PLACE]]))
// CHECK-DAG: loc("tile.fill 2"(#[[PLACE]]))
// CHECK-DAG: loc("tile.alloc 1"(
// CHECK-NOT: loc("tile.fill 3"
// CHECK-NOT: loc("gpu.return
gpu.module @kernels {
gpu.func @first(%x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one> loc("gemm.mlir":3:5)
  %buffer = tile.alloc : !tile.buffer<1 x 4x1xf32, strides = [1, 4]>
  %b = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one> loc("gemm.mlir":3:5)
  gpu.return
}
gpu.func @second(%x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one>
  gpu.return
}
gpu.func @other(%x: f32, %p: memref<f32>) kernel {
  memref.store %x, %p[] : memref<f32>
  gpu.return
}
}
