// Block classical Gram-Schmidt: W = V^T X, X = X - V W makes the columns of X orthogonal to those of
// V, which are orthonormal. V and X are block vectors: many rows of a few numbers, row by row.
// Both products stream them once: the first shares out its long sum among all units of the chip,
// the second has a row of X for every row of V.

func.func @orthogonalize(%v: memref<20000x12xf64>, %x: memref<20000x7xf64>, %w: memref<12x7xf64>) {
  %minus = arith.constant -1.0 : f64
  %one = arith.constant 1.0 : f64
  blas.gemm opA<t> ins(%v, %x : memref<20000x12xf64>, memref<20000x7xf64>) outs(%w : memref<12x7xf64>)
  blas.gemm ins(%v, %w : memref<20000x12xf64>, memref<12x7xf64>) outs(%x : memref<20000x7xf64>)
    alpha(%minus : f64) beta(%one : f64)
  return
}

// Complex block vectors that lie column by column (their transposes row by row): W = V^H X.
func.func @orthogonalize_columns(%v: memref<5x6000xcomplex<f32>>, %x: memref<5x6000xcomplex<f32>>,
                                 %w: memref<5x5xcomplex<f32>>) {
  %minus = complex.constant [-1.0 : f32, 0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  // Rows are columns here: W^T = X^T conj(V), X^T -= W^T V^T.
  blas.gemm opB<c> ins(%x, %v : memref<5x6000xcomplex<f32>>, memref<5x6000xcomplex<f32>>)
    outs(%w : memref<5x5xcomplex<f32>>)
  blas.gemm ins(%w, %v : memref<5x5xcomplex<f32>>, memref<5x6000xcomplex<f32>>)
    outs(%x : memref<5x6000xcomplex<f32>>) alpha(%minus : complex<f32>) beta(%one : complex<f32>)
  return
}
