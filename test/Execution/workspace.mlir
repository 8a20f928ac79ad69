// A workspace whose length is known at run time only: one that is too short is an error that names both
// numbers, and C stays as it was; one that is long enough runs.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=shared --sizes=16x64,64x8,16x8,512 | FileCheck %s --check-prefix=ROOM
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=shared --sizes=16x64,64x8,16x8,511 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=shared --sizes=16x64,64x8,16x8,0 2>&1 | FileCheck %s --check-prefix=NONE

// ROOM: PASS shared#0 f32 gemm nn 16x8x64
// SHORT: operand workspace has 511 elements, but the plan needs 512: not launched
// Nor do edges run beside whole tiles that have no room for their partial sums.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=cut --sizes=20x64,64x20,20x20,1024 | FileCheck %s --check-prefix=CUT
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=cut --sizes=20x64,64x20,20x20,1023 2>&1 | FileCheck %s --check-prefix=UNCUT

// NONE: operand workspace has 0 elements, but the plan needs 512: not launched
// CUT: PASS cut#0 f32 gemm nn
// UNCUT: operand workspace has 1023 elements, but the plan needs 1024: not launched
// UNCUT-NOT: elements are wrong

func.func @shared(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) workspace(%w : memref<?xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}

func.func @cut(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) workspace(%w : memref<?xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4, tail = split>)
  return
}

// Packed operands lie before the partial sums: 64 rows of 32 elements each, 4 slices of 15x7.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=packed --sizes=15x64,64x7,15x7,4516 | FileCheck %s --check-prefix=PACKED
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=packed --sizes=15x64,64x7,15x7,4515 2>&1 | FileCheck %s --check-prefix=UNPACKED
// RUN: not gemm-run %s --device=cpu --repeat=0 --entry=packed --sizes=15x64,64x7,15x7,100 2>&1 | FileCheck %s --check-prefix=NOTHING
// PACKED: PASS packed#0 f32 gemm nn 15x7x64
// UNPACKED: operand workspace has 4515 elements, but the plan needs 4516: not launched
// NOTHING: operand workspace has 100 elements, but the plan needs 4516: not launched
// UNPACKED-NOT: elements are wrong

func.func @packed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) workspace(%w : memref<?xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 2, pack = 1>, b = <via = shared, vector = 2, pack = 1>,
          reduction = workspace, splits = 4>)
  return
}
