// RUN: gemm-opt %s --reduction-select -verify-diagnostics -split-input-file
// RUN: gemm-opt %s --macro-tile -verify-diagnostics -split-input-file

func.func @order(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>) {
  // expected-error @+1 {{plan: reduction = atomic adds in an order that changes from run to run, but the operation lacks anyOrder}}
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = atomic, splits = 4>)
  return
}

// -----

// expected-error @+1 {{has the name 'rooftileHasRoom', which compiled code calls}}
func.func private @rooftileHasRoom(i64, i64) -> i32
func.func @named(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>) workspace(%w : memref<?xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}
