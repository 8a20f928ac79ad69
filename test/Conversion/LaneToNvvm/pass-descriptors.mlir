// Kernels with a contract get descriptors by value, where the hardware reads them; those of others are left alone.
// RUN: gemm-opt %s --pass-descriptors | FileCheck %s
// RUN: gemm-opt %s --pass-descriptors > %t.once
// RUN: gemm-opt %t.once --pass-descriptors | diff - %t.once

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @tensor
  // CHECK-SAME: %[[DESCRIPTOR:[a-z0-9]+]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}, %{{.*}}: f32)
  // CHECK-NOT: unrealized_conversion_cast
  // CHECK: llvm.ptrtoint %[[DESCRIPTOR]]
  llvm.func @tensor(%descriptor: !llvm.array<16 x i64>, %x: f32) attributes {gpu.kernel, nvvm.kernel,
      blas.contract = #blas.contract<args = [<descriptor a box [16, 32]>, <size a>], tile = [1, 1], workgroup = 1, sharedBytes = 4096>} {
    %pointer = builtin.unrealized_conversion_cast %descriptor : !llvm.array<16 x i64> to !llvm.ptr
    %address = llvm.ptrtoint %pointer : !llvm.ptr to i64
    llvm.return
  }
  // CHECK-LABEL: llvm.func @other
  // CHECK-SAME: %{{.*}}: !llvm.array<16 x i64>)
  llvm.func @other(%array: !llvm.array<16 x i64>) {
    llvm.return
  }
}
