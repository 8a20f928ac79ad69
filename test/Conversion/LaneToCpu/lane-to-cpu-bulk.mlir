// On the host, bulk copies are calls of the runtime; a wait is a point where the thread is suspended.
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s
// RUN: sed 's/@launch/@rooftileCpuExpect/' %s | not gemm-opt --lane-to-cpu 2>&1 | FileCheck %s --check-prefix=TAKEN

// TAKEN: error: {{.*}}has the name 'rooftileCpuExpect', which compiled code calls

module attributes {gpu.container_module} {
// CHECK-DAG: llvm.func @rooftileCpuArrivals(!llvm.ptr, !llvm.ptr, i64, i64)
// CHECK-DAG: llvm.func @rooftileCpuExpect(!llvm.ptr, !llvm.ptr, i64)
// CHECK-DAG: llvm.func @rooftileCpuBulkCopy(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64)
gpu.module @kernels {
  gpu.func @copy(%p: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][%c64] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %counters = memref.view %shared[%c64][%c64] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi64, #gpu.address_space<workgroup>>
    %flat = memref.reinterpret_cast %p to offset: [0], sizes: [%c64], strides: [1] : memref<f32> to memref<?xf32>
    lane.arrivals %counters stages 2 copiers 1 : memref<?xi64, #gpu.address_space<workgroup>>
    %one = lane.elect 32
    cf.cond_br %one, ^copy, ^wait
  ^copy:
    lane.expect %counters[%c0] bytes 64 : memref<?xi64, #gpu.address_space<workgroup>>
    lane.bulk_copy %flat[%c0], %view[%c0] elements 16 arrives %counters[%c0]
      : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
    cf.br ^wait
  ^wait:
    lane.arrived %counters[%c0] parity %c0 : memref<?xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}
func.func @launch(%p: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>)
  return
}
}

// CHECK-LABEL: llvm.func internal @kernels_copy(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr)
// CHECK: llvm.call @rooftileCpuArrivals(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.urem
// CHECK: llvm.call @rooftileCpuExpect(%[[THREAD]], %{{.*}}, %{{.*}})
// CHECK: llvm.call @rooftileCpuBulkCopy(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK: llvm.getelementptr %[[THREAD]][96]
// CHECK: llvm.getelementptr %[[THREAD]][104]
// CHECK: llvm.getelementptr %[[THREAD]][112]
// CHECK: llvm.intr.coro.suspend
