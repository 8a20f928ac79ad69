// Reported errors of results are exact: those of a relu, and of values that are rounded once, as a share of an error bound
// means nothing.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s

// Sums that are one product each are exact but for their rounding.
// CHECK: PASS outer#0 f32 gemm nn 9x7x1 {{.*}}  cpu  {{equal to the exact results|at most 1 ulp from the exact results}}
func.func @outer(%a: memref<9x1xf32>, %b: memref<1x7xf32>, %c: memref<9x7xf32>) {
  blas.gemm ins(%a, %b : memref<9x1xf32>, memref<1x7xf32>) outs(%c : memref<9x7xf32>)
  return
}
// CHECK: PASS relu#0 f32 gemm nn 9x7x40 {{.*}}  cpu  error 0.{{[0-9]+}} of the bound{{$}}
func.func @relu(%a: memref<9x40xf32>, %b: memref<40x7xf32>, %c: memref<9x7xf32>) {
  blas.gemm ins(%a, %b : memref<9x40xf32>, memref<40x7xf32>) outs(%c : memref<9x7xf32>) epilogue(%sum: f32) {
    %zero = arith.constant 0.0 : f32
    %max = arith.maximumf %sum, %zero : f32
    blas.yield %max : f32
  }
  return
}
// CHECK: PASS narrow#0 {{.*}} gemm nn 9x7x40 {{.*}}  cpu  {{equal to the exact results|at most [12] ulp from the exact results}}
func.func @narrow(%a: memref<9x40xf16>, %b: memref<40x7xf16>, %c: memref<9x7xf16>) {
  blas.gemm ins(%a, %b : memref<9x40xf16>, memref<40x7xf16>) outs(%c : memref<9x7xf16>)
  return
}
// CHECK: PASS whole#0 {{.*}}  cpu  equal to the exact results
func.func @whole(%a: memref<9x40xf32>, %b: memref<40x7xf32>, %c: memref<9x7xf32>) {
  blas.gemm ins(%a, %b : memref<9x40xf32>, memref<40x7xf32>) outs(%c : memref<9x7xf32>) epilogue(%sum: f32) {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %less = arith.cmpf olt, %sum, %sum : f32
    %result = arith.select %less, %zero, %one : f32
    blas.yield %result : f32
  }
  return
}
