// ISA without any tool, with the numbers that the object states of each kernel.
// RUN: gemm-opt %s --rocdl-to-binary=format=isa | FileCheck %s
// CHECK: gpu.binary @kernels [#gpu.object<#rocdl.target<O = 3, chip = "gfx90a">
// CHECK-SAME: kernels = <[#gpu.kernel_metadata<"copy"
// CHECK-SAME: group_segment_fixed_size = 64
// CHECK-SAME: private_segment_fixed_size = 0
// CHECK-SAME: vgpr_count =
// CHECK-SAME: assembly = "
// CHECK-SAME: s_load_dword
// CHECK-SAME: ds_write_b32
gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx90a">] {
  llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i8>
  llvm.func @copy(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %thread = rocdl.workitem.id.x : i32
    %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %x = llvm.load %from : !llvm.ptr<1> -> i32
    %place = llvm.getelementptr %shared[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store volatile %x, %place : i32, !llvm.ptr<3>
    %y = llvm.load volatile %place : !llvm.ptr<3> -> i32
    llvm.store %y, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}
