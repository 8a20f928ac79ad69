// RUN: gemm-opt %s --canonicalize -split-input-file | FileCheck %s

// One B for all matrices of a batch that lie one after the other: one product of 8 * 16 rows.
// CHECK-LABEL: func @rows(
// CHECK-SAME:    %[[A:.*]]: memref<8x16x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[C:.*]]: memref<8x16x48xf32>
// CHECK-DAG:     %[[ROWS_A:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1], [2]]
// CHECK-DAG:     %[[ROWS_C:.*]] = memref.collapse_shape %[[C]] {{\[\[}}0, 1], [2]]
// CHECK:         blas.gemm ins(%[[ROWS_A]], %[[B]] : memref<128x32xf32>, memref<32x48xf32>) outs(%[[ROWS_C]] : memref<128x48xf32>)
func.func @rows(%a: memref<8x16x32xf32>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
  return
}

// -----

// Sizes may be dynamic, there may be several batch dimensions, and B may be transposed.
// CHECK-LABEL: func @dynamic_rows(
// CHECK:         blas.gemm opB<t> ins({{.*}} : memref<?x?xf64>, memref<?x?xf64>) outs({{.*}} : memref<?x?xf64>) alpha
func.func @dynamic_rows(%a: memref<?x?x?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?x?x?xf64>, %alpha: f64) {
  blas.gemm opB<t> ins(%a, %b : memref<?x?x?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?x?x?xf64>) alpha(%alpha : f64)
  return
}

// -----

// Rows with gaps, where each matrix begins as the next row would.
// CHECK-LABEL: func @gaps(
// CHECK:         blas.gemm ins({{.*}} : memref<128x32xf32, strided<[40, 1], offset: 3>>, memref<32x48xf32>) outs({{.*}} : memref<128x48xf32, strided<[50, 1]>>)
func.func @gaps(%a: memref<8x16x32xf32, strided<[640, 40, 1], offset: 3>>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32, strided<[800, 50, 1]>>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32, strided<[640, 40, 1], offset: 3>>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32, strided<[800, 50, 1]>>)
  return
}

// -----

// A transposed: stored as 32 rows, in each of them 16 elements of every matrix.
// CHECK-LABEL: func @interleaved(
// CHECK:         %[[ORDERED:.*]] = memref.transpose %{{.*}} (d0, d1, d2) -> (d1, d0, d2)
// CHECK:         memref.collapse_shape %[[ORDERED]] {{\[\[}}0], [1, 2]]
// CHECK:         blas.gemm opA<t> ins({{.*}} : memref<32x128xf32, strided<[128, 1]>>, memref<32x48xf32>) outs({{.*}} : memref<128x48xf32>)
func.func @interleaved(%a: memref<8x32x16xf32, strided<[16, 128, 1]>>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<8x32x16xf32, strided<[16, 128, 1]>>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
  return
}

// -----

// One A for column-major matrices: one product of 8 * 48 columns.
// CHECK-LABEL: func @columns(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<16x32xf32>
// CHECK:         blas.gemm ins(%[[A]], %{{.*}} : memref<16x32xf32>, memref<32x384xf32, strided<[1, 32]>>) outs(%{{.*}} : memref<16x384xf32, strided<[1, 16]>>) beta
func.func @columns(%a: memref<16x32xf32>, %b: memref<8x32x48xf32, strided<[1536, 1, 32]>>, %c: memref<8x16x48xf32, strided<[768, 1, 16]>>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<16x32xf32>, memref<8x32x48xf32, strided<[1536, 1, 32]>>) outs(%c : memref<8x16x48xf32, strided<[768, 1, 16]>>) beta(%beta : f32)
  return
}

// -----

// A and C row-major, of a shared A: rows of C of neighbours do not follow each other.
// CHECK-LABEL: func @apart(
// CHECK-NEXT:    blas.gemm
// CHECK-NEXT:    return
func.func @apart(%a: memref<16x32xf32>, %b: memref<8x32x48xf32>, %c: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<16x32xf32>, memref<8x32x48xf32>) outs(%c : memref<8x16x48xf32>)
  return
}

// -----

// Unknown strides: matrices may not follow each other.
// CHECK-LABEL: func @unknown(
// CHECK-NEXT:    blas.gemm
// CHECK-NEXT:    return
func.func @unknown(%a: memref<8x16x32xf32, strided<[?, ?, 1]>>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32, strided<[?, ?, 1]>>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
  return
}

// -----

// A stride of 0 along the batch is equivalent to its absence.
// CHECK-LABEL: func @stride_of_0(
// CHECK:         memref.subview %{{.*}}[0, 0, 0] [1, 32, 48] [1, 1, 1]
// CHECK:         blas.gemm ins({{.*}} : memref<128x32xf32>, memref<32x48xf32, strided<[48, 1]>>) outs({{.*}} : memref<128x48xf32>)
func.func @stride_of_0(%a: memref<8x16x32xf32>, %b: memref<8x32x48xf32, strided<[0, 48, 1]>>, %c: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32>, memref<8x32x48xf32, strided<[0, 48, 1]>>) outs(%c : memref<8x16x48xf32>)
  return
}

// -----

// A batch of one is no batch.
// CHECK-LABEL: func @one(
// CHECK:         blas.gemm ins({{.*}} : memref<16x32xf32>, memref<32x48xf32{{.*}}>) outs({{.*}} : memref<16x48xf32>)
func.func @one(%a: memref<1x16x32xf32>, %b: memref<1x32x48xf32>, %c: memref<1x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<1x16x32xf32>, memref<1x32x48xf32>) outs(%c : memref<1x16x48xf32>)
  return
}

// -----

// Extra operands: a bias for each column stays, one element for each of C follows C.
// CHECK-LABEL: func @epilogue(
// CHECK:         %[[RESIDUAL:.*]] = memref.collapse_shape %arg4 {{\[\[}}0, 1], [2]]
// CHECK:         blas.gemm {{.*}} outs({{[^)]*}} : memref<128x48xf32>)
// CHECK-SAME:    epilogue(%{{.*}}: f32, %{{.*}} = %arg3[1] : memref<48xf32>, %{{.*}} = %[[RESIDUAL]][0, 1] : memref<128x48xf32>)
func.func @epilogue(%a: memref<8x16x32xf32>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>, %bias: memref<48xf32>, %residual: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
    epilogue(%sum : f32, %x = %bias[2] : memref<48xf32>, %y = %residual[0, 1, 2] : memref<8x16x48xf32>) {
      %0 = arith.addf %sum, %x : f32
      %1 = arith.addf %0, %y : f32
      blas.yield %1 : f32
    }
  return
}

// -----

// A bias for each row of every matrix is none of the rows of one product.
// CHECK-LABEL: func @row_bias(
// CHECK-NEXT:    blas.gemm
func.func @row_bias(%a: memref<8x16x32xf32>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>, %bias: memref<16xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
    epilogue(%sum : f32, %x = %bias[1] : memref<16xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

// -----

// A plan is for the operands as they stand.
// CHECK-LABEL: func @planned(
// CHECK-NEXT:    blas.gemm
func.func @planned(%a: memref<8x16x32xf32>, %b: memref<32x48xf32>, %c: memref<8x16x48xf32>) {
  blas.gemm ins(%a, %b : memref<8x16x32xf32>, memref<32x48xf32>) outs(%c : memref<8x16x48xf32>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4, a = <via = shared>, b = <via = shared>>)
  return
}
