// Kernels get the chip, one name for dynamic shared memory, and the residency of their contract.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm > %t.once
// RUN: gemm-opt %t.once --lane-to-nvvm | diff - %t.once

module attributes {gpu.container_module} {
// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]
// CHECK-NEXT: llvm.mlir.global external @rooftile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: gpu.func @shared
// CHECK-NOT: gpu.dynamic_shared_memory
// CHECK: %[[BASE:[a-z0-9_]+]] = llvm.mlir.addressof @rooftile_shared : !llvm.ptr<3>
// CHECK: llvm.insertvalue %[[BASE]], %{{.*}}[0]
// CHECK: %[[DESCRIPTOR:[a-z0-9_]+]] = llvm.insertvalue {{.*}}[4, 0]
// CHECK: %[[SHARED:[a-z0-9_]+]] = builtin.unrealized_conversion_cast %[[DESCRIPTOR]] : {{.*}} to memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: memref.view %[[SHARED]]
// CHECK: gpu.func @contract{{.*}} nvvm.minctasm = 2 : i32
gpu.module @kernels {
  gpu.func @shared(%x: f32) kernel {
    %c0 = arith.constant 0 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    memref.store %x, %view[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @contract() kernel attributes {blas.contract = #blas.contract<args = [], tile = [4, 4], workgroup = 4, sharedBytes = 0, residency = 2>} {
    gpu.return
  }
}

// An address of global memory is one to LLVM, too.
// CHECK: gpu.func @pointer(%[[ADDRESS:[a-z0-9_]+]]: i64
// CHECK: %[[GLOBAL:[a-z0-9_]+]] = llvm.inttoptr %[[ADDRESS]] : i64 to !llvm.ptr<1>
// CHECK: %[[GENERIC:[a-z0-9_]+]] = llvm.addrspacecast %[[GLOBAL]] : !llvm.ptr<1> to !llvm.ptr
// CHECK: llvm.insertvalue %[[GENERIC]], %{{.*}}[1]
// CHECK: %[[MATRIX:[a-z0-9_]+]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
// CHECK: memref.load %[[MATRIX]]
gpu.module @pointers {
  gpu.func @pointer(%address: i64, %p: memref<f32>) kernel {
    %matrix = lane.pointer %address : memref<f32>
    %x = memref.load %matrix[] : memref<f32>
    memref.store %x, %p[] : memref<f32>
    gpu.return
  }
}

// A multiply-add is one instruction, with or without libdevice.
// CHECK: gpu.func @multiply_add(%[[A:[a-z0-9_]+]]: f32, %[[B:[a-z0-9_]+]]: f32
// CHECK: %[[SUM:[a-z0-9_]+]] = llvm.intr.fma(%[[A]], %[[B]], %[[A]]) : (f32, f32, f32) -> f32
// CHECK: memref.store %[[SUM]]
gpu.module @arithmetic {
  gpu.func @multiply_add(%a: f32, %b: f32, %p: memref<f32>) kernel {
    %sum = math.fma %a, %b, %a : f32
    memref.store %sum, %p[] : memref<f32>
    gpu.return
  }
}

// A module that has no use for shared memory declares none.
// CHECK: gpu.module @plain [#nvvm.target<
// CHECK-NOT: rooftile_shared
// CHECK: gpu.return
gpu.module @plain {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
}
