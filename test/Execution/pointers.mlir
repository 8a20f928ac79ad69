// Batches by pointers in a function: gemm-run makes the arrays, and the matrices that they lead to.
// RUN: gemm-run %s --device=cpu --entry=known | FileCheck %s
// CHECK-COUNT-2: PASS
// CHECK-NOT: FAIL
// RUN: not gemm-run %s --device=cpu --entry=open 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: function 'open', argument 0: an array of addresses of matrices whose sizes are operands; --case passes these

func.func @known(%pa: memref<7xi64>, %b: memref<4x6xf32>, %pc: memref<?xi64> {rooftile.sizes = array<i64: 7>}, %q: memref<9xi64>, %d: memref<9x4x4xcomplex<f64>>) {
  %a = blas.batch %pa : memref<7xi64> to memref<7x5x4xf32, #blas.pointers<strides = [4, 1], align = 16>>
  %c = blas.batch %pc : memref<?xi64> to memref<?x5x6xf32, #blas.pointers<strides = [6, 1]>>
  blas.gemm ins(%a, %b : memref<7x5x4xf32, #blas.pointers<strides = [4, 1], align = 16>>, memref<4x6xf32>) outs(%c : memref<?x5x6xf32, #blas.pointers<strides = [6, 1]>>)
  // One array for both inputs.
  %e = blas.batch %q : memref<9xi64> to memref<9x4x4xcomplex<f64>, #blas.pointers<strides = [1, 4]>>
  blas.gemm opB<c> ins(%e, %e : memref<9x4x4xcomplex<f64>, #blas.pointers<strides = [1, 4]>>, memref<9x4x4xcomplex<f64>, #blas.pointers<strides = [1, 4]>>) outs(%d : memref<9x4x4xcomplex<f64>>)
  return
}

func.func @open(%pa: memref<?xi64>, %b: memref<4x6xf32>, %c: memref<?x5x6xf32>, %m: index) {
  %a = blas.batch %pa sizes [%m] : memref<?xi64> to memref<?x?x4xf32, #blas.pointers<strides = [4, 1]>>
  blas.gemm ins(%a, %b : memref<?x?x4xf32, #blas.pointers<strides = [4, 1]>>, memref<4x6xf32>) outs(%c : memref<?x5x6xf32>)
  return
}
