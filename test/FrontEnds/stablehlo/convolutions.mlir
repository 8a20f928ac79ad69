// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Convolutions of NHWC images, as StableHLO is lowered to linalg.

func.func @convolution(%arg0: tensor<1x10x10x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x8x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}

// -----

func.func @convolution_padded(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
    tensor.yield %cst : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %0 = tensor.empty() : tensor<1x8x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}

// -----

func.func @convolution_strided(%arg0: tensor<1x11x11x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x5x5x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x5x5x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x11x11x4xf32>, tensor<3x3x4x8xf32>) outs(%1 : tensor<1x5x5x8xf32>) -> tensor<1x5x5x8xf32>
  return %2 : tensor<1x5x5x8xf32>
}

// -----

func.func @convolution_dilated(%arg0: tensor<1x12x12x4xf32>, %arg1: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x8x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x12x12x4xf32>, tensor<3x3x4x8xf32>) outs(%1 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @convolution_1x1_bias(%arg0: tensor<2x6x6x16xf32>, %arg1: tensor<1x1x16x8xf32>, %arg2: tensor<8xf32>) -> tensor<2x6x6x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x6x6x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<2x6x6x16xf32>, tensor<1x1x16x8xf32>) outs(%1 : tensor<2x6x6x8xf32>) -> tensor<2x6x6x8xf32>
  %3 = tensor.empty() : tensor<2x6x6x8xf32>
  %broadcasted = linalg.broadcast ins(%arg2 : tensor<8xf32>) outs(%3 : tensor<2x6x6x8xf32>) dimensions = [0, 1, 2] 
  %4 = tensor.empty() : tensor<2x6x6x8xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %broadcasted : tensor<2x6x6x8xf32>, tensor<2x6x6x8xf32>) outs(%4 : tensor<2x6x6x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.addf %in, %in_0 : f32
    linalg.yield %6 : f32
  } -> tensor<2x6x6x8xf32>
  return %5 : tensor<2x6x6x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @convolution_bf16(%arg0: tensor<1x8x8x8xbf16>, %arg1: tensor<3x3x8x8xbf16>) -> tensor<1x6x6x8xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x6x6x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x8x8x8xbf16>, tensor<3x3x8x8xbf16>) outs(%1 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %3 = tensor.empty() : tensor<1x6x6x8xbf16>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x6x6x8xf32>) outs(%3 : tensor<1x6x6x8xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %5 = arith.truncf %in : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<1x6x6x8xbf16>
  return %4 : tensor<1x6x6x8xbf16>
}

// -----

func.func @depthwise_convolution(%arg0: tensor<1x10x10x6xf32>, %arg1: tensor<3x3x6xf32>) -> tensor<1x8x8x6xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x8x8x6xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x6xf32>) -> tensor<1x8x8x6xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x10x10x6xf32>, tensor<3x3x6xf32>) outs(%1 : tensor<1x8x8x6xf32>) -> tensor<1x8x8x6xf32>
  return %2 : tensor<1x8x8x6xf32>
}

// -----

func.func @convolution_1d(%arg0: tensor<2x16x4xf32>, %arg1: tensor<3x4x8xf32>) -> tensor<2x14x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x14x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x14x8xf32>) -> tensor<2x14x8xf32>
  %2 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%arg0, %arg1 : tensor<2x16x4xf32>, tensor<3x4x8xf32>) outs(%1 : tensor<2x14x8xf32>) -> tensor<2x14x8xf32>
  return %2 : tensor<2x14x8xf32>
}

// -----

func.func @convolution_3d(%arg0: tensor<1x6x6x6x2xf32>, %arg1: tensor<3x3x3x2x4xf32>) -> tensor<1x4x4x4x4xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x4x4x4x4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x4x4x4x4xf32>) -> tensor<1x4x4x4x4xf32>
  %2 = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%arg0, %arg1 : tensor<1x6x6x6x2xf32>, tensor<3x3x3x2x4xf32>) outs(%1 : tensor<1x4x4x4x4xf32>) -> tensor<1x4x4x4x4xf32>
  return %2 : tensor<1x4x4x4x4xf32>
}

// -----

func.func @convolution_pool_dense(%arg0: tensor<1x8x8x3xf32>, %arg1: tensor<3x3x3x8xf32>, %arg2: tensor<72x10xf32>) -> tensor<1x10xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x6x6x8xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x8x8x3xf32>, tensor<3x3x3x8xf32>) outs(%1 : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %3 = tensor.empty() : tensor<2x2xf32>
  %4 = tensor.empty() : tensor<1x3x3x8xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  %6 = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%2, %3 : tensor<1x6x6x8xf32>, tensor<2x2xf32>) outs(%5 : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  %collapsed = tensor.collapse_shape %6 [[0], [1, 2, 3]] : tensor<1x3x3x8xf32> into tensor<1x72xf32>
  %7 = tensor.empty() : tensor<1x10xf32>
  %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %9 = linalg.matmul ins(%collapsed, %arg2 : tensor<1x72xf32>, tensor<72x10xf32>) outs(%8 : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %9 : tensor<1x10xf32>
}
