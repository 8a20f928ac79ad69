// Kernels get the chip, their workgroup size, the residency of their contract, and LDS of its bytes.
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --lane-to-rocdl | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=rx7900xtx --lane-to-rocdl | FileCheck %s --check-prefix=RX
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --lane-to-rocdl > %t.once
// RUN: gemm-opt %t.once --lane-to-rocdl | diff - %t.once

module attributes {gpu.container_module} {
// Launches of a kernel with a contract ask for no dynamic shared memory: the code object states it.
// CHECK-LABEL: func.func @host
// CHECK: gpu.launch_func @kernels::@contract blocks in (%{{.*}}) threads in (%{{.*}}){{ *$}}
// CHECK: gpu.launch_func @kernels::@foreign blocks in (%{{.*}}) threads in (%{{.*}}) dynamic_shared_memory_size %{{.*}} args
func.func @host(%bytes: i32, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@contract blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    dynamic_shared_memory_size %bytes
  gpu.launch_func @kernels::@foreign blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    dynamic_shared_memory_size %bytes args(%x : f32)
  return
}

// Code object 5; wave32 by the subgroup, and a unit's features.
// CHECK: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx906", features = "+back-off-barrier", abi = "500">]
// RX: gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx1100", features = "+wavefrontsize32,+cumode,+back-off-barrier", abi = "500", flags = {no_wave64}>]
// CHECK: llvm.mlir.global external @rooftile_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.mlir.global internal @contract_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4112 x i8>
gpu.module @kernels {
  // 2 workgroups of 4 (wave64) or 8 (wave32) subgroups on 4 or 2 SIMDs.
  // CHECK: gpu.func @contract{{.*}} passthrough = {{\[\[}}"amdgpu-waves-per-eu", "2,2"], ["amdgpu-agpr-alloc", "0"], "noimplicitfloat"], rocdl.flat_work_group_size = "256,256"
  // RX: gpu.func @contract{{.*}} passthrough = {{\[\[}}"amdgpu-waves-per-eu", "8,8"]
  // CHECK: llvm.mlir.addressof @contract_shared : !llvm.ptr<3>
  // The size of the workgroup is known.
  // CHECK-NOT: gpu.block_dim
  // CHECK: gpu.return
  gpu.func @contract() kernel attributes {known_block_size = array<i32: 256, 1, 1>,
      blas.contract = #blas.contract<args = [], tile = [4, 4], workgroup = 256, sharedBytes = 4112, residency = 2>} {
    %size = gpu.block_dim x
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %byte = arith.constant 1 : i8
    memref.store %byte, %shared[%size] : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
  // CHECK: gpu.func @foreign
  // CHECK-NOT: passthrough
  // CHECK: llvm.mlir.addressof @rooftile_shared : !llvm.ptr<3>
  // A multiply-add is one instruction, without the device libraries.
  // CHECK: llvm.intr.fma
  // CHECK: gpu.return
  gpu.func @foreign(%x: f32) kernel {
    %c0 = arith.constant 0 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    %sum = math.fma %x, %x, %x : f32
    memref.store %sum, %view[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
}
