// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Norms and losses around linear layers, as the linalg backend of torch-mlir prints them.

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
func.func @layer_norm_linear(%arg0: tensor<8x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<16x24xf32>, %arg4: tensor<16xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 2.400000e+01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x1xf32>
  %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x24xf32>) outs(%1 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.addf %in, %out : f32
    linalg.yield %29 : f32
  } -> tensor<8x1xf32>
  %3 = tensor.empty() : tensor<8x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x1xf32>) outs(%3 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.divf %in, %cst_0 : f32
    linalg.yield %29 : f32
  } -> tensor<8x1xf32>
  %5 = tensor.empty() : tensor<8x24xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<8x24xf32>, tensor<8x1xf32>) outs(%5 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.subf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x24xf32>
  %7 = tensor.empty() : tensor<8x24xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%7 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.mulf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x24xf32>
  %9 = tensor.empty() : tensor<8x1xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<8x24xf32>) outs(%10 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.addf %in, %out : f32
    linalg.yield %29 : f32
  } -> tensor<8x1xf32>
  %12 = tensor.empty() : tensor<8x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<8x1xf32>) outs(%12 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.divf %in, %cst_0 : f32
    linalg.yield %29 : f32
  } -> tensor<8x1xf32>
  %14 = tensor.empty() : tensor<8x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<8x1xf32>) outs(%14 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.addf %in, %cst : f32
    %30 = math.rsqrt %29 : f32
    linalg.yield %30 : f32
  } -> tensor<8x1xf32>
  %16 = tensor.empty() : tensor<8x24xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %15 : tensor<8x24xf32>, tensor<8x1xf32>) outs(%16 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.mulf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x24xf32>
  %18 = tensor.empty() : tensor<8x24xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %arg1 : tensor<8x24xf32>, tensor<24xf32>) outs(%18 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.mulf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x24xf32>
  %20 = tensor.empty() : tensor<8x24xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %arg2 : tensor<8x24xf32>, tensor<24xf32>) outs(%20 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.addf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x24xf32>
  %22 = tensor.empty() : tensor<24x16xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16x24xf32>) outs(%22 : tensor<24x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x16xf32>
  %24 = tensor.empty() : tensor<8x16xf32>
  %25 = linalg.fill ins(%cst_1 : f32) outs(%24 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %26 = linalg.matmul ins(%21, %23 : tensor<8x24xf32>, tensor<24x16xf32>) outs(%25 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %27 = tensor.empty() : tensor<8x16xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %arg4 : tensor<8x16xf32>, tensor<16xf32>) outs(%27 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %29 = arith.addf %in, %in_2 : f32
    linalg.yield %29 : f32
  } -> tensor<8x16xf32>
  return %28 : tensor<8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
func.func @linear_layer_norm(%arg0: tensor<8x24xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 1.600000e+01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<16x24xf32>) outs(%0 : tensor<24x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x16xf32>
  %2 = tensor.empty() : tensor<8x16xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x24xf32>, tensor<24x16xf32>) outs(%3 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = tensor.empty() : tensor<8x1xf32>
  %6 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<8x16xf32>) outs(%6 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.addf %in, %out : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %8 = tensor.empty() : tensor<8x1xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x1xf32>) outs(%8 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.divf %in, %cst_0 : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %10 = tensor.empty() : tensor<8x16xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %9 : tensor<8x16xf32>, tensor<8x1xf32>) outs(%10 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %27 = arith.subf %in, %in_2 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %12 = tensor.empty() : tensor<8x16xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %11 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%12 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %27 = arith.mulf %in, %in_2 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %14 = tensor.empty() : tensor<8x1xf32>
  %15 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %16 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<8x16xf32>) outs(%15 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.addf %in, %out : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %17 = tensor.empty() : tensor<8x1xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<8x1xf32>) outs(%17 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.divf %in, %cst_0 : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %19 = tensor.empty() : tensor<8x1xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x1xf32>) outs(%19 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.addf %in, %cst : f32
    %28 = math.rsqrt %27 : f32
    linalg.yield %28 : f32
  } -> tensor<8x1xf32>
  %21 = tensor.empty() : tensor<8x16xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %20 : tensor<8x16xf32>, tensor<8x1xf32>) outs(%21 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %27 = arith.mulf %in, %in_2 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %23 = tensor.empty() : tensor<8x16xf32>
  %24 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %arg2 : tensor<8x16xf32>, tensor<16xf32>) outs(%23 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %27 = arith.mulf %in, %in_2 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %25 = tensor.empty() : tensor<8x16xf32>
  %26 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %arg3 : tensor<8x16xf32>, tensor<16xf32>) outs(%25 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %27 = arith.addf %in, %in_2 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  return %26 : tensor<8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
func.func @rms_norm_linear(%arg0: tensor<8x24xf32>, %arg1: tensor<24xf32>, %arg2: tensor<16x24xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 2.400000e+01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%0 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %18 = arith.mulf %in, %in_2 : f32
    linalg.yield %18 : f32
  } -> tensor<8x24xf32>
  %2 = tensor.empty() : tensor<8x1xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x24xf32>) outs(%3 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %in, %out : f32
    linalg.yield %18 : f32
  } -> tensor<8x1xf32>
  %5 = tensor.empty() : tensor<8x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x1xf32>) outs(%5 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.divf %in, %cst_0 : f32
    linalg.yield %18 : f32
  } -> tensor<8x1xf32>
  %7 = tensor.empty() : tensor<8x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x1xf32>) outs(%7 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %in, %cst : f32
    %19 = math.rsqrt %18 : f32
    linalg.yield %19 : f32
  } -> tensor<8x1xf32>
  %9 = tensor.empty() : tensor<8x24xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<8x24xf32>, tensor<8x1xf32>) outs(%9 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %18 = arith.mulf %in, %in_2 : f32
    linalg.yield %18 : f32
  } -> tensor<8x24xf32>
  %11 = tensor.empty() : tensor<8x24xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %arg1 : tensor<8x24xf32>, tensor<24xf32>) outs(%11 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %18 = arith.mulf %in, %in_2 : f32
    linalg.yield %18 : f32
  } -> tensor<8x24xf32>
  %13 = tensor.empty() : tensor<24x16xf32>
  %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<16x24xf32>) outs(%13 : tensor<24x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x16xf32>
  %15 = tensor.empty() : tensor<8x16xf32>
  %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %17 = linalg.matmul ins(%12, %14 : tensor<8x24xf32>, tensor<24x16xf32>) outs(%16 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %17 : tensor<8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @batch_norm_inference(%arg0: tensor<8x16xf32>, %arg1: tensor<24x16xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24xf32>, %arg4: tensor<24xf32>, %arg5: tensor<24xf32> {rooftile.range = array<f64: 5.000000e-01, 2.000000e+00>}) -> tensor<8x24xf32> {
  %cst = arith.constant 9.99999974E-6 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x16xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty() : tensor<8x24xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%3 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %5 = tensor.empty() : tensor<8x24xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg4, %arg5, %arg2, %arg3 : tensor<8x24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) outs(%5 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32):
    %7 = arith.subf %in, %in_1 : f32
    %8 = arith.addf %in_2, %cst : f32
    %9 = math.sqrt %8 : f32
    %10 = arith.divf %7, %9 : f32
    %11 = arith.mulf %10, %in_3 : f32
    %12 = arith.addf %11, %in_4 : f32
    linalg.yield %12 : f32
  } -> tensor<8x24xf32>
  return %6 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<() -> ()>
func.func @mse_loss(%arg0: tensor<16x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<16x4xf32>) -> tensor<f32> {
  %cst = arith.constant 6.400000e+01 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x8xf32>) outs(%0 : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  %2 = tensor.empty() : tensor<16x4xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<16x4xf32>) -> tensor<16x4xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<16x8xf32>, tensor<8x4xf32>) outs(%3 : tensor<16x4xf32>) -> tensor<16x4xf32>
  %5 = tensor.empty() : tensor<16x4xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%5 : tensor<16x4xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.subf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<16x4xf32>
  %7 = tensor.empty() : tensor<16x4xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%7 : tensor<16x4xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %14 = arith.mulf %in, %in_1 : f32
    linalg.yield %14 : f32
  } -> tensor<16x4xf32>
  %9 = tensor.empty() : tensor<f32>
  %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<f32>) -> tensor<f32>
  %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "reduction"]} ins(%8 : tensor<16x4xf32>) outs(%10 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<f32>
  %12 = tensor.empty() : tensor<f32>
  %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%11 : tensor<f32>) outs(%12 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.divf %in, %cst : f32
    linalg.yield %14 : f32
  } -> tensor<f32>
  return %13 : tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
func.func @sum_of_matmul(%arg0: tensor<16x24xf32>, %arg1: tensor<24x16xf32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x16xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x16xf32>) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<f32>) -> tensor<f32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%2 : tensor<16x16xf32>) outs(%4 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<f32>
  return %5 : tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
func.func @mean_of_matmul_f16(%arg0: tensor<16x24xf16>, %arg1: tensor<24x16xf16>) -> tensor<f32> {
  %cst = arith.constant 2.560000e+02 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x16xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x16xf16>) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<f32>) -> tensor<f32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%2 : tensor<16x16xf32>) outs(%4 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.addf %in, %out : f32
    linalg.yield %8 : f32
  } -> tensor<f32>
  %6 = tensor.empty() : tensor<f32>
  %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%5 : tensor<f32>) outs(%6 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.divf %in, %cst : f32
    linalg.yield %8 : f32
  } -> tensor<f32>
  return %7 : tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
#map5 = affine_map<() -> ()>
func.func @cross_entropy(%arg0: tensor<8x16xf32>, %arg1: tensor<10x16xf32>, %arg2: tensor<8xi64>) -> tensor<f32> {
  %cst = arith.constant 8.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x10xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<10x16xf32>) outs(%0 : tensor<16x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x10xf32>
  %2 = tensor.empty() : tensor<8x10xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x10xf32>) outs(%3 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %5 = tensor.empty() : tensor<8x1xf32>
  %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<8x10xf32>) outs(%6 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.maximumf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<8x1xf32>
  %8 = tensor.empty() : tensor<8x10xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<8x10xf32>, tensor<8x1xf32>) outs(%8 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.subf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<8x10xf32>
  %10 = tensor.empty() : tensor<8x10xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x10xf32>) outs(%10 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<8x10xf32>
  %12 = tensor.empty() : tensor<8x1xf32>
  %13 = linalg.fill ins(%cst_1 : f32) outs(%12 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %14 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%11 : tensor<8x10xf32>) outs(%13 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<8x1xf32>
  %15 = tensor.empty() : tensor<8x1xf32>
  %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<8x1xf32>) outs(%15 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.log %in : f32
    linalg.yield %26 : f32
  } -> tensor<8x1xf32>
  %17 = tensor.empty() : tensor<8x10xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %16 : tensor<8x10xf32>, tensor<8x1xf32>) outs(%17 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.subf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<8x10xf32>
  %19 = tensor.empty() : tensor<8xf32>
  %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg2 : tensor<8xi64>) outs(%19 : tensor<8xf32>) {
  ^bb0(%in: i64, %out: f32):
    %26 = linalg.index 0 : index
    %27 = arith.index_cast %in : i64 to index
    %extracted = tensor.extract %18[%26, %27] : tensor<8x10xf32>
    %28 = arith.negf %extracted : f32
    linalg.yield %28 : f32
  } -> tensor<8xf32>
  %21 = tensor.empty() : tensor<f32>
  %22 = linalg.fill ins(%cst_1 : f32) outs(%21 : tensor<f32>) -> tensor<f32>
  %23 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%20 : tensor<8xf32>) outs(%22 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<f32>
  %24 = tensor.empty() : tensor<f32>
  %25 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%23 : tensor<f32>) outs(%24 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.divf %in, %cst : f32
    linalg.yield %26 : f32
  } -> tensor<f32>
  return %25 : tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
func.func @argmax_of_linear(%arg0: tensor<8x16xf32>, %arg1: tensor<10x16xf32>) -> (tensor<8xf32>, tensor<8xi64>) {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x10xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<10x16xf32>) outs(%0 : tensor<16x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x10xf32>
  %2 = tensor.empty() : tensor<8x10xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x10xf32>) outs(%3 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %5 = tensor.empty() : tensor<8xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<8xf32>) -> tensor<8xf32>
  %7 = tensor.empty() : tensor<8xi64>
  %8 = linalg.fill ins(%c0_i64 : i64) outs(%7 : tensor<8xi64>) -> tensor<8xi64>
  %9:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<8x10xf32>) outs(%6, %8 : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %10 = linalg.index 1 : index
    %11 = arith.index_cast %10 : index to i64
    %12 = arith.maximumf %in, %out : f32
    %13 = arith.cmpf ogt, %in, %out : f32
    %14 = arith.select %13, %11, %out_1 : i64
    linalg.yield %12, %14 : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %9#0, %9#1 : tensor<8xf32>, tensor<8xi64>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0) -> (d0)>
func.func @column_norms(%arg0: tensor<16x24xf32>, %arg1: tensor<24x12xf32>) -> tensor<12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x12xf32>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %3 = tensor.empty() : tensor<16x12xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %2 : tensor<16x12xf32>, tensor<16x12xf32>) outs(%3 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.mulf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<16x12xf32>
  %5 = tensor.empty() : tensor<12xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<12xf32>) -> tensor<12xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%4 : tensor<16x12xf32>) outs(%6 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.addf %in, %out : f32
    linalg.yield %10 : f32
  } -> tensor<12xf32>
  %8 = tensor.empty() : tensor<12xf32>
  %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%7 : tensor<12xf32>) outs(%8 : tensor<12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = math.sqrt %in : f32
    linalg.yield %10 : f32
  } -> tensor<12xf32>
  return %9 : tensor<12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
func.func @cosine_similarity(%arg0: tensor<8x16xf32>, %arg1: tensor<12x16xf32>) -> tensor<8x12xf32> {
  %cst = arith.constant 9.99999993E-9 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%0 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.mulf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %2 = tensor.empty() : tensor<8x1xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x16xf32>) outs(%3 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.addf %in, %out : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %5 = tensor.empty() : tensor<8x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x1xf32>) outs(%5 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = math.sqrt %in : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %7 = tensor.empty() : tensor<8x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x1xf32>) outs(%7 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.maximumf %in, %cst : f32
    linalg.yield %27 : f32
  } -> tensor<8x1xf32>
  %9 = tensor.empty() : tensor<8x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<8x16xf32>, tensor<8x1xf32>) outs(%9 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.divf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<8x16xf32>
  %11 = tensor.empty() : tensor<12x16xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg1 : tensor<12x16xf32>, tensor<12x16xf32>) outs(%11 : tensor<12x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.mulf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<12x16xf32>
  %13 = tensor.empty() : tensor<12x1xf32>
  %14 = linalg.fill ins(%cst_0 : f32) outs(%13 : tensor<12x1xf32>) -> tensor<12x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<12x16xf32>) outs(%14 : tensor<12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.addf %in, %out : f32
    linalg.yield %27 : f32
  } -> tensor<12x1xf32>
  %16 = tensor.empty() : tensor<12x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<12x1xf32>) outs(%16 : tensor<12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = math.sqrt %in : f32
    linalg.yield %27 : f32
  } -> tensor<12x1xf32>
  %18 = tensor.empty() : tensor<12x1xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<12x1xf32>) outs(%18 : tensor<12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %27 = arith.maximumf %in, %cst : f32
    linalg.yield %27 : f32
  } -> tensor<12x1xf32>
  %20 = tensor.empty() : tensor<12x16xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %19 : tensor<12x16xf32>, tensor<12x1xf32>) outs(%20 : tensor<12x16xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %27 = arith.divf %in, %in_1 : f32
    linalg.yield %27 : f32
  } -> tensor<12x16xf32>
  %22 = tensor.empty() : tensor<16x12xf32>
  %23 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<12x16xf32>) outs(%22 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x12xf32>
  %24 = tensor.empty() : tensor<8x12xf32>
  %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %26 = linalg.matmul ins(%10, %23 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%25 : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %26 : tensor<8x12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
func.func @log_softmax(%arg0: tensor<8x16xf32>, %arg1: tensor<16x12xf32>) -> tensor<8x12xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x12xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%1 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %3 = tensor.empty() : tensor<8x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<8x12xf32>) outs(%4 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.maximumf %in, %out : f32
    linalg.yield %17 : f32
  } -> tensor<8x1xf32>
  %6 = tensor.empty() : tensor<8x12xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<8x12xf32>, tensor<8x1xf32>) outs(%6 : tensor<8x12xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %17 = arith.subf %in, %in_1 : f32
    linalg.yield %17 : f32
  } -> tensor<8x12xf32>
  %8 = tensor.empty() : tensor<8x12xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x12xf32>) outs(%8 : tensor<8x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = math.exp %in : f32
    linalg.yield %17 : f32
  } -> tensor<8x12xf32>
  %10 = tensor.empty() : tensor<8x1xf32>
  %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<8x12xf32>) outs(%11 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.addf %in, %out : f32
    linalg.yield %17 : f32
  } -> tensor<8x1xf32>
  %13 = tensor.empty() : tensor<8x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<8x1xf32>) outs(%13 : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = math.log %in : f32
    linalg.yield %17 : f32
  } -> tensor<8x1xf32>
  %15 = tensor.empty() : tensor<8x12xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %14 : tensor<8x12xf32>, tensor<8x1xf32>) outs(%15 : tensor<8x12xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %17 = arith.subf %in, %in_1 : f32
    linalg.yield %17 : f32
  } -> tensor<8x12xf32>
  return %16 : tensor<8x12xf32>
}
