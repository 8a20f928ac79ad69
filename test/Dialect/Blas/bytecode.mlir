// Bytecode has a version; operations and attributes come back as they were, an older file is read, a newer one
// or a broken one is an error.
// RUN: gemm-opt %S/ops.mlir -o %t.ops.mlir && gemm-opt %S/ops.mlir --emit-bytecode | gemm-opt | diff %t.ops.mlir -
// RUN: gemm-opt %S/attributes.mlir -o %t.attributes.mlir && gemm-opt %S/attributes.mlir --emit-bytecode | gemm-opt | diff %t.attributes.mlir -
// RUN: gemm-opt %s -o %t.mlir && gemm-opt %s --emit-bytecode -o %t.mlirbc && gemm-opt %t.mlirbc | diff %t.mlir -
// RUN: %python %S/Inputs/bump_version.py %t.mlirbc > %t.newer.mlirbc
// RUN: not gemm-opt %t.newer.mlirbc 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: head -c 300 %t.mlirbc > %t.cut.mlirbc && not gemm-opt %t.cut.mlirbc
// NEWER: error: bytecode of dialect blas has version 4, but this build reads versions 1 to 3

// The file that version 1 began with: what was added later is absent and gets its default.
// RUN: gemm-opt %S/Inputs/version-1.mlirbc | FileCheck %s --check-prefix=OLD
// OLD: func.func @product(%[[A:.*]]: memref<64x32xf32>, %[[B:.*]]: memref<16x32xf32>, %[[C:.*]]: memref<64x16xf32>, %[[BETA:.*]]: f32)
// OLD: blas.gemm opB<t> ins(%[[A]], %[[B]] : memref<64x32xf32>, memref<16x32xf32>) outs(%[[C]] : memref<64x16xf32>) beta(%[[BETA]] : f32) plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4>, b = <via = register>>)
// OLD: blas.trsm side<left> uplo<lower> ins(%{{.*}} : memref<8x8xf64>) outs(%{{.*}} : memref<8x6xf64>)

// Words that version 2 replaced: keys and values of plans and paths, and an operation.
// RUN: gemm-opt %S/Inputs/version-1-words.mlirbc | FileCheck %s --check-prefix=WORDS
// WORDS-LABEL: @product
// WORDS: plan(<macro = [16, 8, 16], micro = [2, 2], lanes = [8, 4], slicedK = 2, mma = m16n8k4_f64, complex = induced, a = <via = shared, layout = planar>, b = <via = shared, layout = planar>, prefetch = 1, reduction = workspace, splits = 2>)
// WORDS-LABEL: @compensated
// WORDS: slicedK = 2, summation = compensated, a = <via = shared>, b = <via = register>, prefetch = 1>)
// WORDS-LABEL: @reals
// WORDS: blas.as_real %{{.*}} : memref<1000x7xcomplex<f64>> to memref<1000x14xf64>

func.func @product(%a: memref<64x32xf32>, %b: memref<16x32xf32>, %c: memref<64x16xf32>, %beta: f32) {
  blas.gemm opB<t> ins(%a, %b : memref<64x32xf32>, memref<16x32xf32>) outs(%c : memref<64x16xf32>)
    beta(%beta : f32) plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4>, b = <via = register>>)
  return
}
func.func @solve(%t: memref<8x8xf64>, %x: memref<8x6xf64>) {
  blas.trsm side<left> uplo<lower> ins(%t : memref<8x8xf64>) outs(%x : memref<8x6xf64>)
  return
}
