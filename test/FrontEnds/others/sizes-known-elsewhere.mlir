// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Sizes that only another operand or an allocation has: every type that raising makes is known where
// its loops are, and the source of each reshape is of that type.
func.func @allocated(%x: memref<?x4xf32> {rooftile.sizes = array<i64: 8, 4>}, %v: memref<4xf32>) -> memref<?xf32> {
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<?xf32>)
  linalg.matvec ins(%x, %v : memref<?x4xf32>, memref<4xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}

// -----

func.func @row(%a: memref<1x2xf32>, %b: memref<2x?xf32> {rooftile.sizes = array<i64: 2, 10>}) -> memref<1x?xf32> {
  %n = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %c = memref.alloc(%n) : memref<1x?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<1x?xf32>)
  linalg.matmul ins(%a, %b : memref<1x2xf32>, memref<2x?xf32>) outs(%c : memref<1x?xf32>)
  return %c : memref<1x?xf32>
}

// -----

func.func @empty(%a: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %n = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %c = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.matvec ins(%a, %b : tensor<8x4xf32>, tensor<4xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @one_row(%a: tensor<1x3xf32>, %b: tensor<3x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x3xf32>, tensor<3x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @one_matrix(%a: tensor<?x4x3xf32>, %b: tensor<1x3x4xf32>, %c: tensor<?x4x4xf32>) -> tensor<?x4x4xf32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x4x3xf32>, tensor<1x3x4xf32>) outs(%c : tensor<?x4x4xf32>) -> tensor<?x4x4xf32>
  return %0 : tensor<?x4x4xf32>
}

// -----

func.func @column(%a: memref<8x3xf32>, %b: memref<3xf32>, %c: memref<?xf32>) {
  linalg.matvec ins(%a, %b : memref<8x3xf32>, memref<3xf32>) outs(%c : memref<?xf32>)
  return
}

// -----

// The size of the sum, and a batch that memrefs with strides have.
func.func @strided(%a: memref<?x?x?xf32, strided<[?, ?, 1]>>, %b: memref<2x5x?xf32>, %c: memref<?x4x6xf32, strided<[?, ?, 1], offset: ?>>) {
  linalg.batch_matmul ins(%a, %b : memref<?x?x?xf32, strided<[?, ?, 1]>>, memref<2x5x?xf32>)
                      outs(%c : memref<?x4x6xf32, strided<[?, ?, 1], offset: ?>>)
  return
}

// -----

func.func @ones(%a: tensor<?x1x?xf64>, %b: tensor<?x?x8x4x1xf64>) -> tensor<?x4x?x8xf64> {
  %s0 = arith.constant 1 : index
  %c = tensor.empty(%s0, %s0) : tensor<?x4x?x8xf64>
  %z = arith.constant 0.0 : f64
  %f = linalg.fill ins(%z : f64) outs(%c : tensor<?x4x?x8xf64>) -> tensor<?x4x?x8xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d4, d1, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d4, d0, d3, d1)>,
                                        affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d0)>],
                       iterator_types = ["parallel", "reduction", "parallel", "parallel", "parallel"]}
      ins(%a, %b : tensor<?x1x?xf64>, tensor<?x?x8x4x1xf64>) outs(%f : tensor<?x4x?x8xf64>) {
  ^bb0(%x: f64, %y: f64, %w: f64):
    %0 = arith.mulf %x, %y : f64
    %1 = arith.addf %w, %0 : f64
    linalg.yield %1 : f64
  } -> tensor<?x4x?x8xf64>
  return %r : tensor<?x4x?x8xf64>
}
