// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -split-input-file | FileCheck %s

// In place stays in place.
// CHECK-LABEL: func @in_place(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>, %[[B:.*]]: memref<8x6xf32>, %[[ALPHA:.*]]: f32)
// CHECK-NEXT:    blas.trsm side<left> uplo<lower> opA<t> diag<unit> ins(%[[A]] : memref<8x8xf32>) outs(%[[B]] : memref<8x6xf32>) alpha(%[[ALPHA]] : f32) plan(<diagonal = 4>) {test.note = "kept"}
// CHECK-NEXT:    return %[[B]]
func.func @in_place(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>, %alpha: f32) -> tensor<8x6xf32> {
  %d = blas.trsm side<left> uplo<lower> opA<t> diag<unit> ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x6xf32>) alpha(%alpha : f32) plan(<diagonal = 4>) {test.note = "kept"} -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

// B is needed later: in place it must be copied first.
// CHECK-LABEL: func @copy(
// CHECK-SAME:    %{{.*}}: memref<8x8xf32>, %[[B:.*]]: memref<8x6xf32>)
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK:         memref.copy %[[B]], %[[D]]
// CHECK:         blas.trmm side<left> uplo<lower> ins(%{{.*}} : memref<8x8xf32>) outs(%[[D]] :
func.func @copy(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %d = blas.trmm side<left> uplo<lower> ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d, %b : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// Out of place nothing is copied: C is only written.
// CHECK-LABEL: func @out_of_place(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>, %[[B:.*]]: memref<8x6xf32>, %[[C:.*]]: memref<8x6xf32>)
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK-NOT:     memref.copy
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[A]], %[[B]] : memref<8x8xf32>, memref<8x6xf32>) outs(%[[D]] :
func.func @out_of_place(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %d = blas.trmm side<left> uplo<lower> ins(%a, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d, %c : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// The output may not be A: it gets memory of its own.
// CHECK-LABEL: func @aliased(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>)
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK:         memref.copy %[[A]], %[[D]]
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[A]] : memref<8x8xf32>) outs(%[[D]] : memref<8x8xf32>)
func.func @aliased(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %d = blas.trmm side<left> uplo<lower> ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
