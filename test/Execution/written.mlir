// Operations as a user writes them: padded operands, a triangle that a batch shares by a stride of 0, and copies.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// RUN: sed 's/<64x32xf32>/<36x32xf32>/g' %s > %t.mlir
// RUN: not gemm-run %t.mlir --device=cpu --repeat=0 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not gemm-run %s --device=cpu --repeat=0 --mutate=barrier --entry=copy | FileCheck %s --check-prefix=MUTATED

// CHECK: PASS padded#0 f32 gemm nn 37x28x32
// SHORT: M differs: op(A) has 36 rows but C has 37 rows
func.func @padded(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<37x28xf32>) {
  blas.gemm padded ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<37x28xf32>)
  return
}

// CHECK: PASS transposed#0 f64 gemm tt 2 x 5x6x7
func.func @transposed(%a: memref<2x7x9xf64>, %b: memref<8x7xf64>, %c: memref<2x5x6xf64>) {
  %beta = arith.constant 2.0 : f64
  blas.gemm opA<t> opB<t> padded ins(%a, %b : memref<2x7x9xf64>, memref<8x7xf64>) outs(%c : memref<2x5x6xf64>)
    beta(%beta : f64)
  return
}

// CHECK: PASS repeated#0 f32 trmm left lower n 4 x 6x5x6
// CHECK: PASS repeated#1 f32 trsm left lower n 4 x 6x5x6
!same = memref<4x6x6xf32, strided<[0, 6, 1]>>
func.func @repeated(%a: !same, %b: memref<4x6x5xf32>, %c: memref<4x6x5xf32>) {
  blas.trmm side<left> uplo<lower> ins(%a, %b : !same, memref<4x6x5xf32>) outs(%c : memref<4x6x5xf32>)
  blas.trsm side<left> uplo<lower> ins(%a : !same) outs(%b : memref<4x6x5xf32>)
  return
}

// CHECK: PASS copy#0 f32 pack t 32x64x1  copy
// MUTATED: FAIL copy#0
func.func @copy(%a: memref<62x31xf32, strided<[-40, 1], offset: 2440>>, %w: memref<32x64xf32>) {
  blas.pack op<t> ins(%a : memref<62x31xf32, strided<[-40, 1], offset: 2440>>) outs(%w : memref<32x64xf32>)
  return
}

// CHECK: PASS batch#0 f16 pack n 6 x 31x62x1  copy
func.func @batch(%a: memref<2x3x31x62xf16, strided<[0, 3000, 62, 1]>>, %w: memref<2x3x31x62xf16>) {
  blas.pack ins(%a : memref<2x3x31x62xf16, strided<[0, 3000, 62, 1]>>) outs(%w : memref<2x3x31x62xf16>)
  return
}
