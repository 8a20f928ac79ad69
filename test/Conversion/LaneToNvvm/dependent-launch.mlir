// Where the chip can begin a kernel before the previous one has ended, kernels with a contract
// wait for that end before they touch memory, and their module marks that for the runtime.
// RUN: gemm-opt %s --split-input-file --blas-attach-target=chip=h200 --dependent-launch | FileCheck %s
// RUN: gemm-opt %s --split-input-file --blas-attach-target=chip=h200 --dependent-launch > %t.once
// RUN: gemm-opt %t.once --split-input-file --dependent-launch | diff - %t.once
// RUN: gemm-opt %s --split-input-file --blas-attach-target=chip=a100 --dependent-launch | FileCheck %s --check-prefix=NEVER
// RUN: not gemm-opt %s --split-input-file --dependent-launch 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: dependent-launch needs a #blas.target of an NVIDIA chip on the module, got none

// CHECK: gpu.module @early
// CHECK-NEXT: llvm.mlir.global external constant @rooftile_dependent(1 : i8) {addr_space = 1 : i32} : i8
// CHECK: gpu.func @copy
// CHECK-NEXT: arith.constant
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: memref.load
// CHECK-NOT: griddepcontrol
// CHECK: gpu.func @empty
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: gpu.return
// CHECK-NOT: griddepcontrol
// CHECK-NOT: rooftile_dependent
// NEVER-NOT: griddepcontrol
// NEVER-NOT: rooftile_dependent
module attributes {gpu.container_module} {
gpu.module @early {
  gpu.func @copy(%p: memref<4xf32>) kernel attributes {blas.contract = #blas.contract<args = [<pointer c>], tile = [1, 1], output = [?, 4], workgroup = 32, sharedBytes = 0>} {
    %c0 = arith.constant 0 : index
    %x = memref.load %p[%c0] : memref<4xf32>
    memref.store %x, %p[%c0] : memref<4xf32>
    gpu.return
  }
  gpu.func @empty() kernel attributes {blas.contract = #blas.contract<args = [], tile = [4, 4], workgroup = 4, sharedBytes = 0>} {
    gpu.return
  }
}

// It is unknown when a kernel of others may begin.
gpu.module @foreign {
  gpu.func @copy(%p: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %p[%c0] : memref<4xf32>
    memref.store %x, %p[%c0] : memref<4xf32>
    gpu.return
  }
}
}
