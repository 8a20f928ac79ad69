// RUN: gemm-opt %s --operand-pack --canonicalize | FileCheck %s
// RUN: gemm-opt %s --operand-pack --operand-pack --canonicalize | FileCheck %s
// RUN: gemm-opt %s --operand-pack --tail-split --plan-parts=chip=h200 --reduction-select --canonicalize 2>/dev/null | FileCheck %s --check-prefix=LINE

// A runs along K: its copy runs along M, in rows of whole 16 bytes, which have cache lines to themselves.
// CHECK-LABEL: func @row_major(
// CHECK-SAME:    %[[A:.*]]: memref<62x32xf32>, %[[B:.*]]: memref<32x48xf32>, %[[C:.*]]: memref<62x48xf32>)
// CHECK:         %[[W:.*]] = memref.alloc() : memref<32x64xf32>
// CHECK-NEXT:    scf.execute_region no_inline {
// CHECK-NEXT:      blas.pack op<t> ins(%[[A]] : memref<62x32xf32>) outs(%[[W]] : memref<32x64xf32>)
// CHECK-NEXT:      blas.gemm opA<t> padded ins(%[[W]], %[[B]] : memref<32x64xf32>, memref<32x48xf32>) outs(%[[C]] : memref<62x48xf32>) plan({{.*}} a = <via = shared, vector = 4>, b = <via = shared>
// CHECK-NEXT:      scf.yield
// CHECK:         memref.dealloc %[[W]]
func.func @row_major(%a: memref<62x32xf32>, %b: memref<32x48xf32>, %c: memref<62x48xf32>) {
  blas.gemm ins(%a, %b : memref<62x32xf32>, memref<32x48xf32>) outs(%c : memref<62x48xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4, pack = 1>, b = <via = shared>>)
  return
}

// Nothing is padded where M is whole; conjugation stays with the product.
// CHECK-LABEL: func @adjoint(
// CHECK:         blas.pack op<t> ins(%{{.*}} : memref<16x8xcomplex<f32>>) outs(%{{.*}} : memref<8x16xcomplex<f32>>)
// CHECK-NEXT:    blas.pack op<t> ins(%{{.*}} : memref<32x8xcomplex<f32>>) outs(%{{.*}} : memref<8x32xcomplex<f32>>)
// CHECK-NEXT:    blas.gemm opA<c> opB<j> ins({{.*}}) outs
func.func @adjoint(%a: memref<16x8xcomplex<f32>>, %b: memref<32x8xcomplex<f32>>, %c: memref<16x32xcomplex<f32>>) {
  blas.gemm opA<j> opB<c> ins(%a, %b : memref<16x8xcomplex<f32>>, memref<32x8xcomplex<f32>>) outs(%c : memref<16x32xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared, pack = 1>>)
  return
}

// Rows of odd length are copied as they are. A matrix that the batch shares is copied once.
// CHECK-LABEL: func @odd(
// CHECK-DAG:     %[[MA:.*]] = memref.alloc() : memref<3x8x32xf64>
// CHECK-DAG:     %[[WA:.*]] = memref.subview %[[MA]][0, 0, 0] [3, 8, 20] [1, 1, 1]
// CHECK-DAG:     %[[WB:.*]] = memref.alloc() : memref<8x16xf64>
// CHECK:         blas.pack ins(%{{.*}} : memref<3x8x19xf64>) outs(%[[WA]] : memref<3x8x20xf64, strided<[256, 32, 1]>>)
// CHECK-NEXT:    blas.pack ins(%{{.*}} : memref<8x15xf64>) outs(%[[WB]] : memref<8x16xf64>)
// CHECK-NEXT:    blas.gemm opA<t> padded ins(%[[WA]], %[[WB]] : memref<3x8x20xf64, strided<[256, 32, 1]>>, memref<8x16xf64>)
func.func @odd(%a: memref<3x8x19xf64>, %b: memref<8x15xf64>, %c: memref<3x19x15xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<3x8x19xf64>, memref<8x15xf64>) outs(%c : memref<3x19x15xf64>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], vector = 2, a = <via = shared, vector = 2, pack = 1>, b = <via = shared, vector = 2, pack = 1>>)
  return
}

// With major = k copies have rows along K, whose length is that of K: what follows it is no part of the product.
// CHECK-LABEL: func @along_k(
// CHECK-DAG:     %[[MA:.*]] = memref.alloc() : memref<19x48xf64>
// CHECK-DAG:     %[[WA:.*]] = memref.subview %[[MA]][0, 0] [19, 35] [1, 1]
// CHECK-DAG:     %[[MB:.*]] = memref.alloc() : memref<16x48xf64>
// CHECK-DAG:     %[[WB:.*]] = memref.subview %[[MB]][0, 0] [16, 35] [1, 1]
// CHECK:         blas.pack op<t> ins(%{{.*}} : memref<35x19xf64>) outs(%[[WA]] : memref<19x35xf64, strided<[48, 1]>>)
// CHECK-NEXT:    blas.pack op<t> ins(%{{.*}} : memref<35x16xf64>) outs(%[[WB]] : memref<16x35xf64, strided<[48, 1]>>)
// CHECK-NEXT:    blas.gemm opB<t> ins(%[[WA]], %[[WB]] :
func.func @along_k(%a: memref<35x19xf64>, %b: memref<35x16xf64>, %c: memref<19x16xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<35x19xf64>, memref<35x16xf64>) outs(%c : memref<19x16xf64>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1, major = k>, b = <via = shared, pack = 1, major = k>>)
  return
}

// Dynamic sizes: the types do not guarantee that rows are whole.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[A:[^:]*]]: memref<?x?xf32>
// CHECK:         %[[K:.*]] = memref.dim %[[A]], %c1
// CHECK:         %[[UP:.*]] = arith.ceildivui %{{.*}}, %c32
// CHECK:         %[[ROW:.*]] = arith.muli %[[UP]], %c32
// CHECK:         %[[M:.*]] = memref.alloc(%{{.*}}, %[[ROW]]) : memref<?x?xf32>
// CHECK:         %[[ACCESSES:.*]] = arith.ceildivui %{{.*}}, %c4
// CHECK:         %[[LENGTH:.*]] = arith.muli %[[ACCESSES]], %c4
// CHECK:         %[[W:.*]] = memref.subview %[[M]][0, 0] [%{{.*}}, %[[LENGTH]]] [1, 1]
// CHECK:         blas.pack op<t> ins(%[[A]] : memref<?x?xf32>) outs(%[[W]] : memref<?x?xf32, strided<[?, 1]>>) aligned(4)
// CHECK-NEXT:    blas.gemm opA<t> padded ins(%[[W]], {{.*}} given(<m = <least = 16>, a = 4>)
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) given(<m = <least = 16>>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4, pack = 1>, b = <via = shared>>)
  return
}

// The user's workspace: copies of 8 rows of 128 bytes each, and partial sums after them.
// CHECK-LABEL: func @workspace(
// CHECK-SAME:    %[[W:[^:]*]]: memref<1120xf32>)
// CHECK:         %[[WA:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [8, 32], strides: [32, 1]
// CHECK:         %[[VA:.*]] = memref.subview %[[WA]][0, 0] [8, 16] [1, 1]
// CHECK:         %[[WB:.*]] = memref.reinterpret_cast %[[W]] to offset: [256], sizes: [8, 32], strides: [32, 1]
// CHECK:         %[[VB:.*]] = memref.subview %[[WB]][0, 0] [8, 20] [1, 1]
// CHECK:         blas.pack op<t> ins(%{{.*}}) outs(%[[VA]] : {{.*}}) {blas.operands = [#blas.arg<pointer a>, #blas.arg<pointer a>, #blas.arg<pointer w>]}
// CHECK-NEXT:    blas.pack ins(%{{.*}}) outs(%[[VB]] : {{.*}}) {blas.operands = [#blas.arg<pointer b>, #blas.arg<pointer b>, #blas.arg<pointer w>]}
// CHECK-NEXT:    %[[REST:.*]] = memref.subview %[[W]][512] [608] [1]
// CHECK-NEXT:    blas.gemm opA<t> padded ins(%[[VA]], %[[VB]] : {{.*}}) workspace(%[[REST]] : memref<608xf32, strided<[1], offset: 512>>) plan({{.*}} reduction = workspace, splits = 2{{.*}}) {blas.operands = [#blas.arg<pointer w>, #blas.arg<pointer w>, #blas.arg<pointer c>]}
// LINE-LABEL: func @workspace(
// LINE:         memref.reinterpret_cast %{{.*}} to offset: [512], sizes: [2, 16, 17], strides: [272, 17, 1]
func.func @workspace(%a: memref<16x8xf32>, %b: memref<8x17xf32>, %c: memref<16x17xf32>, %w: memref<1120xf32>) {
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x17xf32>) outs(%c : memref<16x17xf32>)
    workspace(%w : memref<1120xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared, pack = 1>,
          reduction = workspace, splits = 2>)
  return
}

// One without partial sums is left to the copies; its length is tested where it is dynamic.
// CHECK-LABEL: func @tested(
// CHECK:         %[[FITS:.*]] = call @rooftileHasRoom(
// CHECK:         scf.execute_region
// CHECK-NEXT:      scf.if %[[FITS]] {
// CHECK-NEXT:        blas.pack
// CHECK-NEXT:        blas.gemm
// CHECK-NOT:         workspace(
// CHECK:           }
func.func @tested(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>, %w: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>) workspace(%w : memref<?xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}

// Before a loop that leaves its size alone; the copy is made in each step.
// CHECK-LABEL: func @loop(
// CHECK:         memref.alloc() : memref<8x32xf32>
// CHECK-NEXT:    scf.for
// CHECK:           scf.execute_region
// CHECK-NEXT:        blas.pack
func.func @loop(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
      plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  }
  return
}

// Copied once, then cut into whole tiles and edges.
// LINE-LABEL: func @cut(
// LINE:         %[[M:.*]] = memref.alloc() : memref<8x32xf32>
// LINE:         %[[W:.*]] = memref.subview %[[M]][0, 0] [8, 20] [1, 1]
// LINE-COUNT-1: blas.pack
// LINE-NOT:     blas.pack
// LINE:         %[[MAIN:.*]] = memref.subview %[[W]][0, 0] [8, 16] [1, 1]
// LINE:         blas.gemm opA<t> padded ins(%[[MAIN]],
// LINE:         %[[REST:.*]] = memref.subview %[[W]][0, 16] [8, 4] [1, 1]
// LINE:         blas.gemm opA<t> padded ins(%[[REST]],
func.func @cut(%a: memref<19x8xf32>, %b: memref<8x16xf32>, %c: memref<19x16xf32>) {
  blas.gemm ins(%a, %b : memref<19x8xf32>, memref<8x16xf32>) outs(%c : memref<19x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4, pack = 1>, b = <via = shared>, tail = split>)
  return
}

// Without `pack` nothing changes.
// CHECK-LABEL: func @unpacked(
// CHECK-NEXT:    blas.gemm
// CHECK-NEXT:    return
func.func @unpacked(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// The copy of an operand that is masked has its zeros and ones: a product that leaves out the zeros
// is left. A is stored as the triangle that it enters as, transposed.
// CHECK-LABEL: func @masked(
// CHECK:         blas.pack structure<unit_upper> ins(%{{.*}} : memref<32x32xf32>) outs(%{{.*}} : memref<32x32xf32>)
// CHECK-NEXT:    blas.gemm opA<t> structureA<lower> ins({{.*}}) outs
func.func @masked(%a: memref<32x32xf32>, %b: memref<32x48xf32>, %c: memref<32x48xf32>) {
  blas.gemm opA<t> structureA<unit_lower> masked ins(%a, %b : memref<32x32xf32>, memref<32x48xf32>) outs(%c : memref<32x48xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}
