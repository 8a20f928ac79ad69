// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s

// CHECK-LABEL: func @tensors
func.func @tensors(%w: tensor<4x64x128xf32>, %c: tensor<64x128xf32>, %alpha: f32) -> tensor<64x128xf32> {
  // CHECK: blas.reduce ins(%{{.*}} : tensor<4x64x128xf32>) outs(%{{.*}} : tensor<64x128xf32>) alpha(%{{.*}} : f32) -> tensor<64x128xf32>
  %d = blas.reduce ins(%w : tensor<4x64x128xf32>) outs(%c : tensor<64x128xf32>) alpha(%alpha : f32) -> tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}

// Sums wider than C, a batch, a dynamic number of slices, a plan.
// CHECK-LABEL: func @memrefs
func.func @memrefs(%w: memref<?x3x8x16xf32>, %c: memref<3x8x16xf16>, %beta: f32) {
  // CHECK: blas.reduce ins(%{{.*}} : memref<?x3x8x16xf32>) outs(%{{.*}} : memref<3x8x16xf16>) beta(%{{.*}} : f32) plan(<tile = [8, 128], threads = 256, vector = 4>)
  blas.reduce ins(%w : memref<?x3x8x16xf32>) outs(%c : memref<3x8x16xf16>) beta(%beta : f32)
    plan(<tile = [8, 128], threads = 256, vector = 4>)
  return
}

// Partial sums of a product, and memory for those that a plan makes.
// CHECK-LABEL: func @partial
func.func @partial(%a: memref<2x16x64xf32>, %b: memref<64x32xf32>, %w: memref<4x2x16x32xf32>) {
  // CHECK: blas.gemm partial ins(%{{.*}}) outs(%{{.*}} : memref<4x2x16x32xf32>)
  blas.gemm partial ins(%a, %b : memref<2x16x64xf32>, memref<64x32xf32>) outs(%w : memref<4x2x16x32xf32>)
  return
}

// CHECK-LABEL: func @workspace
func.func @workspace(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>, %w: memref<2048xf32>) {
  // CHECK: blas.gemm ins(%{{.*}}) outs(%{{.*}}) workspace(%{{.*}} : memref<2048xf32>) plan({{.*}}reduction = workspace, splits = 4
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    workspace(%w : memref<2048xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}
