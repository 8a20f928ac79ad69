// RUN: gemm-opt %s --macro-tile -verify-diagnostics -split-input-file

func.func @slices(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %w: memref<3x16x32xf32>) {
  // expected-error @+1 {{partial: 3 slices, but the plan has reduction = workspace and splits = 4}}
  blas.gemm partial ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%w : memref<3x16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}

// -----

func.func @not_selected(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>) {
  // expected-error @+1 {{plan: reduction = workspace makes partial sums: run reduction-select}}
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}

// -----

func.func @beta(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>) {
  // expected-error @+1 {{plan: reduction = atomic adds to C, but beta is not the constant 1: run reduction-select}}
  blas.gemm anyOrder ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = atomic, splits = 4>)
  return
}

// -----

func.func @no_plan(%w: memref<3x16x32xf32>, %c: memref<16x32xf32>) {
  // expected-error @+1 {{has no plan: run tile-select first, or write one}}
  blas.reduce ins(%w : memref<3x16x32xf32>) outs(%c : memref<16x32xf32>)
  return
}

// -----

func.func @width(%w: memref<3x16x32xf32>, %c: memref<16x32xf32, strided<[33, 1]>>) {
  // expected-error @+1 {{plan: vector = 4 but accesses to operand C, 'memref<16x32xf32, strided<[33, 1]>>', are contiguous and aligned for 1 at most}}
  blas.reduce ins(%w : memref<3x16x32xf32>) outs(%c : memref<16x32xf32, strided<[33, 1]>>)
    plan(<tile = [4, 32], threads = 32, vector = 4>)
  return
}

// -----

func.func @type(%w: memref<3x16x32xf64>, %c: memref<16x32xf16>) {
  // expected-error @+1 {{operand W is of 'f64' but C is of 'f16': accumulators are rounded to f32 and f64, those of f32 to f16 and bf16 as well}}
  blas.reduce ins(%w : memref<3x16x32xf64>) outs(%c : memref<16x32xf16>) plan(<tile = [4, 32], threads = 32>)
  return
}

// -----

func.func @tensors(%w: tensor<3x16x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  // expected-error @+1 {{macro-tile works on memrefs: bufferize first}}
  %d = blas.reduce ins(%w : tensor<3x16x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

// -----

func.func @cluster_share(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>) {
  // expected-error @+1 {{plan: partial sums: the macro tile does not divide among 3 workgroups of 64 threads, which add them up}}
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = cluster, splits = 3>)
  return
}
