// A column-major C becomes row-major by views of the same memory: A and B change places.
// RUN: gemm-opt %s --exchange-operands --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @static
// CHECK-SAME: %[[A:.*]]: memref<8x4xf32>, %[[B:.*]]: memref<8x6xf32>, %[[C:.*]]: memref<4x6xf32, strided<[1, 4]>>, %[[BIAS:.*]]: memref<4xf32>
// CHECK-DAG: %[[BASE_A:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[A]]
// CHECK-DAG: %[[BASE_B:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[B]]
// CHECK-DAG: %[[BASE_C:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[C]]
// CHECK: %[[X:.*]] = memref.reinterpret_cast %[[BASE_B]] to offset: [0], sizes: [6, 8], strides: [1, 6]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %[[BASE_A]] to offset: [0], sizes: [4, 8], strides: [1, 4]
// CHECK: %[[Z:.*]] = memref.reinterpret_cast %[[BASE_C]] to offset: [0], sizes: [6, 4], strides: [4, 1]
// CHECK: blas.gemm opB<t> ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[Z]] : memref<6x4xf32, strided<[4, 1]>>)
// CHECK-SAME: {blas.operands = [#blas.arg<pointer b>, #blas.arg<pointer a>, #blas.arg<pointer c>]}
// CHECK-SAME: epilogue(%{{.*}}: f32, %{{.*}} = %[[BIAS]][1] : memref<4xf32>)
func.func @static(%a: memref<8x4xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32, strided<[1, 4]>>, %bias: memref<4xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<8x4xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32, strided<[1, 4]>>)
    epilogue(%sum : f32, %x = %bias[0] : memref<4xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

// -----

// Conjugation stays with its matrix, beta with C; the views are before the loop.
#any = strided<[?, ?, 1], offset: ?>
#column = strided<[?, 1, ?], offset: ?>
// CHECK-LABEL: func.func @batch
// CHECK: %[[X:.*]] = memref.reinterpret_cast {{.*}} : memref<complex<f32>> to memref<?x?x?xcomplex<f32>, strided<[?, 1, ?], offset: ?>>
// CHECK: %[[Y:.*]] = memref.reinterpret_cast {{.*}} : memref<complex<f32>> to memref<?x?x?xcomplex<f32>, strided<[?, 1, ?], offset: ?>>
// CHECK: %[[Z:.*]] = memref.reinterpret_cast {{.*}} : memref<complex<f32>> to memref<?x?x?xcomplex<f32>, strided<[?, ?, 1], offset: ?>>
// CHECK: scf.for
// CHECK: blas.gemm opA<j> opB<c> ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[Z]] : {{.*}}) beta(
func.func @batch(%a: memref<?x?x?xcomplex<f32>, #any>, %b: memref<?x?x?xcomplex<f32>, #any>, %c: memref<?x?x?xcomplex<f32>, #column>, %beta: complex<f32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    blas.gemm opA<c> opB<j> ins(%a, %b : memref<?x?x?xcomplex<f32>, #any>, memref<?x?x?xcomplex<f32>, #any>) outs(%c : memref<?x?x?xcomplex<f32>, #column>) beta(%beta : complex<f32>)
  }
  return
}

// -----

// Where the order is dynamic, the strides of C choose the views: one operation, as before.
#open = strided<[?, ?], offset: ?>
// CHECK-LABEL: func.func @open
// CHECK: %[[BASE_A:.*]], %[[OFFSET_A:.*]], %[[SIZES_A:.*]]:2, %[[STRIDES_A:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[BASE_B:.*]], %[[OFFSET_B:.*]], %[[SIZES_B:.*]]:2, %[[STRIDES_B:.*]]:2 = memref.extract_strided_metadata %arg1
// CHECK: %[[BASE_C:.*]], %[[OFFSET_C:.*]], %[[SIZES_C:.*]]:2, %[[STRIDES_C:.*]]:2 = memref.extract_strided_metadata %arg2
// CHECK: %[[ROWS:.*]] = arith.cmpi eq, %[[STRIDES_C]]#0, %{{.*}} : index
// CHECK: %[[COLUMNS:.*]] = arith.cmpi ne, %[[STRIDES_C]]#1, %{{.*}} : index
// CHECK: %[[EXCHANGED:.*]] = arith.andi %[[ROWS]], %[[COLUMNS]] : i1
// CHECK: arith.select %[[EXCHANGED]], %[[BASE_B]], %[[BASE_A]] : memref<f32>
// op(A) is A^T: its rows are the columns of A.
// CHECK: arith.select %[[EXCHANGED]], %[[SIZES_B]]#1, %[[SIZES_A]]#1 : index
// CHECK: arith.select %[[EXCHANGED]], %[[BASE_A]], %[[BASE_B]] : memref<f32>
// CHECK: arith.select %[[EXCHANGED]], %[[SIZES_C]]#1, %[[SIZES_C]]#0 : index
// CHECK: blas.gemm ins(%{{.*}}, %{{.*}} : memref<?x16xf32, strided<[?, ?], offset: ?>>, memref<16x?xf32, strided<[?, ?], offset: ?>>) outs(%{{.*}} : memref<?x?xf32, strided<[?, ?], offset: ?>>)
// CHECK-NOT: blas.gemm
func.func @open(%a: memref<16x?xf32, #open>, %b: memref<16x?xf32, #open>, %c: memref<?x?xf32, #open>) {
  blas.gemm opA<t> ins(%a, %b : memref<16x?xf32, #open>, memref<16x?xf32, #open>) outs(%c : memref<?x?xf32, #open>)
  return
}

// -----

// These stay: C that is row-major, or of one column; with a plan or facts; where one way has no
// type, or no operation, in common with the other.
#open = strided<[?, ?], offset: ?>
#plan = #blas.plan<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>>
// CHECK-LABEL: func.func @stays
// CHECK-NOT: memref.reinterpret_cast
// CHECK: return
func.func @stays(%a: memref<8x8xf32>, %b: memref<8x1xf32>, %row: memref<8x8xf32>, %column: memref<8x8xf32, strided<[1, 8]>>,
                 %one: memref<8x1xf32, strided<[1, 8]>>, %open_a: memref<?x?xf32, #open>, %open_c: memref<?x?xf32, #open>,
                 %known: memref<?x?xf32, strided<[?, 1]>>, %x: memref<?x?xcomplex<f32>, #open>, %y: memref<?x?xcomplex<f32>, #open>,
                 %bias: memref<?xf32>, %short: memref<8x?xf32, #open>, %short_c: memref<8x?xf32, #open>) {
  blas.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%row : memref<8x8xf32>)
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x1xf32>) outs(%one : memref<8x1xf32, strided<[1, 8]>>)
  blas.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%column : memref<8x8xf32, strided<[1, 8]>>) plan(#plan)
  blas.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%column : memref<8x8xf32, strided<[1, 8]>>) given(<a = 4>)
  blas.gemm ins(%open_a, %known : memref<?x?xf32, #open>, memref<?x?xf32, strided<[?, 1]>>) outs(%open_c : memref<?x?xf32, #open>)
  blas.gemm opA<j> ins(%x, %x : memref<?x?xcomplex<f32>, #open>, memref<?x?xcomplex<f32>, #open>) outs(%y : memref<?x?xcomplex<f32>, #open>)
  blas.gemm ins(%short, %open_a : memref<8x?xf32, #open>, memref<?x?xf32, #open>) outs(%short_c : memref<8x?xf32, #open>)
  blas.gemm ins(%open_a, %open_a : memref<?x?xf32, #open>, memref<?x?xf32, #open>) outs(%open_c : memref<?x?xf32, #open>)
    epilogue(%sum : f32, %e = %bias[0] : memref<?xf32>) {
      %0 = arith.addf %sum, %e : f32
      blas.yield %0 : f32
    }
  return
}

// -----

// The other triangle of the transposed; one matrix on both sides stays one.
// CHECK-LABEL: func.func @triangle
// CHECK-SAME: %[[A:.*]]: memref<6x4xcomplex<f32>, strided<[1, 6]>>
// CHECK: %[[X:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 6], strides: [6, 1]
// CHECK: blas.gemm opA<c> triangle<upper> realDiagonal ins(%[[X]], %[[X]] : {{.*}})
func.func @triangle(%a: memref<6x4xcomplex<f32>, strided<[1, 6]>>, %c: memref<6x6xcomplex<f32>, strided<[1, 6]>>) {
  blas.gemm opB<c> triangle<lower> realDiagonal ins(%a, %a : memref<6x4xcomplex<f32>, strided<[1, 6]>>, memref<6x4xcomplex<f32>, strided<[1, 6]>>)
    outs(%c : memref<6x6xcomplex<f32>, strided<[1, 6]>>)
  return
}

// -----

// Which triangle it is would be known at run time only.
// CHECK-LABEL: func.func @open_triangle
// CHECK-NEXT: blas.gemm opB<t> triangle<lower>
func.func @open_triangle(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>)
    outs(%c : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}

// Where the order is known at run time only, so is the triangle that counts.
// CHECK-LABEL: func.func @open_mask
// CHECK-NEXT: blas.gemm structureA<lower> masked
func.func @open_mask(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %c: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  blas.gemm structureA<lower> masked ins(%a, %a : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>)
    outs(%c : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}
