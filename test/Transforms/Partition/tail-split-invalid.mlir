// RUN: gemm-opt %s --tail-split --verify-diagnostics

func.func @tensors(%a: tensor<5x4xf32>, %b: tensor<4x4xf32>, %c: tensor<5x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{tail-split works on memrefs: bufferize first}}
  %d = blas.gemm ins(%a, %b : tensor<5x4xf32>, tensor<4x4xf32>) outs(%c : tensor<5x4xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>, tail = split>) -> tensor<5x4xf32>
  return %d : tensor<5x4xf32>
}
