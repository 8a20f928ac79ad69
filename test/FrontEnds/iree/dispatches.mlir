// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Bodies of dispatches as IREE forms them: a contraction with its elementwise producers and
// consumers.

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @matmul_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @matmul_transpose_b_dispatch(%arg0: tensor<16x24xf16>, %arg1: tensor<32x24xf16>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<32x24xf16>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %3 = arith.extf %in : f16 to f32
    %4 = arith.extf %in_0 : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
func.func @matmul_bias_gelu_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>, %arg2: tensor<32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 1.41421354 : f32
  %cst_1 = arith.constant 5.000000e-01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %5 = arith.mulf %in, %in_3 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x32xf32>
  %3 = tensor.empty() : tensor<16x32xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<16x32xf32>, tensor<32xf32>) outs(%3 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %5 = arith.addf %in, %in_3 : f32
    %6 = arith.divf %5, %cst_0 : f32
    %7 = math.erf %6 : f32
    %8 = arith.addf %7, %cst : f32
    %9 = arith.mulf %8, %cst_1 : f32
    %10 = arith.mulf %5, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<16x32xf32>
  return %4 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
func.func @matmul_truncate_dispatch(%arg0: tensor<16x32xf16>, %arg1: tensor<32x24xf16>) -> tensor<16x24xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x32xf16>, tensor<32x24xf16>) outs(%1 : tensor<16x24xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %5 = arith.extf %in : f16 to f32
    %6 = arith.extf %in_0 : f16 to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %out, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<16x24xf32>
  %3 = tensor.empty() : tensor<16x24xf16>
  %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<16x24xf32>) outs(%3 : tensor<16x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %5 = arith.truncf %in : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<16x24xf16>
  return %4 : tensor<16x24xf16>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @producer_fused_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<16x24xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    linalg.yield %5 : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %arg2 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%3 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x32xf32>
  return %4 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dequantized_weight_dispatch(%arg0: tensor<8x32xf32>, %arg1: tensor<24x32xi8>, %arg2: tensor<24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg2 : tensor<24x32xi8>, tensor<24xf32>) outs(%0 : tensor<24x32xf32>) {
  ^bb0(%in: i8, %in_0: f32, %out: f32):
    %5 = arith.sitofp %in : i8 to f32
    %6 = arith.mulf %5, %in_0 : f32
    linalg.yield %6 : f32
  } -> tensor<24x32xf32>
  %2 = tensor.empty() : tensor<8x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %1 : tensor<8x32xf32>, tensor<24x32xf32>) outs(%3 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @dequantized_groups_dispatch(%arg0: tensor<8x4x8xf32>, %arg1: tensor<24x4x8xi8>, %arg2: tensor<24x4xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<24x4x8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg2 : tensor<24x4x8xi8>, tensor<24x4xf32>) outs(%0 : tensor<24x4x8xf32>) {
  ^bb0(%in: i8, %in_0: f32, %out: f32):
    %5 = arith.uitofp %in : i8 to f32
    %6 = arith.mulf %5, %in_0 : f32
    linalg.yield %6 : f32
  } -> tensor<24x4x8xf32>
  %2 = tensor.empty() : tensor<8x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %1 : tensor<8x4x8xf32>, tensor<24x4x8xf32>) outs(%3 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32
  } -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}

// -----

func.func @i8_matmul_dispatch(%arg0: tensor<16x24xi8>, %arg1: tensor<24x32xi8>) -> tensor<16x32xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<16x32xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xi8>, tensor<24x32xi8>) outs(%1 : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %2 : tensor<16x32xi32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @i8_matmul_transpose_b_dispatch(%arg0: tensor<16x24xi8>, %arg1: tensor<32x24xi8>) -> tensor<16x32xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<16x32xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xi8>, tensor<32x24xi8>) outs(%1 : tensor<16x32xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %3 = arith.extsi %in : i8 to i32
    %4 = arith.extsi %in_0 : i8 to i32
    %5 = arith.muli %3, %4 : i32
    %6 = arith.addi %out, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<16x32xi32>
  return %2 : tensor<16x32xi32>
}

// -----

func.func @quantized_matmul_dispatch(%arg0: tensor<16x24xi8>, %arg1: tensor<24x32xi8>, %arg2: i32 {rooftile.value = 3.000000e+00 : f32}, %arg3: i32 {rooftile.value = -2.000000e+00 : f32}) -> tensor<16x32xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<16x32xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
  %2 = linalg.quantized_matmul ins(%arg0, %arg1, %arg2, %arg3 : tensor<16x24xi8>, tensor<24x32xi8>, i32, i32) outs(%1 : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %2 : tensor<16x32xi32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
func.func @requantized_matmul_dispatch(%arg0: tensor<16x24xi8>, %arg1: tensor<24x32xi8>, %arg2: tensor<32xi32>) -> tensor<16x32xi8> {
  %cst = arith.constant 1.270000e+02 : f32
  %cst_0 = arith.constant -1.280000e+02 : f32
  %cst_1 = arith.constant 1.250000e-02 : f32
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<16x32xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xi8>, tensor<24x32xi8>) outs(%1 : tensor<16x32xi32>) -> tensor<16x32xi32>
  %3 = tensor.empty() : tensor<16x32xi8>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<16x32xi32>, tensor<32xi32>) outs(%3 : tensor<16x32xi8>) {
  ^bb0(%in: i32, %in_2: i32, %out: i8):
    %5 = arith.addi %in, %in_2 : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %cst_1 : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.maximumf %8, %cst_0 : f32
    %10 = arith.minimumf %9, %cst : f32
    %11 = arith.fptosi %10 : f32 to i8
    linalg.yield %11 : i8
  } -> tensor<16x32xi8>
  return %4 : tensor<16x32xi8>
}

// -----

func.func @f8_matmul_dispatch(%arg0: tensor<16x32xf8E4M3FN>, %arg1: tensor<32x24xf8E4M3FN>) -> tensor<16x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x32xf8E4M3FN>, tensor<32x24xf8E4M3FN>) outs(%1 : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %2 : tensor<16x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f8_generic_dispatch(%arg0: tensor<16x32xf8E5M2>, %arg1: tensor<24x32xf8E5M2>) -> tensor<16x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x32xf8E5M2>, tensor<24x32xf8E5M2>) outs(%1 : tensor<16x24xf32>) {
  ^bb0(%in: f8E5M2, %in_0: f8E5M2, %out: f32):
    %3 = arith.extf %in : f8E5M2 to f32
    %4 = arith.extf %in_0 : f8E5M2 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x24xf32>
  return %2 : tensor<16x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d1)>
func.func @f8_scaled_dispatch(%arg0: tensor<16x32xf8E4M3FN>, %arg1: tensor<24x32xf8E4M3FN>, %arg2: tensor<16x1xf32>, %arg3: tensor<24xf32>) -> tensor<16x24xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x32xf8E4M3FN>, tensor<24x32xf8E4M3FN>) outs(%1 : tensor<16x24xf32>) {
  ^bb0(%in: f8E4M3FN, %in_0: f8E4M3FN, %out: f32):
    %5 = arith.extf %in : f8E4M3FN to f32
    %6 = arith.extf %in_0 : f8E4M3FN to f32
    %7 = arith.mulf %5, %6 : f32
    %8 = arith.addf %out, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<16x24xf32>
  %3 = tensor.empty() : tensor<16x24xbf16>
  %4 = linalg.generic {indexing_maps = [#map3, #map4, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2, %arg3 : tensor<16x24xf32>, tensor<16x1xf32>, tensor<24xf32>) outs(%3 : tensor<16x24xbf16>) {
  ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: bf16):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.mulf %5, %in_1 : f32
    %7 = arith.truncf %6 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<16x24xbf16>
  return %4 : tensor<16x24xbf16>
}

// -----

func.func @batch_matmul_dispatch(%arg0: tensor<3x16x24xf32>, %arg1: tensor<3x24x20xf32>) -> tensor<3x16x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x16x20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x16x24xf32>, tensor<3x24x20xf32>) outs(%1 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  return %2 : tensor<3x16x20xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @broadcast_weight_batch_matmul_dispatch(%arg0: tensor<3x16x24xf32>, %arg1: tensor<24x20xf32>) -> tensor<3x16x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x24x20xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<24x20xf32>) outs(%0 : tensor<3x24x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x24x20xf32>
  %2 = tensor.empty() : tensor<3x16x20xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<3x16x24xf32>, tensor<3x24x20xf32>) outs(%3 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  return %4 : tensor<3x16x20xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
func.func @matvec_dispatch(%arg0: tensor<32x48xf32>, %arg1: tensor<48xf32>) -> tensor<32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<32x48xf32>, tensor<48xf32>) outs(%1 : tensor<32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32xf32>
  return %2 : tensor<32xf32>
}

// -----

func.func @softmax_named_dispatch(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xf32>
  %4 = linalg.softmax dimension(1) ins(%2 : tensor<8x24xf32>) outs(%3 : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @attention_named_softmax_dispatch(%arg0: tensor<2x8x16xf32>, %arg1: tensor<2x8x16xf32>, %arg2: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %cst = arith.constant 2.500000e-01 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8x8xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x8x16xf32>, tensor<2x8x16xf32>) outs(%1 : tensor<2x8x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %10 = arith.mulf %in, %in_1 : f32
    %11 = arith.addf %out, %10 : f32
    linalg.yield %11 : f32
  } -> tensor<2x8x8xf32>
  %3 = tensor.empty() : tensor<2x8x8xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x8x8xf32>) outs(%3 : tensor<2x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %10 = arith.mulf %in, %cst : f32
    linalg.yield %10 : f32
  } -> tensor<2x8x8xf32>
  %5 = tensor.empty() : tensor<2x8x8xf32>
  %6 = linalg.softmax dimension(2) ins(%4 : tensor<2x8x8xf32>) outs(%5 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %7 = tensor.empty() : tensor<2x8x16xf32>
  %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %9 = linalg.batch_matmul ins(%6, %arg2 : tensor<2x8x8xf32>, tensor<2x8x16xf32>) outs(%8 : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %9 : tensor<2x8x16xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @split_k_dispatch(%arg0: tensor<4x16x8xf32>, %arg1: tensor<4x8x12xf32>) -> tensor<16x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12x4xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12x4xf32>) -> tensor<16x12x4xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x16x8xf32>, tensor<4x8x12xf32>) outs(%1 : tensor<16x12x4xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.mulf %in, %in_0 : f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<16x12x4xf32>
  %3 = tensor.empty() : tensor<16x12xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<16x12x4xf32>) outs(%4 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.addf %in, %out : f32
    linalg.yield %6 : f32
  } -> tensor<16x12xf32>
  return %5 : tensor<16x12xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
func.func @reduction_after_matmul_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.mulf %in, %in_0 : f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<16x32xf32>
  %3 = tensor.empty() : tensor<16xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<16xf32>) -> tensor<16xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<16x32xf32>) outs(%4 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %6 = arith.mulf %in, %in : f32
    %7 = arith.addf %6, %out : f32
    linalg.yield %7 : f32
  } -> tensor<16xf32>
  return %5 : tensor<16xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
func.func @two_results_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>, %arg2: tensor<32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf16>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %6 = arith.mulf %in, %in_0 : f32
    %7 = arith.addf %out, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<16x32xf32>
  %3 = tensor.empty() : tensor<16x32xf32>
  %4 = tensor.empty() : tensor<16x32xf16>
  %5:2 = linalg.generic {indexing_maps = [#map3, #map4, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<16x32xf32>, tensor<32xf32>) outs(%3, %4 : tensor<16x32xf32>, tensor<16x32xf16>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32, %out_1: f16):
    %6 = arith.addf %in, %in_0 : f32
    %7 = arith.truncf %6 : f32 to f16
    linalg.yield %6, %7 : f32, f16
  } -> (tensor<16x32xf32>, tensor<16x32xf16>)
  return %5#0, %5#1 : tensor<16x32xf32>, tensor<16x32xf16>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
func.func @conv_dispatch(%arg0: tensor<1x10x10x8xf16>, %arg1: tensor<3x3x8x16xf16>, %arg2: tensor<16xf32>) -> tensor<1x8x8x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %arg1 : tensor<1x10x10x8xf16>, tensor<3x3x8x16xf16>) outs(%1 : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = tensor.empty() : tensor<1x8x8x16xf16>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %arg2 : tensor<1x8x8x16xf32>, tensor<16xf32>) outs(%3 : tensor<1x8x8x16xf16>) {
  ^bb0(%in: f32, %in_0: f32, %out: f16):
    %5 = arith.addf %in, %in_0 : f32
    %6 = arith.maximumf %5, %cst : f32
    %7 = arith.truncf %6 : f32 to f16
    linalg.yield %7 : f16
  } -> tensor<1x8x8x16xf16>
  return %4 : tensor<1x8x8x16xf16>
}
