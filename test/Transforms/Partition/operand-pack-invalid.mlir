// RUN: gemm-opt %s --operand-pack -verify-diagnostics -split-input-file

// Copies begin where accesses of 16 bytes can.
func.func @offset(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>, %w: memref<?xf32, strided<[1], offset: ?>>) {
  // expected-error @+1 {{but packed operands need an offset that is known to be a multiple of 4 elements}}
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
    workspace(%w : memref<?xf32, strided<[1], offset: ?>>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}

// -----

func.func @huge(%a: memref<4294967296x4294967296xf32>, %b: memref<4294967296x16xf32>, %c: memref<4294967296x16xf32>) {
  // expected-error @+1 {{plan: packed operands and partial sums are more than 2^60 elements}}
  blas.gemm ins(%a, %b : memref<4294967296x4294967296xf32>, memref<4294967296x16xf32>) outs(%c : memref<4294967296x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}
