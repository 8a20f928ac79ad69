// Boxes after a ring whose stages, of 17 padded vectors, have no multiple of 128 bytes: they begin at the next one.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// CHECK: PASS behind#0 f32 gemm nn 128x64x64
func.func @behind(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = async, pad = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 3>)
  return
}
