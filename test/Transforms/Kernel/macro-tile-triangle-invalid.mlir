// Plans that know no triangle.
// RUN: gemm-opt %s --macro-tile -split-input-file -verify-diagnostics
// RUN: not gemm-opt %s --tile-select=chip=h200 -split-input-file 2>&1 | FileCheck %s

func.func @square(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+2 {{'blas.gemm' op plan: triangle: tiles of one triangle of C are square, with raster = 1, no flat and no tail = split, but macro = 32x64, raster = 1, tail = overlap}}
  // CHECK: plan does not fit: triangle: tiles of one triangle of C are square, with raster = 1, no flat and no tail = split, but macro = 32x64, raster = 1, tail = overlap
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [32, 64, 8], micro = [4, 8], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @raster(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+2 {{but macro = 32x32, raster = 2, tail = overlap}}
  // CHECK: but macro = 32x32, raster = 2, tail = overlap
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, raster = 2>)
  return
}

// -----

func.func @line(%a: memref<64x24xf32>, %c: memref<64x64xf32>) {
  // expected-error @+2 {{no flat and no tail = split, but macro = 64x64, raster = 1, tail = overlap}}
  // CHECK: no flat and no tail = split, but macro = 64x64, raster = 1, tail = overlap
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<64x24xf32>, memref<64x24xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 8], micro = [8, 8], lanes = [4, 8], a = <via = shared>, b = <via = shared>, c = shared, flat = 64>)
  return
}
