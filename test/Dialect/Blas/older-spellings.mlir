// Clauses and words in snake_case, as they were spelled once, are read with a warning, and written in camelCase.
// RUN: gemm-opt %s -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @product
// CHECK: blas.gemm opA<t> opB<c> anyOrder structureA<lower> structureB<upper> triangle<lower> realDiagonal ins
func.func @product(%a: memref<8x8xcomplex<f32>>, %b: memref<8x8xcomplex<f32>>, %c: memref<8x8xcomplex<f32>>) {
  blas.gemm
    op_a<t> // expected-warning {{'op_a' is called 'opA' now}}
    op_b<c> // expected-warning {{'op_b' is called 'opB' now}}
    any_order // expected-warning {{'any_order' is called 'anyOrder' now}}
    structure_a<lower> // expected-warning {{'structure_a' is called 'structureA' now}}
    structure_b<upper> // expected-warning {{'structure_b' is called 'structureB' now}}
    triangle<lower>
    real_diagonal // expected-warning {{'real_diagonal' is called 'realDiagonal' now}}
    ins(%a, %b : memref<8x8xcomplex<f32>>, memref<8x8xcomplex<f32>>) outs(%c : memref<8x8xcomplex<f32>>)
  return
}

// CHECK-LABEL: @solve
// CHECK: blas.trsm side<left> uplo<lower> opA<t> ins
func.func @solve(%a: memref<8x8xf32>, %b: memref<8x4xf32>) {
  // expected-warning @+1 {{'op_a' is called 'opA' now}}
  blas.trsm side<left> uplo<lower> op_a<t> ins(%a : memref<8x8xf32>) outs(%b : memref<8x4xf32>)
  return
}

// CHECK-LABEL: @diagonal
// CHECK: blas.trmm side<left> uplo<lower> ins
func.func @diagonal(%a: memref<8x8xf32>, %b: memref<8x4xf32>) {
  // expected-warning @+1 {{'non_unit' is called 'nonunit' now}}
  blas.trmm side<left> uplo<lower> diag<non_unit> ins(%a : memref<8x8xf32>) outs(%b : memref<8x4xf32>)
  return
}

// CHECK-LABEL: @vectors
// CHECK: blas.trsm {{.*}} plan(<diagonal = 0, workgroupVectors = 4>)
// CHECK: blas.trsm {{.*}} plan(<diagonal = 0, threadVectors = 2>)
func.func @vectors(%a: memref<8x8xf32>, %b: memref<8x4xf32>) {
  // expected-warning @+1 {{blocks: key 'lines' is called 'workgroupVectors' now}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x4xf32>) plan(<diagonal = 0, lines = 4>)
  // expected-warning @+1 {{blocks: key 'threadLines' is called 'threadVectors' now}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x4xf32>) plan(<diagonal = 0, threadLines = 2>)
  return
}

// CHECK-LABEL: @walk
// CHECK: tile.coord %{{.*}} batches %{{.*}} byRows tile
func.func @walk(%rows: index, %columns: index, %batches: index) {
  // expected-warning @+1 {{'by_rows' is called 'byRows' now}}
  %batch, %m, %n = tile.coord %rows, %columns batches %batches by_rows tile [128, 128]
  return
}
