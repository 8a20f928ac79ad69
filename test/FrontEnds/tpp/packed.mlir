// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Blocked layouts and batch-reduced products on tensors, in the manner of TPP.

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @blocked_matmul(%arg0: tensor<2x3x8x8xf32>, %arg1: tensor<4x3x8x8xf32>, %arg2: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x8x8xf32>, tensor<4x3x8x8xf32>) outs(%arg2 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.mulf %in, %in_0 : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x4x8x8xf32>
  return %0 : tensor<2x4x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @packed_matmul(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>, %arg2: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<2x3x8x8xf32>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<16x24xf32> -> tensor<2x3x8x8xf32>
  %1 = tensor.empty() : tensor<4x3x8x8xf32>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %1 : tensor<24x32xf32> -> tensor<4x3x8x8xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %pack_1 = linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %2 : tensor<16x32xf32> -> tensor<2x4x8x8xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pack, %pack_0 : tensor<2x3x8x8xf32>, tensor<4x3x8x8xf32>) outs(%pack_1 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %5 = arith.mulf %in, %in_2 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<2x4x8x8xf32>
  %4 = tensor.empty() : tensor<16x32xf32>
  %unpack = linalg.unpack %3 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %4 : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  return %unpack : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
func.func @packed_mlp_layer(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>, %arg2: tensor<32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3x8x8xf32>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<16x24xf32> -> tensor<2x3x8x8xf32>
  %1 = tensor.empty() : tensor<4x3x8x8xf32>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %1 : tensor<24x32xf32> -> tensor<4x3x8x8xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pack, %pack_0 : tensor<2x3x8x8xf32>, tensor<4x3x8x8xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.mulf %in, %in_1 : f32
    %9 = arith.addf %out, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<2x4x8x8xf32>
  %expanded = tensor.expand_shape %arg2 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %5 = tensor.empty() : tensor<2x4x8x8xf32>
  %6 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %expanded : tensor<2x4x8x8xf32>, tensor<4x8xf32>) outs(%5 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.addf %in, %in_1 : f32
    %9 = arith.maximumf %8, %cst : f32
    linalg.yield %9 : f32
  } -> tensor<2x4x8x8xf32>
  %7 = tensor.empty() : tensor<16x32xf32>
  %unpack = linalg.unpack %6 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %7 : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  return %unpack : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @packed_two_layers(%arg0: tensor<16x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<24x16xf32>) -> tensor<16x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x2x8x8xf32>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  %1 = tensor.empty() : tensor<3x2x8x8xf32>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %1 : tensor<16x24xf32> -> tensor<3x2x8x8xf32>
  %2 = tensor.empty() : tensor<2x3x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pack, %pack_0 : tensor<2x2x8x8xf32>, tensor<3x2x8x8xf32>) outs(%3 : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %12 = arith.mulf %in, %in_2 : f32
    %13 = arith.addf %out, %12 : f32
    linalg.yield %13 : f32
  } -> tensor<2x3x8x8xf32>
  %5 = tensor.empty() : tensor<2x3x8x8xf32>
  %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x3x8x8xf32>) outs(%5 : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.maximumf %in, %cst : f32
    linalg.yield %12 : f32
  } -> tensor<2x3x8x8xf32>
  %7 = tensor.empty() : tensor<2x3x8x8xf32>
  %pack_1 = linalg.pack %arg2 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %7 : tensor<24x16xf32> -> tensor<2x3x8x8xf32>
  %8 = tensor.empty() : tensor<2x2x8x8xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%6, %pack_1 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) outs(%9 : tensor<2x2x8x8xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %12 = arith.mulf %in, %in_2 : f32
    %13 = arith.addf %out, %12 : f32
    linalg.yield %13 : f32
  } -> tensor<2x2x8x8xf32>
  %11 = tensor.empty() : tensor<16x16xf32>
  %unpack = linalg.unpack %10 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %11 : tensor<2x2x8x8xf32> -> tensor<16x16xf32>
  return %unpack : tensor<16x16xf32>
}

// -----

func.func @mmt4d_unpack(%arg0: tensor<3x2x8x8xf32>, %arg1: tensor<2x2x8x8xf32>) -> tensor<24x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x2x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  %2 = linalg.mmt4d ins(%arg0, %arg1 : tensor<3x2x8x8xf32>, tensor<2x2x8x8xf32>) outs(%1 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  %3 = tensor.empty() : tensor<24x16xf32>
  %unpack = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %3 : tensor<3x2x8x8xf32> -> tensor<24x16xf32>
  return %unpack : tensor<24x16xf32>
}

// -----

func.func @brgemm(%arg0: tensor<6x16x12xf32>, %arg1: tensor<6x12x20xf32>, %arg2: tensor<16x20xf32>) -> tensor<16x20xf32> {
  %0 = linalg.batch_reduce_matmul ins(%arg0, %arg1 : tensor<6x16x12xf32>, tensor<6x12x20xf32>) outs(%arg2 : tensor<16x20xf32>) -> tensor<16x20xf32>
  return %0 : tensor<16x20xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @brgemm_relu(%arg0: tensor<6x16x12xf32>, %arg1: tensor<6x12x20xf32>) -> tensor<16x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %2 = linalg.batch_reduce_matmul ins(%arg0, %arg1 : tensor<6x16x12xf32>, tensor<6x12x20xf32>) outs(%1 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %3 = tensor.empty() : tensor<16x20xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<16x20xf32>) outs(%3 : tensor<16x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.maximumf %in, %cst : f32
    linalg.yield %5 : f32
  } -> tensor<16x20xf32>
  return %4 : tensor<16x20xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @brgemm_bias(%arg0: tensor<4x16x8xf32>, %arg1: tensor<4x8x12xf32>, %arg2: tensor<12xf32>) -> tensor<16x12xf32> {
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<12xf32>) outs(%0 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x12xf32>
  %2 = linalg.batch_reduce_matmul ins(%arg0, %arg1 : tensor<4x16x8xf32>, tensor<4x8x12xf32>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  return %2 : tensor<16x12xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
func.func @brgemm_generic(%arg0: tensor<4x16x8xf32>, %arg1: tensor<4x8x12xf32>, %arg2: tensor<16x12xf32>) -> tensor<16x12xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x16x8xf32>, tensor<4x8x12xf32>) outs(%arg2 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.mulf %in, %in_0 : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<16x12xf32>
  return %0 : tensor<16x12xf32>
}

// -----

func.func @brgemm_bf16(%arg0: tensor<4x16x8xbf16>, %arg1: tensor<4x8x12xbf16>) -> tensor<16x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.batch_reduce_matmul ins(%arg0, %arg1 : tensor<4x16x8xbf16>, tensor<4x8x12xbf16>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  return %2 : tensor<16x12xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @blocked_bf16(%arg0: tensor<2x3x8x8xbf16>, %arg1: tensor<4x3x8x8xbf16>) -> tensor<2x4x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x4x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x8x8xbf16>, tensor<4x3x8x8xbf16>) outs(%1 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: f32):
    %3 = arith.extf %in : bf16 to f32
    %4 = arith.extf %in_0 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<2x4x8x8xf32>
  return %2 : tensor<2x4x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @vnni_packed_bf16(%arg0: tensor<16x8xbf16>, %arg1: tensor<4x12x2xbf16>) -> tensor<16x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [16, 4, 2] : tensor<16x8xbf16> into tensor<16x4x2xbf16>
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%expanded, %arg1 : tensor<16x4x2xbf16>, tensor<4x12x2xbf16>) outs(%1 : tensor<16x12xf32>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: f32):
    %3 = arith.extf %in : bf16 to f32
    %4 = arith.extf %in_0 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x12xf32>
  return %2 : tensor<16x12xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d5, d2 + d6, d3 + d7, d8)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d1, d5, d6, d7, d8, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> (d0, d1, d2, d3, d4)>
func.func @blocked_convolution(%arg0: tensor<1x2x6x6x8xf32>, %arg1: tensor<3x2x3x3x8x8xf32>) -> tensor<1x3x4x4x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x3x4x4x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x4x4x8xf32>) -> tensor<1x3x4x4x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x6x6x8xf32>, tensor<3x2x3x3x8x8xf32>) outs(%1 : tensor<1x3x4x4x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x3x4x4x8xf32>
  return %2 : tensor<1x3x4x4x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
func.func @packed_attention_scores(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x4x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%1 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x4x8x8xf32>
  return %2 : tensor<2x4x8x8xf32>
}

// -----

func.func @pack_only_weights(%arg0: tensor<24x32xf32>) -> tensor<4x3x8x8xf32> {
  %0 = tensor.empty() : tensor<4x3x8x8xf32>
  %pack = linalg.pack %arg0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<24x32xf32> -> tensor<4x3x8x8xf32>
  return %pack : tensor<4x3x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @packed_padded(%arg0: tensor<13x21xf32>, %arg1: tensor<21x27xf32>) -> tensor<13x27xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3x8x8xf32>
  %pack = linalg.pack %arg0 padding_value(%cst : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %0 : tensor<13x21xf32> -> tensor<2x3x8x8xf32>
  %1 = tensor.empty() : tensor<4x3x8x8xf32>
  %pack_0 = linalg.pack %arg1 padding_value(%cst : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %1 : tensor<21x27xf32> -> tensor<4x3x8x8xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%pack, %pack_0 : tensor<2x3x8x8xf32>, tensor<4x3x8x8xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %6 = arith.mulf %in, %in_1 : f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x4x8x8xf32>
  %5 = tensor.empty() : tensor<13x27xf32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<2x4x8x8xf32> -> tensor<13x27xf32>
  return %unpack : tensor<13x27xf32>
}
