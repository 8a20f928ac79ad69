// RUN: gemm-opt %s --plan-dispatch --split-input-file --verify-diagnostics

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

func.func @tensors(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{plan-dispatch works on memrefs: bufferize first}}
  %d = blas.gemm ins(%a, %b : tensor<?x4xf32>, tensor<4x4xf32>) outs(%c : tensor<?x4xf32>)
    plans([#blas.case<when = <m = <least = 64>>, plan = #plan>, #blas.case<plan = #plan>]) -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

func.func @never(%a: memref<?x6xf32>, %b: memref<6x4xf32>, %c: memref<?x4xf32>) {
  // expected-error @+1 {{given: a = 4 but operand A, 'memref<?x6xf32>', allows 2}}
  blas.gemm ins(%a, %b : memref<?x6xf32>, memref<6x4xf32>) outs(%c : memref<?x4xf32>)
    plans([#blas.case<when = <a = 4>, plan = #plan>, #blas.case<plan = #plan>])
  return
}
