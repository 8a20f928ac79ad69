// A fragment that comes straight from global memory belongs to the current step: in the first one
// it may lie before k = 0, so it keeps its zero edge. What fills the ring of the other operand is a
// step ahead and loses it.
// RUN: gemm-opt --macro-tile --canonicalize --cse --leap-frog %s | FileCheck %s

// CHECK-LABEL: gpu.func
// CHECK: tile.load {{.*}} edges <inside, zero>
// CHECK: scf.for
// CHECK: tile.load {{.*}} edges <inside, inside> {{.*}} -> !tile.matrix<8x4xf32
// CHECK: tile.load {{.*}} edges <zero, inside> {{.*}} -> !tile.matrix<1x8xf32
// CHECK: scf.for
// CHECK: tile.load {{.*}} edges <zero, inside> {{.*}} -> !tile.matrix<1x8xf32
func.func @direct_b(%a: memref<8x10xf32>, %b: memref<10x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x10xf32>, memref<10x8xf32>) outs(%c : memref<8x8xf32>)
      {plan = #blas.plan<macro = [8, 8, 4], micro = [2, 2], lanes = [4, 4], vector = 1,
                         a = <via = shared>, b = <via = register>, stages = 2>}
  return
}
