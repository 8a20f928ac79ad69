// RUN: gemm-opt %s --triangular-split --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gemm-opt %s --triangular-split --split-input-file > %t.once
// RUN: gemm-opt %t.once --triangular-split --split-input-file | diff %t.once -

// Four blocks of order 16, from the top. After an odd number of them the last one is taken from the
// next, after two both are taken from the last two. What blocks are multiples of is known, where the
// bases are aligned.
// CHECK-LABEL: func @solve(
// CHECK-SAME:    %[[A:.*]]: memref<64x64xf32>, %[[B:.*]]: memref<64x48xf32>)
// CHECK-DAG:     %[[MINUS:.*]] = arith.constant -1.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK:         scf.execute_region no_inline {
// CHECK:         %[[PA:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK:         func.call @rooftileIsAligned
// CHECK:         %[[PB:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         func.call @rooftileIsAligned
// CHECK:         scf.for %[[STEP:.*]] = %{{.*}} to %[[C4]] step
// CHECK:           %[[Q:.*]] = arith.addi %[[STEP]], %c1
// CHECK:           %[[I:.*]] = arith.muli %[[STEP]], %[[C16]]
// CHECK:           %[[T:.*]] = memref.subview %[[A]][%[[I]], %[[I]]] [16, 16] [1, 1]
// CHECK:           %[[X:.*]] = memref.subview %[[B]][%[[I]], 0] [16, 48] [1, 1]
// CHECK:           blas.trsm side<left> uplo<lower> ins(%[[T]] : {{.*}}) outs(%[[X]] : {{.*}}) plan(<diagonal = 0, workgroup = 128>)
// CHECK:           %[[REST:.*]] = arith.remui %[[Q]], %c2
// CHECK:           %[[ODD:.*]] = arith.cmpi eq, %[[REST]], %c1
// CHECK:           %[[MORE:.*]] = arith.cmpi ule, %[[Q]], %c3
// CHECK:           %[[BOTH:.*]] = arith.andi %[[ODD]], %[[MORE]]
// CHECK:           scf.if %[[BOTH]]
// CHECK:             %[[NEXT:.*]] = arith.muli %[[Q]], %[[C16]]
// CHECK:             %[[BELOW:.*]] = memref.subview %[[A]][%[[NEXT]], %[[I]]] [16, 16] [1, 1]
// CHECK:             %[[OTHERS:.*]] = memref.subview %[[B]][%[[NEXT]], 0] [16, 48] [1, 1]
// CHECK:             blas.gemm ins(%[[BELOW]], %[[X]] : {{.*}}) outs(%[[OTHERS]] : {{.*}}) alpha(%[[MINUS]] : f32) beta(%[[ONE]] : f32) given(<a = 4, b = 4, c = 4>)
// CHECK-SAME:        {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer b>, #blas.arg<pointer b>]}
// CHECK:           arith.remui %[[Q]], %[[C4]]
// CHECK:           scf.if
// CHECK:             memref.subview %[[A]][%{{.*}}, %{{.*}}] [32, 32] [1, 1]
// CHECK:             memref.subview %[[B]][%{{.*}}, 0] [32, 48] [1, 1]
// CHECK:             memref.subview %[[B]][%{{.*}}, 0] [32, 48] [1, 1]
// CHECK:             blas.gemm
// CHECK-NOT:       blas.{{(gemm|trsm)}}
// CHECK:         return
func.func @solve(%a: memref<64x64xf32>, %b: memref<64x48xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x48xf32>) plan(<diagonal = 16, workgroup = 128>)
  return
}

// -----

// A lower triangle is multiplied from below, where nothing depends on the block; what is read is
// the stored triangle, transposed. The ragged block comes first, and cuts the product of two blocks.
// CHECK-LABEL: func @multiply(
// CHECK-SAME:    %[[A:.*]]: memref<20x20xf64>, %[[B:.*]]: memref<20x5xf64>, %[[ALPHA:.*]]: f64)
// CHECK:         %[[LAST:.*]] = memref.subview %[[A]][16, 16] [4, 4] [1, 1]
// CHECK:         blas.trmm side<left> uplo<upper> opA<t> diag<unit> ins(%[[LAST]] : {{.*}}) outs(%{{.*}} : {{.*}}) alpha(%[[ALPHA]] : f64) plan(<diagonal = 0>)
// CHECK:         scf.for %[[STEP:.*]] = %c0 to %c2
// CHECK:           %[[Q:.*]] = arith.subi %c2, %[[STEP]]
// CHECK:           scf.if
// CHECK:             memref.subview %[[A]][%[[I:.*]], %{{.*}}] [8, 8] [1, 1]
// CHECK:             blas.gemm opA<t> ins({{.*}}) outs({{.*}}) alpha(%[[ALPHA]] : f64) beta(
// CHECK:           scf.if
// CHECK:             memref.subview %[[A]][%{{.*}}, %{{.*}}] [16, 4] [1, 1]
// CHECK:             blas.gemm opA<t>
// CHECK:           memref.subview %[[A]][%[[I]], %[[I]]] [8, 8] [1, 1]
// CHECK:           blas.trmm side<left> uplo<upper> opA<t> diag<unit>
func.func @multiply(%a: memref<20x20xf64>, %b: memref<20x5xf64>, %alpha: f64) {
  blas.trmm side<left> uplo<upper> opA<t> diag<unit> ins(%a : memref<20x20xf64>) outs(%b : memref<20x5xf64>) alpha(%alpha : f64) plan(<diagonal = 8>)
  return
}

// -----

// Out of place, A on the right, dynamic sizes: products read B. A batch shares A.
// CHECK-LABEL: func @right(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?x?xf32>, %[[B:[^:]*]]: memref<3x?x?xf32>, %[[C:[^:]*]]: memref<3x?x?xf32>)
// CHECK:         %[[ORDER:.*]] = memref.dim %[[A]], %c0
// CHECK:         arith.divui %[[ORDER]], %c16
// CHECK:         blas.trmm side<right> uplo<lower> ins(%{{.*}}, %{{.*}} : memref<?x?xf32, strided<[?, 1]>>, memref<3x?x?xf32, strided<[?, ?, 1]>>)
// CHECK:         scf.for
// CHECK:           %[[BLOCK:.*]] = memref.subview %[[B]][0, 0, %{{.*}}] [3, %{{.*}}, 16]
// CHECK:           blas.gemm ins(%[[BLOCK]], %{{.*}} : memref<3x?x16xf32, {{.*}}>, memref<16x?xf32, {{.*}}>) outs(
// CHECK:           blas.trmm side<right> uplo<lower> ins(%{{.*}}, %[[BLOCK]] :
func.func @right(%a: memref<?x?xf32>, %b: memref<3x?x?xf32>, %c: memref<3x?x?xf32>) {
  blas.trmm side<right> uplo<lower> ins(%a, %b : memref<?x?xf32>, memref<3x?x?xf32>) outs(%c : memref<3x?x?xf32>) plan(<diagonal = 16>)
  return
}

// -----

// alpha scales what it meets first: the first block, and in a product what no product has met; where
// it is 0, so is every product.
// CHECK-LABEL: func @alpha(
// CHECK-SAME:    %{{.*}}, %{{.*}}, %[[ALPHA:.*]]: f32)
// CHECK:         %[[COUNTS:.*]] = arith.cmpf une, %[[ALPHA]], %{{.*}} : f32
// CHECK:         %[[LATER:.*]] = arith.select %[[COUNTS]], %{{.*}}, %[[ZERO:.*]] : f32
// CHECK:         %[[PRODUCT:.*]] = arith.select %[[COUNTS]], %{{.*}}, %[[ZERO]] : f32
// CHECK:         scf.for
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[Q:.*]], %c1
// CHECK:           %[[SCALE:.*]] = arith.select %[[FIRST]], %[[ALPHA]], %[[LATER]] : f32
// CHECK:           blas.trsm {{.*}} alpha(%[[SCALE]] : f32)
// CHECK:           scf.if
// CHECK:             blas.gemm {{.*}} alpha(%[[PRODUCT]] : f32) beta(%[[SCALE]] : f32)
// CHECK:           scf.if
// CHECK:             blas.gemm {{.*}} alpha(%[[PRODUCT]] : f32) beta(%{{.*}} : f32)
// CHECK:         blas.trsm {{.*}} alpha(%[[LATER]] : f32)
func.func @alpha(%a: memref<20x20xf32>, %b: memref<20x5xf32>, %alpha: f32) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<20x20xf32>) outs(%b : memref<20x5xf32>) alpha(%alpha : f32) plan(<diagonal = 8>)
  return
}

// -----

// Solving out of place begins with a copy.
// CHECK-LABEL: func @copy(
// CHECK-SAME:    %{{.*}}, %[[B:.*]]: memref<32x5xf32>, %[[C:.*]]: memref<32x5xf32>, %[[D:.*]]: memref<32x5xf32, strided<[7, 1]>>)
// CHECK:         blas.pack ins(%[[B]] : {{.*}}) outs(%[[C]] :
// CHECK:         blas.trsm side<left> uplo<lower> ins(%{{[a-z0-9_]*}} : {{.*}}) outs(
// CHECK:         blas.pack ins(%[[B]] : {{.*}}) outs(%[[D]] :
func.func @copy(%a: memref<32x32xf32>, %b: memref<32x5xf32>, %c: memref<32x5xf32>, %d: memref<32x5xf32, strided<[7, 1]>>) {
  blas.trsm side<left> uplo<lower> ins(%a, %b : memref<32x32xf32>, memref<32x5xf32>) outs(%c : memref<32x5xf32>) plan(<diagonal = 8>)
  blas.trsm side<left> uplo<lower> ins(%a, %b : memref<32x32xf32>, memref<32x5xf32>) outs(%d : memref<32x5xf32, strided<[7, 1]>>) plan(<diagonal = 8>)
  return
}

// -----

// An operation of one block stays one operation.
// CHECK-LABEL: func @one_block(
// CHECK-NOT:     scf.for
// CHECK:         blas.trsm {{.*}} plan(<diagonal = 0>)
// CHECK:         blas.trsm {{.*}} plan(<diagonal = 0, workgroup = 32>)
func.func @one_block(%a: memref<8x8xf32>, %b: memref<8x5xf32>, %c: memref<?x?xf32>, %d: memref<?x5xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x5xf32>) plan(<diagonal = 8>)
  blas.trsm side<left> uplo<lower> ins(%c : memref<?x?xf32>) outs(%d : memref<?x5xf32>) plan(<diagonal = 0, workgroup = 32>)
  return
}

// -----

// Complex: a scalar is 0 where both of its parts are, and products conjugate A as the operation does.
// CHECK-LABEL: func @complex(
// CHECK-SAME:    %{{.*}}, %{{.*}}, %[[ALPHA:.*]]: complex<f32>)
// CHECK-DAG:     %[[ZERO:.*]] = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32]
// CHECK-DAG:     %[[ONE:.*]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32]
// CHECK-DAG:     %[[MINUS:.*]] = complex.constant [-1.000000e+00 : f32, 0.000000e+00 : f32]
// CHECK:         %[[RE:.*]] = complex.re %[[ALPHA]]
// CHECK:         %[[HAS_RE:.*]] = arith.cmpf une, %[[RE]], %{{.*}} : f32
// CHECK:         %[[IM:.*]] = complex.im %[[ALPHA]]
// CHECK:         %[[HAS_IM:.*]] = arith.cmpf une, %[[IM]], %{{.*}} : f32
// CHECK:         %[[COUNTS:.*]] = arith.ori %[[HAS_RE]], %[[HAS_IM]]
// CHECK:         arith.select %[[COUNTS]], %[[ONE]], %[[ZERO]] : complex<f32>
// CHECK:         %[[PRODUCT:.*]] = arith.select %[[COUNTS]], %[[MINUS]], %[[ZERO]] : complex<f32>
// CHECK:         blas.trsm side<left> uplo<lower> opA<c> {{.*}} alpha(%{{.*}} : complex<f32>)
// CHECK:         blas.gemm opA<c> {{.*}} alpha(%[[PRODUCT]] : complex<f32>) beta(
func.func @complex(%a: memref<20x20xcomplex<f32>>, %b: memref<20x5xcomplex<f32>>, %alpha: complex<f32>) {
  blas.trsm side<left> uplo<lower> opA<c> ins(%a : memref<20x20xcomplex<f32>>) outs(%b : memref<20x5xcomplex<f32>>) alpha(%alpha : complex<f32>) plan(<diagonal = 8>)
  return
}

// -----

// Conjugated where it stands; and on the right it is the second operand of products.
// CHECK-LABEL: func @conjugated(
// CHECK:         blas.gemm opB<j> {{.*}} alpha(%{{.*}} : complex<f64>) beta(%{{.*}} : complex<f64>)
// CHECK:         blas.trmm side<right> uplo<upper> opA<j> diag<unit>
func.func @conjugated(%a: memref<16x16xcomplex<f64>>, %b: memref<5x16xcomplex<f64>>, %c: memref<5x16xcomplex<f64>>, %alpha: complex<f64>) {
  blas.trmm side<right> uplo<upper> opA<j> diag<unit> ins(%a, %b : memref<16x16xcomplex<f64>>, memref<5x16xcomplex<f64>>) outs(%c : memref<5x16xcomplex<f64>>) alpha(%alpha : complex<f64>) plan(<diagonal = 8>)
  return
}

// -----

// Sums of narrow numbers, and so the scalars, are f32.
// CHECK-LABEL: func @narrow(
// CHECK:         %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         blas.gemm {{.*}} alpha(%{{.*}} : f32) beta(%[[ONE]] : f32)
func.func @narrow(%a: memref<16x16xbf16>, %b: memref<16x5xbf16>, %alpha: f32) {
  blas.trmm side<left> uplo<lower> ins(%a : memref<16x16xbf16>) outs(%b : memref<16x5xbf16>) alpha(%alpha : f32) plan(<diagonal = 8>)
  return
}
