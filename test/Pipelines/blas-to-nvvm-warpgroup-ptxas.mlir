// Kernels with wgmma: ptxas neither serializes their instructions nor waits more often than planned, nor spills.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// REQUIRES: ptxas
// CHECK: gemm_bf16_nt_128x256x64: {{.*}} 0 bytes of stack, 0 spilled
// CHECK: gemm_f16_nn_128x128x64: {{.*}} 0 bytes of stack, 0 spilled
// CHECK: gemm_f16_tn_64x64x64: {{.*}} 0 bytes of stack, 0 spilled
// CHECK: gemm_bf16_bf16_f32_tt_128x32x64: {{.*}} 0 bytes of stack, 0 spilled
// CHECK: gemm_bf16_tn_128x256x64: {{.*}} 0 bytes of stack, 0 spilled
// CHECK: gemm_bf16_nt_128x256x64: {{.*}} 0 bytes of stack, 0 spilled
#async = #blas.path<via = shared, copy = async, vector = 8, swizzle = 8, major = k>
#wide = #blas.path<via = shared, vector = 8, swizzle = 8, major = k>
#narrow = #blas.path<via = shared, swizzle = 8, major = k>
func.func @squares(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xbf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xbf16>)
    plan(<macro = [128, 256, 64], micro = [2, 64], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #async, b = #async, stages = 4>)
  return
}
func.func @transposed(%a: memref<4096x4096xf16>, %b: memref<4096x4096xf16>, %c: memref<4096x4096xf16>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<4096x4096xf16>, memref<4096x4096xf16>) outs(%c : memref<4096x4096xf16>) beta(%beta : f32)
    plan(<macro = [128, 128, 64], micro = [2, 32], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_f16,
          a = #wide, b = #wide, stages = 2>)
  return
}
func.func @dynamic(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf16>) {
  blas.gemm opA<t> ins(%a, %b : memref<?x?xf16>, memref<?x?xf16>) outs(%c : memref<?x?xf16>)
    plan(<macro = [64, 64, 64], micro = [2, 16], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_f16,
          a = #narrow, b = #narrow, stages = 1>)
  return
}
func.func @odd(%a: memref<333x333xbf16>, %b: memref<333x333xbf16>, %c: memref<333x333xf32>) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<333x333xbf16>, memref<333x333xbf16>) outs(%c : memref<333x333xf32>)
    plan(<macro = [128, 32, 64], micro = [2, 8], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #narrow, b = #narrow, stages = 2>)
  return
}
#panels = #blas.path<via = shared, copy = tensor, vector = 8, swizzle = 8>
func.func @panels(%a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %c: memref<4096x4096xbf16>) {
  blas.gemm opA<t> ins(%a, %b : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xbf16>)
    plan(<macro = [128, 256, 64], micro = [2, 64], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #panels, b = #panels, stages = 4>)
  return
}
#tensor = #blas.path<via = shared, copy = tensor, vector = 8, swizzle = 8, major = k>
func.func @boxes(%a: memref<8192x8192xbf16>, %b: memref<8192x8192xbf16>, %c: memref<8192x8192xbf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<8192x8192xbf16>, memref<8192x8192xbf16>) outs(%c : memref<8192x8192xbf16>)
    plan(<macro = [128, 256, 64], micro = [2, 64], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #tensor, b = #tensor, stages = 4>)
  return
}
