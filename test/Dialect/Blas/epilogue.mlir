// A function that is applied before the store: printed as it is read, in bytecode as well, and written out where
// there is no product.
// RUN: gemm-opt %s -o %t.mlir && gemm-opt %t.mlir | diff %t.mlir - && FileCheck %s < %t.mlir
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | diff %t.mlir -
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --check-prefix=BUFFER

// The bias of a column, a scalar and a residual.
// CHECK-LABEL: func.func @bias
// CHECK-SAME: (%[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x48xf32>, %[[C:.*]]: tensor<64x48xf32>, %[[BIAS:.*]]: tensor<48xf32>, %[[R:.*]]: tensor<64x48xf16>, %[[S:.*]]: f32)
// CHECK: blas.gemm ins(%[[A]], %[[B]] : tensor<64x32xf32>, tensor<32x48xf32>) outs(%[[C]] : tensor<64x48xf32>) -> tensor<64x48xf32> epilogue(%[[SUM:.*]]: f32, %[[X:.*]] = %[[BIAS]][1] : tensor<48xf32>, %[[Y:.*]] = %[[R]][0, 1] : tensor<64x48xf16>, %[[Z:.*]] = %[[S]] : f32) {
// CHECK-NEXT:   %[[T:.*]] = arith.addf %[[SUM]], %[[X]] : f32
// CHECK-NEXT:   %[[W:.*]] = arith.extf %[[Y]] : f16 to f32
// CHECK-NEXT:   %[[U:.*]] = arith.addf %[[T]], %[[W]] : f32
// CHECK-NEXT:   %[[V:.*]] = arith.mulf %[[U]], %[[Z]] : f32
// CHECK-NEXT:   blas.yield %[[V]] : f32
// BUFFER-LABEL: func.func @bias
// BUFFER: blas.gemm ins({{.*}} : memref<64x32xf32>, memref<32x48xf32>) outs({{.*}} : memref<64x48xf32>) epilogue(%{{.*}}: f32, %{{.*}} = %{{.*}}[1] : memref<48xf32>, %{{.*}} = %{{.*}}[0, 1] : memref<64x48xf16>, %{{.*}} = %{{.*}} : f32) {
func.func @bias(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>, %bias: tensor<48xf32>, %r: tensor<64x48xf16>, %s: f32) -> tensor<64x48xf32> {
  %d = blas.gemm ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>) outs(%c : tensor<64x48xf32>) -> tensor<64x48xf32>
    epilogue(%sum: f32, %x = %bias[1] : tensor<48xf32>, %y = %r[0, 1] : tensor<64x48xf16>, %z = %s : f32) {
      %0 = arith.addf %sum, %x : f32
      %1 = arith.extf %y : f16 to f32
      %2 = arith.addf %0, %1 : f32
      %3 = arith.mulf %2, %z : f32
      blas.yield %3 : f32
    }
  return %d : tensor<64x48xf32>
}

// Constants stay inside; a function that yields the sum goes, and an operand that it does not use.
// CANON-LABEL: func.func @unused
// CANON: blas.gemm {{.*}} epilogue(%[[SUM:.*]]: f32) {
// CANON-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CANON-NEXT: arith.maximumf %[[SUM]], %[[ZERO]]
// CANON: blas.gemm
// CANON-NOT: epilogue
// CANON: return
func.func @unused(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>, %bias: memref<48xf32>) {
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
    epilogue(%sum: f32, %x = %bias[1] : memref<48xf32>) {
      %zero = arith.constant 0.0 : f32
      %0 = arith.maximumf %sum, %zero : f32
      blas.yield %0 : f32
    }
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
    epilogue(%sum: f32, %x = %bias[1] : memref<48xf32>) {
      blas.yield %sum : f32
    }
  return
}

// K = 0: the function of beta * C, here of zeros.
// CANON-LABEL: func.func @nothing
// CANON-SAME: (%{{.*}}: memref<8x0xf16>, %{{.*}}: memref<0x4xf16>, %[[C:.*]]: memref<8x4xf16>, %[[BIAS:.*]]: memref<8xf32>)
// CANON: linalg.generic {{.*}} ins(%[[BIAS]] : memref<8xf32>) outs(%[[C]] : memref<8x4xf16>)
// CANON-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f16):
// CANON-NEXT: %[[T:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CANON-NEXT: %[[U:.*]] = arith.truncf %[[T]] : f32 to f16
// CANON-NEXT: linalg.yield %[[U]]
func.func @nothing(%a: memref<8x0xf16>, %b: memref<0x4xf16>, %c: memref<8x4xf16>, %bias: memref<8xf32>) {
  blas.gemm ins(%a, %b : memref<8x0xf16>, memref<0x4xf16>) outs(%c : memref<8x4xf16>)
    epilogue(%sum: f32, %x = %bias[0] : memref<8xf32>) {
      %0 = arith.addf %x, %sum : f32
      blas.yield %0 : f32
    }
  return
}

// A batch shares a residual; sums of slices have an epilogue, too.
// CHECK-LABEL: func.func @batch
// CHECK: epilogue(%{{.*}}: complex<f32>, %{{.*}} = %{{.*}}[1, 2] : memref<8x4xcomplex<f32>>) {
// CHECK: blas.reduce ins({{.*}}) outs({{.*}}) epilogue(%{{.*}}: f32) {
func.func @batch(%a: memref<3x8x5xcomplex<f32>>, %b: memref<5x4xf32>, %c: memref<3x8x4xcomplex<f32>>, %r: memref<8x4xcomplex<f32>>,
                 %w: memref<2x8x4xf32>, %s: memref<8x4xf32>) {
  blas.gemm ins(%a, %b : memref<3x8x5xcomplex<f32>>, memref<5x4xf32>) outs(%c : memref<3x8x4xcomplex<f32>>)
    epilogue(%sum: complex<f32>, %x = %r[1, 2] : memref<8x4xcomplex<f32>>) {
      %0 = complex.sub %sum, %x : complex<f32>
      blas.yield %0 : complex<f32>
    }
  blas.reduce ins(%w : memref<2x8x4xf32>) outs(%s : memref<8x4xf32>)
    epilogue(%sum: f32) {
      %0 = math.tanh %sum : f32
      blas.yield %0 : f32
    }
  return
}
