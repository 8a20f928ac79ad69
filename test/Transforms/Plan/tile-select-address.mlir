// Facts that a function states about its arguments' addresses bound accesses to them and to their views.
// RUN: gemm-opt %s --tile-select=chip=h200 --split-input-file | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 --plan-dispatch --macro-tile --split-input-file | FileCheck %s --check-prefix=TILE

!matrix = memref<512x512xf32>

// Nothing is stated: wide accesses to all.
// CHECK-LABEL: @aligned
// CHECK: blas.gemm {{.*}} plan(<{{.*}}, a = <{{[^>]*}}vector = 4{{[^>]*}}>, b = <{{[^>]*}}vector = 4{{[^>]*}}>
func.func @aligned(%a: !matrix, %b: !matrix, %c: !matrix) {
  blas.gemm opA<t> ins(%a, %b : !matrix, !matrix) outs(%c : !matrix)
  return
}

// -----

!matrix = memref<512x512xf32>

// Single elements of A, pairs of B; one plan, since no call has more.
// CHECK-LABEL: @narrow
// CHECK: blas.gemm {{.*}} plan(<{{.*}}, a = <
// CHECK-NOT: vector
// CHECK-SAME: >, b = <{{[^>]*}}vector = 2{{[^>]*}}>
// TILE-LABEL: func.func @narrow
// TILE: gpu.func
// TILE-SAME: <pointer a align 4>
// TILE-SAME: <pointer b align 8>
func.func @narrow(%a: !matrix {blas.given = #blas.address<align = 4>},
                  %b: !matrix {blas.given = #blas.address<align = 8>}, %c: !matrix) {
  blas.gemm opA<t> ins(%a, %b : !matrix, !matrix) outs(%c : !matrix)
  return
}

// -----

!matrix = memref<512x512xf32>

// Each call has its own: a case tests the pointer of A, and no offset.
// CHECK-LABEL: @dynamic
// CHECK: blas.gemm {{.*}} plans([#blas.case<when = <a = 4>
// TILE-LABEL: func.func @dynamic
// TILE: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %arg0
// TILE-NOT: arith.ori
// TILE: %[[LOW:.*]] = arith.andi %[[POINTER]], %c15
// TILE: %[[WIDE:.*]] = arith.cmpi eq, %[[LOW]], %c0
// TILE: arith.select %[[WIDE]]
// TILE: scf.index_switch
func.func @dynamic(%a: !matrix {blas.given = #blas.address<align = ?>}, %b: !matrix, %c: !matrix) {
  blas.gemm opA<t> ins(%a, %b : !matrix, !matrix) outs(%c : !matrix)
  return
}

// -----

!view = memref<256x512xf32, strided<[512, 1], offset: 512>>

// No more is known of a view than of its source.
// CHECK-LABEL: @view
// CHECK: blas.gemm {{.*}} plan(<{{.*}}, a = <{{[^>]*}}vector = 2{{[^>]*}}>, b = <{{[^>]*}}vector = 4{{[^>]*}}>
func.func @view(%a: memref<512x512xf32> {blas.given = #blas.address<align = 8>}, %b: memref<256x512xf32>, %c: memref<512x512xf32>) {
  %view = memref.subview %a[1, 0] [256, 512] [1, 1] : memref<512x512xf32> to !view
  blas.gemm opA<t> ins(%view, %b : !view, memref<256x512xf32>) outs(%c : memref<512x512xf32>)
  return
}

// -----

// Runs without gaps begin at the pointer.
// CHECK-LABEL: @runs
// CHECK: blas.gemm {{.*}} a = <via = shared, copy = async, major = k, flat = 7>, b = <via = shared, copy = async, vector = 4, flat = 7>
func.func @runs(%a: memref<100000x7xf32> {blas.given = #blas.address<align = 4>}, %b: memref<7x7xf32>,
                %c: memref<100000x7xf32> {blas.given = #blas.address<align = 4>}) {
  blas.gemm ins(%a, %b : memref<100000x7xf32>, memref<7x7xf32>) outs(%c : memref<100000x7xf32>)
  return
}
