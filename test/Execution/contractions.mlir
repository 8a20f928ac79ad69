// Contractions in any order of dimensions run as products of strided views.
// RUN: gemm-run %s --device=cpu | FileCheck %s
// CHECK: PASS heads#0 f32 gemm nt 3 x 5x7x8
// CHECK: PASS part_of_the_batch#0 f32 gemm nn 3 x 4x6x8
// CHECK: PASS tensor_heads#0 f32 gemm nt 3 x 5x7x8
// The batch is part of the rows; the bias is added to the result.
// CHECK: PASS linear#0 f32 gemm nn 12x6x8

func.func @heads(%q: memref<5x3x8xf32>, %k: memref<7x3x8xf32>, %c: memref<5x3x7xf32>) {
  linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (m, h, n)>]
    ins(%q, %k : memref<5x3x8xf32>, memref<7x3x8xf32>) outs(%c : memref<5x3x7xf32>)
  return
}
func.func @part_of_the_batch(%a: memref<4x8xf32>, %b: memref<3x8x6xf32>, %c: memref<3x4x6xf32>) {
  linalg.contract indexing_maps = [affine_map<(b1, m, n, k) -> (m, k)>, affine_map<(b1, m, n, k) -> (b1, k, n)>, affine_map<(b1, m, n, k) -> (b1, m, n)>]
    ins(%a, %b : memref<4x8xf32>, memref<3x8x6xf32>) outs(%c : memref<3x4x6xf32>)
  return
}
func.func @tensor_heads(%q: tensor<5x3x8xf32>, %k: tensor<7x3x8xf32>, %c: tensor<5x3x7xf32>) -> tensor<5x3x7xf32> {
  %d = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (m, h, n)>]
    ins(%q, %k : tensor<5x3x8xf32>, tensor<7x3x8xf32>) outs(%c : tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  return %d : tensor<5x3x7xf32>
}
func.func @linear(%a: tensor<3x4x8xf32>, %b: tensor<8x6xf32>, %bias: tensor<6xf32>) -> tensor<3x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x4x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %d = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<3x4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(i,j,k) -> (i,j,k)>, affine_map<(i,j,k)->(k)>, affine_map<(i,j,k)->(i,j,k)>], iterator_types=["parallel","parallel","parallel"]} ins(%d, %bias : tensor<3x4x6xf32>, tensor<6xf32>) outs(%empty : tensor<3x4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32 } -> tensor<3x4x6xf32>
  return %e : tensor<3x4x6xf32>
}
