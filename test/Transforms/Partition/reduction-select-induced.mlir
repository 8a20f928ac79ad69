// RUN: gemm-opt %s --reduction-select --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// Plans with complex = induced: the product is one of real numbers, of which a slice has two rows for
// each of C; partial sums of re(A) B and of i im(A) B are its own.

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>,
                   reduction = workspace, splits = 4>

// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[A:.*]]: memref<64x8xcomplex<f64>>, %[[B:.*]]: memref<64x5xcomplex<f64>>, %[[C:.*]]: memref<8x5xcomplex<f64>>, %[[BETA:.*]]: complex<f64>)
// CHECK-DAG:     %[[I:.*]] = complex.constant [0.000000e+00{{.*}}, 1.000000e+00
// CHECK-DAG:     %[[ONE:.*]] = complex.constant [1.000000e+00{{.*}}, 0.000000e+00
// CHECK:         %[[W:.*]] = memref.alloc() : memref<4x16x5xcomplex<f64>>
// CHECK:         %[[RA:.*]] = blas.as_real %[[A]] : {{.*}} to memref<64x16xf64>
// CHECK:         %[[RB:.*]] = blas.as_real %[[B]] : {{.*}} to memref<64x10xf64>
// CHECK:         %[[RW:.*]] = blas.as_real %[[W]] : {{.*}} to memref<4x16x10xf64>
// CHECK:         blas.gemm opA<t> partial ins(%[[RA]], %[[RB]] : {{.*}}) outs(%[[RW]] : {{.*}}) plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], mma = m16n8k4_f64, a =
// CHECK:         %[[RE:.*]] = memref.subview %[[W]][0, 0, 0] [4, 8, 5] [1, 2, 1]
// CHECK:         blas.reduce ins(%[[RE]] : {{.*}}) outs(%[[C]] : {{.*}}) beta(%[[BETA]] : complex<f64>)
// CHECK:         %[[IM:.*]] = memref.subview %[[W]][0, 1, 0] [4, 8, 5] [1, 2, 1]
// CHECK:         blas.reduce ins(%[[IM]] : {{.*}}) outs(%[[C]] : {{.*}}) alpha(%[[I]] : complex<f64>) beta(%[[ONE]] : complex<f64>)
func.func @transposed(%a: memref<64x8xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>, %beta: complex<f64>) {
  blas.gemm opA<t> ins(%a, %b : memref<64x8xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) beta(%beta : complex<f64>) plan(#plan)
  return
}

// conj(A): minus i; a dynamic alpha goes to the accumulators, and the product reads nothing where it is 0.
// CHECK-LABEL: func @adjoint(
// CHECK-SAME:    %[[ALPHA:[^:]*]]: complex<f64>)
// CHECK:         %[[COUNTS:.*]] = arith.ori
// CHECK:         %[[REAL:.*]] = arith.select %[[COUNTS]], %{{.*}}, %{{.*}} : f64
// CHECK:         blas.gemm opA<t> partial ins({{.*}}) outs({{.*}}) alpha(%[[REAL]] : f64)
// CHECK:         blas.reduce ins({{.*}}) outs({{.*}}) alpha(%[[ALPHA]] : complex<f64>)
// CHECK:         %[[RE:.*]] = complex.re %[[ALPHA]]
// CHECK:         %[[IM:.*]] = complex.im %[[ALPHA]]
// CHECK:         %[[NEGATIVE:.*]] = arith.negf %[[RE]]
// CHECK:         %[[FACTOR:.*]] = complex.create %[[IM]], %[[NEGATIVE]]
// CHECK:         blas.reduce ins({{.*}}) outs({{.*}}) alpha(%[[FACTOR]] : complex<f64>) beta(
func.func @adjoint(%a: memref<64x8xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>, %alpha: complex<f64>) {
  blas.gemm opA<c> ins(%a, %b : memref<64x8xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) alpha(%alpha : complex<f64>) plan(#plan)
  return
}

// The user's workspace has slices of twice as many rows; K may be known at run time only.
// CHECK-LABEL: func @workspace(
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 16, 5], strides: [80, 5, 1] : memref<320xcomplex<f64>>
// CHECK:         blas.as_real %{{.*}} : memref<?x8xcomplex<f64>> to memref<?x16xf64>
func.func @workspace(%a: memref<?x8xcomplex<f64>>, %b: memref<?x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>, %w: memref<320xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<?x8xcomplex<f64>>, memref<?x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) workspace(%w : memref<320xcomplex<f64>>) plan(#plan)
  return
}

// Facts of `given` about K hold for the real elements, too.
// CHECK-LABEL: func @facts(
// CHECK:         blas.gemm opA<t> partial ins({{.*}}) outs({{.*}}) given(<k = <multiple = 8>>) plan(
func.func @facts(%a: memref<?x8xcomplex<f64>>, %b: memref<?x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<?x8xcomplex<f64>>, memref<?x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) given(<k = <least = 0, multiple = 8>, a = 1>) plan(#plan)
  return
}

// An epilogue belongs to the last sum.
// CHECK-LABEL: func @epilogue(
// CHECK:         blas.reduce
// CHECK-NOT:     epilogue
// CHECK:         blas.reduce {{.*}} epilogue
func.func @epilogue(%a: memref<64x8xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<64x8xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) plan(#plan)
    epilogue(%x: complex<f64>) {
      %y = complex.add %x, %x : complex<f64>
      blas.yield %y : complex<f64>
    }
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>,
                   reduction = workspace, splits = 4>

func.func @along_k(%a: memref<8x64xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>) {
  // expected-error @+1 {{plan: complex = induced, but operand A does not lie along M with strides, offset and alignment that are known}}
  blas.gemm ins(%a, %b : memref<8x64xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>,
                   reduction = workspace, splits = 4>

func.func @conjugated(%a: memref<64x8xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<8x5xcomplex<f64>>) {
  // expected-error @+1 {{plan: complex = induced, but operand B is conjugated}}
  blas.gemm opA<t> opB<j> ins(%a, %b : memref<64x8xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<8x5xcomplex<f64>>) plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 4>

func.func @reals(%a: memref<64x8xf64>, %b: memref<64x5xf64>, %c: memref<8x5xf64>) {
  // expected-error @+1 {{plan: complex = induced, but operand A is not of the complex accumulator type}}
  blas.gemm opA<t> ins(%a, %b : memref<64x8xf64>, memref<64x5xf64>) outs(%c : memref<8x5xf64>) plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 4>

func.func @sizes(%a: memref<64x?xcomplex<f64>>, %b: memref<64x5xcomplex<f64>>, %c: memref<?x5xcomplex<f64>>) {
  // expected-error @+1 {{plan: complex = induced, but M or N is not known}}
  blas.gemm opA<t> ins(%a, %b : memref<64x?xcomplex<f64>>, memref<64x5xcomplex<f64>>) outs(%c : memref<?x5xcomplex<f64>>) plan(#plan)
  return
}
