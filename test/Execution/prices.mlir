// The cheapest for the sizes among competing plans runs.
// RUN: gemm-run %s --device=cpu --sizes=16x16,16x16,16x16 | FileCheck %s --check-prefix=FEW
// RUN: gemm-run %s --device=cpu --sizes=33x33,33x33,33x33 | FileCheck %s --check-prefix=MANY
// The cheaper one does not count where its condition does not hold.
// RUN: gemm-run %s --device=cpu --sizes=33x72,72x33,33x33 | FileCheck %s --check-prefix=DEEP
// RUN: gemm-run %s --device=cpu --sizes=0x5,5x33,0x33 | FileCheck %s --check-prefix=NONE

// FEW: PASS competing#0 {{.*}}plan 16x8x8
// MANY: PASS competing#0 {{.*}}plan 32x16x8
// DEEP: PASS competing#0 {{.*}}plan 16x8x8
// NONE: PASS competing#0

#wide = #blas.plan<macro = [32, 16, 8], micro = [4, 4], lanes = [8, 4], a = <via = shared>, b = <via = shared>>
#any = #blas.plan<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>>

// Tiles of 16x8 need less than half of those of 32x16, but only four run at a time: 2 exist at
// 16x16, and 15 at 33x33, where there are 6 of the others.
func.func @competing(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <k = <most = 64>>, plan = #wide, price = <units = 4, blocks = 2, start = 0, step = 25, rest = 10, fullStep = 30, fullRest = 12>>,
           #blas.case<plan = #any, price = <units = 4, blocks = 1, start = 0, step = 10, rest = 5, fullStep = 10, fullRest = 5>>])
  return
}
