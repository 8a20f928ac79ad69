// RUN: gemm-opt %s --canonicalize | FileCheck %s

// alpha = 1, beta = 0 and casts that only hide sizes go away; op of real numbers stays.
// CHECK-LABEL: func @scalars(
// CHECK-SAME:    %[[A:.*]]: memref<6x4xf32>, %[[C:.*]]: memref<6x6xf32>)
// CHECK-NEXT:    blas.syrk uplo<lower> ins(%[[A]] : memref<6x4xf32>) outs(%[[C]] : memref<6x6xf32>){{$}}
// CHECK-NEXT:    return
func.func @scalars(%a: memref<6x4xf32>, %c: memref<6x6xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %hidden = memref.cast %a : memref<6x4xf32> to memref<?x?xf32>
  blas.syrk uplo<lower> ins(%hidden : memref<?x?xf32>) outs(%c : memref<6x6xf32>) alpha(%one : f32) beta(%zero : f32)
  return
}

// CHECK-LABEL: func @empty(
// CHECK-NEXT:    return
func.func @empty(%a: memref<0x4xf32>, %c: memref<0x0xf32>, %t: memref<0x0xf64>) {
  blas.syrk uplo<lower> ins(%a : memref<0x4xf32>) outs(%c : memref<0x0xf32>)
  blas.trtri uplo<lower> outs(%t : memref<0x0xf64>)
  return
}

// A product of nothing would fill, or scale, both triangles: its kernel does it. Batches of triangles stay batches.
// CHECK-LABEL: func @products(
// CHECK:         blas.gemm opB<t> triangle<lower> ins
// CHECK:         blas.gemm triangle<upper> ins(%{{.*}} : memref<3x6x4xf32>, memref<4x6xf32>)
func.func @products(%a: memref<6x0xf32>, %c: memref<6x6xf32>, %b: memref<3x6x4xf32>, %s: memref<4x6xf32>, %d: memref<3x6x6xf32>) {
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<6x0xf32>, memref<6x0xf32>) outs(%c : memref<6x6xf32>)
  blas.gemm triangle<upper> ins(%b, %s : memref<3x6x4xf32>, memref<4x6xf32>) outs(%d : memref<3x6x6xf32>)
  return
}
