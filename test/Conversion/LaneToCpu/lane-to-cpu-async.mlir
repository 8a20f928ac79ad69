// On the host, asynchronous copies are calls of the runtime, which delivers at the wait.
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s
// The runtime's names are its own.
// RUN: sed 's/@launch/@rooftileCpuWait/' %s | not gemm-opt --lane-to-cpu 2>&1 | FileCheck %s --check-prefix=TAKEN

// TAKEN: error: {{.*}}has the name 'rooftileCpuWait', which compiled code calls

module attributes {gpu.container_module} {
// CHECK-DAG: llvm.func @rooftileCpuCopy(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-DAG: llvm.func @rooftileCpuCommit(!llvm.ptr)
// CHECK-DAG: llvm.func @rooftileCpuWait(!llvm.ptr, i64)
gpu.module @kernels {
  gpu.func @copy(%p: memref<f32>, %valid: i1) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %thread = gpu.thread_id x
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][%c64] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %flat = memref.reinterpret_cast %p to offset: [0], sizes: [%c64], strides: [1] : memref<f32> to memref<?xf32>
    lane.copy %flat[%thread], %view[%c0] elements 4 : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    lane.copy %flat[%thread], %view[%thread] elements 1 inside(%valid) : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    lane.copy %flat[%thread], %view[%c0] elements 4 first(%thread) : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    lane.commit
    lane.wait 1
    gpu.return
  }
}
func.func @launch(%p: memref<f32>, %valid: i1) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %valid : i1)
  return
}
}

// CHECK-LABEL: llvm.func internal @kernels_copy(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr)
// CHECK: llvm.call @rooftileCpuCopy(%[[THREAD]], %[[TARGET:.*]], %[[SOURCE:.*]], %[[ALL:.*]], %[[ALL]], %{{.*}})
// CHECK: %[[READ:.*]] = llvm.select %{{.*}}, %[[BYTES:.*]], %{{.*}} : i1, i64
// CHECK: llvm.call @rooftileCpuCopy(%[[THREAD]], %{{.*}}, %{{.*}}, %[[BYTES]], %[[READ]], %{{.*}})
// CHECK: %[[LEFT:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: %[[SOME:.*]] = arith.minsi %[[LEFT]], %[[FOUR:.*]] : i64
// CHECK: llvm.call @rooftileCpuCopy(%[[THREAD]], %{{.*}}, %{{.*}}, %[[FOUR]], %[[SOME]], %{{.*}})
// CHECK: llvm.call @rooftileCpuCommit(%[[THREAD]])
// CHECK: llvm.call @rooftileCpuWait(%[[THREAD]], %{{.*}})
