// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s

// CHECK-LABEL: func @forms
func.func @forms(%a: memref<8x8xf64>, %b: memref<8x6xf64>, %c: memref<8x6xf64>, %alpha: f64) {
  // CHECK: blas.trmm side<left> uplo<lower> ins(%{{.*}} : memref<8x8xf64>) outs(%{{.*}} : memref<8x6xf64>){{$}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf64>) outs(%b : memref<8x6xf64>)
  // CHECK: blas.trsm side<left> uplo<upper> ins(%{{.*}}, %{{.*}} : memref<8x8xf64>, memref<8x6xf64>) outs(%{{.*}} : memref<8x6xf64>) alpha(%{{.*}} : f64)
  blas.trsm side<left> uplo<upper> ins(%a, %b : memref<8x8xf64>, memref<8x6xf64>) outs(%c : memref<8x6xf64>) alpha(%alpha : f64)
  return
}

// CHECK-LABEL: func @right
func.func @right(%a: memref<6x6xcomplex<f32>>, %b: memref<8x6xcomplex<f32>>) {
  // CHECK: blas.trsm side<right> uplo<lower> opA<c> diag<unit> ins
  blas.trsm side<right> uplo<lower> opA<c> diag<unit> ins(%a : memref<6x6xcomplex<f32>>) outs(%b : memref<8x6xcomplex<f32>>)
  // CHECK: blas.trmm side<right> uplo<upper> ins
  blas.trmm side<right> uplo<upper> opA<n> diag<nonunit> ins(%a : memref<6x6xcomplex<f32>>) outs(%b : memref<8x6xcomplex<f32>>)
  return
}

// CHECK-LABEL: func @tensors
func.func @tensors(%a: tensor<6x6xf16>, %b: tensor<8x6xf16>, %c: tensor<8x6xf16>, %alpha: f32) -> (tensor<8x6xf16>, tensor<8x6xf16>) {
  // CHECK: blas.trmm side<right> uplo<lower> opA<t> ins(%{{.*}} : tensor<6x6xf16>) outs(%{{.*}} : tensor<8x6xf16>) alpha(%{{.*}} : f32) -> tensor<8x6xf16>
  %0 = blas.trmm side<right> uplo<lower> opA<t> ins(%a : tensor<6x6xf16>) outs(%b : tensor<8x6xf16>) alpha(%alpha : f32) -> tensor<8x6xf16>
  // CHECK: blas.trsm side<right> uplo<lower> opA<j> ins(%{{.*}}, %{{.*}} : tensor<6x6xf16>, tensor<8x6xf16>) outs(%{{.*}} : tensor<8x6xf16>) -> tensor<8x6xf16>
  %1 = blas.trsm side<right> uplo<lower> opA<j> ins(%a, %0 : tensor<6x6xf16>, tensor<8x6xf16>) outs(%c : tensor<8x6xf16>) -> tensor<8x6xf16>
  return %0, %1 : tensor<8x6xf16>, tensor<8x6xf16>
}

// A batch of two dimensions; A is the same for all of it. Any stride, any size.
// CHECK-LABEL: func @batches
func.func @batches(%a: memref<?x?xf32, strided<[1, ?], offset: ?>>, %d: memref<2x3x4x4xbf16>, %b: memref<2x3x?x8xf32, strided<[?, ?, ?, ?], offset: ?>>, %e: memref<2x3x4x?xbf16>) {
  // CHECK: blas.trsm side<left> uplo<lower> ins(%{{.*}} : memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%{{.*}} : memref<2x3x?x8xf32, strided<[?, ?, ?, ?], offset: ?>>)
  blas.trsm side<left> uplo<lower> ins(%a : memref<?x?xf32, strided<[1, ?], offset: ?>>) outs(%b : memref<2x3x?x8xf32, strided<[?, ?, ?, ?], offset: ?>>)
  // CHECK: blas.trmm side<left> uplo<lower> ins(%{{.*}} : memref<2x3x4x4xbf16>) outs(%{{.*}} : memref<2x3x4x?xbf16>)
  blas.trmm side<left> uplo<lower> ins(%d : memref<2x3x4x4xbf16>) outs(%e : memref<2x3x4x?xbf16>)
  return
}

// CHECK-LABEL: func @planned
func.func @planned(%a: memref<64x64xf32>, %b: memref<64x6xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 16, workgroup = 128>)
  blas.trsm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x6xf32>) plan(<diagonal = 16, workgroup = 128>)
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 0>)
  blas.trsm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x6xf32>) plan(#blas.blocks<diagonal = 0, workgroup = 64>)
  return
}

// Sizes may be 0.
// CHECK-LABEL: func @empty
func.func @empty(%a: memref<0x0xf32>, %b: memref<0x6xf32>) {
  // CHECK: blas.trsm
  blas.trsm side<left> uplo<lower> ins(%a : memref<0x0xf32>) outs(%b : memref<0x6xf32>)
  return
}

// A real triangle beside complex matrices.
// CHECK-LABEL: func @real_triangle
func.func @real_triangle(%a: memref<8x8xf64>, %b: memref<8x6xcomplex<f64>>, %alpha: complex<f64>) {
  // CHECK: blas.trsm side<left> uplo<lower> ins(%{{.*}} : memref<8x8xf64>) outs(%{{.*}} : memref<8x6xcomplex<f64>>) alpha(%{{.*}} : complex<f64>)
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf64>) outs(%b : memref<8x6xcomplex<f64>>) alpha(%alpha : complex<f64>)
  return
}
