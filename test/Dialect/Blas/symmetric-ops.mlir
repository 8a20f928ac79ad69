// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s

// CHECK-LABEL: func @updates
func.func @updates(%a: memref<6x4xf32>, %b: memref<6x4xf32>, %c: memref<6x6xf32>, %alpha: f32) {
  // CHECK: blas.syrk uplo<lower> ins(%{{.*}} : memref<6x4xf32>) outs(%{{.*}} : memref<6x6xf32>){{$}}
  blas.syrk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf32>)
  // CHECK: blas.syr2k uplo<upper> ins(%{{.*}}, %{{.*}} : memref<6x4xf32>, memref<6x4xf32>) outs(%{{.*}} : memref<6x6xf32>) alpha(%{{.*}} : f32) beta(%{{.*}} : f32){{$}}
  blas.syr2k uplo<upper> op<n> ins(%a, %b : memref<6x4xf32>, memref<6x4xf32>) outs(%c : memref<6x6xf32>) alpha(%alpha : f32) beta(%alpha : f32)
  return
}

// A batch on tensors; alpha of blas.herk is real, that of blas.her2k is not.
// CHECK-LABEL: func @hermitian
func.func @hermitian(%a: tensor<?x4x6xcomplex<f64>>, %c: tensor<?x6x6xcomplex<f64>>, %re: f64, %z: complex<f64>) -> tensor<?x6x6xcomplex<f64>> {
  // CHECK: blas.herk uplo<upper> op<c> ins(%{{.*}} : tensor<?x4x6xcomplex<f64>>) outs(%{{.*}} : tensor<?x6x6xcomplex<f64>>) alpha(%{{.*}} : f64) -> tensor<?x6x6xcomplex<f64>>
  %d = blas.herk uplo<upper> op<c> ins(%a : tensor<?x4x6xcomplex<f64>>) outs(%c : tensor<?x6x6xcomplex<f64>>) alpha(%re : f64) -> tensor<?x6x6xcomplex<f64>>
  // CHECK: blas.her2k uplo<lower> op<c> ins({{.*}}) outs({{.*}}) alpha(%{{.*}} : complex<f64>) beta(%{{.*}} : f64) -> tensor<?x6x6xcomplex<f64>>
  %e = blas.her2k uplo<lower> op<c> ins(%a, %a : tensor<?x4x6xcomplex<f64>>, tensor<?x4x6xcomplex<f64>>) outs(%d : tensor<?x6x6xcomplex<f64>>) alpha(%z : complex<f64>) beta(%re : f64) -> tensor<?x6x6xcomplex<f64>>
  return %e : tensor<?x6x6xcomplex<f64>>
}

// CHECK-LABEL: func @products
func.func @products(%a: memref<8x8xcomplex<f32>>, %b: memref<8x6xcomplex<f32>>, %c: memref<8x6xcomplex<f32>>, %s: memref<?x?xf16>, %t: memref<?x?xf16>, %u: memref<?x?xf16>) {
  // CHECK: blas.hemm side<left> uplo<lower> ins(%{{.*}}, %{{.*}} : memref<8x8xcomplex<f32>>, memref<8x6xcomplex<f32>>) outs(%{{.*}} : memref<8x6xcomplex<f32>>)
  blas.hemm side<left> uplo<lower> ins(%a, %b : memref<8x8xcomplex<f32>>, memref<8x6xcomplex<f32>>) outs(%c : memref<8x6xcomplex<f32>>)
  // CHECK: blas.symm side<right> uplo<upper> ins(%{{.*}}, %{{.*}} : memref<?x?xf16>, memref<?x?xf16>) outs(%{{.*}} : memref<?x?xf16>)
  blas.symm side<right> uplo<upper> ins(%s, %t : memref<?x?xf16>, memref<?x?xf16>) outs(%u : memref<?x?xf16>)
  return
}

// CHECK-LABEL: func @inverses
func.func @inverses(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // CHECK: blas.trtri uplo<lower> ins(%{{.*}} : memref<8x8xf32>) outs(%{{.*}} : memref<8x8xf32>)
  blas.trtri uplo<lower> ins(%a : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  // CHECK: blas.trtri uplo<upper> diag<unit> outs(%{{.*}} : memref<8x8xf32>)
  blas.trtri uplo<upper> diag<unit> outs(%a : memref<8x8xf32>)
  return
}

// One triangle of a product, and of a sum of slices.
// CHECK-LABEL: func @triangles
func.func @triangles(%a: memref<6x4xcomplex<f32>>, %c: memref<6x6xcomplex<f32>>, %w: memref<3x6x6xcomplex<f32>>) {
  // CHECK: blas.gemm opB<c> triangle<lower> realDiagonal ins
  blas.gemm opB<c> triangle<lower> realDiagonal ins(%a, %a : memref<6x4xcomplex<f32>>, memref<6x4xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>)
  // CHECK: blas.gemm opB<t> partial triangle<upper> ins
  blas.gemm opB<t> partial triangle<upper> ins(%a, %a : memref<6x4xcomplex<f32>>, memref<6x4xcomplex<f32>>) outs(%w : memref<3x6x6xcomplex<f32>>)
  // CHECK: blas.reduce compensated triangle<upper> realDiagonal ins
  blas.reduce compensated triangle<upper> realDiagonal ins(%w : memref<3x6x6xcomplex<f32>>) outs(%c : memref<6x6xcomplex<f32>>)
  return
}
