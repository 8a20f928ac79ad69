// A batch of dynamic size, of which each thread has a matrix; the last workgroup has fewer.
// RUN: gemm-run %s --device=cpu --sizes=70x3x2,70x2x4,70x3x4 --repeat=0 | FileCheck %s
// RUN: gemm-run %s --device=cpu --sizes=64x3x2,64x2x4,64x3x4 --repeat=0 | FileCheck %s
// RUN: gemm-run %s --device=cpu --sizes=1x3x2,1x2x4,1x3x4 --repeat=0 | FileCheck %s
// RUN: gemm-run %s --device=cpu --sizes=0x3x2,0x2x4,0x3x4 --repeat=0 | FileCheck %s
// CHECK: PASS

#plan = #blas.plan<macro = [3, 4, 2], micro = [3, 4], lanes = [1, 1], a = <via = register>, b = <via = register>, stages = 1, matrices = 32>
func.func @products(%a: memref<?x3x2xf32>, %b: memref<?x2x4xf32>, %c: memref<?x3x4xf32>) {
  blas.gemm ins(%a, %b : memref<?x3x2xf32>, memref<?x2x4xf32>) outs(%c : memref<?x3x4xf32>) plan(#plan)
  return
}
