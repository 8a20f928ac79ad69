// RUN: gemm-opt %s --tail-split --split-input-file | FileCheck %s
// RUN: gemm-opt %s --tail-split --split-input-file | gemm-opt --tail-split --split-input-file | FileCheck %s
// The edges get plans of their own.
// RUN: gemm-opt %s --tail-split --plan-parts=chip=h200 --split-input-file 2>/dev/null | FileCheck %s --check-prefix=PLANNED

#split = #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>, tail = split>

// Main part, right edge, bottom with the corner: disjoint parts of C.
// CHECK-LABEL: func.func @both_edges
// CHECK-NEXT: scf.execute_region no_inline {
// CHECK: %[[A0:.*]] = memref.subview %arg0[0, 0] [96, 8] [1, 1] : memref<100x8xf32>
// CHECK: %[[B0:.*]] = memref.subview %arg1[0, 0] [8, 64] [1, 1] : memref<8x68xf32>
// CHECK: %[[C0:.*]] = memref.subview %arg2[0, 0] [96, 64] [1, 1] : memref<100x68xf32>
// CHECK: blas.gemm ins(%[[A0]], %[[B0]] : {{.*}}) outs(%[[C0]] : {{.*}}) beta(%{{.*}} : f32) plan(<macro = [32, 32, 8], {{.*}}b = <via = shared, vector = 4>>)
// CHECK: %[[A1:.*]] = memref.subview %arg0[0, 0] [96, 8] [1, 1]
// CHECK: %[[B1:.*]] = memref.subview %arg1[0, 64] [8, 4] [1, 1]
// CHECK: %[[C1:.*]] = memref.subview %arg2[0, 64] [96, 4] [1, 1] : memref<100x68xf32> to memref<96x4xf32, strided<[68, 1], offset: 64>>
// CHECK: blas.gemm ins(%[[A1]], %[[B1]] : {{.*}}) outs(%[[C1]] : {{.*}}) beta(%{{.*}} : f32) {blas.edge_of = memref<100x68xf32>}{{$}}
// CHECK: %[[A2:.*]] = memref.subview %arg0[96, 0] [4, 8] [1, 1]
// CHECK: %[[C2:.*]] = memref.subview %arg2[96, 0] [4, 68] [1, 1] : memref<100x68xf32> to memref<4x68xf32, strided<[68, 1], offset: 6528>>
// CHECK: blas.gemm ins(%[[A2]], %arg1 : {{.*}}) outs(%[[C2]] : {{.*}}) beta(%{{.*}} : f32) {blas.edge_of = memref<100x68xf32>}{{$}}
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NOT: blas.gemm
// PLANNED-LABEL: func.func @both_edges
// PLANNED: plan(<macro = [32, 32, 8], micro = [4, 4], {{.*}}>){{$}}
// PLANNED-COUNT-2: plan(<macro {{.*}} {blas.edge_of = memref<100x68xf32>}
func.func @both_edges(%a: memref<100x8xf32>, %b: memref<8x68xf32>, %c: memref<100x68xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<100x8xf32>, memref<8x68xf32>) outs(%c : memref<100x68xf32>) beta(%beta : f32) plan(#split)
  return
}

// -----

#split = #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, tail = split>

// Where tiles divide there is no edge; where none fits there is nothing but an edge. Transposed
// operands are cut along the other dimension, batches in every matrix.
// CHECK-LABEL: func.func @one_edge
// CHECK: blas.gemm opA<t> opB<t>
// CHECK-SAME: memref<3x8x32xf64, strided<[264, 33, 1]>>, memref<32x8xf64>) outs({{.*}} : memref<3x32x32xf64, strided<[1056, 32, 1]>>) plan(
// CHECK: memref.subview %arg0[0, 0, 32] [3, 8, 1] [1, 1, 1]
// CHECK: memref.subview %arg2[0, 32, 0] [3, 1, 32] [1, 1, 1]
// CHECK: blas.gemm opA<t> opB<t>
// CHECK-NOT: blas.gemm
// CHECK-LABEL: func.func @no_tile
// CHECK-NEXT: blas.gemm ins(%arg0, %arg1 : memref<5x8xf64>, memref<8x32xf64>) outs(%arg2 : memref<5x32xf64>){{$}}
// CHECK-NEXT: return
// CHECK-LABEL: func.func @no_edge
// CHECK-NEXT: blas.gemm ins(%arg0, %arg1 : {{.*}} plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
// CHECK-NEXT: return
func.func @one_edge(%a: memref<3x8x33xf64>, %b: memref<32x8xf64>, %c: memref<3x33x32xf64>) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<3x8x33xf64>, memref<32x8xf64>) outs(%c : memref<3x33x32xf64>) plan(#split)
  return
}
func.func @no_tile(%a: memref<5x8xf64>, %b: memref<8x32xf64>, %c: memref<5x32xf64>) {
  blas.gemm ins(%a, %b : memref<5x8xf64>, memref<8x32xf64>) outs(%c : memref<5x32xf64>) plan(#split)
  return
}
func.func @no_edge(%a: memref<64x8xf64>, %b: memref<8x32xf64>, %c: memref<64x32xf64>) {
  blas.gemm ins(%a, %b : memref<64x8xf64>, memref<8x32xf64>) outs(%c : memref<64x32xf64>) plan(#split)
  return
}

// -----

#split = #blas.plan<macro = [32, 34, 8], micro = [4, 2], lanes = [4, 1], vector = 2, a = <via = shared>, b = <via = shared>, tail = split>

// Dynamic sizes are computed. The main part is known to be whole tiles, the edges to be less than one;
// alignment holds as far as a cut keeps it.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[M:.*]] = memref.dim %[[C:.*]], %c0
// CHECK: %[[REST_M:.*]] = arith.remui %[[M]], %c32
// CHECK: %[[WHOLE_M:.*]] = arith.subi %[[M]], %[[REST_M]]
// CHECK: %[[N:.*]] = memref.dim %[[C]], %c1
// CHECK: %[[REST_N:.*]] = arith.remui %[[N]], %c34
// CHECK: %[[WHOLE_N:.*]] = arith.subi %[[N]], %[[REST_N]]
// CHECK: memref.subview %[[C]][0, 0] [%[[WHOLE_M]], %[[WHOLE_N]]] [1, 1]
// CHECK: blas.gemm {{.*}} given(<m = <multiple = 32>, n = <multiple = 34>, k = <multiple = 8>, a = 4, b = 2, c = 2>) plan(<macro = [32, 34, 8]
// CHECK: memref.subview %[[C]][0, %[[WHOLE_N]]] [%[[WHOLE_M]], %[[REST_N]]] [1, 1]
// CHECK: blas.gemm {{.*}} given(<m = <multiple = 32>, n = <most = 33>, k = <multiple = 8>, a = 4, b = 2, c = 2>) {blas.edge_of = memref<?x?xf32>}{{$}}
// CHECK: memref.subview %[[C]][%[[WHOLE_M]], 0] [%[[REST_M]], %{{.*}}] [1, 1]
// CHECK: blas.gemm {{.*}} given(<m = <most = 31>, n = <least = 64>, k = <multiple = 8>, a = 4, b = 2, c = 2>) {blas.edge_of = memref<?x?xf32>}{{$}}
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    given(<m = <least = 64>, n = <least = 64>, k = <multiple = 8>, a = 4, b = 4, c = 4>) plan(#split)
  return
}

// -----

#split = #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, tail = split>

// A product without elements has no part at all, one without a sum stays whole; rows that go
// backwards are cut like others.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
// CHECK-LABEL: func.func @no_sum
// CHECK-NEXT: blas.gemm ins(%arg0, %arg1 : {{.*}} plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
// CHECK-NEXT: return
// CHECK-LABEL: func.func @backwards
// CHECK: memref.subview %arg2[32, 0] [1, 32] [1, 1] : memref<33x32xf32, strided<[-32, 1]>> to memref<1x32xf32, strided<[-32, 1], offset: -1024>>
func.func @nothing(%a: memref<0x8xf32>, %b: memref<8x33xf32>, %c: memref<0x33xf32>) {
  blas.gemm ins(%a, %b : memref<0x8xf32>, memref<8x33xf32>) outs(%c : memref<0x33xf32>) plan(#split)
  return
}
func.func @no_sum(%a: memref<33x0xf32>, %b: memref<0x33xf32>, %c: memref<33x33xf32>) {
  blas.gemm ins(%a, %b : memref<33x0xf32>, memref<0x33xf32>) outs(%c : memref<33x33xf32>) plan(#split)
  return
}
func.func @backwards(%a: memref<33x8xf32>, %b: memref<8x32xf32>, %c: memref<33x32xf32, strided<[-32, 1]>>) {
  blas.gemm ins(%a, %b : memref<33x8xf32>, memref<8x32xf32>) outs(%c : memref<33x32xf32, strided<[-32, 1]>>) plan(#split)
  return
}
