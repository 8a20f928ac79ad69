// Triangular systems and products: op(A) X = alpha B, X op(A) = alpha B, B = alpha op(A) B.
// The first has a plan by hand; the others get theirs from tile-select.

// A linear system with the factors of a Cholesky decomposition A = L L^T: forward, then backward.
func.func @forward(%l: memref<300x300xf64>, %b: memref<300x40xf64>) {
  blas.trsm side<left> uplo<lower> ins(%l : memref<300x300xf64>) outs(%b : memref<300x40xf64>)
    plan(<diagonal = 64>)
  return
}
func.func @backward(%l: memref<300x300xf64>, %b: memref<300x40xf64>) {
  blas.trsm side<left> uplo<lower> opA<t> ins(%l : memref<300x300xf64>) outs(%b : memref<300x40xf64>)
  return
}

// A unit upper triangle on the right, any sizes, scaled.
func.func @right(%u: memref<?x?xf32> {rooftile.sizes = array<i64: 45, 45>},
                 %b: memref<?x?xf32> {rooftile.sizes = array<i64: 70, 45>},
                 %alpha: f32 {rooftile.value = 0.5 : f32}) {
  blas.trsm side<right> uplo<upper> diag<unit> ins(%u : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
    alpha(%alpha : f32)
  return
}

// A product from B to C, on tensors, for a batch that shares its triangle.
func.func @multiply(%l: tensor<33x33xf32>, %b: tensor<2x3x33x10xf32>) -> tensor<2x3x33x10xf32> {
  %empty = tensor.empty() : tensor<2x3x33x10xf32>
  %c = blas.trmm side<left> uplo<lower> ins(%l, %b : tensor<33x33xf32>, tensor<2x3x33x10xf32>)
                 outs(%empty : tensor<2x3x33x10xf32>) -> tensor<2x3x33x10xf32>
  return %c : tensor<2x3x33x10xf32>
}
