// Products with a side of 1, sums over several dimensions, and windows.
// RUN: gemm-opt %s --convert-linalg-to-blas --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @matvec(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-DAG:     %[[B:.*]] = tensor.expand_shape %[[X]] {{\[}}[0, 1]] output_shape [8, 1]
// CHECK-DAG:     %[[C:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0, 1]] output_shape [4, 1]
// CHECK:         %[[D:.*]] = blas.gemm ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x1xf32>) outs(%[[C]] : tensor<4x1xf32>) beta
// CHECK:         tensor.collapse_shape %[[D]] {{\[}}[0, 1]]
func.func @matvec(%a: tensor<4x8xf32>, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @vecmat(
// CHECK:         blas.gemm ins({{.*}} : tensor<1x8xf32>, tensor<8x6xf32>) outs({{.*}} : tensor<1x6xf32>) beta
func.func @vecmat(%x: tensor<8xf32>, %b: tensor<8x6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {
  %d = linalg.vecmat ins(%x, %b : tensor<8xf32>, tensor<8x6xf32>) outs(%y : tensor<6xf32>) -> tensor<6xf32>
  return %d : tensor<6xf32>
}

// -----

// CHECK-LABEL: func @dot(
// CHECK:         blas.gemm ins({{.*}} : tensor<1x?xf32>, tensor<?x1xf32>) outs({{.*}} : tensor<1x1xf32>) beta
// CHECK:         tensor.collapse_shape {{.*}} [] : tensor<1x1xf32> into tensor<f32>
func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: tensor<f32>) -> tensor<f32> {
  %d = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %d : tensor<f32>
}

// -----

// CHECK-LABEL: func @batch_matvec(
// CHECK:         blas.gemm ins({{.*}} : memref<3x4x8xf32>, memref<3x8x1xf32>) outs({{.*}} : memref<3x4x1xf32>) beta
func.func @batch_matvec(%a: memref<3x4x8xf32>, %x: memref<3x8xf32>, %y: memref<3x4xf32>) {
  linalg.batch_matvec ins(%a, %x : memref<3x4x8xf32>, memref<3x8xf32>) outs(%y : memref<3x4xf32>)
  return
}

// -----

// The outer product has no sum.
// CHECK-LABEL: func @outer(
// CHECK:         blas.gemm ins({{.*}} : tensor<4x1xf32>, tensor<1x6xf32>) outs({{.*}} : tensor<4x6xf32>) beta
func.func @outer(%x: tensor<1x4xf32>, %y: tensor<1x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %y : tensor<1x4xf32>, tensor<1x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// Blocks of the sum: a loop of products that add; the first one stands before it.
// CHECK-LABEL: func @batch_reduce(
// CHECK-SAME:    %[[A:.*]]: tensor<5x4x8xf32>, %[[B:.*]]: tensor<5x8x6xf32>
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         %[[FIRST:.*]] = blas.gemm ins({{.*}} : tensor<4x8xf32>, tensor<8x6xf32>) outs(%{{.*}} : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK:         scf.for %[[I:.*]] = %[[C1]] to %[[C5]] step %[[C1]] iter_args(%[[SUM:.*]] = %[[FIRST]])
// CHECK-DAG:       tensor.extract_slice %[[A]][%[[I]], 0, 0] [1, 4, 8] [1, 1, 1]
// CHECK-DAG:       tensor.extract_slice %[[B]][%[[I]], 0, 0] [1, 8, 6] [1, 1, 1]
// CHECK:           blas.gemm ins({{.*}}) outs(%[[SUM]] : tensor<4x6xf32>) beta
func.func @batch_reduce(%a: tensor<5x4x8xf32>, %b: tensor<5x8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %d = linalg.batch_reduce_matmul ins(%a, %b : tensor<5x4x8xf32>, tensor<5x8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// A loop that may have no iteration leaves the zeros.
// CHECK-LABEL: func @dynamic_batch_reduce(
// CHECK:         linalg.fill
// CHECK:         scf.for
// CHECK:           blas.gemm {{.*}} beta
func.func @dynamic_batch_reduce(%a: memref<?x4x8xf32>, %b: memref<?x8x6xf32>, %c: memref<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x6xf32>)
  linalg.batch_reduce_matmul ins(%a, %b : memref<?x4x8xf32>, memref<?x8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// A convolution of 1 x 1 is a product of all pixels.
// CHECK-LABEL: func @pointwise(
// CHECK:         blas.gemm ins({{.*}} : tensor<392x16xf32>, tensor<16x24xf32>) outs({{.*}} : tensor<392x24xf32>) beta
func.func @pointwise(%x: tensor<2x14x14x16xf32>, %w: tensor<1x1x16x24xf32>, %y: tensor<2x14x14x24xf32>) -> tensor<2x14x14x24xf32> {
  %d = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x14x14x16xf32>, tensor<1x1x16x24xf32>) outs(%y : tensor<2x14x14x24xf32>) -> tensor<2x14x14x24xf32>
  return %d : tensor<2x14x14x24xf32>
}

// -----

// Channels first: f x c times c x pixels, for each image.
// CHECK-LABEL: func @pointwise_channels_first(
// CHECK:         blas.gemm ins({{.*}} : tensor<24x16xf32>, tensor<2x16x196xf32>) outs({{.*}} : tensor<2x24x196xf32>) beta
func.func @pointwise_channels_first(%x: tensor<2x16x14x14xf32>, %w: tensor<24x16x1x1xf32>, %y: tensor<2x24x14x14xf32>) -> tensor<2x24x14x14xf32> {
  %d = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<2x16x14x14xf32>, tensor<24x16x1x1xf32>) outs(%y : tensor<2x24x14x14xf32>) -> tensor<2x24x14x14xf32>
  return %d : tensor<2x24x14x14xf32>
}

// -----

// Windows of 3 x 3 by steps of 2: rows of the output, a batch of images and lines, a sum over the columns of a
// window and the channels, which lie together; a loop over its lines.
// CHECK-LABEL: func @windows(
// CHECK-SAME:    %[[X:.*]]: memref<2x9x9x4xf32>
// CHECK:         scf.for
// CHECK:           memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [2, 4, 4, 12], strides: [324, 72, 8, 1]
// CHECK:           blas.gemm ins({{.*}}, {{.*}} : memref<2x4x4x12xf32, {{.*}}>, memref<12x6xf32, {{.*}}>) outs(%{{.*}} : memref<2x4x4x6xf32>) beta
func.func @windows(%x: memref<2x9x9x4xf32>, %w: memref<3x3x4x6xf32>, %y: memref<2x4x4x6xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<2x9x9x4xf32>, memref<3x3x4x6xf32>) outs(%y : memref<2x4x4x6xf32>)
  return
}
