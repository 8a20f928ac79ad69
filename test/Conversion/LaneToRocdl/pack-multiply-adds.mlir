// RUN: gemm-opt %s --pack-multiply-adds | FileCheck %s
// RUN: gemm-opt %s --pack-multiply-adds > %t.once
// RUN: gemm-opt %t.once --pack-multiply-adds | diff - %t.once

gpu.module @kernels {
  // Multiply-adds of one factor with a whole fragment are one of vectors; others stay scalars.
  // CHECK: gpu.func @packed(%[[FROM:[a-z0-9]+]]: memref<8xf32>, %[[X:[a-z0-9]+]]: f32, %[[S:[a-z0-9]+]]: f32
  // CHECK: %[[FRAGMENT:[a-z0-9]+]] = vector.load
  // CHECK: %[[FACTORS:[a-z0-9]+]] = vector.broadcast %[[X]] : f32 to vector<2xf32>
  // CHECK: %[[SUMS:[a-z0-9]+]] = vector.from_elements %[[S]], %[[X]] : vector<2xf32>
  // CHECK: %[[RESULT:[a-z0-9]+]] = llvm.intr.fma(%[[FRAGMENT]], %[[FACTORS]], %[[SUMS]]) : (vector<2xf32>, vector<2xf32>, vector<2xf32>)
  // CHECK: %[[ELEMENTS:[a-z0-9]+]]:2 = vector.to_elements %[[RESULT]]
  // CHECK: %[[ALONE:[a-z0-9]+]] = math.fma %[[X]], %{{.*}}, %[[ELEMENTS]]#0 : f32
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
  // A loop carries a prefetched fragment as a vector.
  // CHECK: gpu.func @carried
  // CHECK: %[[FIRST:[a-z0-9]+]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
  // CHECK: scf.for {{.*}} %[[HELD:[a-z0-9]+]] = %[[FIRST]])
  // CHECK: vector.load
  // CHECK: llvm.intr.fma(%[[HELD]],
  // CHECK: scf.yield
  gpu.func @carried(%from: memref<8xf32>, %x: f32, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %sums:4 = scf.for %i = %c0 to %c4 step %c1
        iter_args(%s0 = %s, %s1 = %s, %e0 = %x, %e1 = %x) -> (f32, f32, f32, f32) {
      %run = vector.load %from[%i] : memref<8xf32>, vector<2xf32>
      %next:2 = vector.to_elements %run : vector<2xf32>
      %t0 = math.fma %x, %e0, %s0 : f32
      %t1 = math.fma %x, %e1, %s1 : f32
      scf.yield %t0, %t1, %next#0, %next#1 : f32, f32, f32, f32
    }
    %all = vector.from_elements %sums#0, %sums#1 : vector<2xf32>
    vector.store %all, %from[%c0] : memref<8xf32>, vector<2xf32>
    gpu.return
  }
}
