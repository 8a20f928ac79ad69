// Kernels with wgmma in machine code: four products a step of K, one fence before them, the waits of the plan, no spills.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: %python %S/sass.py %nvdisasm %t.mlir | FileCheck %s
// REQUIRES: ptxas, nvdisasm
// One step in a loop; the product of a step is on its way while the one before it is waited for, the last after the loop.
// CHECK: gemm_bf16_nt_128x256x64: 4 HGMMA, 1 arrivals, 2 waits, 0 local accesses
#tensor = #blas.path<via = shared, copy = tensor, vector = 8, swizzle = 8, major = k>
func.func @boxes(%a: memref<8192x8192xbf16>, %b: memref<8192x8192xbf16>, %c: memref<8192x8192xbf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<8192x8192xbf16>, memref<8192x8192xbf16>) outs(%c : memref<8192x8192xbf16>)
    plan(<macro = [128, 256, 64], micro = [2, 64], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #tensor, b = #tensor, stages = 4>)
  return
}
// Two repetitions along M: eight products, of one group.
// CHECK: gemm_f16_nt_128x128x64: 8 HGMMA, 1 arrivals, 2 waits, 0 local accesses
func.func @repeated(%a: memref<8192x8192xf16>, %b: memref<8192x8192xf16>, %c: memref<8192x8192xf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<8192x8192xf16>, memref<8192x8192xf16>) outs(%c : memref<8192x8192xf16>)
    plan(<macro = [128, 128, 64], micro = [4, 32], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_f16,
          a = #tensor, b = #tensor, stages = 3>)
  return
}
// Accumulators are waited for once more where they are added to totals.
// CHECK: gemm_bf16_bf16_f32_nt_128x128x64: 4 HGMMA, 1 arrivals, 3 waits, 0 local accesses
func.func @totals(%a: memref<8192x8192xbf16>, %b: memref<8192x8192xbf16>, %c: memref<8192x8192xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<8192x8192xbf16>, memref<8192x8192xbf16>) outs(%c : memref<8192x8192xf32>)
    plan(<macro = [128, 128, 64], micro = [2, 32], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16, promote = 48,
          a = #tensor, b = #tensor, stages = 4>)
  return
}
// tf32: half as many elements in a row of 128 bytes.
// CHECK: gemm_f32_nt_128x256x32: 4 HGMMA, 1 arrivals, 2 waits, 0 local accesses
#words = #blas.path<via = shared, copy = tensor, vector = 4, swizzle = 4, major = k>
func.func @tf32(%a: memref<8192x8192xf32>, %b: memref<8192x8192xf32>, %c: memref<8192x8192xf32>) {
  blas.gemm opB<t> math<tf32> ins(%a, %b : memref<8192x8192xf32>, memref<8192x8192xf32>) outs(%c : memref<8192x8192xf32>)
    plan(<macro = [128, 256, 32], micro = [2, 64], lanes = [32, 4], vector = 2, mma = wgmma_m64k8_tf32,
          a = #words, b = #words, stages = 4>)
  return
}
