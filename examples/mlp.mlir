// Two layers of a perceptron, as PyTorch and JAX front ends emit them: relu(x w1 + b1) w2 + b2.
//
//   gemm-opt --tile-select examples/mlp.mlir    what is done with each product, and why
//   gemm-run examples/mlp.mlir                  the same file, run and verified

#matrix = affine_map<(row, column) -> (row, column)>
#columns = affine_map<(row, column) -> (column)>

module {
  func.func @mlp(%x: tensor<512x1024xf32>, %w1: tensor<1024x2048xf32>, %b1: tensor<2048xf32>,
                 %w2: tensor<2048x1000xf32>, %b2: tensor<1000xf32>) -> tensor<512x1000xf32> {
    %zero = arith.constant 0.000000e+00 : f32

    // Layer 1: a product ...
    %0 = tensor.empty() : tensor<512x2048xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    %2 = linalg.matmul ins(%x, %w1 : tensor<512x1024xf32>, tensor<1024x2048xf32>)
                       outs(%1 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
    // ... the bias, the same for every row ...
    %3 = tensor.empty() : tensor<512x2048xf32>
    %4 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix],
                         iterator_types = ["parallel", "parallel"]}
        ins(%2, %b1 : tensor<512x2048xf32>, tensor<2048xf32>) outs(%3 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<512x2048xf32>
    // ... and relu.
    %5 = tensor.empty() : tensor<512x2048xf32>
    %6 = linalg.generic {indexing_maps = [#matrix, #matrix],
                         iterator_types = ["parallel", "parallel"]}
        ins(%4 : tensor<512x2048xf32>) outs(%5 : tensor<512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %max = arith.maximumf %in, %zero : f32
      linalg.yield %max : f32
    } -> tensor<512x2048xf32>

    // Layer 2: a product and the bias.
    %7 = tensor.empty() : tensor<512x1000xf32>
    %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<512x1000xf32>) -> tensor<512x1000xf32>
    %9 = linalg.matmul ins(%6, %w2 : tensor<512x2048xf32>, tensor<2048x1000xf32>)
                       outs(%8 : tensor<512x1000xf32>) -> tensor<512x1000xf32>
    %10 = tensor.empty() : tensor<512x1000xf32>
    %11 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix],
                          iterator_types = ["parallel", "parallel"]}
        ins(%9, %b2 : tensor<512x1000xf32>, tensor<1000xf32>) outs(%10 : tensor<512x1000xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<512x1000xf32>
    return %11 : tensor<512x1000xf32>
  }
}
