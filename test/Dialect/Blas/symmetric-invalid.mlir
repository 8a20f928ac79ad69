// RUN: gemm-opt %s -verify-diagnostics -split-input-file

func.func @square(%a: memref<6x4xf32>, %c: memref<6x5xf32>) {
  // expected-error @+1 {{'blas.syrk' op operand C is 6 x 5, expected a square}}
  blas.syrk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x5xf32>)
  return
}

// -----

func.func @order(%a: memref<6x4xf32>, %c: memref<6x6xf32>) {
  // expected-error @+1 {{'blas.syrk' op order differs: op(A) has 4 rows but C is of order 6}}
  blas.syrk uplo<lower> op<t> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf32>)
  return
}

// -----

func.func @op(%a: memref<4x6xcomplex<f32>>, %c: memref<6x6xcomplex<f32>>) {
  // expected-error @+1 {{'blas.syrk' op op is c, expected n or t}}
  blas.syrk uplo<lower> op<c> ins(%a : memref<4x6xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>)
  return
}

// -----

func.func @transposed(%a: memref<4x6xcomplex<f32>>, %c: memref<6x6xcomplex<f32>>) {
  // expected-error @+1 {{'blas.herk' op op is t, expected n or c}}
  blas.herk uplo<lower> op<t> ins(%a : memref<4x6xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>)
  return
}

// -----

func.func @shape(%a: memref<6x4xf32>, %b: memref<6x3xf32>, %c: memref<6x6xf32>) {
  // expected-error @+1 {{'blas.syr2k' op operand B is 6 x 3 but A is 6 x 4}}
  blas.syr2k uplo<lower> ins(%a, %b : memref<6x4xf32>, memref<6x3xf32>) outs(%c : memref<6x6xf32>)
  return
}

// -----

func.func @real(%a: memref<6x4xf32>, %c: memref<6x6xf32>) {
  // expected-error @+1 {{'blas.herk' op needs complex elements, got 'f32': blas.syrk is for these}}
  blas.herk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf32>)
  return
}

// -----

func.func @alpha(%a: memref<6x4xcomplex<f32>>, %c: memref<6x6xcomplex<f32>>, %alpha: complex<f32>) {
  // expected-error @+1 {{'blas.herk' op operand alpha is 'complex<f32>' but is real: 'f32'}}
  blas.herk uplo<lower> ins(%a : memref<6x4xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>) alpha(%alpha : complex<f32>)
  return
}

// -----

func.func @beta(%a: memref<6x4xf16>, %c: memref<6x6xf16>, %beta: f16) {
  // expected-error @+1 {{'blas.syrk' op operand beta is 'f16' but products are summed in 'f32'}}
  blas.syrk uplo<lower> ins(%a : memref<6x4xf16>) outs(%c : memref<6x6xf16>) beta(%beta : f16)
  return
}

// -----

func.func @narrow(%a: memref<6x4xf16>, %c: memref<6x6xf16>) {
  // expected-error @+1 {{'blas.syr2k' op adds two products in C, but C is of 'f16', which is narrower than their sums, 'f32'}}
  blas.syr2k uplo<lower> ins(%a, %a : memref<6x4xf16>, memref<6x4xf16>) outs(%c : memref<6x6xf16>)
  return
}

// -----

func.func @types(%a: memref<6x4xf32>, %c: memref<6x6xf64>) {
  // expected-error @+1 {{operand types do not match: A is 'f32', C is 'f64'}}
  blas.syrk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf64>)
  return
}

// -----

func.func @overlap(%c: memref<6x6xf32>) {
  // expected-error @+1 {{output C is also operand A: the output must not overlap an input}}
  blas.syrk uplo<lower> ins(%c : memref<6x6xf32>) outs(%c : memref<6x6xf32>)
  return
}

// -----

func.func @symmetric(%a: memref<8x7xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.symm' op operand A is 8 x 7, expected a square}}
  blas.symm side<left> uplo<lower> ins(%a, %b : memref<8x7xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @side(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.symm' op order differs: A on the right is of order 8 but C has 6 columns}}
  blas.symm side<right> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @other(%a: memref<8x8xf32>, %b: memref<8x5xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{operand B is 8 x 5 but C is 8 x 6}}
  blas.symm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x5xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @hermitian(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.hemm' op needs complex elements, got 'f32': blas.symm is for these}}
  blas.hemm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @inverse(%a: memref<8x7xf32>) {
  // expected-error @+1 {{'blas.trtri' op operand A is 8 x 7, expected a square}}
  blas.trtri uplo<lower> outs(%a : memref<8x7xf32>)
  return
}

// -----

func.func @scaled(%a: memref<8x8xf32>, %alpha: f32) {
  // expected-error @+1 {{'blas.trtri' op accepts no alpha}}
  blas.trtri uplo<lower> outs(%a : memref<8x8xf32>) alpha(%alpha : f32)
  return
}

// -----

func.func @orders(%a: memref<8x8xf32>, %c: memref<7x7xf32>) {
  // expected-error @+1 {{operand A is 8 x 8 but C is 7 x 7}}
  blas.trtri uplo<lower> ins(%a : memref<8x8xf32>) outs(%c : memref<7x7xf32>)
  return
}

// -----

func.func @batch(%a: memref<8x8xf32>, %c: memref<2x8x8xf32>) {
  // expected-error @+1 {{operand A has rank 2, expected the rank of C, 3}}
  blas.trtri uplo<lower> ins(%a : memref<8x8xf32>) outs(%c : memref<2x8x8xf32>)
  return
}

// -----

func.func @triangle(%a: memref<6x4xf32>, %b: memref<4x5xf32>, %c: memref<6x5xf32>) {
  // expected-error @+1 {{'blas.gemm' op triangle<lower>: C is 6 x 5, expected a square}}
  blas.gemm triangle<lower> ins(%a, %b : memref<6x4xf32>, memref<4x5xf32>) outs(%c : memref<6x5xf32>)
  return
}

// -----

func.func @diagonal(%a: memref<6x4xcomplex<f32>>, %b: memref<4x6xcomplex<f32>>, %c: memref<6x6xcomplex<f32>>) {
  // expected-error @+1 {{realDiagonal belongs to a triangle of complex elements, but C is 'memref<6x6xcomplex<f32>>', all of it}}
  blas.gemm realDiagonal ins(%a, %b : memref<6x4xcomplex<f32>>, memref<4x6xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>)
  return
}

// -----

func.func @slices(%w: memref<2x6x5xf32>, %c: memref<6x5xf32>) {
  // expected-error @+1 {{'blas.reduce' op triangle<upper>: C is 6 x 5, expected a square}}
  blas.reduce triangle<upper> ins(%w : memref<2x6x5xf32>) outs(%c : memref<6x5xf32>)
  return
}
