// A symmetric matrix C += A A^T, and a Gram matrix of block vectors X^H X: one triangle of each.

func.func @update(%a: memref<4096x512xf32>, %c: memref<4096x4096xf32>) {
  %one = arith.constant 1.0 : f32
  blas.syrk uplo<lower> ins(%a : memref<4096x512xf32>) outs(%c : memref<4096x4096xf32>) beta(%one : f32)
  return
}

func.func @gram(%x: memref<100000x24xcomplex<f64>>, %c: memref<24x24xcomplex<f64>>) {
  blas.herk uplo<upper> op<c> ins(%x : memref<100000x24xcomplex<f64>>) outs(%c : memref<24x24xcomplex<f64>>)
  return
}
