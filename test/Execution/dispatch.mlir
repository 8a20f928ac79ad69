// One compiled module serves every size; the plan that ran is printed.
// RUN: gemm-run %s --device=cpu --sizes=64x16,16x48,64x48 | FileCheck %s --check-prefix=EXACT
// RUN: gemm-run %s --device=cpu --sizes=40x5,5x36,40x36 | FileCheck %s --check-prefix=BOUNDS
// RUN: gemm-run %s --device=cpu --sizes=40x5,5x37,40x37 | FileCheck %s --check-prefix=ODD
// RUN: gemm-run %s --device=cpu --sizes=3x16,16x4,3x4 | FileCheck %s --check-prefix=ODD
// RUN: gemm-run %s --device=cpu --sizes=0x16,16x4,0x4 | FileCheck %s --check-prefix=ODD
// RUN: gemm-run %s --device=cpu --sizes=64x0,0x48,64x48 | FileCheck %s --check-prefix=ZERO
// Every guard that an operation has is needed: the defects are found in the case that runs.
// RUN: not gemm-run %s --device=cpu --mutate=guard --sizes=40x5,5x37,40x37 | FileCheck %s --check-prefix=GUARD

// EXACT: PASS set#0 f32 gemm nn {{.*}}plan 32x16x8, micro 4x4{{.*}} accesses of 4 and 4
// BOUNDS: PASS set#0 f32 gemm nn 40x36x5{{.*}} plan 16x16x8, micro 4x4{{.*}} accesses of 1 and 4
// ODD: PASS set#0 f32 gemm nn {{.*}}plan 16x8x8, micro 2x2{{.*}} accesses of 1 and 1
// ZERO: PASS set#0 f32 gemm nn 64x48x0
// GUARD: FAIL

#exact = #blas.plan<macro = [32, 16, 8], micro = [4, 4], lanes = [8, 4], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>
#wide = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4, a = <via = shared>, b = <via = shared, vector = 4>>
#any = #blas.plan<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>>

func.func @set(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <m = <least = 1, multiple = 32>, n = <multiple = 16>, k = <multiple = 8>, a = 4, b = 4, c = 4>, plan = #exact>,
           #blas.case<when = <m = <least = 16>, n = <least = 16>, b = 4, c = 4>, plan = #wide>,
           #blas.case<plan = #any>])
  return
}
