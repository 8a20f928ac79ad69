// With two dynamic sizes in a group, strides are products of the sizes that the operation names.
// RUN: gemm-opt %s --stride-reshapes | FileCheck %s
// RUN: gemm-opt %s --stride-reshapes --stride-reshapes | FileCheck %s

// CHECK-DAG: #[[PRODUCT:.*]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-DAG: #[[EIGHT:.*]] = affine_map<()[s0] -> (s0 * 8)>

// CHECK-LABEL: func @rows(%arg0: memref<?x8xf32>, %arg1: index, %arg2: index)
// CHECK: %[[BASE:.*]], %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[STRIDE:.*]] = affine.apply #[[EIGHT]]()[%arg2]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%arg1, %arg2, 8], strides: [%[[STRIDE]], 8, 1] : memref<f32> to memref<?x?x8xf32>
func.func @rows(%x: memref<?x8xf32>, %m: index, %n: index) -> memref<?x?x8xf32> {
  %e = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, %n, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %e : memref<?x?x8xf32>
}

// The stride of the dimension counts, and its offset.
// CHECK-LABEL: func @strided
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %sizes, %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK-DAG: %[[INNER:.*]] = affine.apply #[[PRODUCT]]()[%[[STRIDE]], %arg2]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%arg1, %arg2], strides: [%[[INNER]], %[[STRIDE]]] :
func.func @strided(%x: memref<?xf32, strided<[?], offset: ?>>, %m: index, %n: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %e = memref.expand_shape %x [[0, 1]] output_shape [%m, %n]
      : memref<?xf32, strided<[?], offset: ?>> into memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %e : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// Upstream's, who can do that.
// CHECK-LABEL: func @one
// CHECK: memref.expand_shape
func.func @one(%x: memref<?x8xf32>, %m: index) -> memref<?x4x8xf32> {
  %e = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return %e : memref<?x4x8xf32>
}
