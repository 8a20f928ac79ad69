// RUN: gemm-opt %s --plan-dispatch --cse --split-input-file | FileCheck %s
// A second run finds nothing to do.
// RUN: gemm-opt %s --plan-dispatch --cse --split-input-file | gemm-opt --plan-dispatch --split-input-file | FileCheck %s

#large = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>
#small = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// Sizes, strides, offset and base pointers are tested; each operation is told what holds for it.
// CHECK-LABEL: func.func @sizes_and_alignment
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK: %[[M:.*]] = memref.dim %[[C:[a-z0-9]+]], %c0
// CHECK: %[[ENOUGH_M:.*]] = arith.cmpi uge, %[[M]], %c64
// CHECK: %[[N:.*]] = memref.dim %[[C]], %c1
// CHECK: %[[ENOUGH_N:.*]] = arith.cmpi uge, %[[N]], %c64
// CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[REST:.*]] = arith.remui %[[K]], %c8
// CHECK: arith.cmpi eq, %[[REST]], %c0
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[OR:.*]] = arith.ori %[[OFFSET]], %[[SIZES]]#1
// CHECK: %[[BITS:.*]] = arith.ori %[[OR]], %[[STRIDES]]#0
// CHECK: arith.andi %[[BITS]], %c3
// CHECK: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: arith.andi %[[POINTER]], %c15
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %{{.*}}, %c32
// CHECK: %[[LAST:.*]] = arith.select %[[NARROW]], %c1, %c2
// CHECK: %[[CASE:.*]] = arith.select %{{.*}}, %c0, %[[LAST]]
// CHECK: scf.index_switch %[[CASE]]
// CHECK-NEXT: case 0 {
// CHECK-NEXT:   blas.gemm {{.*}} given(<m = <least = 64>, n = <least = 64>, k = <multiple = 8>, a = 4>) plan(<macro = [64, 64, 8]
// CHECK:      case 1 {
// CHECK-NEXT:   blas.gemm {{.*}} given(<n = <most = 32>>) plan(<macro = [16, 16, 8]
// CHECK:      default {
// CHECK-NEXT:   blas.gemm ins({{[^)]*}}) outs({{[^)]*}}) plan(<macro = [16, 16, 8]
// CHECK-NOT: blas.gemm
func.func @sizes_and_alignment(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <m = <least = 64>, n = <least = 64>, k = <multiple = 8>, a = 4>, plan = #large>,
           #blas.case<when = <n = <most = 32>>, plan = #small>, #blas.case<plan = #small>])
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// Earlier facts of `given` still hold; K of a transposed A is its first dimension; the stride of the
// batch counts; one plan alone is no question.
// CHECK-LABEL: func.func @batch
// CHECK: memref.dim %[[A:[a-z0-9]+]], %c1 : memref<3x?x64xf64>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[C:[a-z0-9]+]]
// CHECK: arith.ori %{{.*}}#2, %[[STRIDES]]#0
// CHECK: arith.ori %{{.*}}, %[[STRIDES]]#1
// CHECK: memref.extract_aligned_pointer_as_index %[[C]]
// CHECK: scf.index_switch
// CHECK: given(<n = <multiple = 2>, k = <most = 100>, c = 2>)
// CHECK: default {
// CHECK: given(<n = <multiple = 2>>)
// CHECK: }
// CHECK-NEXT: blas.gemm
// CHECK-NEXT: return
func.func @batch(%a: memref<3x?x64xf64>, %b: memref<?x?xf64>, %c: memref<3x64x?xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<3x?x64xf64>, memref<?x?xf64>) outs(%c : memref<3x64x?xf64>)
    given(<n = <multiple = 2>>)
    plans([#blas.case<when = <k = <most = 100>, c = 2>, plan = #plan>, #blas.case<plan = #plan>])
  blas.gemm opA<t> ins(%a, %b : memref<3x?x64xf64>, memref<?x?xf64>) outs(%c : memref<3x64x?xf64>)
    plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// A dynamic stride is tested; where it is 1 it is static in the type of the operand, and
// nothing is left to state. Alignment is that of the other strides and of the contiguous size.
// CHECK-LABEL: func.func @orders
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A:[a-z0-9]+]]
// CHECK: %[[COLUMNS:.*]] = arith.cmpi eq, %[[STRIDES]]#0, %c1
// CHECK: %[[OR:.*]] = arith.ori %[[OFFSET]], %[[SIZES]]#0
// CHECK: arith.ori %[[OR]], %[[STRIDES]]#1
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES_B:.*]]:2 = memref.extract_strided_metadata %[[B:[a-z0-9]+]]
// CHECK: arith.cmpi eq, %[[STRIDES_B]]#1, %c1
// CHECK: scf.index_switch
// CHECK: case 0
// CHECK-NEXT: %[[A_COLUMNS:.*]] = memref.cast %[[A]] : {{.*}} to memref<?x?xf32, strided<[1, ?], offset: ?>>
// CHECK-NEXT: %[[B_ROWS:.*]] = memref.cast %[[B]] : {{.*}} to memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT: blas.gemm ins(%[[A_COLUMNS]], %[[B_ROWS]] : {{.*}} given(<a = 4>) plan(
// CHECK: default
// CHECK-NEXT: blas.gemm ins(%[[A]], %[[B]] : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>)
func.func @orders(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <a = 4, orderA = column_major, orderB = row_major>, plan = #plan>, #blas.case<plan = #plan>])
  return
}

// Facts of `given` need no test.
// CHECK-LABEL: func.func @given_order
// CHECK-NEXT: %[[C:.*]] = memref.cast %arg2 : {{.*}} to memref<?x4xf32, strided<[?, 1]>>
// CHECK-NEXT: blas.gemm ins({{.*}}) outs(%[[C]] : memref<?x4xf32, strided<[?, 1]>>) plan(
func.func @given_order(%a: memref<?x4xf32>, %b: memref<4x4xf32>, %c: memref<?x4xf32, strided<[?, ?]>>) {
  blas.gemm ins(%a, %b : memref<?x4xf32>, memref<4x4xf32>) outs(%c : memref<?x4xf32, strided<[?, ?]>>)
    given(<orderC = row_major>) plan(#plan)
  return
}

// -----

#large = #blas.plan<macro = [64, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>
#small = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// The cheapest of the cases with a price that hold runs, once the ones before them do not hold.
// CHECK-LABEL: func.func @prices
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf32>, %{{.*}}: memref<?x?xf32>, %[[C:[a-z0-9]+]]: memref<?x?xf32>
// CHECK: %[[N:.*]] = memref.dim %[[C]], %c1
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %[[N]], %c8
// CHECK: %[[M:.*]] = memref.dim %[[C]], %c0
// CHECK: %[[FITS:.*]] = arith.cmpi uge, %[[M]], %c64
// CHECK: %[[HIGH:.*]] = arith.ceildivui %[[M]], %c64
// CHECK: %[[WIDE:.*]] = arith.ceildivui %[[N]], %c32
// CHECK: %[[TILES:.*]] = arith.muli %[[HIGH]], %[[WIDE]]
// CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[STEPS:.*]] = arith.ceildivui %[[K]], %c8
// CHECK: %[[ONE_STEPS:.*]] = arith.muli %[[STEPS]], %c100
// CHECK: %[[ONE:.*]] = arith.addi %[[ONE_STEPS]], %c7
// CHECK: %[[FULL_STEPS:.*]] = arith.muli %[[STEPS]], %c150
// CHECK: %[[FULL:.*]] = arith.addi %[[FULL_STEPS]], %c9
// CHECK: %[[WAVES:.*]] = arith.divui %[[TILES]], %c12
// CHECK: %[[LEFT:.*]] = arith.remui %[[TILES]], %c12
// CHECK: %[[OF_UNIT:.*]] = arith.ceildivui %[[LEFT]], %c4
// CHECK: %[[MORE:.*]] = arith.subi %[[OF_UNIT]], %c1
// CHECK: %[[LONGER:.*]] = arith.subi %[[FULL]], %[[ONE]]
// CHECK: %[[TIMES:.*]] = arith.muli %[[LONGER]], %[[MORE]]
// CHECK: %[[SHARE:.*]] = arith.divui %[[TIMES]], %c2
// CHECK: %[[WAVE:.*]] = arith.addi %[[ONE]], %[[SHARE]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[LEFT]], %c0
// CHECK: %[[LAST:.*]] = arith.select %[[NONE]], %c0, %[[WAVE]]
// CHECK: %[[WHOLE:.*]] = arith.muli %[[WAVES]], %[[FULL]]
// CHECK: %[[SUM:.*]] = arith.addi %[[WHOLE]], %[[LAST]]
// CHECK: %[[PRICE:.*]] = arith.addi %[[SUM]], %c1000
// CHECK: %[[IF_FITS:.*]] = arith.select %[[FITS]], %[[PRICE]], %c9223372036854775807
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %[[OTHER:.*]], %[[IF_FITS]]
// CHECK: %[[BEST:.*]] = arith.select %[[LESS]], %c2, %c1
// CHECK: %[[CASE:.*]] = arith.select %[[NARROW]], %c0, %[[BEST]]
// CHECK: scf.index_switch %[[CASE]]
// CHECK: case 0
// CHECK: plan(<macro = [16, 16, 8]
// CHECK: case 1
// CHECK: given(<m = <least = 64>>) plan(<macro = [64, 32, 8]
// CHECK: default
// CHECK: plan(<macro = [16, 16, 8]
func.func @prices(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <n = <most = 8>>, plan = #small>,
           #blas.case<when = <m = <least = 64>>, plan = #large, price = <units = 4, blocks = 3, start = 1000, step = 100, rest = 7, fullStep = 150, fullRest = 9>>,
           #blas.case<plan = #small, price = <units = 4, blocks = 1, start = 0, step = 30, rest = 5, fullStep = 30, fullRest = 5>>])
  return
}
