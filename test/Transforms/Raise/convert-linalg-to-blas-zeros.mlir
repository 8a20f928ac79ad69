// Zeros have many spellings; none of them is read, or written, once the product has no beta.
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file | FileCheck %s

// CHECK-LABEL: func @generic_fill(
// CHECK-NOT:     linalg
// CHECK:         blas.gemm {{.*}} outs({{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @generic_fill(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%empty : tensor<4x4xf32>) {
  ^bb0(%out: f32):
    linalg.yield %zero : f32
  } -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// The scalar comes in as an input.
// CHECK-LABEL: func @generic_fill_input(
// CHECK-NOT:     linalg
// CHECK:         blas.gemm {{.*}} outs({{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @generic_fill_input(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%zero : f32) outs(%empty : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @splat(
// CHECK:         blas.gemm {{.*}} outs({{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @splat(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.splat %zero : tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @complex_constant(
// CHECK:         blas.gemm {{.*}} outs({{.*}} : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
func.func @complex_constant(%a: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
  %c = arith.constant dense<(0.0, 0.0)> : tensor<4x4xcomplex<f32>>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) outs(%c : tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %d : tensor<4x4xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @reshaped(
// CHECK:         %[[C:.*]] = tensor.empty(%{{.*}}) : tensor<?x4xf32>
// CHECK:         blas.gemm {{.*}} outs(%[[C]] : tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @reshaped(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>, %size: index) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?xf32>
  %flat = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %c4 = arith.constant 4 : index
  %rows = arith.divui %size, %c4 : index
  %c = tensor.expand_shape %flat [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  %d = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// -----

// A buffer filled under another shape.
// CHECK-LABEL: func @memref_reshaped(
// CHECK-NOT:     linalg
// CHECK:         blas.gemm ins({{.*}}) outs(%{{.*}} : memref<4x4xf32>){{$}}
func.func @memref_reshaped(%a: memref<4x4xf32>, %flat: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.expand_shape %flat [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%flat : memref<16xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// A fill that depends on the index: content like any other.
// CHECK-LABEL: func @not_a_fill(
// CHECK:         linalg.generic
// CHECK:         blas.gemm {{.*}} beta(
func.func @not_a_fill(%a: tensor<4x4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}
