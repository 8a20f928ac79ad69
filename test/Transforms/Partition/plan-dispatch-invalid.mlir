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

// Types may have become more precise since the set was made, so this is no error; but it is said.
func.func @never(%a: memref<?x6xf32>, %b: memref<6x4xf32>, %c: memref<?x4xf32>) {
  // expected-warning @+2 {{plans: case 0 is left out, it never holds: given: a = 4 but operand A, 'memref<?x6xf32>', allows 2}}
  // expected-warning @+1 {{plans: case 1 is left out, it never holds: given: n = #blas.extent<most = 2> but N is 4}}
  blas.gemm ins(%a, %b : memref<?x6xf32>, memref<6x4xf32>) outs(%c : memref<?x4xf32>)
    plans([#blas.case<when = <a = 4>, plan = #plan>, #blas.case<when = <n = <most = 2>>, plan = #plan>, #blas.case<plan = #plan>])
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

func.func @contradicts(%a: memref<?x?xf32, strided<[7, ?]>>, %b: memref<?x4xf32>, %c: memref<?x4xf32>) {
  // expected-warning @+3 {{plans: case 0 is left out, it never holds: it asks for M of #blas.extent<most = 32>, but #blas.extent<least = 64> is given}}
  // expected-warning @+2 {{plans: case 1 is left out, it never holds: it asks for K of #blas.extent<most = 14, multiple = 5>, but #blas.extent<least = 1, multiple = 3> is given}}
  // expected-warning @+1 {{plans: case 2 is left out, it never holds: given: orderA = column_major but operand A, 'memref<?x?xf32, strided<[7, ?]>>', has another stride along dimension 0}}
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[7, ?]>>, memref<?x4xf32>) outs(%c : memref<?x4xf32>)
    given(<m = <least = 64>, k = <least = 1, multiple = 3>>)
    plans([#blas.case<when = <m = <most = 32>>, plan = #plan>, #blas.case<when = <k = <most = 14, multiple = 5>>, plan = #plan>,
           #blas.case<when = <orderA = column_major>, plan = #plan>, #blas.case<plan = #plan>])
  return
}
