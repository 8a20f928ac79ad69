// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Convolutions, as the linalg backend of torch-mlir prints them.

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv3x3(%arg0: tensor<1x4x10x10xf32>, %arg1: tensor<8x4x3x3xf32>, %arg2: tensor<8xf32>) -> tensor<1x8x10x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
    tensor.yield %cst : f32
  } : tensor<1x4x10x10xf32> to tensor<1x4x12x12xf32>
  %0 = tensor.empty() : tensor<1x8x10x10xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x10x10xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x4x12x12xf32>, tensor<8x4x3x3xf32>) outs(%1 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
  return %2 : tensor<1x8x10x10xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv1x1(%arg0: tensor<2x16x6x6xf32>, %arg1: tensor<8x16x1x1xf32>, %arg2: tensor<8xf32>) -> tensor<2x8x6x6xf32> {
  %0 = tensor.empty() : tensor<2x8x6x6xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%0 : tensor<2x8x6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x6x6xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<2x16x6x6xf32>, tensor<8x16x1x1xf32>) outs(%1 : tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  return %2 : tensor<2x8x6x6xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv_stride2_relu(%arg0: tensor<1x4x10x10xf32>, %arg1: tensor<8x4x3x3xf32>, %arg2: tensor<8xf32>) -> tensor<1x8x5x5xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
    tensor.yield %cst : f32
  } : tensor<1x4x10x10xf32> to tensor<1x4x12x12xf32>
  %0 = tensor.empty() : tensor<1x8x5x5xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%0 : tensor<1x8x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x5x5xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x4x12x12xf32>, tensor<8x4x3x3xf32>) outs(%1 : tensor<1x8x5x5xf32>) -> tensor<1x8x5x5xf32>
  %3 = tensor.empty() : tensor<1x8x5x5xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x8x5x5xf32>) outs(%3 : tensor<1x8x5x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.cmpf ugt, %in, %cst : f32
    %6 = arith.select %5, %in, %cst : f32
    linalg.yield %6 : f32
  } -> tensor<1x8x5x5xf32>
  return %4 : tensor<1x8x5x5xf32>
}

// -----

func.func @conv_dilated(%arg0: tensor<1x4x12x12xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x6x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x4x12x12xf32>, tensor<6x4x3x3xf32>) outs(%1 : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %2 : tensor<1x6x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv_f16(%arg0: tensor<1x8x8x8xf16>, %arg1: tensor<8x8x3x3xf16>) -> tensor<1x8x8x8xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f16
  %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
    tensor.yield %cst_0 : f16
  } : tensor<1x8x8x8xf16> to tensor<1x8x10x10xf16>
  %0 = tensor.empty() : tensor<1x8x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x8x10x10xf16>, tensor<8x8x3x3xf16>) outs(%1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %3 = tensor.empty() : tensor<1x8x8x8xf16>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x8x8x8xf32>) outs(%3 : tensor<1x8x8x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %5 = arith.truncf %in : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<1x8x8x8xf16>
  return %4 : tensor<1x8x8x8xf16>
}

// -----

func.func @depthwise_conv(%arg0: tensor<1x6x10x10xf32>, %arg1: tensor<6x3x3xf32>) -> tensor<1x6x10x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
    tensor.yield %cst : f32
  } : tensor<1x6x10x10xf32> to tensor<1x6x12x12xf32>
  %0 = tensor.empty() : tensor<1x6x10x10xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x10x10xf32>) -> tensor<1x6x10x10xf32>
  %2 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x6x12x12xf32>, tensor<6x3x3xf32>) outs(%1 : tensor<1x6x10x10xf32>) -> tensor<1x6x10x10xf32>
  return %2 : tensor<1x6x10x10xf32>
}

// -----

func.func @grouped_conv(%arg0: tensor<1x2x4x10x10xf32>, %arg1: tensor<2x3x4x3x3xf32>) -> tensor<1x2x3x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x2x3x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x3x8x8xf32>) -> tensor<1x2x3x8x8xf32>
  %2 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x2x4x10x10xf32>, tensor<2x3x4x3x3xf32>) outs(%1 : tensor<1x2x3x8x8xf32>) -> tensor<1x2x3x8x8xf32>
  return %2 : tensor<1x2x3x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
func.func @conv_pool_classifier(%arg0: tensor<1x3x10x10xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: tensor<8xf32>, %arg3: tensor<10x8xf32>, %arg4: tensor<10xf32>) -> tensor<1x10xf32> {
  %cst = arith.constant 1.000000e+02 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
    tensor.yield %cst_0 : f32
  } : tensor<1x3x10x10xf32> to tensor<1x3x12x12xf32>
  %0 = tensor.empty() : tensor<1x8x10x10xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<8xf32>) outs(%0 : tensor<1x8x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x10x10xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x3x12x12xf32>, tensor<8x3x3x3xf32>) outs(%1 : tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32>
  %3 = tensor.empty() : tensor<1x8x10x10xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x8x10x10xf32>) outs(%3 : tensor<1x8x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.cmpf ugt, %in, %cst_0 : f32
    %18 = arith.select %17, %in, %cst_0 : f32
    linalg.yield %18 : f32
  } -> tensor<1x8x10x10xf32>
  %5 = tensor.empty() : tensor<1x8x1x1xf32>
  %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%4 : tensor<1x8x10x10xf32>) outs(%6 : tensor<1x8x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.addf %in, %out : f32
    linalg.yield %17 : f32
  } -> tensor<1x8x1x1xf32>
  %8 = tensor.empty() : tensor<1x8x1x1xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x8x1x1xf32>) outs(%8 : tensor<1x8x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %17 = arith.divf %in, %cst : f32
    linalg.yield %17 : f32
  } -> tensor<1x8x1x1xf32>
  %collapsed = tensor.collapse_shape %9 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
  %10 = tensor.empty() : tensor<8x10xf32>
  %11 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<10x8xf32>) outs(%10 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x10xf32>
  %12 = tensor.empty() : tensor<1x10xf32>
  %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %14 = linalg.matmul ins(%collapsed, %11 : tensor<1x8xf32>, tensor<8x10xf32>) outs(%13 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %15 = tensor.empty() : tensor<1x10xf32>
  %16 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%14, %arg4 : tensor<1x10xf32>, tensor<10xf32>) outs(%15 : tensor<1x10xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %17 = arith.addf %in, %in_1 : f32
    linalg.yield %17 : f32
  } -> tensor<1x10xf32>
  return %16 : tensor<1x10xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @max_pool_linear(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<10x64xf32>) -> tensor<1x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<2x2xf32>
  %1 = tensor.empty() : tensor<1x4x4x4xf32>
  %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %0 : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%2 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %collapsed = tensor.collapse_shape %3 [[0], [1, 2, 3]] : tensor<1x4x4x4xf32> into tensor<1x64xf32>
  %4 = tensor.empty() : tensor<64x10xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<10x64xf32>) outs(%4 : tensor<64x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64x10xf32>
  %6 = tensor.empty() : tensor<1x10xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %8 = linalg.matmul ins(%collapsed, %5 : tensor<1x64xf32>, tensor<64x10xf32>) outs(%7 : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %8 : tensor<1x10xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @patch_embedding(%arg0: tensor<1x3x16x16xf32>, %arg1: tensor<24x3x4x4xf32>, %arg2: tensor<24xf32>) -> tensor<1x16x24xf32> {
  %0 = tensor.empty() : tensor<1x24x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<24xf32>) outs(%0 : tensor<1x24x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x24x4x4xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x3x16x16xf32>, tensor<24x3x4x4xf32>) outs(%1 : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  %collapsed = tensor.collapse_shape %2 [[0], [1], [2, 3]] : tensor<1x24x4x4xf32> into tensor<1x24x16xf32>
  %3 = tensor.empty() : tensor<1x16x24xf32>
  %4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x24x16xf32>) outs(%3 : tensor<1x16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x16x24xf32>
  return %4 : tensor<1x16x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @conv_batch_norm(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<6xf32>, %arg3: tensor<6xf32>) -> tensor<1x6x6x6xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) outs(%1 : tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  %3 = tensor.empty() : tensor<1x6x6x6xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %arg2, %arg3 : tensor<1x6x6x6xf32>, tensor<6xf32>, tensor<6xf32>) outs(%3 : tensor<1x6x6x6xf32>) {
  ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %5, %in_1 : f32
    linalg.yield %6 : f32
  } -> tensor<1x6x6x6xf32>
  return %4 : tensor<1x6x6x6xf32>
}

// -----

func.func @conv1d(%arg0: tensor<2x4x16xf32>, %arg1: tensor<8x4x3xf32>) -> tensor<2x8x14xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8x14xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8x14xf32>) -> tensor<2x8x14xf32>
  %2 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%arg0, %arg1 : tensor<2x4x16xf32>, tensor<8x4x3xf32>) outs(%1 : tensor<2x8x14xf32>) -> tensor<2x8x14xf32>
  return %2 : tensor<2x8x14xf32>
}
