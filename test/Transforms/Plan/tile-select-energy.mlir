// objective=energy picks the plan that reads registers and shared memory least, which is not the fastest one.
// RUN: gemm-opt %s --tile-select=chip=mi60 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: gemm-opt %s --tile-select="chip=mi60 objective=energy" 2>&1 | FileCheck %s
// RUN: not gemm-opt %s --tile-select="chip=mi60 objective=beauty" 2>&1 | FileCheck %s --check-prefix=WRONG
// TIME: remark: chose plan
// TIME-NOT: in scalar registers
// TIME: predicted: {{.*}} 95 % of the roofline
// CHECK: remark: chose plan {{.*}} A in scalar registers
// CHECK: scalar: A in scalar registers, which the threads of a subgroup share: a slice needs {{[0-9]+}}, 64 are loaded at a time; no shared memory, no barrier
// CHECK: from: the model, for the least energy
// Triangular operations, and sets for dynamic sizes, get the fastest.
// CHECK: remark: chose plan one block
// WRONG: error: objective = beauty; expected time or energy
func.func @product(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>,
                   %t: memref<16x16xf32>, %x: memref<16x100xf32>) {
  blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  blas.trsm side<left> uplo<lower> ins(%t : memref<16x16xf32>) outs(%x : memref<16x100xf32>)
  return
}
