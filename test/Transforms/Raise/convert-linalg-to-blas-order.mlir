// Any order of dimensions: what lies together is one dimension, the rest are strides of memrefs.
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file | FileCheck %s

// A sum over two neighbouring dimensions is a sum over one.
// CHECK-LABEL: func @two_sums(
func.func @two_sums(%a: tensor<4x2x8xf32>, %b: tensor<2x8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<4x2x8xf32> into tensor<4x16xf32>
  // CHECK: %[[B:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<2x8x6xf32> into tensor<16x6xf32>
  // CHECK: blas.gemm ins(%[[A]], %[[B]] : tensor<4x16xf32>, tensor<16x6xf32>)
  %d = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>]
    ins(%a, %b : tensor<4x2x8xf32>, tensor<2x8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// A linear layer over a batch of sequences is one tall product; zeros are seen through the reshape.
// CHECK-LABEL: func @linear_layer(
func.func @linear_layer(%a: tensor<3x4x8xf32>, %b: tensor<8x6xf32>) -> tensor<3x4x6xf32> {
  // CHECK-NOT: linalg
  // CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]]
  // CHECK: %[[D:.*]] = blas.gemm ins(%[[A]], %{{.*}} : tensor<12x8xf32>, tensor<8x6xf32>) outs(%{{.*}} : tensor<12x6xf32>) -> tensor<12x6xf32>
  // CHECK: tensor.expand_shape %[[D]] {{\[}}[0, 1], [2]] output_shape [3, 4, 6]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x4x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %d = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<3x4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// Dynamic sizes fold too.
// CHECK-LABEL: func @dynamic(
func.func @dynamic(%a: tensor<?x?x8xf32>, %b: tensor<8x6xf32>, %c: tensor<?x?x6xf32>) -> tensor<?x?x6xf32> {
  // CHECK: blas.gemm ins({{.*}} : tensor<?x8xf32>, tensor<8x6xf32>) outs({{.*}} : tensor<?x6xf32>) beta
  %d = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<?x?x8xf32>, tensor<8x6xf32>) outs(%c : tensor<?x?x6xf32>) -> tensor<?x?x6xf32>
  return %d : tensor<?x?x6xf32>
}

// -----

// The heads of an attention layer lie between rows and columns: on memrefs they are a batch by
// strides, of C too.
// CHECK-LABEL: func @heads(
func.func @heads(%q: memref<5x3x8xf32>, %k: memref<7x3x8xf32>, %c: memref<5x3x7xf32>) {
  // CHECK-DAG: %[[Q:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 5, 8], strides: [8, 24, 1]
  // CHECK-DAG: %[[K:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 7, 8], strides: [8, 24, 1]
  // CHECK-DAG: %[[C:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 5, 7], strides: [7, 21, 1]
  // CHECK: blas.gemm opB<t> ins(%[[Q]], %[[K]] : {{.*}}) outs(%[[C]] : {{.*}}) beta
  linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (m, h, n)>]
    ins(%q, %k : memref<5x3x8xf32>, memref<7x3x8xf32>) outs(%c : memref<5x3x7xf32>)
  return
}

// -----

// A has one of two batch dimensions: the other one has stride 0, and the size of C's.
// CHECK-LABEL: func @part_of_the_batch(
// CHECK-SAME:    %[[C:[^:]*]]: memref<?x3x4x6xf32>)
func.func @part_of_the_batch(%a: memref<3x4x8xf32>, %b: memref<?x3x8x6xf32>, %c: memref<?x3x4x6xf32>) {
  // CHECK: %[[SIZE:.*]] = memref.dim %[[C]], %{{.*}}
  // CHECK: %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[SIZE]], 3, 4, 8], strides: [0, 32, 8, 1]
  // CHECK: blas.gemm ins(%[[A]], %{{.*}} : {{.*}}) outs(%[[C]] : memref<?x3x4x6xf32>) beta
  linalg.contract indexing_maps = [affine_map<(b0, b1, m, n, k) -> (b1, m, k)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, k, n)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, m, n)>]
    ins(%a, %b : memref<3x4x8xf32>, memref<?x3x8x6xf32>) outs(%c : memref<?x3x4x6xf32>)
  return
}

// -----

// C with the columns first, on memrefs with a gap: B^T A^T.
// CHECK-LABEL: func @columns_first(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xf32, strided<[16, 1], offset: 2>>, %[[B:.*]]: memref<8x6xf32>
func.func @columns_first(%a: memref<4x8xf32, strided<[16, 1], offset: 2>>, %b: memref<8x6xf32>, %c: memref<6x4xf32>) {
  // CHECK: blas.gemm opA<t> opB<t> ins(%[[B]], %[[A]] :
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>]
    ins(%a, %b : memref<4x8xf32, strided<[16, 1], offset: 2>>, memref<8x6xf32>) outs(%c : memref<6x4xf32>)
  return
}

// -----

// Rows that cannot become one dimension of A are a batch that B lacks.
// CHECK-LABEL: func @rows_apart(
func.func @rows_apart(%a: tensor<3x8x4xf32>, %b: tensor<8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  // CHECK: blas.gemm opA<t> ins({{.*}} : tensor<3x8x4xf32>, tensor<8x6xf32>) outs({{.*}} : tensor<3x4x6xf32>)
  %d = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<3x8x4xf32>, tensor<8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// Transposing producers of a whole batch.
// CHECK-LABEL: func @batch_transpose_producer(
// CHECK-SAME:    %[[A:.*]]: tensor<3x8x4xf32>,
func.func @batch_transpose_producer(%a: tensor<3x8x4xf32>, %b: tensor<3x8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  // CHECK-NOT: linalg
  // CHECK: blas.gemm opA<t> ins(%[[A]], %{{.*}} :
  %e = tensor.empty() : tensor<3x4x8xf32>
  %t = linalg.transpose ins(%a : tensor<3x8x4xf32>) outs(%e : tensor<3x4x8xf32>) permutation = [0, 2, 1]
  %d = linalg.batch_matmul ins(%t, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}
