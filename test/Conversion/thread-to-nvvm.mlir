// The target of the chip, and one external array for the dynamic shared memory of the launch.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --thread-to-nvvm | FileCheck %s

// CHECK:       gpu.module @uses_shared [#nvvm.target<O = 3, chip = "sm_90a"
// CHECK-NEXT:    llvm.mlir.global external @[[SHARED:.*]]() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK:         gpu.func @kernel
// CHECK-NOT:       gpu.dynamic_shared_memory
// CHECK:           %[[BASE:.*]] = llvm.mlir.addressof @[[SHARED]] : !llvm.ptr<3>
// CHECK:           %[[MEMREF:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xi8, #gpu.address_space<workgroup>>
// CHECK:           memref.view %[[MEMREF]]
gpu.module @uses_shared {
  gpu.func @kernel(%p: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
      to memref<64xf32, #gpu.address_space<workgroup>>
    %x = memref.load %p[] : memref<f32>
    %t = gpu.thread_id x
    memref.store %x, %view[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// No shared memory, no array.
// CHECK:       gpu.module @no_shared [#nvvm.target<
// CHECK-NOT:     llvm.mlir.global
// CHECK:         gpu.func @empty
gpu.module @no_shared {
  gpu.func @empty() kernel {
    gpu.return
  }
}
