// Batches of two and three dimensions where workgroups share K: partial sums and their sum have them, too.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=workspace | FileCheck %s --check-prefix=WORKSPACE
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=atomic | FileCheck %s --check-prefix=ATOMIC
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=gaps | FileCheck %s --check-prefix=GAPS
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=epilogue | FileCheck %s --check-prefix=EPILOGUE
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=dynamic --sizes=2x3x5x70,2x3x70x6,2x3x5x6 | FileCheck %s --check-prefix=DYNAMIC
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=picked --sizes=2x3x5x700,2x3x700x6,2x3x5x6 | FileCheck %s --check-prefix=PICKED
// Not a test that cannot fail: a slice too few is noticed.
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=workspace --mutate=split | FileCheck %s --check-prefix=MUTATED

#plan = #blas.plan<macro = [8, 8, 4], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>,
                   stages = 2, reduction = workspace, splits = 3>

// WORKSPACE: PASS workspace#0 f32 gemm nn 6 x 5x6x33
// MUTATED: FAIL workspace#0
func.func @workspace(%a: memref<2x3x5x33xf32>, %b: memref<2x3x33x6xf32>, %c: memref<2x3x5x6xf32>) {
  %beta = arith.constant 0.5 : f32
  blas.gemm ins(%a, %b : memref<2x3x5x33xf32>, memref<2x3x33x6xf32>) outs(%c : memref<2x3x5x6xf32>)
    beta(%beta : f32) plan(#plan)
  return
}

// ATOMIC: PASS atomic#0 f32 gemm nn 6 x 5x6x33
func.func @atomic(%a: memref<5x33xf32>, %b: memref<2x3x33x6xf32>, %c: memref<2x3x5x6xf32>) {
  %beta = arith.constant 3.0 : f32
  blas.gemm anyOrder ins(%a, %b : memref<5x33xf32>, memref<2x3x33x6xf32>) outs(%c : memref<2x3x5x6xf32>)
    beta(%beta : f32)
    plan(<macro = [8, 8, 4], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>,
          stages = 2, reduction = atomic, splits = 3>)
  return
}

!gaps = memref<2x3x2x5x6xf64, strided<[7, 500, 2000, 30, 5], offset: 11>>
// GAPS: PASS gaps#0 f64 gemm tn 12 x 5x6x20
func.func @gaps(%a: memref<2x3x2x20x5xf64>, %b: memref<2x3x2x20x6xf64, strided<[1000, -200, 3000, 7, 1], offset: 600>>, %c: !gaps) {
  blas.gemm opA<t> ins(%a, %b : memref<2x3x2x20x5xf64>, memref<2x3x2x20x6xf64, strided<[1000, -200, 3000, 7, 1], offset: 600>>)
    outs(%c : !gaps) plan(#plan)
  return
}

// EPILOGUE: PASS epilogue#0 f32 gemm nn 6 x 5x6x33
func.func @epilogue(%a: memref<2x3x5x33xf32>, %b: memref<2x3x33x6xf32>, %c: memref<2x3x5x6xf32>,
                    %bias: memref<6xf32>, %all: memref<2x3x5x6xf32>) {
  blas.gemm ins(%a, %b : memref<2x3x5x33xf32>, memref<2x3x33x6xf32>) outs(%c : memref<2x3x5x6xf32>)
    plan(#plan)
    epilogue(%sum: f32, %x = %bias[3] : memref<6xf32>, %y = %all[0, 1, 2, 3] : memref<2x3x5x6xf32>) {
      %t = arith.addf %sum, %x : f32
      %u = arith.addf %t, %y : f32
      blas.yield %u : f32
    }
  return
}

!any = memref<?x?x?x?xf32>
// DYNAMIC: PASS dynamic#0 f32 gemm nn 6 x 5x6x70
func.func @dynamic(%a: !any, %b: !any, %c: !any) {
  blas.gemm ins(%a, %b : !any, !any) outs(%c : !any) plan(#plan)
  return
}

// PICKED: PASS picked#0 f32 gemm nn 6 x 5x6x700
func.func @picked(%a: !any, %b: !any, %c: !any) {
  blas.gemm ins(%a, %b : !any, !any) outs(%c : !any)
  return
}
