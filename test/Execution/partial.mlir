// Partial sums and their sum, as a user writes them: verified like any other operation.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// RUN: not gemm-run %s --device=cpu --repeat=0 --mutate=slice | FileCheck %s --check-prefix=SLICE
// RUN: not gemm-run %s --device=cpu --repeat=0 --mutate=split | FileCheck %s --check-prefix=SPLIT

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1, a = <via = shared>,
                   b = <via = shared>, stages = 2, reduction = workspace, splits = 3>

// CHECK: PASS both#0 f32 gemm nn 17x20x65 {{ *}}plan 16x16x8
// CHECK: PASS both#1 f32 reduce sum 17x20x3 {{ *}}sum of slices
// SLICE: FAIL both#0 f32 gemm nn 17x20x65
// SLICE-NEXT: elements are wrong with small-integer data
// SPLIT: PASS both#0
// SPLIT: FAIL both#1 f32 reduce sum 17x20x3
// SPLIT-NEXT: 340 of 340 elements are wrong with small-integer data: element 0 of C
func.func @both(%a: memref<17x65xf32>, %b: memref<65x20xf32>, %c: memref<17x20xf32>, %w: memref<3x17x20xf32>) {
  %alpha = arith.constant 2.0 : f32
  %beta = arith.constant 0.5 : f32
  blas.gemm partial ins(%a, %b : memref<17x65xf32>, memref<65x20xf32>) outs(%w : memref<3x17x20xf32>)
    alpha(%alpha : f32) plan(#plan)
  blas.reduce ins(%w : memref<3x17x20xf32>) outs(%c : memref<17x20xf32>) beta(%beta : f32)
  return
}

// Batches, strides of the user's choice, no slices at all.
// CHECK: PASS batch#0 f64 gemm nt 2 x 17x5x33
// CHECK: PASS batch#1 f64 reduce sum 2 x 17x5x3
// CHECK: PASS none#0 f32 reduce sum 5x7x0
// CHECK: PASS backwards#0 f32 reduce sum 5x7x4
func.func @batch(%a: memref<2x17x33xf64>, %b: memref<5x33xf64>, %w: memref<3x2x17x5xf64, strided<[500, 200, 7, 1], offset: 3>>,
                 %c: memref<2x17x5xf64>) {
  blas.gemm opB<t> partial ins(%a, %b : memref<2x17x33xf64>, memref<5x33xf64>)
    outs(%w : memref<3x2x17x5xf64, strided<[500, 200, 7, 1], offset: 3>>) plan(#plan)
  blas.reduce ins(%w : memref<3x2x17x5xf64, strided<[500, 200, 7, 1], offset: 3>>) outs(%c : memref<2x17x5xf64>)
  return
}

func.func @none(%w: memref<0x5x7xf32>, %c: memref<5x7xf32>) {
  %beta = arith.constant 3.0 : f32
  blas.reduce ins(%w : memref<0x5x7xf32>) outs(%c : memref<5x7xf32>) beta(%beta : f32)
  return
}

func.func @backwards(%w: memref<4x5x7xf32, strided<[-35, 7, 1], offset: 105>>, %c: memref<5x7xf32>) {
  %alpha = arith.constant -2.0 : f32
  blas.reduce ins(%w : memref<4x5x7xf32, strided<[-35, 7, 1], offset: 105>>) outs(%c : memref<5x7xf32>) alpha(%alpha : f32)
  return
}
