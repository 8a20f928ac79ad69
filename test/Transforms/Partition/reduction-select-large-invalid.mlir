// RUN: gemm-opt %s --reduction-select -verify-diagnostics

// Strides and sizes in bytes of so many elements are beyond 64 bits.
func.func @large(%a: memref<1073741824x64xf32>, %b: memref<64x1073741824xf32>, %c: memref<1073741824x1073741824xf32>) {
  // expected-error @+1 {{plan: the partial sums of 4 splits are more than 2^60 elements}}
  blas.gemm ins(%a, %b : memref<1073741824x64xf32>, memref<64x1073741824xf32>) outs(%c : memref<1073741824x1073741824xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}
