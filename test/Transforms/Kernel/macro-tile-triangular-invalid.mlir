// RUN: not gemm-opt %s --split-input-file --blas-attach-target=chip=h200 --macro-tile 2>&1 | FileCheck %s

// CHECK: 'blas.trmm' op plan: triangles and vectors need 566272 bytes of shared memory, but a workgroup of h200 has at most 232448
func.func @shared(%a: memref<64x64xf64>, %b: memref<1024x64xf64>) {
  blas.trmm side<right> uplo<lower> ins(%a : memref<64x64xf64>) outs(%b : memref<1024x64xf64>) plan(<diagonal = 0, workgroup = 1024, a = shared, b = shared>)
  return
}

// -----

func.func @lines_of_products(%a: memref<32x32xf32>, %b: memref<32x6xf32>) {
  // CHECK: 'blas.trmm' op plan: workgroupVectors = 4 of all threads, but they are for blas.trsm
  blas.trmm side<left> uplo<lower> ins(%a : memref<32x32xf32>) outs(%b : memref<32x6xf32>) plan(<diagonal = 0, workgroupVectors = 4>)
  return
}

// -----

func.func @lines_of_any_order(%a: memref<?x?xf32>, %b: memref<?x6xf32>) {
  // CHECK: plan: workgroupVectors = 4 of all threads, but the order of A is dynamic
  blas.trsm side<left> uplo<lower> ins(%a : memref<?x?xf32>) outs(%b : memref<?x6xf32>) plan(<diagonal = 0, workgroupVectors = 4>)
  return
}

// -----

func.func @too_many_stripes(%a: memref<1024x1024xf64>, %b: memref<1024x6xf64>) {
  // CHECK: plan: workgroupVectors = 4 of all threads, but a thread of 64 keeps 16 x (4 + 16) elements, in 640 registers of 160
  blas.trsm side<left> uplo<lower> ins(%a : memref<1024x1024xf64>) outs(%b : memref<1024x6xf64>) plan(<diagonal = 0, workgroupVectors = 4>)
  return
}

// -----

func.func @odd_rows(%a: memref<80x80xf32>, %b: memref<80x100xf32>) {
  // expected-error @+1 {{plan: rows = 6 of longer vectors is no multiple of 4, which 'f32' needs}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<80x80xf32>) outs(%b : memref<80x100xf32>) plan(<diagonal = 0, rows = 6>)
  return
}

// -----

func.func @too_many(%a: memref<80x80xf64>, %b: memref<80x100xf64>) {
  // expected-error @+1 {{plan: 32 rows of 4 vectors need 1024 bytes of registers, more than 512}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<80x80xf64>) outs(%b : memref<80x100xf64>) plan(<diagonal = 0, rows = 32, threadVectors = 4>)
  return
}

// -----

// Accesses of 16 bytes have 8 elements.
func.func @narrow(%a: memref<80x80xbf16>, %b: memref<80x100xbf16>) {
  // expected-error @+1 {{plan: rows = 12 of longer vectors is no multiple of 8, which 'bf16' needs}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<80x80xbf16>) outs(%b : memref<80x100xbf16>) plan(<diagonal = 0, rows = 12>)
  return
}
