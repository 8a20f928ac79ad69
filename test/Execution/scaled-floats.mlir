// Conversions with a scale, as products of MX formats have them.
// RUN: gemm-run %s --device=cpu --against=loops | FileCheck %s
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o /dev/null
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=func" -o /dev/null

// CHECK: PASS product  equal
// CHECK: PASS half
// CHECK: PASS quantize
// CHECK: PASS fma
#a = affine_map<(m, n, k, b) -> (m, k, b)>
#b = affine_map<(m, n, k, b) -> (n, k, b)>
#s = affine_map<(m, n, k, b) -> (m, k)>
#t = affine_map<(m, n, k, b) -> (n, k)>
#c = affine_map<(m, n, k, b) -> (m, n)>
#i = affine_map<(i) -> (i)>
#block = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
!f4 = f4E2M1FN
!e8 = f8E8M0FNU
func.func @product(%a: tensor<16x4x32x!f4>, %b: tensor<16x4x32x!f4>,
                   %s: tensor<16x4x!e8> {rooftile.range = array<i64: 1, 2>}, %t: tensor<16x4x!e8> {rooftile.range = array<i64: 1, 2>},
                   %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #s, #t, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b, %s, %t : tensor<16x4x32x!f4>, tensor<16x4x32x!f4>, tensor<16x4x!e8>, tensor<16x4x!e8>) outs(%c : tensor<16x16xf32>) {
  ^bb0(%x: !f4, %y: !f4, %u: !e8, %v: !e8, %z: f32):
    %1 = arith.scaling_extf %x, %u : !f4, !e8 to f32
    %2 = arith.scaling_extf %y, %v : !f4, !e8 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %z, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
func.func @half(%x: tensor<8x32xf8E5M2>, %s: tensor<8x!e8> {rooftile.range = array<i64: 1, 2>}, %y: tensor<8x32xf16>) -> tensor<8x32xf16> {
  %0 = linalg.generic {indexing_maps = [#block, #row, #block], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x32xf8E5M2>, tensor<8x!e8>) outs(%y : tensor<8x32xf16>) {
  ^bb0(%a: f8E5M2, %u: !e8, %b: f16):
    %1 = arith.scaling_extf %a, %u : f8E5M2, !e8 to f16
    linalg.yield %1 : f16
  } -> tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}
func.func @quantize(%x: tensor<8x32xf32>, %s: tensor<8x!e8> {rooftile.range = array<i64: 1, 2>}, %y: tensor<8x32xf8E4M3FN>) -> tensor<8x32xf8E4M3FN> {
  %0 = linalg.generic {indexing_maps = [#block, #row, #block], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x32xf32>, tensor<8x!e8>) outs(%y : tensor<8x32xf8E4M3FN>) {
  ^bb0(%a: f32, %u: !e8, %b: f8E4M3FN):
    %1 = arith.scaling_truncf %a, %u : f32, !e8 to f8E4M3FN
    linalg.yield %1 : f8E4M3FN
  } -> tensor<8x32xf8E4M3FN>
  return %0 : tensor<8x32xf8E4M3FN>
}
func.func @fma(%a: memref<64xf8E4M3FN>, %c: memref<64xf8E4M3FN>) {
  linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%a : memref<64xf8E4M3FN>) outs(%c : memref<64xf8E4M3FN>) {
  ^bb0(%x: f8E4M3FN, %y: f8E4M3FN):
    %r = math.fma %x, %x, %x : f8E4M3FN
    linalg.yield %r : f8E4M3FN
  }
  return
}
