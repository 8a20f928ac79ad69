// What macro-tile refuses, and why.
// RUN: gemm-opt %s --split-input-file --verify-diagnostics --macro-tile

func.func @no_plan(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{has no plan: run tile-select first, or write one}}
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

func.func @tensors(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>)
    -> tensor<16x16xf32> {
  // expected-error@+1 {{macro-tile works on memrefs: bufferize first}}
  %d = blas.gemm ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %d : tensor<16x16xf32>
}

// -----

func.func @element(%a: memref<16x16xbf16>, %b: memref<16x16xbf16>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{operand A is of 'bf16': kernels exist for f32 and f64 so far}}
  blas.gemm ins(%a, %b : memref<16x16xbf16>, memref<16x16xbf16>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared>>)
  return
}

// -----

func.func @vector(%a: memref<16x15xf32>, %b: memref<15x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{plan: path a has vector = 4 but accesses to operand A}}
  blas.gemm ins(%a, %b : memref<16x15xf32>, memref<15x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 16], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4>,
          b = <via = shared>>)
  return
}

// -----

func.func @uneven(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{plan: the 16x8 tile of A in accesses of 4 does not divide evenly among 64 threads}}
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4>,
          b = <via = shared>>)
  return
}

// -----

func.func @stages(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{plan: stages = 3 needs an asynchronous copy; copy = register takes 1 or 2}}
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared>, stages = 3>)
  return
}

// -----

func.func @copy(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  // expected-error@+1 {{plan: path b has copy = async: kernels exist for copy = register so far}}
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
          b = <via = shared, copy = async>>)
  return
}
