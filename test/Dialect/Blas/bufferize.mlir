// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" -split-input-file | FileCheck %s

// C is written in place; the result is C's buffer.
// CHECK-LABEL: func @in_place(
// CHECK-SAME:    %[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8x6xf32>, %[[C:.*]]: memref<4x6xf32>, %[[BETA:.*]]: f32)
// CHECK-NEXT:    blas.gemm ins(%[[A]], %[[B]] : memref<4x8xf32>, memref<8x6xf32>) outs(%[[C]] : memref<4x6xf32>) beta(%[[BETA]] : f32)
// CHECK-NEXT:    return %[[C]]
func.func @in_place(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %beta: f32) -> tensor<4x6xf32> {
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) beta(%beta : f32) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// C is read later: the product needs a buffer of its own, but without beta no copy of C.
// CHECK-LABEL: func @no_copy(
// CHECK:         %[[D:.*]] = memref.alloc() {{.*}} : memref<4x6xf32>
// CHECK-NOT:     memref.copy
// CHECK:         blas.gemm {{.*}} outs(%[[D]] : memref<4x6xf32>)
func.func @no_copy(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d, %c : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// With beta the copy is needed.
// CHECK-LABEL: func @copy(
// CHECK-SAME:    %[[C:[^:]*]]: memref<4x6xf32>, %{{[^:]*}}: f32)
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK:         memref.copy %[[C]], %[[D]]
// CHECK:         blas.gemm {{.*}} outs(%[[D]] : memref<4x6xf32>) beta(
func.func @copy(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %beta: f32) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) beta(%beta : f32) -> tensor<4x6xf32>
  return %d, %c : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// The output is also A: A must not change while it is read.
// CHECK-LABEL: func @aliased(
// CHECK-SAME:    %[[A:[^:]*]]: memref<4x4xf32>
// CHECK:         %[[D:.*]] = memref.alloc()
// CHECK:         blas.gemm ins(%[[A]], %{{.*}}) outs(%[[D]] : memref<4x4xf32>)
func.func @aliased(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %d = blas.gemm ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// All attributes of the operation survive, its plan among them.
// CHECK-LABEL: func @attributes(
// CHECK:         blas.gemm opA<c> opB<j> math<emulated> anyOrder acc(complex<f64>) ins({{.*}}) outs({{.*}}) alpha({{.*}}) beta({{.*}}) plan(<macro = [64, 64, 8], {{.*}}>) {test.note = "kept"}
func.func @attributes(%a: tensor<8x4xcomplex<f32>>, %b: tensor<8x6xcomplex<f32>>, %c: tensor<4x6xcomplex<f32>>, %s: complex<f64>) -> tensor<4x6xcomplex<f32>> {
  %d = blas.gemm opA<c> opB<j> math<emulated> anyOrder acc(complex<f64>)
    ins(%a, %b : tensor<8x4xcomplex<f32>>, tensor<8x6xcomplex<f32>>) outs(%c : tensor<4x6xcomplex<f32>>)
    alpha(%s : complex<f64>) beta(%s : complex<f64>)
    plan(<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], vector = 1, mma = fma, a = <via = shared>, b = <via = shared>, stages = 2, reduction = none, tail = overlap, raster = 1>)
    {test.note = "kept"} -> tensor<4x6xcomplex<f32>>
  return %d : tensor<4x6xcomplex<f32>>
}

// -----

// A block of a larger tensor becomes a strided view, not a copy.
// CHECK-LABEL: func @block(
// CHECK:         %[[VIEW:.*]] = memref.subview
// CHECK-NEXT:    %[[D:.*]] = memref.alloc
// CHECK-NEXT:    blas.gemm ins(%[[VIEW]], %{{.*}} : memref<4x8xf32, strided<[16, 1], offset: 2>>, memref<8x6xf32>) outs(%[[D]] : memref<4x6xf32>)
func.func @block(%matrix: tensor<16x16xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %a = tensor.extract_slice %matrix[0, 2] [4, 8] [1, 1] : tensor<16x16xf32> to tensor<4x8xf32>
  %c = tensor.empty() : tensor<4x6xf32>
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
