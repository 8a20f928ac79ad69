// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// -----

// A linear layer whose batch and sequence are both dynamic: its rows become one dimension, and two again.
#x = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#y = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @linear(%x: tensor<?x?x10xf32> {rooftile.sizes = array<i64: 3, 5, 10>}, %w: tensor<10x12xf32>, %y: tensor<?x?x12xf32>)
    -> tensor<?x?x12xf32> {
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?x10xf32>, tensor<10x12xf32>) outs(%y : tensor<?x?x12xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x?x12xf32>
  return %r : tensor<?x?x12xf32>
}

// -----

// The front end's own reshape, of memrefs and of tensors.
func.func @expand(%x: memref<?x10xf32> {rooftile.sizes = array<i64: 6, 10>}, %w: memref<10x8xf32>, %y: memref<?x8xf32>,
                  %m: index {rooftile.value = 2.0 : f64}, %n: index {rooftile.value = 3.0 : f64}) -> memref<?x?x8xf32> {
  linalg.matmul ins(%x, %w : memref<?x10xf32>, memref<10x8xf32>) outs(%y : memref<?x8xf32>)
  %e = memref.expand_shape %y [[0, 1], [2]] output_shape [%m, %n, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %e : memref<?x?x8xf32>
}

// -----

#columns = affine_map<(i, j, k) -> (i, j, k)>
func.func @heads(%x: tensor<?x?xf32> {rooftile.sizes = array<i64: 4, 6>}, %w: tensor<?x?xf32> {rooftile.sizes = array<i64: 6, 30>}, %y: tensor<?x?xf32>,
                 %heads: index {rooftile.value = 5.0 : f64}, %width: index {rooftile.value = 6.0 : f64}) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %p = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  %rows = tensor.dim %x, %zero : tensor<?x?xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [%rows, %heads, %width] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %o = tensor.empty(%rows, %heads, %width) : tensor<?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#columns, #columns], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e : tensor<?x?x?xf32>) outs(%o : tensor<?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %half : f32
    linalg.yield %0 : f32
  } -> tensor<?x?x?xf32>
  return %s : tensor<?x?x?xf32>
}
