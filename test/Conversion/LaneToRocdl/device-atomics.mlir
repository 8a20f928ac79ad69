// RUN: gemm-opt %s --device-atomics | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("agent") monotonic
  // CHECK-SAME: rocdl.ignore_denormal_mode
  // CHECK-SAME: rocdl.no_fine_grained_memory
  // CHECK-SAME: rocdl.no_remote_memory
  // An addition of integers needs no permission.
  // CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} acq_rel : !llvm.ptr<1>, i32
  llvm.func @add(%to: !llvm.ptr<1>, %x: f32, %count: !llvm.ptr<1>, %one: i32) {
    %0 = llvm.atomicrmw fadd %to, %x acq_rel : !llvm.ptr<1>, f32
    %1 = llvm.atomicrmw add %count, %one acq_rel : !llvm.ptr<1>, i32
    llvm.return
  }
}
