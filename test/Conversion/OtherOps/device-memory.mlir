// Allocations in host code of kernels are memory of the GPU, and everything follows on the caller's stream.
// RUN: gemm-opt %s --device-memory --allow-unregistered-dialect | FileCheck %s
// RUN: gemm-opt %s --device-memory --device-memory --allow-unregistered-dialect | FileCheck %s --check-prefix=TWICE
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%a: memref<f32>) kernel { gpu.return }
}
memref.global "private" constant @weights : memref<4xf32> = dense<1.0>

// The addresses of the copies of a constant, one a device.
// CHECK-DAG: llvm.mlir.global internal @weights_on_device() {{.*}} : !llvm.array<64 x ptr>
// CHECK-DAG: func.func private @rooftileGetStream() -> !llvm.ptr
// CHECK-DAG: func.func private @rooftileGlobal(!llvm.ptr, !llvm.ptr, i64) -> !llvm.ptr

// CHECK-LABEL: func.func @host
// CHECK-SAME: %[[N:[a-z0-9_]+]]: index, %[[IN:[a-z0-9_]+]]: memref<?xf32>
// CHECK: %[[HANDLE:[a-z0-9_]+]] = call @rooftileGetStream()
// CHECK: %[[STREAM:[a-z0-9_]+]] = builtin.unrealized_conversion_cast %[[HANDLE]] : !llvm.ptr to !gpu.async.token
// CHECK: %[[X:[a-z0-9_]+]], %{{.*}} = gpu.alloc async [%[[STREAM]]] (%[[N]]) : memref<?xf32>
// CHECK: gpu.memcpy async [%[[STREAM]]] %[[X]], %[[IN]]
// CHECK: %[[HOST:[a-z0-9_]+]] = memref.get_global @weights
// CHECK: memref.extract_aligned_pointer_as_index %[[HOST]]
// CHECK: call @rooftileGlobal(%{{.*}}, %{{.*}}, %c16_i64)
// CHECK: %[[W:[a-z0-9_]+]] = builtin.unrealized_conversion_cast %{{.*}} to memref<4xf32>
// CHECK: gpu.launch_func async [%[[STREAM]]] @kernels::@kernel {{.*}} {note = 7 : i64}
// CHECK: call @use(%[[X]], %[[W]])
// CHECK: gpu.dealloc async [%[[STREAM]]] %[[X]]
// CHECK-NOT: gpu.wait
// CHECK: return
// TWICE-LABEL: func.func @host
// TWICE-COUNT-1: gpu.alloc {{.*}} memref<?xf32>
// TWICE-COUNT-1: call @rooftileGlobal
// TWICE-NOT: call @rooftileGlobal
// TWICE-NOT: memref.alloc
// TWICE: return
func.func private @use(memref<?xf32>, memref<4xf32>)
func.func @host(%n: index, %in: memref<?xf32>, %a: memref<f32>) {
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%n) : memref<?xf32>
  memref.copy %in, %x : memref<?xf32> to memref<?xf32>
  %w = memref.get_global @weights : memref<4xf32>
  gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<f32>) {note = 7 : i64}
  func.call @use(%x, %w) : (memref<?xf32>, memref<4xf32>) -> ()
  memref.dealloc %x : memref<?xf32>
  return
}

// Its callees and callers work with the same memory.
// CHECK-LABEL: func.func @caller
// CHECK: gpu.alloc
// CHECK: call @host
func.func @caller(%n: index, %a: memref<f32>) {
  %in = memref.alloc(%n) : memref<?xf32>
  func.call @host(%n, %in, %a) : (index, memref<?xf32>, memref<f32>) -> ()
  return
}

// A launch that somebody else has ordered keeps its order.
// CHECK-LABEL: func.func @ordered
// CHECK: %[[OWN:[a-z0-9_]+]] = gpu.wait async
// CHECK: gpu.launch_func async [%[[OWN]]]
// CHECK: gpu.wait
func.func @ordered(%a: memref<f32>) {
  %c1 = arith.constant 1 : index
  %start = gpu.wait async
  %end = gpu.launch_func async [%start] @kernels::@kernel blocks in (%c1, %c1, %c1)
      threads in (%c1, %c1, %c1) args(%a : memref<f32>)
  gpu.wait [%end]
  return
}

// Host code that has nothing to do with kernels keeps its memory, and may touch it.
// CHECK-LABEL: func.func @apart
// CHECK-NEXT: memref.alloc
// CHECK: memref.store
// CHECK: memref.get_global
// CHECK-NEXT: memref.load
// CHECK: return
func.func @apart(%n: index, %x: f32) -> f32 {
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %m[%n] : memref<?xf32>
  %w = memref.get_global @weights : memref<4xf32>
  %y = memref.load %w[%n] : memref<4xf32>
  return %y : f32
}
}
