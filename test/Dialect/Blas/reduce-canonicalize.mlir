// RUN: gemm-opt %s --canonicalize | FileCheck %s
// RUN: gemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER

// alpha = 1 and beta = 0 say nothing; a cast hides a size.
// CHECK-LABEL: func @scalars(
// CHECK-NEXT:    blas.reduce ins(%{{.*}} : memref<2x4x6xf32>) outs(%{{.*}} : memref<4x6xf32>){{$}}
func.func @scalars(%w: memref<2x4x6xf32>, %c: memref<4x6xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %cast = memref.cast %w : memref<2x4x6xf32> to memref<?x4x6xf32>
  blas.reduce ins(%cast : memref<?x4x6xf32>) outs(%c : memref<4x6xf32>) alpha(%one : f32) beta(%zero : f32)
  return
}

// Other scalars stay; so does a sum of nothing, which is beta * C.
// CHECK-LABEL: func @stays(
// CHECK:         blas.reduce ins(%{{.*}} : memref<0x4x6xf32>) outs(%{{.*}}) alpha(%{{.*}}) beta(%{{.*}})
func.func @stays(%w: memref<0x4x6xf32>, %c: memref<4x6xf32>, %beta: f32) {
  %two = arith.constant 2.0 : f32
  blas.reduce ins(%w : memref<0x4x6xf32>) outs(%c : memref<4x6xf32>) alpha(%two : f32) beta(%beta : f32)
  return
}

// CHECK-LABEL: func @empty(
// CHECK-NEXT:    return
func.func @empty(%w: memref<2x0x6xf32>, %c: memref<0x6xf32>) {
  blas.reduce ins(%w : memref<2x0x6xf32>) outs(%c : memref<0x6xf32>)
  return
}

// The workspace, too, is seen through a cast.
// CHECK-LABEL: func @workspace(
// CHECK:         workspace(%{{.*}} : memref<48xf32>)
func.func @workspace(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>, %w: memref<48xf32>) {
  %cast = memref.cast %w : memref<48xf32> to memref<?xf32>
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) workspace(%cast : memref<?xf32>)
  return
}

// Written in place; C is read with beta only, so that without it no copy is made.
// BUFFER-LABEL: func @in_place(
// BUFFER-SAME:    %[[W:.*]]: memref<2x4x6xf32>, %[[C:.*]]: memref<4x6xf32>, %[[BETA:.*]]: f32)
// BUFFER-NEXT:    blas.reduce ins(%[[W]] : memref<2x4x6xf32>) outs(%[[C]] : memref<4x6xf32>) beta(%[[BETA]] : f32)
// BUFFER-NEXT:    return %[[C]]
func.func @in_place(%w: tensor<2x4x6xf32>, %c: tensor<4x6xf32>, %beta: f32) -> tensor<4x6xf32> {
  %d = blas.reduce ins(%w : tensor<2x4x6xf32>) outs(%c : tensor<4x6xf32>) beta(%beta : f32) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// BUFFER-LABEL: func @no_copy(
// BUFFER:         %[[D:.*]] = memref.alloc() {{.*}} : memref<4x6xf32>
// BUFFER-NOT:     memref.copy
// BUFFER:         blas.reduce {{.*}} outs(%[[D]] : memref<4x6xf32>)
func.func @no_copy(%w: tensor<2x4x6xf32>, %c: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %d = blas.reduce ins(%w : tensor<2x4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d, %c : tensor<4x6xf32>, tensor<4x6xf32>
}

// BUFFER-LABEL: func @partial_sums(
// BUFFER:         blas.gemm partial ins(%{{.*}}) outs(%{{.*}} : memref<2x4x6xf32>)
// BUFFER-NOT:     tensor
func.func @partial_sums(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %w: tensor<2x4x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p = blas.gemm partial ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%w : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %d = blas.reduce ins(%p : tensor<2x4x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
