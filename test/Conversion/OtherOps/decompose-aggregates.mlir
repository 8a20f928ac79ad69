// Aggregate operations become operations that have loops.
// RUN: gemm-opt %s --decompose-aggregates --split-input-file --verify-diagnostics | FileCheck %s
// RUN: gemm-opt %s --decompose-aggregates --decompose-aggregates --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x?xf32>) outs(%y : tensor<4x?xf32>)
      -> tensor<4x?xf32>
  return %s : tensor<4x?xf32>
}

// CHECK-LABEL: func @on_memrefs
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x8xf32>, %[[Y:[a-z0-9]+]]: memref<4x8xf32>
// CHECK: bufferization.to_tensor %[[X]] restrict
// CHECK-NOT: linalg.softmax
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[Y]]
func.func @on_memrefs(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @packed
// CHECK: tensor.pad
// CHECK: linalg.transpose
// CHECK-NOT: linalg.pack
// CHECK-NOT: linalg.unpack
func.func @packed(%x: tensor<30x16xf32>, %p: tensor<4x2x8x8xf32>, %y: tensor<30x16xf32>)
    -> tensor<30x16xf32> {
  %zero = arith.constant 0.0 : f32
  %q = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %p : tensor<30x16xf32> -> tensor<4x2x8x8xf32>
  %u = linalg.unpack %q inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %y : tensor<4x2x8x8xf32> -> tensor<30x16xf32>
  return %u : tensor<30x16xf32>
}

// CHECK-LABEL: func @winograd
// CHECK-NOT: linalg.winograd
func.func @winograd(%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %r = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>)
      outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %r : tensor<6x6x5x2xf32>
}

// -----

func.func @tile_size_unknown(%x: tensor<32x16xf32>, %p: tensor<?x2x?x8xf32>, %n: index)
    -> tensor<?x2x?x8xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{cannot be lowered to a transposition: inner tiles of 'tensor<?x2x?x8xf32>' must be known}}
  %q = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [%n, 8]
      into %p : tensor<32x16xf32> -> tensor<?x2x?x8xf32>
  return %q : tensor<?x2x?x8xf32>
}
