// Global memory has no name in types; attributes and results of all kinds included.
// RUN: gemm-opt %s --host-types | FileCheck %s
// RUN: gemm-opt %s --host-types --host-types | FileCheck %s

// CHECK-LABEL: memref.global "private" constant @table : memref<4xf32>
memref.global "private" constant @table : memref<4xf32, 1> = dense<2.0>

// CHECK-LABEL: func @numbers(%arg0: memref<16x8xf32>, %arg1: memref<?xf32, strided<[2], offset: ?>>) -> memref<4xf32>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: memref.get_global @table : memref<4xf32>
func.func @numbers(%a: memref<16x8xf32, 1>, %b: memref<?xf32, strided<[2], offset: ?>, #gpu.address_space<global>>) -> memref<4xf32, 1> {
  %m = memref.alloc() : memref<8xf32, 1>
  %t = memref.get_global @table : memref<4xf32, 1>
  return %t : memref<4xf32, 1>
}

// CHECK-LABEL: func @unranked(%arg0: memref<*xf32>)
// CHECK: bufferization.alloc_tensor() : tensor<4xf32>
func.func @unranked(%a: memref<*xf32, 1>) -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  return %t : tensor<4xf32>
}

// Kernels of the user's hold what they like.
// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @k(%arg0: memref<4xf32, 1>) workgroup(%{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>)
gpu.module @kernels {
  gpu.func @k(%a: memref<4xf32, 1>) workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// CHECK-LABEL: func @launches
// CHECK: workgroup(%{{.*}} : memref<4xf32, 3>)
func.func @launches(%n: index) {
  gpu.launch blocks(%i, %j, %k) in (%x = %n, %y = %n, %z = %n) threads(%o, %p, %q) in (%u = %n, %v = %n, %w = %n)
      workgroup(%s: memref<4xf32, 3>) {
    gpu.terminator
  }
  return
}
