// A line that compares sizes which each call states is a case of a set, before the model's.
// RUN: split-file %s %t
// RUN: gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/tiles.txt" 2>&1 | FileCheck %t/in.mlir
// RUN: gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/else.txt" 2>&1 | FileCheck %t/in.mlir --check-prefix=ELSE
// RUN: not gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/misfit.txt" 2>&1 | FileCheck %t/in.mlir --check-prefix=MISFIT

//--- tiles.txt
v1 gemm type=f32 m>100 m<200 k%8=0 * -> #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
v1 gemm type=f32 m<=512 n>=64 * -> #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>
v1 gemm type=f32 m>=300 m<=400 n>=64 * -> #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # never runs: line 2 comes first
v1 gemm type=f32 m!=512 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # no range
v1 gemm type=f32 m%4=1 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # no range
v1 gemm type=f32 m>=2 m<2 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # no sizes
v1 gemm type=f32 n>=4096 * -> #blas.plan<macro = [256, 256, 256], micro = [16, 16], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # does not fit
v1 gemm type=f32 count>=2 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>> # no batch
v1 gemm type=f64 m>=1 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
//--- else.txt
v1 gemm type=f32 m<=64 * -> #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
v1 gemm type=f32 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
//--- misfit.txt
v1 gemm type=f32 m>=4096 * -> #blas.plan<macro = [256, 256, 256], micro = [16, 16], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
//--- in.mlir
// CHECK: in.mlir:[[@LINE+5]]:3: remark: chose plans for [[N:[0-9]+]] cases
// CHECK: {{.*}}tiles.txt:1: M >= 101 <= 199, K multiple of 8: 16x16x8
// CHECK: {{.*}}tiles.txt:2: M <= 512, N >= 64, A in accesses of 4, B in accesses of 4, C in accesses of 4: 32x32x8
// CHECK: any: whatever is left
func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
// Sizes that are known are compared before.
// CHECK: in.mlir:[[@LINE+4]]:3: remark: chose plans for
// CHECK: {{.*}}tiles.txt:1: K multiple of 8: 16x16x8
// CHECK: {{.*}}tiles.txt:4: whatever is left: 64x64x8
func.func @known(%a: memref<128x?xf32>, %b: memref<?x32xf32>, %c: memref<128x32xf32>) {
  blas.gemm ins(%a, %b : memref<128x?xf32>, memref<?x32xf32>) outs(%c : memref<128x32xf32>)
  return
}
// CHECK: blas.gemm {{.*}} plans([#blas.case<when = <m = <least = 101, most = 199>, k = <multiple = 8>>, plan = <macro = [16, 16, 8],
// CHECK-SAME: #blas.case<when = <m = <most = 512>, n = <least = 64>, a = 4, b = 4, c = 4>, plan = <macro = [32, 32, 8],
// CHECK-NOT: macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
// CHECK: func.func @known
// ELSE: remark: chose plans for 2 cases
// ELSE: {{.*}}else.txt:1: M <= 64: 16x16x8
// ELSE: {{.*}}else.txt:2: whatever is left: 64x64x8
// MISFIT: error: 'blas.gemm' op no plan of the list fits chip 'h200': {{.*}}misfit.txt:1:
