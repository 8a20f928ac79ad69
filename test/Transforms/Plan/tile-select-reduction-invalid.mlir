// RUN: gemm-opt %s --tile-select=chip=h200 -verify-diagnostics=only-expected -split-input-file

func.func @cluster(%a: memref<64x1024xf32>, %b: memref<1024x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: reduction = cluster: splits = 16, but a cluster of h200 has at most 8 workgroups}}
  blas.gemm ins(%a, %b : memref<64x1024xf32>, memref<1024x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>,
          b = <via = shared, vector = 4>, reduction = cluster, splits = 16>)
  return
}

// -----

func.func @order(%a: memref<64x1024xf32>, %b: memref<1024x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: reduction = atomic adds in an order that changes from run to run, but the operation lacks anyOrder}}
  blas.gemm ins(%a, %b : memref<64x1024xf32>, memref<1024x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>,
          b = <via = shared, vector = 4>, reduction = atomic, splits = 16>)
  return
}

// -----

func.func @batch(%a: memref<2x64x8xcomplex<f64>>, %b: memref<2x64x8xcomplex<f64>>, %c: memref<2x8x8xcomplex<f64>>) {
  // expected-error @+1 {{plan does not fit: complex = induced, but operand A is no single matrix in memory}}
  blas.gemm opA<t> ins(%a, %b : memref<2x64x8xcomplex<f64>>, memref<2x64x8xcomplex<f64>>) outs(%c : memref<2x8x8xcomplex<f64>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced, mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 4>)
  return
}
