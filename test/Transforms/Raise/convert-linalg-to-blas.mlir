// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file | FileCheck %s

// Zeros under the product: no beta, and the fill is gone.
// CHECK-LABEL: func @zero_init(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x6xf32>
func.func @zero_init(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  // CHECK: %[[C:.*]] = tensor.empty() : tensor<4x6xf32>
  // CHECK-NOT: linalg
  // CHECK: blas.gemm ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x6xf32>) outs(%[[C]] : tensor<4x6xf32>) -> tensor<4x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @negative_zero(
func.func @negative_zero(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  // CHECK: blas.gemm {{.*}} outs({{.*}}) -> tensor<4x6xf32>
  %zero = arith.constant -0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @zero_constant(
func.func @zero_constant(%a: tensor<4x8xf64>, %b: tensor<8x6xf64>) -> tensor<4x6xf64> {
  // CHECK: %[[C:.*]] = tensor.empty() : tensor<4x6xf64>
  // CHECK: blas.gemm {{.*}} outs(%[[C]] : tensor<4x6xf64>) -> tensor<4x6xf64>
  %c = arith.constant dense<0.0> : tensor<4x6xf64>
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf64>, tensor<8x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %d : tensor<4x6xf64>
}

// -----

// Zeros that others read too stay; the product writes elsewhere.
// CHECK-LABEL: func @shared_zeros(
func.func @shared_zeros(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[EMPTY:.*]] = tensor.empty()
  // CHECK: %[[ZEROS:.*]] = linalg.fill
  // CHECK: %[[D:.*]] = blas.gemm {{.*}} outs(%[[EMPTY]] : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: return %[[D]], %[[ZEROS]]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d, %c : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @add_to_c(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<?x?xf32>)
func.func @add_to_c(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: blas.gemm {{.*}} outs(%[[C]] : tensor<?x?xf32>) beta(%[[ONE]] : f32) -> tensor<?x?xf32>
  %d = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// -----

// Another constant is content like any other.
// CHECK-LABEL: func @add_to_two(
func.func @add_to_two(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[TWOS:.*]] = linalg.fill
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: blas.gemm {{.*}} outs(%[[TWOS]] : tensor<4x4xf32>) beta(%[[ONE]] : f32) -> tensor<4x4xf32>
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %c = linalg.fill ins(%two : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %d = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func @transposed_a(
func.func @transposed_a(%a: tensor<8x4xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: blas.gemm opA<t> ins
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x4xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @transposed_b(
func.func @transposed_b(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: blas.gemm opB<t> ins
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<6x8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @transposed_both(
func.func @transposed_both(%a: tensor<8x4xf32>, %b: tensor<6x8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: blas.gemm opA<t> opB<t> ins
  %d = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x4xf32>, tensor<6x8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// C^T = B^T A^T: the operands change places.
// CHECK-LABEL: func @transposed_c(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x6xf32>
func.func @transposed_c(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6x4xf32>) -> tensor<6x4xf32> {
  // CHECK: blas.gemm opA<t> opB<t> ins(%[[B]], %[[A]] :
  %d = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %d : tensor<6x4xf32>
}

// -----

// Loop names carry no meaning.
// CHECK-LABEL: func @other_loop_order(
// CHECK-SAME:    %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x6xf32>
func.func @other_loop_order(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: blas.gemm ins(%[[A]], %[[B]] :
  %d = linalg.contract indexing_maps = [affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func @batch(
func.func @batch(%a: tensor<3x4x8xf32>, %b: tensor<3x8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  // CHECK: blas.gemm ins({{.*}} : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs
  %d = linalg.batch_matmul ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// One B for the whole batch, and A transposed.
// CHECK-LABEL: func @batch_broadcast(
func.func @batch_broadcast(%a: tensor<3x8x4xf32>, %b: tensor<8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  // CHECK: blas.gemm opA<t> ins({{.*}} : tensor<3x8x4xf32>, tensor<8x6xf32>) outs
  %d = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<3x8x4xf32>, tensor<8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// One B for both batch dimensions: they and the rows are the rows of one taller matrix.
// CHECK-LABEL: func @two_batches(
func.func @two_batches(%a: memref<2x3x4x8xf32>, %b: memref<6x8xf32>, %c: memref<2x3x4x6xf32>) {
  // CHECK: %[[A:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]]
  // CHECK: %[[C:.*]] = memref.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]]
  // CHECK: blas.gemm opB<t> ins(%[[A]], %{{.*}} : memref<24x8xf32>, memref<6x8xf32>) outs(%[[C]] : memref<24x6xf32>) beta
  linalg.contract indexing_maps = [affine_map<(b0, b1, m, n, k) -> (b0, b1, m, k)>, affine_map<(b0, b1, m, n, k) -> (n, k)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, m, n)>]
    ins(%a, %b : memref<2x3x4x8xf32>, memref<6x8xf32>) outs(%c : memref<2x3x4x6xf32>)
  return
}

// -----

// A buffer filled just before holds zeros; what lies between touches no memory.
// CHECK-LABEL: func @memref_zeros(
// CHECK-NOT:     linalg.fill
// CHECK:         blas.gemm ins({{.*}}) outs(%{{.*}} : memref<4x6xf32>){{$}}
func.func @memref_zeros(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) -> index {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x6xf32>)
  %i = arith.constant 3 : index
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return %i : index
}

// -----

// A store between the fill and the product may have changed C.
// CHECK-LABEL: func @memref_touched(
// CHECK:         linalg.fill
// CHECK:         memref.store
// CHECK:         blas.gemm {{.*}} beta(
func.func @memref_touched(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>, %v: f32, %i: index) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x6xf32>)
  memref.store %v, %c[%i, %i] : memref<4x6xf32>
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// CHECK-LABEL: func @transpose_producers(
// CHECK-SAME:    %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<6x8xf32>
func.func @transpose_producers(%a: tensor<8x4xf32>, %b: tensor<6x8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-NOT: linalg
  // CHECK: blas.gemm opA<t> opB<t> ins(%[[A]], %[[B]] :
  %ea = tensor.empty() : tensor<4x8xf32>
  %at = linalg.transpose ins(%a : tensor<8x4xf32>) outs(%ea : tensor<4x8xf32>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<8x6xf32>
  %bt = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<6x8xf32>) outs(%eb : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x6xf32>
  %d = linalg.matmul ins(%at, %bt : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// f16 sums in f32, so beta is f32.
// CHECK-LABEL: func @half(
func.func @half(%a: tensor<4x8xf16>, %b: tensor<8x6xf16>, %c: tensor<4x6xf16>) -> tensor<4x6xf16> {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: blas.gemm {{.*}} beta(%[[ONE]] : f32)
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf16>) outs(%c : tensor<4x6xf16>) -> tensor<4x6xf16>
  return %d : tensor<4x6xf16>
}

// -----

// CHECK-LABEL: func @mixed(
func.func @mixed(%a: tensor<4x8xbf16>, %b: tensor<8x6xf32>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  // CHECK: blas.gemm ins({{.*}} : tensor<4x8xbf16>, tensor<8x6xf32>) outs({{.*}} : tensor<4x6xf64>) beta({{.*}} : f64)
  %d = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x6xf32>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %d : tensor<4x6xf64>
}

// -----

// CHECK-LABEL: func @complex(
func.func @complex(%a: tensor<4x8xcomplex<f32>>, %b: tensor<8x6xcomplex<f32>>, %c: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
  // CHECK: %[[ONE:.*]] = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  // CHECK: blas.gemm {{.*}} beta(%[[ONE]] : complex<f32>)
  %d = linalg.matmul ins(%a, %b : tensor<4x8xcomplex<f32>>, tensor<8x6xcomplex<f32>>) outs(%c : tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %d : tensor<4x6xcomplex<f32>>
}

// -----

// This product as a linalg.generic, with A conjugated and transposed.
// CHECK-LABEL: func @generic(
func.func @generic(%a: tensor<8x4xcomplex<f64>>, %b: tensor<8x6xcomplex<f64>>, %c: tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>> {
  // CHECK: blas.gemm opA<c> ins
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<8x4xcomplex<f64>>, tensor<8x6xcomplex<f64>>) outs(%c : tensor<4x6xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: complex<f64>):
    %conj = complex.conj %x : complex<f64>
    %p = complex.mul %conj, %y : complex<f64>
    %s = complex.add %z, %p : complex<f64>
    linalg.yield %s : complex<f64>
  } -> tensor<4x6xcomplex<f64>>
  return %d : tensor<4x6xcomplex<f64>>
}

// -----

// A square: both operands are one transposed tensor, whose producer goes once.
// CHECK-LABEL: func @square(
// CHECK-NOT:     linalg
// CHECK:         blas.gemm opA<t> opB<t> ins(%[[A:.*]], %[[A]] :
func.func @square(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %d = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}

// -----

// Nothing left to raise: a second run changes nothing.
// CHECK-LABEL: func @done(
// CHECK-NEXT:    %{{.*}} = blas.gemm ins
// CHECK-NEXT:    return
func.func @done(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %d = blas.gemm ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %d : tensor<4x4xf32>
}
