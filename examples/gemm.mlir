// BLAS GEMM on row-major buffers, C = alpha * op(A) * op(B) + beta * C: every
// combination of transposes, in f32 and f64, and a batch.

// C = A * B; without beta the old content of C is not read.
func.func @sgemm_nn(%a: memref<256x320xf32>, %b: memref<320x192xf32>, %c: memref<256x192xf32>) {
  blas.gemm ins(%a, %b : memref<256x320xf32>, memref<320x192xf32>)
            outs(%c : memref<256x192xf32>)
  return
}

// C = 2 * A * B^T + C.
func.func @sgemm_nt(%a: memref<256x320xf32>, %b: memref<192x320xf32>, %c: memref<256x192xf32>) {
  %alpha = arith.constant 2.0 : f32
  %beta = arith.constant 1.0 : f32
  blas.gemm opB<t> ins(%a, %b : memref<256x320xf32>, memref<192x320xf32>)
            outs(%c : memref<256x192xf32>) alpha(%alpha : f32) beta(%beta : f32)
  return
}

// C = alpha * A^T * B + beta * C, with both scalars known at run time only.
func.func @dgemm_tn(%a: memref<320x256xf64>, %b: memref<320x192xf64>, %c: memref<256x192xf64>,
                    %alpha: f64, %beta: f64) {
  blas.gemm opA<t> ins(%a, %b : memref<320x256xf64>, memref<320x192xf64>)
            outs(%c : memref<256x192xf64>) alpha(%alpha : f64) beta(%beta : f64)
  return
}

// C = A^T * B^T, and no size a multiple of anything.
func.func @dgemm_tt(%a: memref<131x127xf64>, %b: memref<61x131xf64>, %c: memref<127x61xf64>) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<131x127xf64>, memref<61x131xf64>)
            outs(%c : memref<127x61xf64>)
  return
}

// A batch of 3 products with one B for all.
func.func @sgemm_batch(%a: memref<3x128x64xf32>, %b: memref<64x96xf32>,
                       %c: memref<3x128x96xf32>) {
  blas.gemm ins(%a, %b : memref<3x128x64xf32>, memref<64x96xf32>)
            outs(%c : memref<3x128x96xf32>)
  return
}
