// RUN: gemm-opt %s -verify-diagnostics -split-input-file

func.func @square(%a: memref<8x7xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.trmm' op operand A is 8 x 7, expected a square}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x7xf32>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @left(%a: memref<8x8xf32>, %b: memref<6x8xf32>) {
  // expected-error @+1 {{'blas.trsm' op order differs: A on the left is of order 8 but B has 6 rows}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<6x8xf32>)
  return
}

// -----

func.func @right(%a: tensor<?x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{order differs: A on the right is of order 8 but C has 6 columns}}
  %d = blas.trsm side<right> uplo<lower> ins(%a, %b : tensor<?x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

func.func @b(%a: memref<8x8xf32>, %b: memref<8x5xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{operand B has 5 columns but C has 6}}
  blas.trmm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x5xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @rank_of_b(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %c: memref<2x8x6xf32>) {
  // expected-error @+1 {{operand B has rank 2, expected the rank of C, 3}}
  blas.trmm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%c : memref<2x8x6xf32>)
  return
}

// -----

func.func @batch(%a: memref<3x8x8xf32>, %b: memref<2x8x6xf32>) {
  // expected-error @+1 {{batch dimension 0 of operand A is 3 but that of B is 2}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<3x8x8xf32>) outs(%b : memref<2x8x6xf32>)
  return
}

// -----

func.func @complex_triangle(%a: memref<8x8xcomplex<f32>>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{operand types do not match: A is 'complex<f32>', B is 'f32'}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xcomplex<f32>>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @types(%a: memref<8x8xf64>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{operand types do not match: A is 'f64', B is 'f32'}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf64>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @alpha(%a: memref<8x8xf16>, %b: memref<8x6xf16>, %alpha: f16) {
  // expected-error @+1 {{operand alpha is 'f16' but products are summed in 'f32'}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf16>) outs(%b : memref<8x6xf16>) alpha(%alpha : f16)
  return
}

// -----

func.func @element(%a: memref<8x8xi32>, %b: memref<8x6xi32>) {
  // expected-error @+1 {{operand A has elements of 'i32', expected f16, bf16, f32, f64, complex<f32> or complex<f64>}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xi32>) outs(%b : memref<8x6xi32>)
  return
}

// -----

func.func @mixed(%a: tensor<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs: operand A is 'tensor<8x8xf32>', B is 'memref<8x6xf32>'}}
  blas.trsm side<left> uplo<lower> ins(%a : tensor<8x8xf32>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @result(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) {
  // expected-error @+1 {{on tensors has one result}}
  blas.trsm side<left> uplo<lower> ins(%a : tensor<8x8xf32>) outs(%b : tensor<8x6xf32>)
  return
}

// -----

func.func @overlap(%a: memref<8x8xf32>) {
  // expected-error @+1 {{output B is also operand A: the output must not overlap an input}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  return
}

// -----

func.func @in_place(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{output C is also operand B: in place is written ins(%a) outs(%b)}}
  blas.trsm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @stride(%a: memref<8x8xf32>, %b: memref<8x6xf32, strided<[0, 1]>>) {
  // expected-error @+1 {{output B has stride 0 along dimension 0: its elements overlap}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32, strided<[0, 1]>>)
  return
}

// -----

func.func @diagonal(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: diagonal = -1 is not in 0 .. 2^20}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = -1>)
  return
}

// -----

func.func @workgroup(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: workgroup = 2048 is not in 1 .. 1024}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 8, workgroup = 2048>)
  return
}

// -----

func.func @matrices(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: matrices = 65 is not in 1 .. workgroup = 64}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, matrices = 65>)
  return
}

// -----

func.func @side(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+2 {{expected one of [left, right] for where the triangular matrix stands, got: middle}}
  // expected-error @+1 {{failed to parse Blas_SideAttr parameter}}
  blas.trsm side<middle> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>)
  return
}

// -----

func.func @overlap(%a: memref<8x8xf32>, %b: memref<8x6xf32, strided<[4, 1]>>) {
  // expected-error @+1 {{output B overlaps itself: 1 steps of stride 4 along dimension 0, of size 8, and 4 of stride 1 along dimension 1, of size 6, are as long}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32, strided<[4, 1]>>)
  return
}

// -----

func.func @lines(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: workgroupVectors = 12 is not 0 or a power of 2 up to 32}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, workgroupVectors = 12>)
  return
}

// -----

func.func @lines_of_a_thread(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: workgroupVectors = 4 needs matrices = 1, a = b = register, rows = 0, threadVectors = 1, method = substitute or invert, and a workgroup that is a multiple of 16}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, a = shared, workgroupVectors = 4>)
  return
}

// -----

func.func @exact_number(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.trmm' op attribute 'exact' failed to satisfy constraint: unit attribute}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) {exact = 3 : i64}
  return
}

// -----

func.func @exact_product(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{is exact, but method = mask of its plan multiplies by zeros}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, method = mask>) {exact}
  return
}

// -----

func.func @exact(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{'blas.trsm' op is exact, but method = invert of its plan multiplies by inverses}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 8, method = invert, base = 4>) {exact}
  return
}

// -----

func.func @rows(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: rows = 65 is not in 0 .. 64}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, rows = 65>)
  return
}

// -----

func.func @thread_lines(%a: memref<8x8xf32>, %b: memref<8x6xf32>) {
  // expected-error @+1 {{blocks: threadVectors = 9 is not in 1 .. 8}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) plan(<diagonal = 0, threadVectors = 9>)
  return
}

// -----

func.func @lines_of_matrices(%a: memref<4x8x8xf32>, %b: memref<4x8x6xf32>) {
  // expected-error @+1 {{blocks: threadVectors = 2 needs matrices = 1, got 4}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<4x8x8xf32>) outs(%b : memref<4x8x6xf32>) plan(<diagonal = 0, matrices = 4, threadVectors = 2>)
  return
}
