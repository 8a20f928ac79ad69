// RUN: gemm-opt %s --symmetric-split --canonicalize --cse --split-input-file | FileCheck %s
// RUN: gemm-opt %s --symmetric-split --split-input-file > %t.once
// RUN: gemm-opt %t.once --symmetric-split --split-input-file | diff %t.once -

// One product of a triangle, from the same matrix on both sides.
// CHECK-LABEL: func @syrk(
// CHECK-SAME:    %[[A:.*]]: memref<6x4xf32>, %[[C:.*]]: memref<6x6xf32>, %[[ALPHA:.*]]: f32)
// CHECK-NEXT:    blas.gemm opB<t> triangle<lower> ins(%[[A]], %[[A]] : memref<6x4xf32>, memref<6x4xf32>) outs(%[[C]] : memref<6x6xf32>) alpha(%[[ALPHA]] : f32) beta(%[[ALPHA]] : f32) {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer a>, #blas.arg<pointer c>]}
// CHECK-NEXT:    return
func.func @syrk(%a: memref<6x4xf32>, %c: memref<6x6xf32>, %alpha: f32) {
  blas.syrk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf32>) alpha(%alpha : f32) beta(%alpha : f32)
  return
}

// -----

// A^H A of any sizes; real scalars become complex ones.
// CHECK-LABEL: func @herk(
// CHECK-SAME:    %[[A:.*]]: memref<?x?xcomplex<f32>>, %[[C:.*]]: memref<?x?xcomplex<f32>>, %[[ALPHA:.*]]: f32)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[WIDE:.*]] = complex.create %[[ALPHA]], %[[ZERO]] : complex<f32>
// CHECK:         blas.gemm opA<c> triangle<upper> realDiagonal ins(%[[A]], %[[A]] : {{.*}}) outs(%[[C]] : {{.*}}) alpha(%[[WIDE]] : complex<f32>) {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer a>, #blas.arg<pointer c>]}{{$}}
func.func @herk(%a: memref<?x?xcomplex<f32>>, %c: memref<?x?xcomplex<f32>>, %alpha: f32) {
  blas.herk uplo<upper> op<c> ins(%a : memref<?x?xcomplex<f32>>) outs(%c : memref<?x?xcomplex<f32>>) alpha(%alpha : f32)
  return
}

// -----

// Two products, the second of which adds to the first.
// CHECK-LABEL: func @her2k(
// CHECK-SAME:    %[[A:.*]]: memref<6x4xcomplex<f64>>, %[[B:.*]]: memref<6x4xcomplex<f64>>, %[[C:.*]]: memref<6x6xcomplex<f64>>, %[[ALPHA:.*]]: complex<f64>)
// CHECK-DAG:     %[[ONE:.*]] = complex.constant [1.000000e+00, 0.000000e+00]
// CHECK:         %[[NEGATIVE:.*]] = arith.negf
// CHECK:         %[[CONJ:.*]] = complex.create %{{.*}}, %[[NEGATIVE]]
// CHECK:         scf.execute_region no_inline {
// CHECK:           blas.gemm opB<c> triangle<lower> realDiagonal ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] : {{.*}}) alpha(%[[ALPHA]] : complex<f64>) {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer b>, #blas.arg<pointer c>]}{{$}}
// CHECK-NEXT:      blas.gemm opB<c> triangle<lower> realDiagonal ins(%[[B]], %[[A]] : {{.*}}) outs(%[[C]] : {{.*}}) alpha(%[[CONJ]] : complex<f64>) beta(%[[ONE]] : complex<f64>) {blas.operands = [#blas.arg<pointer b>, #blas.arg<pointer a>, #blas.arg<pointer c>]}
func.func @her2k(%a: memref<6x4xcomplex<f64>>, %b: memref<6x4xcomplex<f64>>, %c: memref<6x6xcomplex<f64>>, %alpha: complex<f64>) {
  blas.her2k uplo<lower> ins(%a, %b : memref<6x4xcomplex<f64>>, memref<6x4xcomplex<f64>>) outs(%c : memref<6x6xcomplex<f64>>) alpha(%alpha : complex<f64>)
  return
}

// -----

// Both triangles in memory of their own, which the product reads.
// CHECK-LABEL: func @hemm(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xcomplex<f32>>, %[[B:.*]]: memref<6x8xcomplex<f32>>, %[[C:.*]]: memref<6x8xcomplex<f32>>)
// CHECK:         %[[W:.*]] = memref.alloc() : memref<8x8xcomplex<f32>>
// CHECK:         scf.execute_region no_inline {
// CHECK:           blas.pack structure<hermitian_upper> ins(%[[A]] : {{.*}}) outs(%[[W]] : memref<8x8xcomplex<f32>>) {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer a>, #blas.arg<pointer w>]}
// CHECK:           blas.gemm ins(%[[B]], %[[W]] : {{.*}}) outs(%[[C]] : {{.*}}) {blas.operands = [#blas.arg<pointer b>, #blas.arg<pointer w>, #blas.arg<pointer c>]}
// CHECK:         memref.dealloc %[[W]]
func.func @hemm(%a: memref<8x8xcomplex<f32>>, %b: memref<6x8xcomplex<f32>>, %c: memref<6x8xcomplex<f32>>) {
  blas.hemm side<right> uplo<upper> ins(%a, %b : memref<8x8xcomplex<f32>>, memref<6x8xcomplex<f32>>) outs(%c : memref<6x8xcomplex<f32>>)
  return
}

// -----

// A solution for the identity, of which one triangle goes to C.
// CHECK-LABEL: func @inverse(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf64>, %[[C:.*]]: memref<8x8xf64>)
// CHECK:         %[[W:.*]] = memref.alloc() : memref<8x8xf64>
// CHECK:         scf.execute_region no_inline {
// CHECK:           linalg.generic {{.*}} outs(%[[W]] : memref<8x8xf64>)
// CHECK:           blas.trsm side<left> uplo<lower> ins(%[[A]] : memref<8x8xf64>) outs(%[[W]] : memref<8x8xf64>)
// CHECK:           %[[SLICE:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [1, 8, 8], strides: [0, 8, 1]
// CHECK:           blas.reduce triangle<lower> ins(%[[SLICE]] : {{.*}}) outs(%[[C]] : memref<8x8xf64>)
// CHECK:         memref.dealloc %[[W]]
func.func @inverse(%a: memref<8x8xf64>, %c: memref<8x8xf64>) {
  blas.trtri uplo<lower> ins(%a : memref<8x8xf64>) outs(%c : memref<8x8xf64>)
  return
}

// -----

// In place, without the diagonal.
// CHECK-LABEL: func @unit(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf64>)
// CHECK:         blas.trsm side<left> uplo<upper> diag<unit> ins(%[[A]] : memref<8x8xf64>) outs(%[[W:.*]] : memref<8x8xf64>)
// CHECK-DAG:     %[[ABOVE:.*]] = memref.subview %[[A]][0, 1] [7, 7] [1, 1]
// CHECK:         blas.reduce triangle<upper> ins(%{{.*}}) outs(%[[ABOVE]] : {{.*}})
func.func @unit(%a: memref<8x8xf64>) {
  blas.trtri uplo<upper> diag<unit> outs(%a : memref<8x8xf64>)
  return
}

// -----

// Tensors are bufferized first.
// CHECK-LABEL: func @tensors(
// CHECK:         blas.syrk
func.func @tensors(%a: tensor<6x4xf32>, %c: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %d = blas.syrk uplo<lower> ins(%a : tensor<6x4xf32>) outs(%c : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %d : tensor<6x6xf32>
}
