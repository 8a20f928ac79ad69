// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: gemm-opt %s -emit-bytecode | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

// CHECK-LABEL: func @transposed
// CHECK: blas.pack op<t> ins(%{{.*}} : memref<1023x512xf32>) outs(%{{.*}} : memref<512x1024xf32>) plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
func.func @transposed(%a: memref<1023x512xf32>, %w: memref<512x1024xf32>) {
  blas.pack op<t> ins(%a : memref<1023x512xf32>) outs(%w : memref<512x1024xf32>)
    plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
  return
}

// CHECK-LABEL: func @batch
// CHECK: blas.pack ins(%{{.*}} : memref<?x?x?xf64>) outs(%{{.*}} : memref<?x?x?xf64>) aligned(2)
func.func @batch(%a: memref<?x?x?xf64>, %w: memref<?x?x?xf64>) {
  blas.pack ins(%a : memref<?x?x?xf64>) outs(%w : memref<?x?x?xf64>) aligned(2)
  return
}

// CHECK-LABEL: func @tensor
// CHECK: blas.pack op<t> ins(%{{.*}} : tensor<5x7xf32>) outs(%{{.*}} : tensor<7x8xf32>) -> tensor<7x8xf32>
// BUFFER-LABEL: func @tensor
// BUFFER: blas.pack op<t> ins(%{{.*}} : memref<5x7xf32>) outs(%{{.*}} : memref<7x8xf32>)
func.func @tensor(%a: tensor<5x7xf32>, %w: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %0 = blas.pack op<t> ins(%a : tensor<5x7xf32>) outs(%w : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// Casts that only hide sizes go, and so does a copy of nothing.
// FOLD-LABEL: func @cast
// FOLD-NOT:   memref.cast
// FOLD:       blas.pack ins(%{{.*}} : memref<5x8xf32>) outs(%{{.*}} : memref<5x8xf32>)
// FOLD-LABEL: func @nothing
// FOLD-NEXT:  return
func.func @cast(%a: memref<5x8xf32>, %w: memref<5x8xf32>) {
  %0 = memref.cast %a : memref<5x8xf32> to memref<?x?xf32>
  blas.pack ins(%0 : memref<?x?xf32>) outs(%w : memref<5x8xf32>)
  return
}
func.func @nothing(%a: memref<0x8xf32>, %w: memref<0x8xf32>) {
  blas.pack ins(%a : memref<0x8xf32>) outs(%w : memref<0x8xf32>)
  return
}

// A product whose operands are longer than C.
// CHECK-LABEL: func @padded
// CHECK: blas.gemm opA<t> padded ins(%{{.*}}, %{{.*}} : memref<8x64xf32>, memref<8x32xf32>) outs(%{{.*}} : memref<63x30xf32>)
func.func @padded(%a: memref<8x64xf32>, %b: memref<8x32xf32>, %c: memref<63x30xf32>) {
  blas.gemm opA<t> padded ins(%a, %b : memref<8x64xf32>, memref<8x32xf32>) outs(%c : memref<63x30xf32>)
  return
}

// CHECK-LABEL: func @plan
// CHECK: a = <via = shared, vector = 4, pack = 1>
func.func @plan(%a: memref<64x8xf32>, %b: memref<8x32xf32>, %c: memref<64x32xf32>) {
  blas.gemm ins(%a, %b : memref<64x8xf32>, memref<8x32xf32>) outs(%c : memref<64x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, vector = 4, pack = 1>, b = <via = shared>>)
  return
}

// CHECK-LABEL: func @structure
// CHECK:         blas.pack op<t> structure<unit_lower> ins(%{{.*}} : memref<8x8xf32>) outs(%{{.*}} : memref<8x8xf32>)
func.func @structure(%a: memref<8x8xf32>, %w: memref<8x8xf32>) {
  blas.pack op<t> structure<unit_lower> ins(%a : memref<8x8xf32>) outs(%w : memref<8x8xf32>)
  return
}
