// RUN: gemm-opt %s --canonicalize -split-input-file | FileCheck %s

// alpha = 1 and beta = 0 are what their absence means.
// CHECK-LABEL: func @neutral_scalars(
// CHECK-NEXT:    %[[D:.*]] = blas.gemm ins({{.*}}) outs({{.*}} : tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT:    return %[[D]]
func.func @neutral_scalars(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) alpha(%one : f32) beta(%zero : f32) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @other_scalars(
// CHECK:         blas.gemm {{.*}} alpha(%{{.*}} : complex<f32>) beta(%{{.*}} : complex<f32>)
func.func @other_scalars(%a: memref<4x8xcomplex<f32>>, %b: memref<8x6xcomplex<f32>>, %c: memref<4x6xcomplex<f32>>) {
  %alpha = complex.constant [1.0 : f32, 1.0 : f32] : complex<f32>
  %beta = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  blas.gemm ins(%a, %b : memref<4x8xcomplex<f32>>, memref<8x6xcomplex<f32>>) outs(%c : memref<4x6xcomplex<f32>>) alpha(%alpha : complex<f32>) beta(%beta : complex<f32>)
  return
}

// -----

// CHECK-LABEL: func @neutral_complex(
// CHECK-NEXT:    blas.gemm opA<c> ins({{.*}}) outs(%{{[^)]*}}){{$}}
func.func @neutral_complex(%a: memref<8x4xcomplex<f64>>, %b: memref<8x6xcomplex<f64>>, %c: memref<4x6xcomplex<f64>>) {
  %alpha = complex.constant [1.0 : f64, 0.0 : f64] : complex<f64>
  %beta = complex.constant [0.0 : f64, -0.0 : f64] : complex<f64>
  blas.gemm opA<c> ins(%a, %b : memref<8x4xcomplex<f64>>, memref<8x6xcomplex<f64>>) outs(%c : memref<4x6xcomplex<f64>>) alpha(%alpha : complex<f64>) beta(%beta : complex<f64>)
  return
}

// -----

// Reals have no conjugate.
// CHECK-LABEL: func @conjugated_reals(
// CHECK-NEXT:    blas.gemm opA<t> ins(
func.func @conjugated_reals(%a: memref<8x4xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  blas.gemm opA<c> opB<j> ins(%a, %b : memref<8x4xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// With a real A and a complex B only B is conjugated.
// CHECK-LABEL: func @conjugated_mixed(
// CHECK-NEXT:    blas.gemm opB<j> ins(
func.func @conjugated_mixed(%a: memref<4x8xf32>, %b: memref<8x6xcomplex<f32>>, %c: memref<4x6xcomplex<f32>>) {
  blas.gemm opA<j> opB<j> ins(%a, %b : memref<4x8xf32>, memref<8x6xcomplex<f32>>) outs(%c : memref<4x6xcomplex<f32>>)
  return
}

// -----

// A transposed twice is A; the adjoint of a transposed matrix is its conjugate.
// CHECK-LABEL: func @transpose_of_transpose(
// CHECK-SAME:    %[[A:.*]]: tensor<2x4x8xcomplex<f32>>, %[[B:.*]]: tensor<2x8x6xcomplex<f32>>
// CHECK-NEXT:    blas.gemm opB<j> ins(%[[A]], %[[B]] :
func.func @transpose_of_transpose(%a: tensor<2x4x8xcomplex<f32>>, %b: tensor<2x8x6xcomplex<f32>>, %c: tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>> {
  %ea = tensor.empty() : tensor<2x8x4xcomplex<f32>>
  %at = linalg.transpose ins(%a : tensor<2x4x8xcomplex<f32>>) outs(%ea : tensor<2x8x4xcomplex<f32>>) permutation = [0, 2, 1]
  %eb = tensor.empty() : tensor<2x6x8xcomplex<f32>>
  %bt = linalg.transpose ins(%b : tensor<2x8x6xcomplex<f32>>) outs(%eb : tensor<2x6x8xcomplex<f32>>) permutation = [0, 2, 1]
  %d = blas.gemm opA<t> opB<c> ins(%at, %bt : tensor<2x8x4xcomplex<f32>>, tensor<2x6x8xcomplex<f32>>) outs(%c : tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  return %d : tensor<2x4x6xcomplex<f32>>
}

// -----

// A transposition that moves the batch is not op(A).
// CHECK-LABEL: func @batch_transpose(
// CHECK:         linalg.transpose
// CHECK:         blas.gemm ins(
func.func @batch_transpose(%a: tensor<4x2x8xf32>, %b: tensor<8x6xf32>, %c: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %at = linalg.transpose ins(%a : tensor<4x2x8xf32>) outs(%e : tensor<2x4x8xf32>) permutation = [1, 0, 2]
  %d = blas.gemm ins(%at, %b : tensor<2x4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %d : tensor<2x4x6xf32>
}

// -----

// CHECK-LABEL: func @transposed_view(
// CHECK-SAME:    %[[A:.*]]: memref<8x4xf32>, %[[B:.*]]: memref<8x6xf32>
// CHECK-NEXT:    blas.gemm opA<t> ins(%[[A]], %[[B]] : memref<8x4xf32>, memref<8x6xf32>)
func.func @transposed_view(%a: memref<8x4xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  %at = memref.transpose %a (i, j) -> (j, i) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  blas.gemm ins(%at, %b : memref<4x8xf32, strided<[1, 4]>>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// Sizes that a cast hides come back; sizes that a cast promises stay.
// CHECK-LABEL: func @casts(
// CHECK:         %[[B:.*]] = memref.cast
// CHECK-NEXT:    blas.gemm ins(%{{.*}}, %[[B]] : memref<4x8xf32>, memref<8x6xf32>) outs(%{{.*}} : memref<4x6xf32>)
func.func @casts(%a: memref<4x8xf32>, %b: memref<?x?xf32>, %c: memref<4x6xf32>) {
  %ca = memref.cast %a : memref<4x8xf32> to memref<?x?xf32>
  %cb = memref.cast %b : memref<?x?xf32> to memref<8x6xf32>
  %cc = memref.cast %c : memref<4x6xf32> to memref<4x?xf32>
  blas.gemm ins(%ca, %cb : memref<?x?xf32>, memref<8x6xf32>) outs(%cc : memref<4x?xf32>)
  return
}

// -----

// CHECK-LABEL: func @tensor_casts(
// CHECK:         blas.gemm ins({{.*}} : tensor<4x8xf32>, tensor<8x6xf32>) outs({{.*}} : tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @tensor_casts(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<?x?xf32> {
  %ca = tensor.cast %a : tensor<4x8xf32> to tensor<?x?xf32>
  %cc = tensor.cast %c : tensor<4x6xf32> to tensor<?x?xf32>
  %d = blas.gemm ins(%ca, %b : tensor<?x?xf32>, tensor<8x6xf32>) outs(%cc : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// -----

// alpha = 0 without beta: zeros, and none of A, B, C is read.
// CHECK-LABEL: func @zero_alpha(
// CHECK-SAME:    %[[C:[^:]*]]: memref<4x6xf32>)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    linalg.fill ins(%[[ZERO]] : f32) outs(%[[C]] : memref<4x6xf32>)
// CHECK-NEXT:    return
func.func @zero_alpha(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) alpha(%zero : f32)
  return
}

// -----

// K = 0 with beta = 1: C stays.
// CHECK-LABEL: func @empty_k(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<4x6xf32>)
// CHECK-NEXT:    return %[[C]]
func.func @empty_k(%a: tensor<4x0xf32>, %b: tensor<0x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %one = arith.constant 1.0 : f32
  %d = blas.gemm ins(%a, %b : tensor<4x0xf32>, tensor<0x6xf32>) outs(%c : tensor<4x6xf32>) beta(%one : f32) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// K = 0 with any beta: scaled in the accumulator type; beta = 0 keeps a NaN of C out.
// CHECK-LABEL: func @scaled(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<4x6xf16>, %[[BETA:.*]]: f32)
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         linalg.generic {{.*}} outs(%[[C]] : tensor<4x6xf16>)
// CHECK:           %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:           %[[PRODUCT:.*]] = arith.mulf %[[BETA]], %[[WIDE]] : f32
// CHECK:           %[[COUNTS:.*]] = arith.cmpf une, %[[BETA]], %[[ZERO]] : f32
// CHECK:           %[[CHOSEN:.*]] = arith.select %[[COUNTS]], %[[PRODUCT]], %[[ZERO]] : f32
// CHECK:           arith.truncf %[[CHOSEN]] : f32 to f16
func.func @scaled(%a: tensor<4x0xf16>, %b: tensor<0x6xf16>, %c: tensor<4x6xf16>, %beta: f32) -> tensor<4x6xf16> {
  %d = blas.gemm ins(%a, %b : tensor<4x0xf16>, tensor<0x6xf16>) outs(%c : tensor<4x6xf16>) beta(%beta : f32) -> tensor<4x6xf16>
  return %d : tensor<4x6xf16>
}

// -----

// CHECK-LABEL: func @scaled_complex(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : memref<4x6xcomplex<f32>>)
// CHECK:           complex.mul %{{.*}}, %{{.*}} : complex<f64>
// CHECK:           arith.truncf
// CHECK:           complex.create
func.func @scaled_complex(%a: memref<4x0xcomplex<f32>>, %b: memref<0x6xcomplex<f32>>, %c: memref<4x6xcomplex<f32>>, %beta: complex<f64>) {
  blas.gemm acc(complex<f64>) ins(%a, %b : memref<4x0xcomplex<f32>>, memref<0x6xcomplex<f32>>) outs(%c : memref<4x6xcomplex<f32>>) beta(%beta : complex<f64>)
  return
}

// -----

// No rows: nothing to do, whatever the rest.
// CHECK-LABEL: func @empty_m(
// CHECK-NEXT:    return
func.func @empty_m(%a: memref<0x8xf32>, %b: memref<8x6xf32>, %c: memref<0x6xf32>, %alpha: f32) {
  blas.gemm ins(%a, %b : memref<0x8xf32>, memref<8x6xf32>) outs(%c : memref<0x6xf32>) alpha(%alpha : f32)
  return
}

// -----

// CHECK-LABEL: func @empty_batch(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<0x4x6xf32>)
// CHECK-NEXT:    return %[[C]]
func.func @empty_batch(%a: tensor<0x4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<0x4x6xf32>) -> tensor<0x4x6xf32> {
  %d = blas.gemm ins(%a, %b : tensor<0x4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<0x4x6xf32>) -> tensor<0x4x6xf32>
  return %d : tensor<0x4x6xf32>
}

// -----

// An unused result of tensors goes; a product into a buffer stays.
// CHECK-LABEL: func @unused(
// CHECK-NOT:     -> tensor
// CHECK:         blas.gemm {{.*}} outs(%{{.*}} : memref<4x6xf32>)
func.func @unused(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %am: memref<4x8xf32>, %bm: memref<8x6xf32>, %cm: memref<4x6xf32>) {
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  blas.gemm ins(%am, %bm : memref<4x8xf32>, memref<8x6xf32>) outs(%cm : memref<4x6xf32>)
  return
}
