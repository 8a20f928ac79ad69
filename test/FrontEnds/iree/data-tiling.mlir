// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Data tiling as IREE materializes it: linalg.pack, mmt4d and linalg.unpack.

func.func @mmt4d_dispatch(%arg0: tensor<3x5x8x4xf32>, %arg1: tensor<2x5x8x4xf32>) -> tensor<3x2x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x2x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  %2 = linalg.mmt4d ins(%arg0, %arg1 : tensor<3x5x8x4xf32>, tensor<2x5x8x4xf32>) outs(%1 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  return %2 : tensor<3x2x8x8xf32>
}

// -----

func.func @mmt4d_i8_dispatch(%arg0: tensor<3x5x8x4xi8>, %arg1: tensor<2x5x8x4xi8>) -> tensor<3x2x8x8xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<3x2x8x8xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<3x2x8x8xi32>) -> tensor<3x2x8x8xi32>
  %2 = linalg.mmt4d ins(%arg0, %arg1 : tensor<3x5x8x4xi8>, tensor<2x5x8x4xi8>) outs(%1 : tensor<3x2x8x8xi32>) -> tensor<3x2x8x8xi32>
  return %2 : tensor<3x2x8x8xi32>
}

// -----

func.func @mmt4d_f16_dispatch(%arg0: tensor<3x5x8x4xf16>, %arg1: tensor<2x5x8x4xf16>) -> tensor<3x2x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x2x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  %2 = linalg.mmt4d ins(%arg0, %arg1 : tensor<3x5x8x4xf16>, tensor<2x5x8x4xf16>) outs(%1 : tensor<3x2x8x8xf32>) -> tensor<3x2x8x8xf32>
  return %2 : tensor<3x2x8x8xf32>
}

// -----

func.func @batch_mmt4d_dispatch(%arg0: tensor<2x3x5x8x4xf32>, %arg1: tensor<2x2x5x8x4xf32>) -> tensor<2x3x2x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3x2x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x2x8x8xf32>) -> tensor<2x3x2x8x8xf32>
  %2 = linalg.batch_mmt4d ins(%arg0, %arg1 : tensor<2x3x5x8x4xf32>, tensor<2x2x5x8x4xf32>) outs(%1 : tensor<2x3x2x8x8xf32>) -> tensor<2x3x2x8x8xf32>
  return %2 : tensor<2x3x2x8x8xf32>
}

// -----

func.func @data_tiled_matmul(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x6x8x4xf32>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<16x24xf32> -> tensor<2x6x8x4xf32>
  %1 = tensor.empty() : tensor<4x6x8x4xf32>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %1 : tensor<24x32xf32> -> tensor<4x6x8x4xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = linalg.mmt4d ins(%pack, %pack_0 : tensor<2x6x8x4xf32>, tensor<4x6x8x4xf32>) outs(%3 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = tensor.empty() : tensor<16x32xf32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  return %unpack : tensor<16x32xf32>
}

// -----

func.func @data_tiled_matmul_padded(%arg0: tensor<13x21xf32>, %arg1: tensor<21x27xf32>) -> tensor<13x27xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x6x8x4xf32>
  %pack = linalg.pack %arg0 padding_value(%cst : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<13x21xf32> -> tensor<2x6x8x4xf32>
  %1 = tensor.empty() : tensor<4x6x8x4xf32>
  %pack_0 = linalg.pack %arg1 padding_value(%cst : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %1 : tensor<21x27xf32> -> tensor<4x6x8x4xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = linalg.mmt4d ins(%pack, %pack_0 : tensor<2x6x8x4xf32>, tensor<4x6x8x4xf32>) outs(%3 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = tensor.empty() : tensor<13x27xf32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<2x4x8x8xf32> -> tensor<13x27xf32>
  return %unpack : tensor<13x27xf32>
}

// -----

func.func @data_tiled_i8_matmul(%arg0: tensor<16x24xi8>, %arg1: tensor<24x32xi8>) -> tensor<16x32xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<2x6x8x4xi8>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<16x24xi8> -> tensor<2x6x8x4xi8>
  %1 = tensor.empty() : tensor<4x6x8x4xi8>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %1 : tensor<24x32xi8> -> tensor<4x6x8x4xi8>
  %2 = tensor.empty() : tensor<2x4x8x8xi32>
  %3 = linalg.fill ins(%c0_i32 : i32) outs(%2 : tensor<2x4x8x8xi32>) -> tensor<2x4x8x8xi32>
  %4 = linalg.mmt4d ins(%pack, %pack_0 : tensor<2x6x8x4xi8>, tensor<4x6x8x4xi8>) outs(%3 : tensor<2x4x8x8xi32>) -> tensor<2x4x8x8xi32>
  %5 = tensor.empty() : tensor<16x32xi32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<2x4x8x8xi32> -> tensor<16x32xi32>
  return %unpack : tensor<16x32xi32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
func.func @data_tiled_matmul_bias(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>, %arg2: tensor<32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x6x8x4xf32>
  %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<16x24xf32> -> tensor<2x6x8x4xf32>
  %1 = tensor.empty() : tensor<4x6x8x4xf32>
  %pack_0 = linalg.pack %arg1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %1 : tensor<24x32xf32> -> tensor<4x6x8x4xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = linalg.mmt4d ins(%pack, %pack_0 : tensor<2x6x8x4xf32>, tensor<4x6x8x4xf32>) outs(%3 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = tensor.empty() : tensor<16x32xf32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<2x4x8x8xf32> -> tensor<16x32xf32>
  %6 = tensor.empty() : tensor<16x32xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%unpack, %arg2 : tensor<16x32xf32>, tensor<32xf32>) outs(%6 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %8 = arith.addf %in, %in_1 : f32
    linalg.yield %8 : f32
  } -> tensor<16x32xf32>
  return %7 : tensor<16x32xf32>
}

// -----

func.func @pack_dispatch(%arg0: tensor<13x21xf32>) -> tensor<2x6x8x4xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x6x8x4xf32>
  %pack = linalg.pack %arg0 padding_value(%cst : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<13x21xf32> -> tensor<2x6x8x4xf32>
  return %pack : tensor<2x6x8x4xf32>
}

// -----

func.func @unpack_dispatch(%arg0: tensor<2x6x8x4xf32>) -> tensor<13x21xf32> {
  %0 = tensor.empty() : tensor<13x21xf32>
  %unpack = linalg.unpack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<2x6x8x4xf32> -> tensor<13x21xf32>
  return %unpack : tensor<13x21xf32>
}

// -----

func.func @packed_weight_twice(%arg0: tensor<8x16xf32>, %arg1: tensor<24x16xf32>, %arg2: tensor<16x24xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x4x8x4xf32>
  %pack = linalg.pack %arg1 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %0 : tensor<24x16xf32> -> tensor<3x4x8x4xf32>
  %1 = tensor.empty() : tensor<1x4x8x4xf32>
  %pack_0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %1 : tensor<8x16xf32> -> tensor<1x4x8x4xf32>
  %2 = tensor.empty() : tensor<1x3x8x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %4 = linalg.mmt4d ins(%pack_0, %pack : tensor<1x4x8x4xf32>, tensor<3x4x8x4xf32>) outs(%3 : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %5 = tensor.empty() : tensor<8x24xf32>
  %unpack = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %5 : tensor<1x3x8x8xf32> -> tensor<8x24xf32>
  %6 = tensor.empty() : tensor<2x6x8x4xf32>
  %pack_1 = linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %6 : tensor<16x24xf32> -> tensor<2x6x8x4xf32>
  %7 = tensor.empty() : tensor<1x6x8x4xf32>
  %pack_2 = linalg.pack %unpack inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %7 : tensor<8x24xf32> -> tensor<1x6x8x4xf32>
  %8 = tensor.empty() : tensor<1x2x8x8xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %10 = linalg.mmt4d ins(%pack_2, %pack_1 : tensor<1x6x8x4xf32>, tensor<2x6x8x4xf32>) outs(%9 : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %11 = tensor.empty() : tensor<8x16xf32>
  %unpack_3 = linalg.unpack %10 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %11 : tensor<1x2x8x8xf32> -> tensor<8x16xf32>
  return %unpack_3 : tensor<8x16xf32>
}
