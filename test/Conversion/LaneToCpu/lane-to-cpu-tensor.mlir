// On the host, tensor copies are calls of the runtime, and descriptors are the runtime's own: they are read where the
// launch has them.
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s
// RUN: sed 's/@launch/@rooftileCpuTensorMap/' %s | not gemm-opt --lane-to-cpu 2>&1 | FileCheck %s --check-prefix=TAKEN

// TAKEN: error: {{.*}}has the name 'rooftileCpuTensorMap', which compiled code calls

module attributes {gpu.container_module} {
// CHECK-DAG: llvm.func @rooftileCpuTensorCopy(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr, i64)
// CHECK-DAG: func.func private @rooftileCpuTensorMap(!llvm.ptr, i64) -> i1
// CHECK-NOT: @rooftileTensorMap
func.func private @rooftileTensorMap(!llvm.ptr, i64) -> i1
gpu.module @kernels {
  gpu.func @copy(%descriptor: !llvm.array<16 x i64>) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][%c64] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %counters = memref.view %shared[%c64][%c64] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi64, #gpu.address_space<workgroup>>
    lane.tensor_copy %descriptor[%c64, %c0], %view[%c0] elements 16 arrives %counters[%c0]
      : !llvm.array<16 x i64>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
    gpu.return
  }
}
// CHECK-LABEL: func.func @launch
// CHECK: call @rooftileCpuTensorMap
func.func @launch(%place: !llvm.ptr, %address: i64) {
  %c1 = arith.constant 1 : index
  %made = call @rooftileTensorMap(%place, %address) : (!llvm.ptr, i64) -> i1
  %descriptor = llvm.load %place : !llvm.ptr -> !llvm.array<16 x i64>
  gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%descriptor : !llvm.array<16 x i64>)
  return
}
}

// CHECK-LABEL: llvm.func internal @kernels_copy(
// CHECK-SAME: %[[PARAMS:.*]]: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[PARAMS]][0]
// CHECK: %[[ADDRESS:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[VALUE:.*]] = builtin.unrealized_conversion_cast %[[ADDRESS]] : !llvm.ptr to !llvm.array<16 x i64>
// CHECK: %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[VALUE]] : !llvm.array<16 x i64> to !llvm.ptr
// CHECK: llvm.call @rooftileCpuTensorCopy(%[[THREAD]], %{{.*}}, %[[DESCRIPTOR]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
