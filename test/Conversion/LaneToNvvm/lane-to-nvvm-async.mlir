// Asynchronous copies are cp.async: 16 bytes past the L1 cache, others through it. A predicate is false where nothing is to be
// read, of which ptxas makes that of the instruction; a byte count gives how much.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s

gpu.module @kernels {

// CHECK-LABEL: gpu.func @copy
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: %[[IGNORED:.*]] = arith.xori %{{.*}}, %true
// CHECK: llvm.inline_asm has_side_effects {{.*}}"cp.async.ca.shared.global [$0], [$1], 4, $2;", "l,l,b,~{memory}" %{{.*}}, %{{.*}}, %[[IGNORED]] :
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
// What is left of the matrix, at most all; nothing where the copy begins beyond it.
// It is counted in 32 bits as soon as it is small: of 4 GiB it may be more bytes than these hold.
// CHECK: %[[ALL:.*]] = arith.minsi %{{.*}}, %c4{{.*}} : index
// CHECK: %[[LEFT:.*]] = arith.index_cast %[[ALL]] : index to i32
// CHECK: %[[SOME:.*]] = arith.muli %[[LEFT]], %c4_i32{{.*}} : i32
// CHECK: %[[READ:.*]] = arith.select %{{.*}}, %[[SOME]], %c0_i32{{.*}} : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %[[READ]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 2
gpu.func @copy(%global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>,
               %wide: memref<?xf64>, %there: memref<?xf64, #gpu.address_space<workgroup>>,
               %i: index, %valid: i1) kernel {
  lane.copy %global[%i], %shared[%i] elements 4
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  lane.copy %global[%i], %shared[%i] elements 1 inside(%valid)
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  lane.copy %wide[%i], %there[%i] elements 1
    : memref<?xf64>, memref<?xf64, #gpu.address_space<workgroup>>
  lane.copy %global[%i], %shared[%i] elements 4 first(%i) inside(%valid)
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  lane.commit
  lane.wait 2
  gpu.return
}

}
