// Every operation of the dialect, read and printed again.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s

// CHECK-LABEL: @copy
func.func @copy(%global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>,
                %i: index, %j: index, %valid: i1) {
  // CHECK: lane.copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 4 : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  lane.copy %global[%i], %shared[%j] elements 4
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  // CHECK: lane.copy {{.*}} elements 1 inside(%{{.*}}) :
  lane.copy %global[%i], %shared[%j] elements 1 inside(%valid)
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  // CHECK: lane.copy {{.*}} elements 4 first(%{{.*}}) inside(%{{.*}}) :
  lane.copy %global[%i], %shared[%j] elements 4 first(%i) inside(%valid)
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  // CHECK: lane.commit
  lane.commit
  // CHECK: lane.wait 0
  lane.wait 0
  return
}

// CHECK-LABEL: @reals
func.func @reals(%numbers: memref<complex<f64>>) -> memref<f64> {
  // CHECK: lane.as_real %{{.*}} : memref<complex<f64>> -> memref<f64>
  %parts = lane.as_real %numbers : memref<complex<f64>> -> memref<f64>
  return %parts : memref<f64>
}

// CHECK-LABEL: @pointer
func.func @pointer(%address: i64) -> memref<f64> {
  // CHECK: lane.pointer %{{.*}} : memref<f64>
  %pointer = lane.pointer %address : memref<f64>
  return %pointer : memref<f64>
}

// CHECK-LABEL: @bulk
func.func @bulk(%descriptor: !llvm.array<16 x i64>, %global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>,
                %counters: memref<?xi64, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK: lane.elect 32
  %one = lane.elect 32
  // CHECK: lane.arrivals %{{.*}} stages 3 copiers 8 : memref<?xi64, #gpu.address_space<workgroup>>
  lane.arrivals %counters stages 3 copiers 8 : memref<?xi64, #gpu.address_space<workgroup>>
  // CHECK: lane.expect %{{.*}}[%{{.*}}] bytes 512 : memref<?xi64, #gpu.address_space<workgroup>>
  lane.expect %counters[%i] bytes 512 : memref<?xi64, #gpu.address_space<workgroup>>
  // CHECK: lane.bulk_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}] elements 128 arrives %{{.*}}[%{{.*}}] : memref<?xf32>,
  lane.bulk_copy %global[%i], %shared[%i] elements 128 arrives %counters[%i]
    : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  // CHECK: lane.tensor_copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%{{.*}}] elements 2048 arrives %{{.*}}[%{{.*}}] : !llvm.array<16 x i64>,
  lane.tensor_copy %descriptor[%i, %i], %shared[%i] elements 2048 arrives %counters[%i]
    : !llvm.array<16 x i64>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  // CHECK: lane.arrived %{{.*}}[%{{.*}}] parity %{{.*}} : memref<?xi64, #gpu.address_space<workgroup>>
  lane.arrived %counters[%i] parity %i : memref<?xi64, #gpu.address_space<workgroup>>
  return
}

// CHECK-LABEL: @fences
func.func @fences(%sum: f32, %other: f64) -> f64 {
  // CHECK: lane.compiler_fence{{$}}
  lane.compiler_fence
  // CHECK: %{{.*}}:2 = lane.compiler_fence(%{{.*}}, %{{.*}} : f32, f64)
  %fenced:2 = lane.compiler_fence(%sum, %other : f32, f64)
  return %fenced#1 : f64
}
