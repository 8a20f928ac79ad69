// A plan made by hand is honoured: checked, priced, left alone.
// RUN: gemm-opt %s --tile-select=chip=h200 --verify-diagnostics | FileCheck %s

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4,
                   a = <via = shared, pad = 4>, b = <via = shared>, stages = 1>

// CHECK-LABEL: @planned
func.func @planned(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>,
                   %c: memref<4096x4096xf32>) {
  // CHECK: plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4, a = <via = shared, pad = 4>, b = <via = shared>, stages = 1>)
  // expected-remark @below {{kept plan 16x16x8, micro 4x4, one stage}}
  blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>)
            outs(%c : memref<4096x4096xf32>) plan(#plan)
  return
}
