// Loads of scalar registers come in groups of as many as fit (64 of gfx906), each fenced, and what
// multiplies a group comes before the next one. Where a multiply-add has finished when the next one
// can begin, those of a row follow each other.
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --group-scalar-loads | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=mi60 --group-scalar-loads > %t.once
// RUN: gemm-opt %t.once --group-scalar-loads | diff - %t.once
// RUN: gemm-opt %s --blas-attach-target=chip=rx7900xtx --group-scalar-loads | FileCheck %s --check-prefix=RDNA
// RUN: not gemm-opt %s --group-scalar-loads 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: group-scalar-loads needs a #blas.target of an AMD chip on the module, got none

gpu.module @kernels {
  // Two rows of 32 and of 16 K elements fit, but not the third one. Its address comes before it.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<?xf32>, vector<2xf32>
  // CHECK: rocdl.sched.barrier 0
  // CHECK-NEXT: %[[A0:.*]] = vector.load %{{.*}} : memref<?xf32, 4>, vector<32xf32>
  // CHECK-NEXT: %[[A1:.*]] = vector.load %{{.*}} : memref<?xf32, 4>, vector<16xf32>
  // CHECK-NEXT: %[[F:.*]]:2 = lane.compiler_fence scalar(%[[A0]], %[[A1]] : vector<32xf32>, vector<16xf32>)
  // CHECK-NEXT: %[[E0:.*]]:32 = vector.to_elements %[[F]]#0
  // CHECK-NEXT: %[[S0:.*]] = math.fma %[[E0]]#0
  // CHECK-NEXT: %[[S2:.*]] = math.fma %[[E0]]#1, %{{.*}}, %[[S0]]
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: %[[E1:.*]]:16 = vector.to_elements %[[F]]#1
  // CHECK-NEXT: %[[S1:.*]] = math.fma %[[E1]]#0
  // CHECK-NEXT: %[[S3:.*]] = math.fma %[[E1]]#1, %{{.*}}, %[[S1]]
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: %[[A2:.*]] = vector.load %{{.*}} : memref<?xf32, 4>, vector<32xf32>
  // CHECK-NEXT: lane.compiler_fence scalar(%[[A2]] : vector<32xf32>)
  // CHECK: math.fma
  // CHECK: math.fma
  // Stores stay in order, after all that they store.
  // CHECK: memref.store %[[S2]]
  // CHECK: memref.store %[[S3]]
  // A chain would wait on gfx1100, so that the order of the program stays, K outside.
  // RDNA-LABEL: gpu.func @rows
  // RDNA: %[[F:.*]]:2 = lane.compiler_fence scalar
  // RDNA: %[[E0:.*]]:32 = vector.to_elements %[[F]]#0
  // RDNA: %[[E1:.*]]:16 = vector.to_elements %[[F]]#1
  // RDNA-NEXT: math.fma %[[E0]]#0
  // RDNA-NEXT: math.fma %[[E1]]#0
  // RDNA-NEXT: math.fma %[[E0]]#1
  // RDNA-NEXT: math.fma %[[E1]]#1
  gpu.func @rows(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %a0 = vector.load %a[%c0] {lane.scalar} : memref<?xf32>, vector<32xf32>
    %e0:32 = vector.to_elements %a0 : vector<32xf32>
    %a1 = vector.load %a[%c32] {lane.scalar} : memref<?xf32>, vector<16xf32>
    %e1:16 = vector.to_elements %a1 : vector<16xf32>
    %at = arith.addi %c32, %c32 : index
    %a2 = vector.load %a[%at] {lane.scalar} : memref<?xf32>, vector<32xf32>
    %e2:32 = vector.to_elements %a2 : vector<32xf32>
    %b0 = vector.load %b[%c0] : memref<?xf32>, vector<2xf32>
    %f:2 = vector.to_elements %b0 : vector<2xf32>
    %s0 = math.fma %e0#0, %f#0, %x : f32
    %s1 = math.fma %e1#0, %f#0, %x : f32
    %s4 = math.fma %e2#0, %f#0, %x : f32
    %s2 = math.fma %e0#1, %f#1, %s0 : f32
    %s3 = math.fma %e1#1, %f#1, %s1 : f32
    %s5 = math.fma %e2#1, %f#1, %s4 : f32
    memref.store %s2, %c[%c0] : memref<?xf32>
    memref.store %s3, %c[%c1] : memref<?xf32>
    memref.store %s5, %c[%c2] : memref<?xf32>
    gpu.return
  }
  // A kernel without such loads stays as it is.
  // CHECK-LABEL: gpu.func @none
  // CHECK-NOT: sched.barrier
  // CHECK: gpu.return
  gpu.func @none(%a: memref<?xf32>) kernel {
    gpu.return
  }
}
