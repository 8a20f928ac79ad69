// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// Rows, columns, gaps, a dynamic number of rows, and slices.
// CHECK-LABEL: func @views(
// CHECK: blas.reals %{{.*}} : memref<100x7xcomplex<f64>> to memref<100x14xf64>
// CHECK: blas.reals %{{.*}} : memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>> to memref<14x100xf32, strided<[1, 16], offset: 4>>
// CHECK: blas.reals %{{.*}} : memref<?x7xcomplex<f64>, strided<[?, 1], offset: ?>> to memref<?x14xf64, strided<[?, 1], offset: ?>>
// CHECK: blas.reals %{{.*}} : memref<4x6x3xcomplex<f64>> to memref<4x6x6xf64>
func.func @views(%a: memref<100x7xcomplex<f64>>, %b: memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>>, %c: memref<?x7xcomplex<f64>, strided<[?, 1], offset: ?>>, %w: memref<4x6x3xcomplex<f64>>) {
  %0 = blas.reals %a : memref<100x7xcomplex<f64>> to memref<100x14xf64>
  %1 = blas.reals %b : memref<7x100xcomplex<f32>, strided<[1, 8], offset: 2>> to memref<14x100xf32, strided<[1, 16], offset: 4>>
  %2 = blas.reals %c : memref<?x7xcomplex<f64>, strided<[?, 1], offset: ?>> to memref<?x14xf64, strided<[?, 1], offset: ?>>
  %3 = blas.reals %w : memref<4x6x3xcomplex<f64>> to memref<4x6x6xf64>
  return
}

// Sizes are those of the complex numbers, one of them doubled.
// FOLDED-LABEL: func @sizes(
// FOLDED-SAME:    %[[A:.*]]: memref<?x?xcomplex<f64>>)
// FOLDED-DAG:     %[[ROWS:.*]] = memref.dim %[[A]], %c0
// FOLDED-DAG:     %[[COLUMNS:.*]] = memref.dim %[[A]], %c1
// FOLDED-DAG:     %[[TWICE:.*]] = arith.muli %[[COLUMNS]], %c2
// FOLDED:         return %[[ROWS]], %[[TWICE]]
func.func @sizes(%a: memref<?x?xcomplex<f64>>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = blas.reals %a : memref<?x?xcomplex<f64>> to memref<?x?xf64>
  %rows = memref.dim %0, %c0 : memref<?x?xf64>
  %columns = memref.dim %0, %c1 : memref<?x?xf64>
  return %rows, %columns : index, index
}
