// RUN: gemm-opt %s --split-input-file --verify-diagnostics

func.func @dims(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: memref<4xf32>) {
  // expected-error @+1 {{extra operand 0 is 'memref<4xf32>' but is indexed by 2 dimensions of C}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[0, 1] : memref<4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @size(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: memref<4xf32>) {
  // expected-error @+1 {{extra operand 0 has size 4 along dimension 0 but C has 8 along dimension 0}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[0] : memref<4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @beyond(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: memref<4xf32>) {
  // expected-error @+1 {{extra operand 0 is indexed by dimension 2 of C, which has rank 2}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[2] : memref<4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @twice(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: memref<4x4xf32>) {
  // expected-error @+1 {{extra operand 0 is indexed by dimension 1 of C twice}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[1, 1] : memref<4x4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @scalar(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: f32) {
  // expected-error @+1 {{extra operand 0 is a scalar but is indexed by dimensions of C}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[1] : f32) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @elements(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: memref<4xi32>) {
  // expected-error @+1 {{extra operand 0 has elements of 'i32', expected f16, bf16, f32, f64, complex<f32> or complex<f64>}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[1] : memref<4xi32>) {
    blas.yield %sum : f32
  }
  return
}

// -----

func.func @mixed(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{extra operand 0 is 'tensor<4xf32>' but C is 'memref<8x4xf32>': tensors and memrefs do not mix}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %x[1] : tensor<4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @alias(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>) {
  // expected-error @+1 {{output C is also extra operand 0: the output must not overlap an input (beta adds C)}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32, %e = %c[0, 1] : memref<8x4xf32>) {
    blas.yield %e : f32
  }
  return
}

// -----

func.func @sum(%a: memref<8x8xf16>, %b: memref<8x4xf16>, %c: memref<8x4xf16>) {
  // expected-error @+1 {{argument 0 of the epilogue is 'f16', expected 'f32', the sum's}}
  blas.gemm ins(%a, %b : memref<8x8xf16>, memref<8x4xf16>) outs(%c : memref<8x4xf16>) epilogue(%sum: f16) {
    blas.yield %sum : f16
  }
  return
}

// -----

func.func @result(%a: memref<8x8xf16>, %b: memref<8x4xf16>, %c: memref<8x4xf16>) {
  blas.gemm ins(%a, %b : memref<8x8xf16>, memref<8x4xf16>) outs(%c : memref<8x4xf16>) epilogue(%sum: f32) {
    %0 = arith.truncf %sum : f32 to f16
    // expected-error @+1 {{yields 'f16' but accumulators are 'f32'}}
    blas.yield %0 : f16
  }
  return
}

// -----

func.func @kind(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>) {
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32) {
    // expected-error @+1 {{is not among the operations that epilogues are made of}}
    %0 = math.sin %sum : f32
    blas.yield %0 : f32
  }
  return
}

// -----

func.func @effect(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>) {
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32) {
    // expected-error @+1 {{is no scalar arithmetic, which epilogues are made of}}
    %0 = memref.alloc() : memref<4xf32>
    blas.yield %sum : f32
  }
  return
}

// -----

func.func @captured(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %s: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<8x4xf32>) epilogue(%sum: f32) {
    // expected-error @+1 {{using value defined outside the region}}
    %0 = arith.addf %sum, %s : f32
    blas.yield %0 : f32
  }
  return
}

// -----

func.func @partial(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<2x8x4xf32>) {
  // expected-error @+1 {{partial sums accept no epilogue}}
  blas.gemm partial ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%c : memref<2x8x4xf32>) epilogue(%sum: f32) {
    blas.yield %sum : f32
  }
  return
}

// -----

func.func @without(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %c: memref<8x4xf32>, %x: f32) {
  // expected-error @+1 {{has extra operands but no epilogue}}
  "blas.gemm"(%a, %b, %c, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1>}> : (memref<8x8xf32>, memref<8x4xf32>, memref<8x4xf32>, f32) -> ()
  return
}
