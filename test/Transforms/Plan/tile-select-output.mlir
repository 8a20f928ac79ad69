// Why the tile of C passes through shared memory.
// RUN: gemm-opt %s --tile-select=chip=h200 -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: chose plan {{.*}}, C through shared memory
// CHECK: output: through shared memory: the runs of a thread are of 4 elements, accesses to C of 1, and would touch each sector 4 times
// CHECK: remark: kept plan 64x64x16, micro 4x4, leap-frog, C through shared memory
// CHECK: output: through shared memory, although accesses to C may be as wide as the runs of a thread
func.func @odd(%a: memref<4095x4095xf32>, %b: memref<4095x4095xf32>, %c: memref<4095x4095xf32>,
               %d: memref<64x64xf32>, %e: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<4095x4095xf32>, memref<4095x4095xf32>) outs(%c : memref<4095x4095xf32>)
  blas.gemm ins(%d, %d : memref<64x64xf32>, memref<64x64xf32>) outs(%e : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared>, b = <via = shared>, c = shared>)
  return
}
