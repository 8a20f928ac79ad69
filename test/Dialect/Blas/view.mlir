// A tensor under other dimensions: printed and read back, folded, and strides of its memref.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s --check-prefix=ROUND
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: gemm-opt %s --one-shot-bufferize=bufferize-function-boundaries --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s --check-prefix=ROUND

// The heads of an attention layer.
// ROUND: #[[MAP:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 * 64 + d2)>
// ROUND-LABEL: func @heads
// ROUND: blas.view %{{.*}} map #[[MAP]] : tensor<128x256xf32> to tensor<4x128x64xf32>
// CHECK-LABEL: func @heads
// CHECK-NOT: memref.copy
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [4, 128, 64], strides: [%{{.*}}, %{{.*}}, %{{.*}}]
func.func @heads(%x: tensor<128x256xf32>) -> tensor<4x128x64xf32> {
  %v = blas.view %x map affine_map<(h, s, f) -> (s, h * 64 + f)> : tensor<128x256xf32> to tensor<4x128x64xf32>
  return %v : tensor<4x128x64xf32>
}

// Strides of a buffer that is not the caller's are known.
// CHECK-LABEL: func @known_strides
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: memref.reinterpret_cast %[[T]] to offset: [0], sizes: [4, 128, 64], strides: [64, 256, 1] : memref<128x256xf32> to memref<4x128x64xf32, strided<[64, 256, 1]>>
func.func @known_strides(%b: tensor<64x32xf32>, %c: tensor<4x128x32xf32>) -> tensor<4x128x32xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %v = blas.view %x map affine_map<(h, s, f) -> (s, h * 64 + f)> : tensor<128x256xf32> to tensor<4x128x64xf32>
  %d = blas.gemm ins(%v, %b : tensor<4x128x64xf32>, tensor<64x32xf32>) outs(%c : tensor<4x128x32xf32>) -> tensor<4x128x32xf32>
  return %d : tensor<4x128x32xf32>
}

// A product writes into a view: nothing is copied.
// CHECK-LABEL: func @output
// CHECK-NOT: memref.copy
// CHECK: %[[C:.*]] = memref.alloc() {{.*}}: memref<5x3x7xf32>
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [3, 5, 7], strides: [7, 21, 1]
// CHECK: blas.gemm ins({{.*}}) outs(%[[V]] :
// CHECK-NOT: memref.copy
func.func @output(%a: tensor<3x5x8xf32>, %b: tensor<3x8x7xf32>) -> tensor<5x3x7xf32> {
  %e = tensor.empty() : tensor<5x3x7xf32>
  %v = blas.view %e map affine_map<(h, m, n) -> (m, h, n)> : tensor<5x3x7xf32> to tensor<3x5x7xf32>
  %d = blas.gemm ins(%a, %b : tensor<3x5x8xf32>, tensor<3x8x7xf32>) outs(%v : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  %r = blas.view %d map affine_map<(m, h, n) -> (h, m, n)> : tensor<3x5x7xf32> to tensor<5x3x7xf32>
  return %r : tensor<5x3x7xf32>
}

// FOLD: #[[WINDOW:.*]] = affine_map<(d0, d1, d2) -> (d2, d0 * 2 + d1)>
// FOLD-LABEL: func @identity
// FOLD-NEXT: return %arg0
func.func @identity(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %v = blas.view %x sizes(%n) map affine_map<(i, j) -> (i, j)> : tensor<?x8xf32> to tensor<?x8xf32>
  return %v : tensor<?x8xf32>
}

// A window of a permutation is one view.
// FOLD-LABEL: func @composed
// FOLD-NEXT: blas.view %arg0 map #[[WINDOW]] : tensor<4x9xf32> to tensor<4x3x4xf32>
// FOLD-NEXT: return
func.func @composed(%x: tensor<4x9xf32>) -> tensor<4x3x4xf32> {
  %t = blas.view %x map affine_map<(i, j) -> (j, i)> : tensor<4x9xf32> to tensor<9x4xf32>
  %v = blas.view %t map affine_map<(o, k, c) -> (o * 2 + k, c)> : tensor<9x4xf32> to tensor<4x3x4xf32>
  return %v : tensor<4x3x4xf32>
}

// FOLD-LABEL: func @size
// FOLD-SAME: %[[N:[^ ]*]]: index
// FOLD-NEXT: return %[[N]]
func.func @size(%x: tensor<?x8xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %v = blas.view %x sizes(%n) map affine_map<(b, i, j) -> (i, j)> : tensor<?x8xf32> to tensor<4x?x8xf32>
  %d = tensor.dim %v, %c1 : tensor<4x?x8xf32>
  return %d : index
}
