// Intermediates of host code become memory of the GPU; what is not memory is left alone.
// RUN: gemm-opt %s --pass-pipeline='builtin.module(func.func(device-memory))' | FileCheck %s

memref.global "private" constant @table : memref<4xf32> = dense<1.0>

// CHECK-LABEL: func.func @host
// CHECK-SAME:      %[[N:.*]]: index, %[[IN:.*]]: memref<?xf32>
// CHECK:         %[[START:.*]] = gpu.wait async
// CHECK:         %[[MEMORY:.*]], %[[DONE:.*]] = gpu.alloc async [%[[START]]] (%[[N]]) : memref<?xf32>
// CHECK:         gpu.wait [%[[DONE]]]
// CHECK:         gpu.memcpy async [%{{.*}}] %[[MEMORY]], %[[IN]]
// A constant is copied to the device.
// CHECK:         %[[CONSTANT:.*]] = memref.get_global @table
// CHECK:         %[[COPY:.*]], %{{.*}} = gpu.alloc async
// CHECK:         gpu.memcpy async [%{{.*}}] %[[COPY]], %[[CONSTANT]]
// CHECK:         memref.cast %[[COPY]]
// CHECK:         gpu.dealloc async [%{{.*}}] %[[MEMORY]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @host(%n: index, %in: memref<?xf32>) {
  %memory = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %memory : memref<?xf32> to memref<?xf32>
  %constant = memref.get_global @table : memref<4xf32>
  %cast = memref.cast %constant : memref<4xf32> to memref<?xf32>
  memref.dealloc %memory : memref<?xf32>
  return
}
