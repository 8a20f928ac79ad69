// Column-major C, of known and of dynamic strides: one set of kernels serves either order.
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=column | FileCheck %s --check-prefix=COLUMN
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=batch | FileCheck %s --check-prefix=BATCH
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_rows --sizes=40x24,24x36,40x36 | FileCheck %s --check-prefix=ROWS
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_columns --sizes=40x24,24x36,40x36 | FileCheck %s --check-prefix=COLUMNS
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_columns --sizes=37x19,19x1,37x1 | FileCheck %s --check-prefix=NARROW
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_columns --sizes=0x19,19x5,0x5 | FileCheck %s --check-prefix=NONE
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_columns --sizes=7x0,0x5,7x5 | FileCheck %s --check-prefix=EMPTY
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=transposed --sizes=24x40,36x24,40x36 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=adjoint --sizes=9x14,11x9,14x11 | FileCheck %s --check-prefix=ADJOINT
// A defect of the kernel is one in what the caller sees.
// RUN: not gemm-run %s --device=cpu --repeat=0 --plans=%S/Inputs/exchanged.txt --entry=open_columns --mutate=slice --sizes=40x24,24x36,40x36 | FileCheck %s --check-prefix=WRONG

// COLUMN: PASS column#0 f32 gemm tn 40x36x24
// BATCH: PASS batch#0 c64 gemm cn
// ROWS: PASS open_rows#0 f32 gemm nn 40x36x24
// COLUMNS: PASS open_columns#0 f32 gemm nn 40x36x24
// NARROW: PASS open_columns#0 f32 gemm nn 37x1x19
// NONE: PASS open_columns#0 f32 gemm nn 0x5x19
// EMPTY: PASS open_columns#0 f32 gemm nn 7x5x0
// TRANSPOSED: PASS transposed#0 f64 gemm tt 40x36x24
// ADJOINT: PASS adjoint#0 c64 gemm cc 14x11x9
// WRONG: FAIL open_columns#0
!open = memref<?x?xf32, strided<[?, ?], offset: ?>>
!open64 = memref<?x?xf64, strided<[?, ?], offset: ?>>
!openC = memref<?x?xcomplex<f32>, strided<[?, ?], offset: ?>>

func.func @column(%bias: memref<40x36xf32>, %a: memref<24x40xf32, strided<[1, 24]>>, %b: memref<24x36xf32>,
                  %c: memref<40x36xf32, strided<[1, 44], offset: 4>>, %alpha: f32, %beta: f32) {
  blas.gemm opA<t> ins(%a, %b : memref<24x40xf32, strided<[1, 24]>>, memref<24x36xf32>) outs(%c : memref<40x36xf32, strided<[1, 44], offset: 4>>)
    alpha(%alpha : f32) beta(%beta : f32) epilogue(%sum : f32, %x = %bias[0, 1] : memref<40x36xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

func.func @batch(%a: memref<3x8x12xcomplex<f32>>, %b: memref<8x10xcomplex<f32>>, %c: memref<3x12x10xcomplex<f32>, strided<[130, 1, 12]>>) {
  blas.gemm opA<c> ins(%a, %b : memref<3x8x12xcomplex<f32>>, memref<8x10xcomplex<f32>>) outs(%c : memref<3x12x10xcomplex<f32>, strided<[130, 1, 12]>>)
  return
}

func.func @open_rows(%a: !open, %b: !open, %c: !open, %alpha: f32, %beta: f32) {
  blas.gemm ins(%a, %b : !open, !open) outs(%c : !open) alpha(%alpha : f32) beta(%beta : f32)
  return
}

// C lies in memory by columns, which its type does not specify.
func.func @open_columns(%a: !open, %b: !open, %c: memref<?x?xf32>, %alpha: f32, %beta: f32, %one: index {rooftile.value = 1.0 : f32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  %columns = memref.reinterpret_cast %c to offset: [%c0], sizes: [%m, %n], strides: [%one, %m] : memref<?x?xf32> to !open
  blas.gemm ins(%a, %b : !open, !open) outs(%columns : !open) alpha(%alpha : f32) beta(%beta : f32)
  return
}

func.func @transposed(%a: !open64, %b: !open64, %c: memref<?x?xf64>, %one: index {rooftile.value = 1.0 : f32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xf64>
  %n = memref.dim %c, %c1 : memref<?x?xf64>
  %columns = memref.reinterpret_cast %c to offset: [%c0], sizes: [%m, %n], strides: [%one, %m] : memref<?x?xf64> to !open64
  blas.gemm opA<t> opB<t> ins(%a, %b : !open64, !open64) outs(%columns : !open64)
  return
}

func.func @adjoint(%a: !openC, %b: !openC, %c: memref<?x?xcomplex<f32>>, %one: index {rooftile.value = 1.0 : f32}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %c, %c0 : memref<?x?xcomplex<f32>>
  %n = memref.dim %c, %c1 : memref<?x?xcomplex<f32>>
  %columns = memref.reinterpret_cast %c to offset: [%c0], sizes: [%m, %n], strides: [%one, %m] : memref<?x?xcomplex<f32>> to !openC
  blas.gemm opA<c> opB<c> ins(%a, %b : !openC, !openC) outs(%columns : !openC)
  return
}
