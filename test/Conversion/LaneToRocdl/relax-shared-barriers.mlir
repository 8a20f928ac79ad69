// RUN: gemm-opt %s --relax-shared-barriers | FileCheck %s
// RUN: gemm-opt %s --relax-shared-barriers > %t.once
// RUN: gemm-opt %t.once --relax-shared-barriers | diff - %t.once
// CHECK: #mmra_tag = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">

gpu.module @kernels {
  // A barrier that no write of global memory precedes orders shared memory only: loads stay in flight.
  // CHECK: gpu.func @barriers
  // CHECK: llvm.fence syncscope("workgroup") release {llvm.mmra = #mmra_tag}
  // CHECK-NEXT: rocdl.s.barrier
  // CHECK-NEXT: llvm.fence syncscope("workgroup") acquire {llvm.mmra = #mmra_tag}
  // CHECK: memref.store
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @barriers(%x: f32, %to: memref<f32>) kernel {
    gpu.barrier
    memref.store %x, %to[] : memref<f32>
    gpu.barrier
    gpu.return
  }
  // In a loop, a write comes before the barrier of the next round.
  // CHECK: gpu.func @rounds
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @rounds(%x: f32, %to: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      gpu.barrier
      memref.store %x, %to[] : memref<f32>
    }
    gpu.return
  }
}
