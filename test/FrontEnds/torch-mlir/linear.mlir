// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Linear layers, as the linalg backend of torch-mlir prints them.

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @linear(%arg0: tensor<16x24xf32>, %arg1: tensor<32x24xf32>, %arg2: tensor<32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x24xf32>) outs(%0 : tensor<24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x32xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%3 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %5 = tensor.empty() : tensor<16x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<16x32xf32>, tensor<32xf32>) outs(%5 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.addf %in, %in_0 : f32
    linalg.yield %7 : f32
  } -> tensor<16x32xf32>
  return %6 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
func.func @linear_3d(%arg0: tensor<2x8x24xf32>, %arg1: tensor<32x24xf32>, %arg2: tensor<32xf32>) -> tensor<2x8x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
  %0 = tensor.empty() : tensor<24x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x24xf32>) outs(%0 : tensor<24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x32xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.matmul ins(%collapsed, %1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%3 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  %5 = tensor.empty() : tensor<2x8x32xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%5 : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.addf %in, %in_0 : f32
    linalg.yield %7 : f32
  } -> tensor<2x8x32xf32>
  return %6 : tensor<2x8x32xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
func.func @linear_3d_broadcast_weight(%arg0: tensor<2x8x24xf32>, %arg1: tensor<32x24xf32>, %arg2: tensor<32xf32>) -> tensor<2x8x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x24xf32>) outs(%0 : tensor<24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x32xf32>
  %2 = tensor.empty() : tensor<2x24x32xf32>
  %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<24x32xf32>) outs(%2 : tensor<2x24x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x24x32xf32>
  %4 = tensor.empty() : tensor<2x8x32xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %6 = linalg.batch_matmul ins(%arg0, %3 : tensor<2x8x24xf32>, tensor<2x24x32xf32>) outs(%5 : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %7 = tensor.empty() : tensor<2x8x32xf32>
  %8 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %arg2 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%7 : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.addf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<2x8x32xf32>
  return %8 : tensor<2x8x32xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @linear_f16(%arg0: tensor<16x24xf16>, %arg1: tensor<32x24xf16>, %arg2: tensor<32xf16>) -> tensor<16x32xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<24x32xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x24xf16>) outs(%0 : tensor<24x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<24x32xf16>
  %2 = tensor.empty() : tensor<16x32xf16>
  %3 = linalg.fill ins(%cst : f16) outs(%2 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<16x24xf16>, tensor<24x32xf16>) outs(%3 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %5 = tensor.empty() : tensor<16x32xf16>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<16x32xf16>, tensor<32xf16>) outs(%5 : tensor<16x32xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %7 = arith.addf %in, %in_0 : f16
    linalg.yield %7 : f16
  } -> tensor<16x32xf16>
  return %6 : tensor<16x32xf16>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @linear_bf16(%arg0: tensor<16x32xbf16>, %arg1: tensor<24x32xbf16>, %arg2: tensor<24xbf16>) -> tensor<16x24xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<32x24xbf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x32xbf16>) outs(%0 : tensor<32x24xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<32x24xbf16>
  %2 = tensor.empty() : tensor<16x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<16x32xbf16>, tensor<32x24xbf16>) outs(%3 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %5 = tensor.empty() : tensor<16x24xbf16>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<16x24xf32>) outs(%5 : tensor<16x24xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %9 = arith.truncf %in : f32 to bf16
    linalg.yield %9 : bf16
  } -> tensor<16x24xbf16>
  %7 = tensor.empty() : tensor<16x24xbf16>
  %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %arg2 : tensor<16x24xbf16>, tensor<24xbf16>) outs(%7 : tensor<16x24xbf16>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
    %9 = arith.addf %in, %in_0 : bf16
    linalg.yield %9 : bf16
  } -> tensor<16x24xbf16>
  return %8 : tensor<16x24xbf16>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @mlp_relu(%arg0: tensor<8x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<32xf32>, %arg3: tensor<10x32xf32>, %arg4: tensor<10xf32>) -> tensor<8x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x16xf32>) outs(%0 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x32xf32>
  %2 = tensor.empty() : tensor<8x32xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x32xf32>) outs(%3 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %5 = tensor.empty() : tensor<8x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<8x32xf32>, tensor<32xf32>) outs(%5 : tensor<8x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %16 = arith.addf %in, %in_0 : f32
    linalg.yield %16 : f32
  } -> tensor<8x32xf32>
  %7 = tensor.empty() : tensor<8x32xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x32xf32>) outs(%7 : tensor<8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.cmpf ugt, %in, %cst : f32
    %17 = arith.select %16, %in, %cst : f32
    linalg.yield %17 : f32
  } -> tensor<8x32xf32>
  %9 = tensor.empty() : tensor<32x10xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<10x32xf32>) outs(%9 : tensor<32x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x10xf32>
  %11 = tensor.empty() : tensor<8x10xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %13 = linalg.matmul ins(%8, %10 : tensor<8x32xf32>, tensor<32x10xf32>) outs(%12 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %14 = tensor.empty() : tensor<8x10xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %arg4 : tensor<8x10xf32>, tensor<10xf32>) outs(%14 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %16 = arith.addf %in, %in_0 : f32
    linalg.yield %16 : f32
  } -> tensor<8x10xf32>
  return %15 : tensor<8x10xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @mlp_gelu_erf(%arg0: tensor<8x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<32xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<16xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 0.707106769 : f32
  %cst_0 = arith.constant 1.000000e+00 : f32
  %cst_1 = arith.constant 5.000000e-01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x16xf32>) outs(%0 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x32xf32>
  %2 = tensor.empty() : tensor<8x32xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x32xf32>) outs(%3 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %5 = tensor.empty() : tensor<8x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<8x32xf32>, tensor<32xf32>) outs(%5 : tensor<8x32xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %16 = arith.addf %in, %in_3 : f32
    linalg.yield %16 : f32
  } -> tensor<8x32xf32>
  %7 = tensor.empty() : tensor<8x32xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x32xf32>) outs(%7 : tensor<8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %16 = arith.mulf %in, %cst : f32
    %17 = math.erf %16 : f32
    %18 = arith.addf %17, %cst_0 : f32
    %19 = arith.mulf %18, %cst_1 : f32
    %20 = arith.mulf %in, %19 : f32
    linalg.yield %20 : f32
  } -> tensor<8x32xf32>
  %9 = tensor.empty() : tensor<32x16xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16x32xf32>) outs(%9 : tensor<32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x16xf32>
  %11 = tensor.empty() : tensor<8x16xf32>
  %12 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %13 = linalg.matmul ins(%8, %10 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%12 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %14 = tensor.empty() : tensor<8x16xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %arg4 : tensor<8x16xf32>, tensor<16xf32>) outs(%14 : tensor<8x16xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %16 = arith.addf %in, %in_3 : f32
    linalg.yield %16 : f32
  } -> tensor<8x16xf32>
  return %15 : tensor<8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @mlp_gelu_tanh_f16(%arg0: tensor<8x16xf16>, %arg1: tensor<32x16xf16>, %arg2: tensor<32xf16>, %arg3: tensor<16x32xf16>, %arg4: tensor<16xf16>) -> tensor<8x16xf16> {
  %cst = arith.constant 7.978520e-01 : f16
  %cst_0 = arith.constant 4.470830e-02 : f16
  %cst_1 = arith.constant 1.000000e+00 : f16
  %cst_2 = arith.constant 5.000000e-01 : f16
  %cst_3 = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<16x32xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x16xf16>) outs(%0 : tensor<16x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<16x32xf16>
  %2 = tensor.empty() : tensor<8x32xf16>
  %3 = linalg.fill ins(%cst_3 : f16) outs(%2 : tensor<8x32xf16>) -> tensor<8x32xf16>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf16>, tensor<16x32xf16>) outs(%3 : tensor<8x32xf16>) -> tensor<8x32xf16>
  %5 = tensor.empty() : tensor<8x32xf16>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<8x32xf16>, tensor<32xf16>) outs(%5 : tensor<8x32xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %16 = arith.addf %in, %in_4 : f16
    linalg.yield %16 : f16
  } -> tensor<8x32xf16>
  %7 = tensor.empty() : tensor<8x32xf16>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x32xf16>) outs(%7 : tensor<8x32xf16>) {
  ^bb0(%in: f16, %out: f16):
    %16 = arith.mulf %in, %in : f16
    %17 = arith.mulf %16, %in : f16
    %18 = arith.mulf %17, %cst_0 : f16
    %19 = arith.addf %in, %18 : f16
    %20 = arith.mulf %19, %cst : f16
    %21 = math.tanh %20 : f16
    %22 = arith.addf %21, %cst_1 : f16
    %23 = arith.mulf %in, %22 : f16
    %24 = arith.mulf %23, %cst_2 : f16
    linalg.yield %24 : f16
  } -> tensor<8x32xf16>
  %9 = tensor.empty() : tensor<32x16xf16>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16x32xf16>) outs(%9 : tensor<32x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<32x16xf16>
  %11 = tensor.empty() : tensor<8x16xf16>
  %12 = linalg.fill ins(%cst_3 : f16) outs(%11 : tensor<8x16xf16>) -> tensor<8x16xf16>
  %13 = linalg.matmul ins(%8, %10 : tensor<8x32xf16>, tensor<32x16xf16>) outs(%12 : tensor<8x16xf16>) -> tensor<8x16xf16>
  %14 = tensor.empty() : tensor<8x16xf16>
  %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %arg4 : tensor<8x16xf16>, tensor<16xf16>) outs(%14 : tensor<8x16xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %16 = arith.addf %in, %in_4 : f16
    linalg.yield %16 : f16
  } -> tensor<8x16xf16>
  return %15 : tensor<8x16xf16>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @mlp_swiglu(%arg0: tensor<8x16xf32>, %arg1: tensor<40x16xf32>, %arg2: tensor<40x16xf32>, %arg3: tensor<16x40xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x40xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<40x16xf32>) outs(%0 : tensor<16x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x40xf32>
  %2 = tensor.empty() : tensor<8x40xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<8x40xf32>) -> tensor<8x40xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x16xf32>, tensor<16x40xf32>) outs(%3 : tensor<8x40xf32>) -> tensor<8x40xf32>
  %5 = tensor.empty() : tensor<16x40xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<40x16xf32>) outs(%5 : tensor<16x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x40xf32>
  %7 = tensor.empty() : tensor<8x40xf32>
  %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<8x40xf32>) -> tensor<8x40xf32>
  %9 = linalg.matmul ins(%arg0, %6 : tensor<8x16xf32>, tensor<16x40xf32>) outs(%8 : tensor<8x40xf32>) -> tensor<8x40xf32>
  %10 = tensor.empty() : tensor<8x40xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x40xf32>) outs(%10 : tensor<8x40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %21 = arith.negf %in : f32
    %22 = math.exp %21 : f32
    %23 = arith.addf %22, %cst : f32
    %24 = arith.divf %cst, %23 : f32
    linalg.yield %24 : f32
  } -> tensor<8x40xf32>
  %12 = tensor.empty() : tensor<8x40xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<8x40xf32>, tensor<8x40xf32>) outs(%12 : tensor<8x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<8x40xf32>
  %14 = tensor.empty() : tensor<8x40xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %9 : tensor<8x40xf32>, tensor<8x40xf32>) outs(%14 : tensor<8x40xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<8x40xf32>
  %16 = tensor.empty() : tensor<40x16xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16x40xf32>) outs(%16 : tensor<40x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<40x16xf32>
  %18 = tensor.empty() : tensor<8x16xf32>
  %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %20 = linalg.matmul ins(%15, %17 : tensor<8x40xf32>, tensor<40x16xf32>) outs(%19 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %20 : tensor<8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @linear_residual(%arg0: tensor<16x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<32x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %5 = tensor.empty() : tensor<16x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<16x32xf32>, tensor<32xf32>) outs(%5 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.addf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<16x32xf32>
  %7 = tensor.empty() : tensor<16x32xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%7 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.addf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<16x32xf32>
  return %8 : tensor<16x32xf32>
}

// -----

func.func @matvec(%arg0: tensor<24x40xf32>, %arg1: tensor<40xf32>) -> tensor<24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<24xf32>) -> tensor<24xf32>
  %2 = linalg.matvec ins(%arg0, %arg1 : tensor<24x40xf32>, tensor<40xf32>) outs(%1 : tensor<24xf32>) -> tensor<24xf32>
  return %2 : tensor<24xf32>
}

// -----

func.func @vecmat(%arg0: tensor<40xf32>, %arg1: tensor<40x24xf32>) -> tensor<24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<24xf32>) -> tensor<24xf32>
  %2 = linalg.vecmat ins(%arg0, %arg1 : tensor<40xf32>, tensor<40x24xf32>) outs(%1 : tensor<24xf32>) -> tensor<24xf32>
  return %2 : tensor<24xf32>
}

// -----

func.func @dot(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<f32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
  %2 = linalg.dot ins(%arg0, %arg1 : tensor<64xf32>, tensor<64xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @addmm(%arg0: tensor<16x24xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<32x24xf32>) -> tensor<16x24xf32> {
  %cst = arith.constant 2.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 5.000000e-01 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<16x24xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.mulf %in, %cst_1 : f32
    linalg.yield %9 : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty() : tensor<16x24xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %4 = linalg.matmul ins(%arg1, %arg2 : tensor<16x32xf32>, tensor<32x24xf32>) outs(%3 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %5 = tensor.empty() : tensor<16x24xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<16x24xf32>) outs(%5 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.mulf %in, %cst : f32
    linalg.yield %9 : f32
  } -> tensor<16x24xf32>
  %7 = tensor.empty() : tensor<16x24xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<16x24xf32>, tensor<16x24xf32>) outs(%7 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %9 = arith.addf %in, %in_2 : f32
    linalg.yield %9 : f32
  } -> tensor<16x24xf32>
  return %8 : tensor<16x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @tied_weights(%arg0: tensor<8x24xf32>, %arg1: tensor<24x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x24xf32>) outs(%0 : tensor<24x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x24xf32>
  %2 = tensor.empty() : tensor<8x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<8x24xf32>, tensor<24x24xf32>) outs(%3 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %5 = tensor.empty() : tensor<8x24xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x24xf32>) outs(%5 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = math.tanh %in : f32
    linalg.yield %10 : f32
  } -> tensor<8x24xf32>
  %7 = tensor.empty() : tensor<8x24xf32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %9 = linalg.matmul ins(%6, %arg1 : tensor<8x24xf32>, tensor<24x24xf32>) outs(%8 : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %9 : tensor<8x24xf32>
}
