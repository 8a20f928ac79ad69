// Views become numbers: what upstream expands, and transposes.
// RUN: gemm-opt %s --expand-views | FileCheck %s
// RUN: gemm-opt %s --expand-views --expand-views | FileCheck %s

// CHECK-LABEL: func @transposed(
// CHECK-SAME: %[[A:.*]]: memref<?x4xf32>)
// CHECK: %[[BASE:.*]], %{{.*}}, %[[SIZES:.*]]:2, %{{.*}}:2 = memref.extract_strided_metadata %[[A]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [4, %[[SIZES]]#0], strides: [1, 4]
// CHECK-SAME: to memref<4x?xf32, strided<[1, 4]>>
// CHECK-NOT: memref.transpose
func.func @transposed(%a: memref<?x4xf32>) -> memref<4x?xf32, strided<[1, 4]>> {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  return %t : memref<4x?xf32, strided<[1, 4]>>
}

// A transposed block of a matrix: one view of its memory.
// CHECK-LABEL: func @block(
// CHECK-SAME: %[[A:.*]]: memref<8x16xf32>)
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [34], sizes: [5, 3], strides: [1, 16]
// CHECK-NOT: memref.subview
// CHECK-NOT: memref.transpose
func.func @block(%a: memref<8x16xf32>) -> memref<5x3xf32, strided<[1, 16], offset: 34>> {
  %b = memref.subview %a[2, 2] [3, 5] [1, 1]
      : memref<8x16xf32> to memref<3x5xf32, strided<[16, 1], offset: 34>>
  %t = memref.transpose %b (i, j) -> (j, i)
      : memref<3x5xf32, strided<[16, 1], offset: 34>>
      to memref<5x3xf32, strided<[1, 16], offset: 34>>
  return %t : memref<5x3xf32, strided<[1, 16], offset: 34>>
}

// A batch of rows becomes the rows of one matrix.
// CHECK-LABEL: func @merged(
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 10], strides: [1, 4]
// CHECK-NOT: memref.collapse_shape
func.func @merged(%a: memref<2x5x4xf32>) -> memref<4x10xf32, strided<[1, 4]>> {
  %t = memref.transpose %a (i, j, k) -> (k, i, j)
      : memref<2x5x4xf32> to memref<4x2x5xf32, strided<[1, 20, 4]>>
  %m = memref.collapse_shape %t [[0], [1, 2]]
      : memref<4x2x5xf32, strided<[1, 20, 4]>> into memref<4x10xf32, strided<[1, 4]>>
  return %m : memref<4x10xf32, strided<[1, 4]>>
}

// Two dynamic sizes in a group, which upstream's patterns do not survive.
// CHECK-LABEL: func @open
// CHECK-NOT: expand_shape
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%arg1, %arg2], strides: [%arg2, 1] : memref<f32> to memref<?x?xf32>
func.func @open(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %e = memref.expand_shape %x [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  return %e : memref<?x?xf32>
}
