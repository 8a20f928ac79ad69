// After a pass has made new operations, those alone are planned: a plan already there was checked
// and reported before.
// RUN: gemm-opt %s --plan-parts=chip=h200 --verify-diagnostics | FileCheck %s
// RUN: not gemm-opt %s --tile-select=chip=h200 2>&1 | FileCheck %s --check-prefix=CHECKED

#spills = #blas.plan<macro = [256, 256, 16], micro = [16, 16], lanes = [4, 8], vector = 4,
                     a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>

// CHECKED: error: 'blas.gemm' op plan does not fit: micro: 294 registers

// CHECK-LABEL: @some_new
func.func @some_new(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  // CHECK: blas.gemm {{.*}} plan(<macro = [256, 256, 16], micro = [16, 16]
  blas.gemm ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    plan(#spills)
  // CHECK: blas.gemm {{.*}} plan(<macro
  // expected-remark @below {{chose plan}}
  blas.gemm ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}
