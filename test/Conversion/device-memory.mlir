// What host code allocates between kernels is memory of the GPU, each step on a stream that is waited for.
// RUN: gemm-opt %s --pass-pipeline="builtin.module(func.func(device-memory))" --allow-unregistered-dialect | FileCheck %s
// RUN: gemm-opt %s --pass-pipeline="builtin.module(func.func(device-memory,device-memory))" --allow-unregistered-dialect | FileCheck %s --check-prefix=TWICE

memref.global "private" constant @weights : memref<4xf32> = dense<1.0>

// CHECK-LABEL: func.func @host
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index, %[[IN:[a-z0-9_]+]]: memref<?xf32>
// CHECK: %[[START:[a-z0-9_]+]] = gpu.wait async
// CHECK: %[[X:[a-z0-9_]+]], %[[DONE:[a-zA-Z0-9_]+]] = gpu.alloc async [%[[START]]] (%[[N]]) : memref<?xf32>
// CHECK: gpu.wait [%[[DONE]]]
// CHECK: %[[COPIED:[a-z0-9_]+]] = gpu.memcpy async [%{{.*}}] %[[X]], %[[IN]]
// CHECK: gpu.wait [%[[COPIED]]]
// A constant is copied; the copy lives to the end of the block.
// CHECK: %[[HOST:[a-z0-9_]+]] = memref.get_global @weights
// CHECK: %[[W:[a-z0-9_]+]], %{{.*}} = gpu.alloc async [%{{.*}}] () : memref<4xf32>
// CHECK: gpu.memcpy async [%{{.*}}] %[[W]], %[[HOST]]
// CHECK: call @use(%[[X]], %[[W]])
// CHECK: gpu.dealloc async [%{{.*}}] %[[X]]
// CHECK: gpu.dealloc async [%{{.*}}] %[[W]]
// CHECK: gpu.wait
// CHECK-NEXT: return
func.func private @use(memref<?xf32>, memref<4xf32>)
func.func @host(%n: index, %in: memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %x : memref<?xf32> to memref<?xf32>
  %w = memref.get_global @weights : memref<4xf32>
  call @use(%x, %w) : (memref<?xf32>, memref<4xf32>) -> ()
  memref.dealloc %x : memref<?xf32>
  return
}

// Where the constant is returned, its copy stays.
// CHECK-LABEL: func.func @returned
// CHECK: %[[W:[a-z0-9_]+]], %{{.*}} = gpu.alloc
// CHECK-NOT: gpu.dealloc
// CHECK: return %[[W]]
func.func @returned() -> memref<4xf32> {
  %w = memref.get_global @weights : memref<4xf32>
  return %w : memref<4xf32>
}

// The second time only constants are left, and their readers are copies.
// TWICE-LABEL: func.func @host
// TWICE-COUNT-1: gpu.alloc {{.*}} memref<?xf32>
// TWICE-NOT: memref.alloc
// TWICE-NOT: memref.copy
// TWICE: return
