// Kernels get the chip, their workgroup size, the residency of their contract, and LDS of its bytes.
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --lane-to-rocdl | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=rx7900xtx --lane-to-rocdl | FileCheck %s --check-prefix=RX
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --lane-to-rocdl > %t.once
// RUN: gemm-opt %t.once --lane-to-rocdl | diff - %t.once

module attributes {gpu.container_module} {
// Launches of a kernel with a contract ask for no dynamic shared memory: the code object states it.
// CHECK: #mmra_tag = #llvm.mmra_tag<"amdgpu-synchronize-as":"local">
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

// Code object 5; wave32 where the subgroup says so, and a unit's features.
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
  // The order of a pipelined loop stays: nothing passes the reads of the next slice, or the stores of
  // the next tile, that follow multiplications.
  // CHECK: gpu.func @slices
  // CHECK: vector.load
  // CHECK-NOT: sched.barrier
  // CHECK: llvm.intr.fma
  // CHECK-NEXT: llvm.intr.fma
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: vector.load
  // CHECK-NEXT: vector.load
  // CHECK-NEXT: llvm.intr.fma
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: vector.store
  // CHECK-NEXT: vector.store
  // CHECK-NEXT: memref.store
  gpu.func @slices(%a: vector<4xf32>, %x: f32, %to: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %f0 = vector.load %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %x0 = vector.extract %f0[0] : f32 from vector<4xf32>
    %s0 = math.fma %x0, %x0, %x : f32
    %s1 = math.fma %x0, %x0, %s0 : f32
    %f1 = vector.load %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %f2 = vector.load %view[%c4] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %s2 = math.fma %x0, %x0, %s1 : f32
    vector.store %f1, %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %f2, %view[%c4] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    memref.store %s2, %to[] : memref<f32>
    gpu.return
  }
  // Sums that only a branch stores are finished before it; others are left alone.
  // CHECK: gpu.func @guarded
  // CHECK: %[[SUM:[a-z0-9]+]] = llvm.intr.fma
  // CHECK-NEXT: %[[DONE:[a-z0-9]+]] = llvm.inline_asm has_side_effects asm_dialect = att "", "=v,0" %[[SUM]] : (f32) -> f32
  // CHECK-NEXT: %[[OTHER:[a-z0-9]+]] = llvm.intr.fma
  // CHECK-NOT: llvm.inline_asm
  // CHECK: scf.if
  // CHECK-NEXT: memref.store %[[DONE]]
  // CHECK: memref.store %[[OTHER]]
  gpu.func @guarded(%x: f32, %inside: i1, %to: memref<f32>, %other: memref<f32>) kernel {
    %s = math.fma %x, %x, %x : f32
    %t = math.fma %x, %s, %x : f32
    scf.if %inside {
      memref.store %s, %to[] : memref<f32>
    }
    memref.store %t, %other[] : memref<f32>
    gpu.return
  }
  // Multiply-adds of one factor with a whole fragment are one of vectors; others stay scalars.
  // CHECK: gpu.func @packed(%[[FROM:[a-z0-9]+]]: memref<8xf32>, %[[X:[a-z0-9]+]]: f32, %[[S:[a-z0-9]+]]: f32
  // CHECK: %[[FRAGMENT:[a-z0-9]+]] = vector.load
  // CHECK: %[[FACTORS:[a-z0-9]+]] = vector.broadcast %[[X]] : f32 to vector<2xf32>
  // CHECK: %[[SUMS:[a-z0-9]+]] = vector.from_elements %[[S]], %[[X]] : vector<2xf32>
  // CHECK: %[[RESULT:[a-z0-9]+]] = llvm.intr.fma(%[[FRAGMENT]], %[[FACTORS]], %[[SUMS]]) : (vector<2xf32>, vector<2xf32>, vector<2xf32>)
  // CHECK: %[[ELEMENTS:[a-z0-9]+]]:2 = vector.to_elements %[[RESULT]]
  // CHECK: %[[ALONE:[a-z0-9]+]] = llvm.intr.fma(%[[X]], %{{.*}}, %[[ELEMENTS]]#0) : (f32, f32, f32)
  // CHECK: vector.from_elements %[[ALONE]], %[[ELEMENTS]]#1
  gpu.func @packed(%from: memref<8xf32>, %x: f32, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %run = vector.load %from[%c0] : memref<8xf32>, vector<2xf32>
    %e:2 = vector.to_elements %run : vector<2xf32>
    %s1 = math.fma %x, %e#1, %x : f32
    %s0 = math.fma %x, %e#0, %s : f32
    %t0 = math.fma %x, %e#0, %s0 : f32
    %all = vector.from_elements %t0, %s1 : vector<2xf32>
    vector.store %all, %from[%c0] : memref<8xf32>, vector<2xf32>
    gpu.return
  }
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
}
