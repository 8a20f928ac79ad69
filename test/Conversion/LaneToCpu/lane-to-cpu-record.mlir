// With `record` a kernel reports its accesses to shared and global memory, and describes its operations.
// RUN: gemm-opt %s --lane-to-cpu=record --split-input-file --verify-diagnostics | FileCheck %s
// Without it nothing is recorded, and nothing refused.
// RUN: gemm-opt %s --lane-to-cpu --split-input-file | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: rooftileCpuRead
// PLAIN-NOT: rooftileCpuGlobal
// PLAIN-NOT: _sites

// Barriers come first, then the accesses.
// CHECK: llvm.mlir.global private constant @kernels_exchange_sites("gpu.barrier (file.mlir:3:4)\00memref.load of f32 (file.mlir:1:2)\00memref.store of f32 (tile.store 1, file.mlir:5:6)\00vector.load of vector<4xf32> (file.mlir:7:8)\00memref.store of f32 (file.mlir:9:10)\00\00")
// CHECK: llvm.func @rooftileCpuRead(!llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-LABEL: func.func @launch
// CHECK: llvm.mlir.addressof @kernels_exchange_sites
// CHECK: %[[GRANULE:[a-z0-9_]+]] = llvm.mlir.constant(4 : i64)
// CHECK: llvm.call @rooftileCpuLaunch({{.*}}, %[[GRANULE]])
// CHECK-LABEL: llvm.func internal @kernels_exchange
// CHECK-SAME: (%{{[a-z0-9_]+}}: !llvm.ptr, %[[THREAD:[a-z0-9_]+]]: !llvm.ptr)
// A read of global memory (0) is reported before it happens.
// CHECK: %[[BYTES:[a-z0-9_]+]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[READ:[a-z0-9_]+]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[SITE:[a-z0-9_]+]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.call @rooftileCpuGlobal(%[[THREAD]], %{{.*}}, %[[BYTES]], %[[READ]], %[[SITE]])
// CHECK: memref.load
// CHECK: %[[ADDRESS:[a-z0-9_]+]] = llvm.inttoptr
// CHECK: %[[BYTES:[a-z0-9_]+]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[ALIGNMENT:[a-z0-9_]+]] = llvm.mlir.constant(4 : i64)
// CHECK: %[[SITE:[a-z0-9_]+]] = llvm.mlir.constant(3 : i64)
// CHECK: llvm.call @rooftileCpuWrite(%[[THREAD]], %[[ADDRESS]], %[[BYTES]], %[[ALIGNMENT]], %[[SITE]])
// CHECK: memref.store
// CHECK: llvm.intr.coro.suspend
// CHECK: %[[BYTES:[a-z0-9_]+]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[ALIGNMENT:[a-z0-9_]+]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[SITE:[a-z0-9_]+]] = llvm.mlir.constant(4 : i64)
// CHECK: llvm.call @rooftileCpuRead(%[[THREAD]], %{{.*}}, %[[BYTES]], %[[ALIGNMENT]], %[[SITE]])
// CHECK: vector.load
// A store (1) after it has stored.
// CHECK: memref.store
// CHECK: %[[STORE:[a-z0-9_]+]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[SITE:[a-z0-9_]+]] = llvm.mlir.constant(5 : i64)
// CHECK: llvm.call @rooftileCpuGlobal(%[[THREAD]], %{{.*}}, %{{.*}}, %[[STORE]], %[[SITE]])
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @exchange(%p: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    %x = memref.load %p[] : memref<f32> loc("file.mlir":1:2)
    memref.store %x, %view[%thread] : memref<4xf32, #gpu.address_space<workgroup>> loc("tile.store 1"("file.mlir":5:6))
    gpu.barrier loc("file.mlir":3:4)
    %y = vector.load %view[%c0] {alignment = 16 : i64} : memref<4xf32, #gpu.address_space<workgroup>>, vector<4xf32> loc("file.mlir":7:8)
    %z = vector.extract %y[0] : f32 from vector<4xf32>
    memref.store %z, %p[] : memref<f32> loc("file.mlir":9:10)
    gpu.return
  }
}
func.func @launch(%p: memref<f32>) {
  %c1 = arith.constant 1 : index
  %bytes = arith.constant 16 : i32
  gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes args(%p : memref<f32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @atomic(%x: f32) kernel {
    %c0 = arith.constant 0 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    // expected-error @below {{cannot be recorded: it accesses shared memory other than by memref.load, memref.store, vector.load or vector.store}}
    %old = memref.atomic_rmw addf %x, %view[%c0] : (f32, memref<4xf32, #gpu.address_space<workgroup>>) -> f32
    gpu.return
  }
}
func.func @launch(%x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@atomic blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : f32)
  return
}
}
