// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -split-input-file | FileCheck %s

// In place stays in place, with all attributes of the operation.
// CHECK-LABEL: func @in_place(
// CHECK-SAME:    %[[A:.*]]: memref<4x6xcomplex<f32>>, %[[C:.*]]: memref<6x6xcomplex<f32>>, %[[ALPHA:.*]]: f32)
// CHECK-NEXT:    blas.herk uplo<upper> op<c> ins(%[[A]] : memref<4x6xcomplex<f32>>) outs(%[[C]] : memref<6x6xcomplex<f32>>) alpha(%[[ALPHA]] : f32) {test.note = "kept"}
// CHECK-NEXT:    return %[[C]]
func.func @in_place(%a: tensor<4x6xcomplex<f32>>, %c: tensor<6x6xcomplex<f32>>, %alpha: f32) -> tensor<6x6xcomplex<f32>> {
  %d = blas.herk uplo<upper> op<c> ins(%a : tensor<4x6xcomplex<f32>>) outs(%c : tensor<6x6xcomplex<f32>>) alpha(%alpha : f32) {test.note = "kept"} -> tensor<6x6xcomplex<f32>>
  return %d : tensor<6x6xcomplex<f32>>
}

// -----

// The other triangle of the result is that of C, so C is copied where it is needed later, without beta, too.
// CHECK-LABEL: func @copied(
// CHECK-SAME:    %[[A:.*]]: memref<6x4xf32>, %[[C:.*]]: memref<6x6xf32>)
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK:         memref.copy %[[C]], %[[D]]
// CHECK:         blas.syrk uplo<lower> ins(%[[A]] : memref<6x4xf32>) outs(%[[D]] : memref<6x6xf32>)
func.func @copied(%a: tensor<6x4xf32>, %c: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
  %d = blas.syrk uplo<lower> ins(%a : tensor<6x4xf32>) outs(%c : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %d, %c : tensor<6x6xf32>, tensor<6x6xf32>
}

// -----

// A product with a triangle.
// CHECK-LABEL: func @product(
// CHECK-SAME:    %[[A:.*]]: memref<6x4xf32>, %[[C:.*]]: memref<6x6xf32>)
// CHECK:         memref.copy %[[C]]
// CHECK:         blas.gemm opB<t> triangle<lower> ins
func.func @product(%a: tensor<6x4xf32>, %c: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>) {
  %d = blas.gemm opB<t> triangle<lower> ins(%a, %a : tensor<6x4xf32>, tensor<6x4xf32>) outs(%c : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %d, %c : tensor<6x6xf32>, tensor<6x6xf32>
}

// -----

// symm writes all of C: nothing is copied.
// CHECK-LABEL: func @whole(
// CHECK-NOT:     memref.copy
// CHECK:         blas.symm side<left> uplo<lower> ins
func.func @whole(%a: tensor<6x6xf32>, %b: tensor<6x4xf32>, %c: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %d = blas.symm side<left> uplo<lower> ins(%a, %b : tensor<6x6xf32>, tensor<6x4xf32>) outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %d, %c : tensor<6x4xf32>, tensor<6x4xf32>
}
