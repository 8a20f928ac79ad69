// Functions that module.test makes a library of.
func.func private @layer(%x: memref<?x32xf32>, %w: memref<32x16xf32>, %bias: memref<16xf32>, %y: memref<?x16xf32>, %alpha: f32) {
  blas.gemm ins(%x, %w : memref<?x32xf32>, memref<32x16xf32>) outs(%y : memref<?x16xf32>) alpha(%alpha : f32)
    epilogue(%sum : f32, %b = %bias[1] : memref<16xf32>) {
      %0 = arith.addf %sum, %b : f32
      blas.yield %0 : f32
    }
  return
}
func.func @layers(%x: memref<?x32xf32>, %w: memref<32x16xf32>, %bias: memref<16xf32>, %y: memref<?x16xf32>, %alpha: f32) {
  call @layer(%x, %w, %bias, %y, %alpha) : (memref<?x32xf32>, memref<32x16xf32>, memref<16xf32>, memref<?x16xf32>, f32) -> ()
  return
}
func.func @scaled(%a: memref<8x8xcomplex<f64>>, %c: memref<8x8xcomplex<f64>, strided<[1, 8]>>, %alpha: complex<f64>) {
  blas.gemm ins(%a, %a : memref<8x8xcomplex<f64>>, memref<8x8xcomplex<f64>>) outs(%c : memref<8x8xcomplex<f64>, strided<[1, 8]>>) alpha(%alpha : complex<f64>)
  return
}
