// RUN: gemm-opt %s --triangular-split --split-input-file --verify-diagnostics
// RUN: not gemm-opt %s --macro-tile --split-input-file 2>&1 | FileCheck %s

func.func @tensors(%a: tensor<64x64xf32>, %b: tensor<64x5xf32>) -> tensor<64x5xf32> {
  // expected-error @+2 {{triangular-split works on memrefs: bufferize first}}
  // CHECK: macro-tile works on memrefs: bufferize first
  %0 = blas.trsm side<left> uplo<lower> ins(%a : tensor<64x64xf32>) outs(%b : tensor<64x5xf32>) plan(<diagonal = 8>) -> tensor<64x5xf32>
  return %0 : tensor<64x5xf32>
}

// -----

func.func @no_plan(%a: memref<64x64xf32>, %b: memref<64x5xf32>) {
  // expected-error @+2 {{has no plan: run tile-select first, or write one}}
  // CHECK: has no plan: run tile-select first, or write one
  blas.trmm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x5xf32>)
  return
}

// -----

func.func @types(%a: memref<64x64xf16>, %b: memref<64x5xf16>) {
  // expected-error @+2 {{operand B is of 'f16': quotients are of f32, f64 and complex elements of them}}
  // CHECK: operand B is of 'f16': quotients are of f32, f64 and complex elements of them
  blas.trsm side<left> uplo<lower> ins(%a : memref<64x64xf16>) outs(%b : memref<64x5xf16>) plan(<diagonal = 8>)
  return
}

// -----

// Not cut yet: an error of macro-tile alone.
func.func @blocks(%a: memref<64x64xf32>, %b: memref<64x5xf32>) {
  // CHECK: has blocks of order 8: run triangular-split first
  blas.trmm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x5xf32>) plan(<diagonal = 8>)
  return
}

// -----

func.func @space(%a: memref<64x64xf32, 3>, %b: memref<64x5xf32>) {
  // CHECK: operand A is in memory space 3 : i64: kernels work on the default memory space
  blas.trmm side<left> uplo<lower> ins(%a : memref<64x64xf32, 3>) outs(%b : memref<64x5xf32>) plan(<diagonal = 0>)
  return
}

// -----

func.func @pointers(%p: memref<4xi64>, %b: memref<4x20x5xf32>) {
  %a = blas.batch %p : memref<4xi64> to memref<4x20x20xf32, #blas.pointers<strides = [20, 1]>>
  // expected-error @+2 {{plan: diagonal = 8 cuts matrices that pointers give: 0 does not}}
  // CHECK: has blocks of order 8: run triangular-split first
  blas.trsm side<left> uplo<lower> ins(%a : memref<4x20x20xf32, #blas.pointers<strides = [20, 1]>>) outs(%b : memref<4x20x5xf32>) plan(<diagonal = 8>)
  return
}

// -----

func.func @no_batch(%a: memref<8x8xf32>, %b: memref<8x5xf32>) {
  // CHECK: plan: matrices = 4, but operand B is no batch
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x5xf32>) plan(<diagonal = 0, matrices = 4>)
  return
}

// -----

func.func @open_lines(%a: memref<9x8x8xf32>, %b: memref<9x8x?xf32>) {
  // CHECK: plan: matrices = 4, but the number of vectors of one is dynamic
  blas.trmm side<left> uplo<lower> ins(%a : memref<9x8x8xf32>) outs(%b : memref<9x8x?xf32>) plan(<diagonal = 0, matrices = 4>)
  return
}

// -----

func.func @many_lines(%a: memref<9x8x8xf32>, %b: memref<9x8x20xf32>) {
  // CHECK: plan: matrices = 4 of 20 vectors, but a workgroup has 64 threads
  blas.trmm side<left> uplo<lower> ins(%a : memref<9x8x8xf32>) outs(%b : memref<9x8x20xf32>) plan(<diagonal = 0, matrices = 4>)
  return
}

// -----

func.func @inverted_product(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  // expected-error @below {{plan: method = invert is for blas.trsm}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) plan(<diagonal = 4, method = invert, base = 4>)
  return
}

// -----

func.func @multiplied_solution(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  // expected-error @below {{plan: method = product is for blas.trmm}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) plan(<diagonal = 0, method = product>)
  return
}

// -----

func.func @open_order(%a: memref<?x?xf32>, %b: memref<?x8xf32>) {
  // expected-error @below {{plan: method = invert is for matrices A of known order}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<?x?xf32>) outs(%b : memref<?x8xf32>) plan(<diagonal = 4, method = invert, base = 4>)
  return
}
