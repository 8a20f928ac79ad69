// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// Rows, columns, gaps, a dynamic number of rows, and slices.
// CHECK-LABEL: func @views(
// CHECK: blas.as_real %{{.*}} : memref<100x7xcomplex<f64>> to memref<100x14xf64>
// CHECK: blas.as_real %{{.*}} : memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>> to memref<14x100xf32, strided<[1, 16], offset: 4>>
// CHECK: blas.as_real %{{.*}} : memref<?x7xcomplex<f64>, strided<[9, 1]>> to memref<?x14xf64, strided<[18, 1]>>
// CHECK: blas.as_real %{{.*}} : memref<4x6x3xcomplex<f64>> to memref<4x6x6xf64>
func.func @views(%a: memref<100x7xcomplex<f64>>, %b: memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>>, %c: memref<?x7xcomplex<f64>, strided<[9, 1]>>, %w: memref<4x6x3xcomplex<f64>>) {
  %0 = blas.as_real %a : memref<100x7xcomplex<f64>> to memref<100x14xf64>
  %1 = blas.as_real %b : memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>> to memref<14x100xf32, strided<[1, 16], offset: 4>>
  %2 = blas.as_real %c : memref<?x7xcomplex<f64>, strided<[9, 1]>> to memref<?x14xf64, strided<[18, 1]>>
  %3 = blas.as_real %w : memref<4x6x3xcomplex<f64>> to memref<4x6x6xf64>
  return
}

// Sizes are those of the complex numbers, but for the one that is doubled, which is known.
// FOLDED-LABEL: func @sizes(
// FOLDED-SAME:    %[[A:.*]]: memref<?x5xcomplex<f64>>)
// FOLDED-DAG:     %[[ROWS:.*]] = memref.dim %[[A]], %c0
// FOLDED-DAG:     %[[COLUMNS:.*]] = arith.constant 10 : index
// FOLDED:         return %[[ROWS]], %[[COLUMNS]]
func.func @sizes(%a: memref<?x5xcomplex<f64>>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = blas.as_real %a : memref<?x5xcomplex<f64>> to memref<?x10xf64>
  %rows = memref.dim %0, %c0 : memref<?x10xf64>
  %columns = memref.dim %0, %c1 : memref<?x10xf64>
  return %rows, %columns : index, index
}
