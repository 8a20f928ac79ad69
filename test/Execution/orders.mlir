// Strides that are known at run time only: the plan that runs is the one for the order that they turn out to
// have, with wide accesses where these are aligned.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=set --sizes=32x16,16x32,32x32 | FileCheck %s --check-prefix=ROWS
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=set --sizes=32x15,15x32,32x32 | FileCheck %s --check-prefix=OTHER
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=columns --sizes=32x16,16x32,32x32 | FileCheck %s --check-prefix=COLUMNS
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=columns --sizes=33x16,16x32,33x32 | FileCheck %s --check-prefix=OTHER
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=chosen --sizes=37x19,19x45,37x45 | FileCheck %s --check-prefix=CHOSEN
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=chosen --sizes=260x64,64x512,260x512 | FileCheck %s --check-prefix=CHOSEN
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=chosen --sizes=0x64,64x8,0x8 | FileCheck %s --check-prefix=CHOSEN

// ROWS: PASS {{.*}}plan 32x16x8, micro 4x4{{.*}} accesses of 4 and 4
// COLUMNS: PASS {{.*}}plan 16x16x8, micro 4x4{{.*}} accesses of 4 and 4
// OTHER: PASS {{.*}}plan 16x8x8, micro 2x2{{.*}} accesses of 1 and 1
// CHOSEN-COUNT-2: PASS

#rows = #blas.plan<macro = [32, 16, 8], micro = [4, 4], lanes = [8, 4], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>
#columns = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>
#any = #blas.plan<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>>
!open = memref<?x?xf32, strided<[?, ?], offset: ?>>

func.func @set(%a: !open, %b: !open, %c: !open) {
  blas.gemm ins(%a, %b : !open, !open) outs(%c : !open)
    plans([#blas.case<when = <a = 4, b = 4, c = 4, orderA = row_major, orderB = row_major, orderC = row_major>, plan = #rows>,
           #blas.case<when = <a = 4, b = 4, orderA = column_major, orderB = row_major>, plan = #columns>,
           #blas.case<plan = #any>])
  return
}

// A lies in memory by columns, which its type does not specify.
func.func @columns(%a: memref<?x?xf32>, %b: !open, %c: !open) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %one = arith.divui %m, %m : index
  %zero = arith.remui %m, %m : index
  %columns = memref.reinterpret_cast %a to offset: [%zero], sizes: [%m, %k], strides: [%one, %m] : memref<?x?xf32> to !open
  blas.gemm ins(%columns, %b : !open, !open) outs(%c : !open)
    plans([#blas.case<when = <a = 4, b = 4, c = 4, orderA = row_major, orderB = row_major, orderC = row_major>, plan = #rows>,
           #blas.case<when = <a = 4, b = 4, orderA = column_major, orderB = row_major>, plan = #columns>,
           #blas.case<plan = #any>])
  return
}

func.func @chosen(%a: !open, %b: !open, %c: !open) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = memref.dim %b, %c0 : !open
  %n = memref.dim %b, %c1 : !open
  blas.gemm ins(%a, %b : !open, !open) outs(%c : !open)
  %m = memref.dim %c, %c0 : !open
  %buffer = memref.alloc(%k, %n) : memref<?x?xf32>
  memref.copy %b, %buffer : !open to memref<?x?xf32>
  %one = arith.divui %k, %k : index
  %zero = arith.remui %k, %k : index
  %columns = memref.reinterpret_cast %buffer to offset: [%zero], sizes: [%k, %n], strides: [%one, %k] : memref<?x?xf32> to !open
  blas.gemm ins(%a, %columns : !open, !open) outs(%c : !open)
  memref.dealloc %buffer : memref<?x?xf32>
  return
}
