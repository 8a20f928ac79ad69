// The cost of the same bits in every run, beside atomic additions, where workgroups share K.
// RUN: gemm-opt %s --tile-select=chip=h200 -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: chose plan {{.*}}K over {{.*}} workgroups (workspace)
// CHECK: limit:
// CHECK-NEXT: order: the same bits in every run; atomic additions (anyOrder) {{[0-9.]+}} us
// CHECK-NEXT: workspace:
func.func @fixed(%a: memref<1000000x16xf64>, %b: memref<1000000x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<1000000x16xf64>, memref<1000000x16xf64>) outs(%c : memref<16x16xf64>)
  return
}

// The operation has the attribute already; errors that do not grow with K, and a function of whole sums, need an order; atomic
// additions to C need its type to be that of the accumulators; nothing is shared.
// CHECK-NOT: order:
// CHECK:     remark: chose plan {{.*}}K over {{.*}} workgroups (
// CHECK-NOT: order:
// CHECK:     remark: chose plan {{.*}}compensated summation{{.*}}K over
// CHECK-NOT: order:
// CHECK:     remark: chose plan {{.*}}K over
// CHECK-NOT: order:
// CHECK:     remark: chose plan {{.*}}K over
// CHECK-NOT: order:
// CHECK:     remark: chose plan
// CHECK-NOT: order:
func.func @any(%a: memref<1000000x16xf64>, %b: memref<1000000x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm opA<t> anyOrder ins(%a, %b : memref<1000000x16xf64>, memref<1000000x16xf64>) outs(%c : memref<16x16xf64>)
  return
}
func.func @compensated(%a: memref<1000000x16xf64>, %b: memref<1000000x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm opA<t> compensated ins(%a, %b : memref<1000000x16xf64>, memref<1000000x16xf64>) outs(%c : memref<16x16xf64>)
  return
}
func.func @relu(%a: memref<1000000x16xf64>, %b: memref<1000000x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<1000000x16xf64>, memref<1000000x16xf64>) outs(%c : memref<16x16xf64>)
    epilogue(%sum: f64) {
      %zero = arith.constant 0.0 : f64
      %0 = arith.maximumf %sum, %zero : f64
      blas.yield %0 : f64
    }
  return
}
func.func @narrow(%a: memref<1000000x16xf16>, %b: memref<1000000x16xf16>, %c: memref<16x16xf16>) {
  blas.gemm opA<t> ins(%a, %b : memref<1000000x16xf16>, memref<1000000x16xf16>) outs(%c : memref<16x16xf16>)
  return
}
func.func @whole(%a: memref<4096x4096xf64>, %b: memref<4096x4096xf64>, %c: memref<4096x4096xf64>) {
  blas.gemm ins(%a, %b : memref<4096x4096xf64>, memref<4096x4096xf64>) outs(%c : memref<4096x4096xf64>)
  return
}
