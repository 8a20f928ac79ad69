// exp, tanh and erf of f32 become arithmetic, without a call; those of f64 stay.
// RUN: gemm-opt %s --pass-pipeline='builtin.module(gpu.module(approximate-math))' | FileCheck %s
// RUN: gemm-opt %s --pass-pipeline='builtin.module(gpu.module(approximate-math))' -o %t.once
// RUN: gemm-opt %t.once --pass-pipeline='builtin.module(gpu.module(approximate-math))' | diff %t.once -

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @functions
  // CHECK-NOT: math.{{exp|tanh|erf|absf|floor|copysign}}
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[M:.*]] = arith.andi %[[BITS]], %{{.*}} : i32
  // CHECK: arith.bitcast %[[M]] : i32 to f32
  // CHECK: math.fma
  // CHECK-NOT: math.{{exp|tanh|erf|absf|floor|copysign}}
  // CHECK: math.tanh %{{.*}} : f64
  gpu.func @functions(%x: f32, %y: f64, %out: memref<4xf32>, %wide: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %0 = math.absf %x : f32
    memref.store %0, %out[%c0] : memref<4xf32>
    %1 = math.exp %x : f32
    memref.store %1, %out[%c1] : memref<4xf32>
    %2 = math.tanh %x : f32
    memref.store %2, %out[%c2] : memref<4xf32>
    %3 = math.erf %x : f32
    memref.store %3, %out[%c3] : memref<4xf32>
    %4 = math.tanh %y : f64
    memref.store %4, %wide[%c0] : memref<1xf64>
    gpu.return
  }
}
