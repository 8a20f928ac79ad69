// A symmetric matrix C += A A^T, of which the lower triangle is stored.

func.func @update(%a: memref<4096x512xf32>, %c: memref<4096x4096xf32>) {
  %one = arith.constant 1.0 : f32
  blas.syrk uplo<lower> ins(%a : memref<4096x512xf32>) outs(%c : memref<4096x4096xf32>) beta(%one : f32)
  return
}
