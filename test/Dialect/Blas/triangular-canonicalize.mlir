// RUN: gemm-opt %s --canonicalize -split-input-file | FileCheck %s

// alpha = 1 is what its absence means; reals have no conjugate.
// CHECK-LABEL: func @neutral(
// CHECK-NEXT:    blas.trsm side<left> uplo<lower> opA<t> ins(%{{[^)]*}}) outs(%{{[^)]*}}){{$}}
// CHECK-NEXT:    blas.trmm side<right> uplo<upper> ins(%{{[^)]*}}) outs(%{{[^)]*}}){{$}}
func.func @neutral(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %one = arith.constant 1.0 : f32
  blas.trsm side<left> uplo<lower> opA<c> ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) alpha(%one : f32)
  blas.trmm side<right> uplo<upper> opA<j> ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  return
}

// -----

// CHECK-LABEL: func @other(
// CHECK:         blas.trsm side<left> uplo<lower> opA<c> ins({{.*}}) outs({{.*}}) alpha(%{{.*}} : complex<f32>)
func.func @other(%a: memref<8x8xcomplex<f32>>, %b: memref<8x6xcomplex<f32>>) {
  %alpha = complex.constant [1.0 : f32, 1.0 : f32] : complex<f32>
  blas.trsm side<left> uplo<lower> opA<c> ins(%a : memref<8x8xcomplex<f32>>) outs(%b : memref<8x6xcomplex<f32>>) alpha(%alpha : complex<f32>)
  return
}

// -----

// alpha = 0: zeros, in place and out of place, on buffers and tensors; neither A nor B is read.
// CHECK-LABEL: func @zero(
// CHECK-SAME:    %{{.*}}: memref<8x8xf32>, %[[B:.*]]: memref<8x6xf32>, %[[C:.*]]: memref<8x6xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    linalg.fill ins(%[[ZERO]] : f32) outs(%[[B]] : memref<8x6xf32>)
// CHECK-NEXT:    linalg.fill ins(%[[ZERO]] : f32) outs(%[[C]] : memref<8x6xf32>)
// CHECK-NEXT:    return
func.func @zero(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) alpha(%zero : f32)
  blas.trmm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>) alpha(%zero : f32)
  return
}

// -----

// CHECK-LABEL: func @zero_tensor(
// CHECK-SAME:    %{{.*}}: tensor<8x8xcomplex<f64>>, %[[B:.*]]: tensor<8x6xcomplex<f64>>)
// CHECK:         %[[ZERO:.*]] = complex.constant [0.000000e+00, 0.000000e+00] : complex<f64>
// CHECK-NEXT:    %[[FILLED:.*]] = linalg.fill ins(%[[ZERO]] : complex<f64>) outs(%[[B]] :
// CHECK-NEXT:    return %[[FILLED]]
func.func @zero_tensor(%a: tensor<8x8xcomplex<f64>>, %b: tensor<8x6xcomplex<f64>>) -> tensor<8x6xcomplex<f64>> {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %d = blas.trmm side<left> uplo<lower> ins(%a : tensor<8x8xcomplex<f64>>) outs(%b : tensor<8x6xcomplex<f64>>) alpha(%zero : complex<f64>) -> tensor<8x6xcomplex<f64>>
  return %d : tensor<8x6xcomplex<f64>>
}

// -----

// No element, nothing to compute.
// CHECK-LABEL: func @empty(
// CHECK-SAME:    %[[E:[^:]*]]: tensor<0x6xf32>, %{{.*}}: memref<8x8xf32>
// CHECK-NEXT:    return %[[E]]
func.func @empty(%a: tensor<0x0xf32>, %b: tensor<0x6xf32>, %c: memref<8x8xf32>, %d: memref<8x0xf32>) -> tensor<0x6xf32> {
  %0 = blas.trsm side<left> uplo<lower> ins(%a : tensor<0x0xf32>) outs(%b : tensor<0x6xf32>) -> tensor<0x6xf32>
  blas.trsm side<left> uplo<lower> ins(%c : memref<8x8xf32>) outs(%d : memref<8x0xf32>)
  return %0 : tensor<0x6xf32>
}

// -----

// The other triangle of the transposed matrix.
// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[A:.*]]: tensor<8x8xcomplex<f32>>, %[[B:.*]]: tensor<8x6xcomplex<f32>>)
// CHECK-NEXT:    blas.trsm side<left> uplo<upper> opA<j> ins(%[[A]] :
func.func @transposed(%a: tensor<8x8xcomplex<f32>>, %b: tensor<8x6xcomplex<f32>>) -> tensor<8x6xcomplex<f32>> {
  %e = tensor.empty() : tensor<8x8xcomplex<f32>>
  %at = linalg.transpose ins(%a : tensor<8x8xcomplex<f32>>) outs(%e : tensor<8x8xcomplex<f32>>) permutation = [1, 0]
  %d = blas.trsm side<left> uplo<lower> opA<c> ins(%at : tensor<8x8xcomplex<f32>>) outs(%b : tensor<8x6xcomplex<f32>>) -> tensor<8x6xcomplex<f32>>
  return %d : tensor<8x6xcomplex<f32>>
}

// -----

// A plan is made for one layout: the operation stays.
// CHECK-LABEL: func @planned(
// CHECK:         memref.transpose
// CHECK:         blas.trsm side<left> uplo<lower> ins({{.*}}) outs({{.*}}) plan(<diagonal = 4>)
func.func @planned(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  %at = memref.transpose %a (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  blas.trsm side<left> uplo<lower> ins(%at : memref<8x8xf32, strided<[1, 8]>>) outs(%b : memref<8x6xf32>) plan(<diagonal = 4>)
  return
}

// -----

// Sizes that a cast hides come back.
// CHECK-LABEL: func @casts(
// CHECK:         blas.trmm side<left> uplo<lower> ins({{.*}} : memref<8x8xf32>, memref<8x6xf32>) outs({{.*}} : memref<8x6xf32>)
func.func @casts(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  %ca = memref.cast %a : memref<8x8xf32> to memref<?x?xf32>
  %cb = memref.cast %b : memref<8x6xf32> to memref<?x6xf32>
  %cc = memref.cast %c : memref<8x6xf32> to memref<8x?xf32>
  blas.trmm side<left> uplo<lower> ins(%ca, %cb : memref<?x?xf32>, memref<?x6xf32>) outs(%cc : memref<8x?xf32>)
  return
}

// -----

// CHECK-LABEL: func @tensor_casts(
// CHECK:         blas.trmm side<left> uplo<lower> ins({{.*}} : tensor<8x8xf32>) outs({{.*}} : tensor<8x6xf32>) -> tensor<8x6xf32>
func.func @tensor_casts(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<?x?xf32> {
  %ca = tensor.cast %a : tensor<8x8xf32> to tensor<?x?xf32>
  %cb = tensor.cast %b : tensor<8x6xf32> to tensor<?x?xf32>
  %d = blas.trmm side<left> uplo<lower> ins(%ca : tensor<?x?xf32>) outs(%cb : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}
