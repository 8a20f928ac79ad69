// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s

// One tile and a very long K: shared out over the workspace that is given.
// CHECK-LABEL: func @long
// CHECK:         reduction = {{workspace|cluster}}, splits = {{[0-9]+}}
func.func @long(%a: memref<64x65536xf32>, %b: memref<65536x64xf32>, %c: memref<64x64xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<64x65536xf32>, memref<65536x64xf32>) outs(%c : memref<64x64xf32>)
    workspace(%w : memref<?xf32>)
  return
}

// Tiles for the whole chip: each of them by one workgroup.
// CHECK-LABEL: func @square
// CHECK-NOT:     reduction
func.func @square(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  blas.gemm anyOrder ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}

// Partial sums that are asked for, and how to add them up.
// CHECK-LABEL: func @partial
// CHECK:         blas.gemm partial {{.*}} reduction = workspace, splits = 4
// CHECK:         blas.reduce {{.*}} plan(<tile = [{{[0-9]+}}, {{[0-9]+}}], threads = {{[0-9]+}}, vector = 4>)
func.func @partial(%a: memref<64x1024xf32>, %b: memref<1024x64xf32>, %w: memref<4x64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm partial ins(%a, %b : memref<64x1024xf32>, memref<1024x64xf32>) outs(%w : memref<4x64x64xf32>)
  blas.reduce ins(%w : memref<4x64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
