// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Attention, as the linalg backend of torch-mlir prints it: softmax written out.

func.func @bmm(%arg0: tensor<3x16x24xf32>, %arg1: tensor<3x24x20xf32>) -> tensor<3x16x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x16x20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x16x24xf32>, tensor<3x24x20xf32>) outs(%1 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  return %2 : tensor<3x16x20xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @bmm_transposed(%arg0: tensor<3x16x24xf32>, %arg1: tensor<3x20x24xf32>) -> tensor<3x16x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x24x20xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x20x24xf32>) outs(%0 : tensor<3x24x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x24x20xf32>
  %2 = tensor.empty() : tensor<3x16x20xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<3x16x24xf32>, tensor<3x24x20xf32>) outs(%3 : tensor<3x16x20xf32>) -> tensor<3x16x20xf32>
  return %4 : tensor<3x16x20xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @baddbmm_f16(%arg0: tensor<2x16x24xf16>, %arg1: tensor<2x16x32xf16>, %arg2: tensor<2x32x24xf16>) -> tensor<2x16x24xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<2x16x24xf16>
  %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<2x16x24xf16>) -> tensor<2x16x24xf16>
  %2 = linalg.batch_matmul ins(%arg1, %arg2 : tensor<2x16x32xf16>, tensor<2x32x24xf16>) outs(%1 : tensor<2x16x24xf16>) -> tensor<2x16x24xf16>
  %3 = tensor.empty() : tensor<2x16x24xf16>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %arg0 : tensor<2x16x24xf16>, tensor<2x16x24xf16>) outs(%3 : tensor<2x16x24xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %5 = arith.addf %in, %in_0 : f16
    linalg.yield %5 : f16
  } -> tensor<2x16x24xf16>
  return %4 : tensor<2x16x24xf16>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @attention_head(%arg0: tensor<2x12x16xf32>, %arg1: tensor<2x12x16xf32>, %arg2: tensor<2x12x16xf32>) -> tensor<2x12x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.500000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16x12xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x12x16xf32>) outs(%0 : tensor<2x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x16x12xf32>
  %2 = tensor.empty() : tensor<2x12x12xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x12x16xf32>, tensor<2x16x12xf32>) outs(%3 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %5 = tensor.empty() : tensor<2x12x12xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x12x12xf32>) outs(%5 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = arith.mulf %in, %cst_0 : f32
    linalg.yield %24 : f32
  } -> tensor<2x12x12xf32>
  %7 = tensor.empty() : tensor<2x12x1xf32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %9 = tensor.empty() : tensor<2x12x1xi64>
  %10 = linalg.fill ins(%c0_i64 : i64) outs(%9 : tensor<2x12x1xi64>) -> tensor<2x12x1xi64>
  %11:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x12x12xf32>) outs(%8, %10 : tensor<2x12x1xf32>, tensor<2x12x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_2: i64):
    %24 = linalg.index 2 : index
    %25 = arith.index_cast %24 : index to i64
    %26 = arith.maximumf %in, %out : f32
    %27 = arith.cmpf ogt, %in, %out : f32
    %28 = arith.select %27, %25, %out_2 : i64
    linalg.yield %26, %28 : f32, i64
  } -> (tensor<2x12x1xf32>, tensor<2x12x1xi64>)
  %12 = tensor.empty() : tensor<2x12x12xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %11#0 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%12 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %24 = arith.subf %in, %in_2 : f32
    linalg.yield %24 : f32
  } -> tensor<2x12x12xf32>
  %14 = tensor.empty() : tensor<2x12x12xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x12x12xf32>) outs(%14 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = math.exp %in : f32
    linalg.yield %24 : f32
  } -> tensor<2x12x12xf32>
  %16 = tensor.empty() : tensor<2x12x1xf32>
  %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x12x12xf32>) outs(%17 : tensor<2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %24 = arith.addf %in, %out : f32
    linalg.yield %24 : f32
  } -> tensor<2x12x1xf32>
  %19 = tensor.empty() : tensor<2x12x12xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%19 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %24 = arith.divf %in, %in_2 : f32
    linalg.yield %24 : f32
  } -> tensor<2x12x12xf32>
  %21 = tensor.empty() : tensor<2x12x16xf32>
  %22 = linalg.fill ins(%cst_1 : f32) outs(%21 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %23 = linalg.batch_matmul ins(%20, %arg2 : tensor<2x12x12xf32>, tensor<2x12x16xf32>) outs(%22 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  return %23 : tensor<2x12x16xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @attention_f16(%arg0: tensor<2x16x16xf16>, %arg1: tensor<2x16x16xf16>, %arg2: tensor<2x16x16xf16>) -> tensor<2x16x16xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %c0_i64 = arith.constant 0 : i64
  %cst_0 = arith.constant 0xFF800000 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16x16xf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x16x16xf16>) outs(%0 : tensor<2x16x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x16x16xf16>
  %2 = tensor.empty() : tensor<2x16x16xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x16x16xf16>, tensor<2x16x16xf16>) outs(%3 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %5 = tensor.empty() : tensor<2x16x16xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x16x16xf32>) outs(%5 : tensor<2x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.mulf %in, %cst_1 : f32
    linalg.yield %26 : f32
  } -> tensor<2x16x16xf32>
  %7 = tensor.empty() : tensor<2x16x1xf32>
  %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
  %9 = tensor.empty() : tensor<2x16x1xi64>
  %10 = linalg.fill ins(%c0_i64 : i64) outs(%9 : tensor<2x16x1xi64>) -> tensor<2x16x1xi64>
  %11:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x16x16xf32>) outs(%8, %10 : tensor<2x16x1xf32>, tensor<2x16x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_3: i64):
    %26 = linalg.index 2 : index
    %27 = arith.index_cast %26 : index to i64
    %28 = arith.maximumf %in, %out : f32
    %29 = arith.cmpf ogt, %in, %out : f32
    %30 = arith.select %29, %27, %out_3 : i64
    linalg.yield %28, %30 : f32, i64
  } -> (tensor<2x16x1xf32>, tensor<2x16x1xi64>)
  %12 = tensor.empty() : tensor<2x16x16xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %11#0 : tensor<2x16x16xf32>, tensor<2x16x1xf32>) outs(%12 : tensor<2x16x16xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %26 = arith.subf %in, %in_3 : f32
    linalg.yield %26 : f32
  } -> tensor<2x16x16xf32>
  %14 = tensor.empty() : tensor<2x16x16xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x16xf32>) outs(%14 : tensor<2x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<2x16x16xf32>
  %16 = tensor.empty() : tensor<2x16x1xf32>
  %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x16x16xf32>) outs(%17 : tensor<2x16x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<2x16x1xf32>
  %19 = tensor.empty() : tensor<2x16x16xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x16x16xf32>, tensor<2x16x1xf32>) outs(%19 : tensor<2x16x16xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %26 = arith.divf %in, %in_3 : f32
    linalg.yield %26 : f32
  } -> tensor<2x16x16xf32>
  %21 = tensor.empty() : tensor<2x16x16xf16>
  %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x16x16xf32>) outs(%21 : tensor<2x16x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %26 = arith.truncf %in : f32 to f16
    linalg.yield %26 : f16
  } -> tensor<2x16x16xf16>
  %23 = tensor.empty() : tensor<2x16x16xf16>
  %24 = linalg.fill ins(%cst : f16) outs(%23 : tensor<2x16x16xf16>) -> tensor<2x16x16xf16>
  %25 = linalg.batch_matmul ins(%22, %arg2 : tensor<2x16x16xf16>, tensor<2x16x16xf16>) outs(%24 : tensor<2x16x16xf16>) -> tensor<2x16x16xf16>
  return %25 : tensor<2x16x16xf16>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @attention_causal(%arg0: tensor<2x12x16xf32>, %arg1: tensor<2x12x16xf32>, %arg2: tensor<2x12x16xf32>) -> tensor<2x12x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.500000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16x12xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x12x16xf32>) outs(%0 : tensor<2x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x16x12xf32>
  %2 = tensor.empty() : tensor<2x12x12xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x12x16xf32>, tensor<2x16x12xf32>) outs(%3 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %5 = tensor.empty() : tensor<2x12x12xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x12x12xf32>) outs(%5 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.mulf %in, %cst_0 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %7 = tensor.empty() : tensor<2x12x12xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x12x12xf32>) outs(%7 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = linalg.index 1 : index
    %27 = linalg.index 2 : index
    %28 = arith.cmpi sge, %26, %27 : index
    %29 = arith.select %28, %in, %cst : f32
    linalg.yield %29 : f32
  } -> tensor<2x12x12xf32>
  %9 = tensor.empty() : tensor<2x12x1xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %11 = tensor.empty() : tensor<2x12x1xi64>
  %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<2x12x1xi64>) -> tensor<2x12x1xi64>
  %13:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x12x12xf32>) outs(%10, %12 : tensor<2x12x1xf32>, tensor<2x12x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_2: i64):
    %26 = linalg.index 2 : index
    %27 = arith.index_cast %26 : index to i64
    %28 = arith.maximumf %in, %out : f32
    %29 = arith.cmpf ogt, %in, %out : f32
    %30 = arith.select %29, %27, %out_2 : i64
    linalg.yield %28, %30 : f32, i64
  } -> (tensor<2x12x1xf32>, tensor<2x12x1xi64>)
  %14 = tensor.empty() : tensor<2x12x12xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %13#0 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%14 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.subf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %16 = tensor.empty() : tensor<2x12x12xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x12x12xf32>) outs(%16 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %18 = tensor.empty() : tensor<2x12x1xf32>
  %19 = linalg.fill ins(%cst_1 : f32) outs(%18 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<2x12x12xf32>) outs(%19 : tensor<2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x1xf32>
  %21 = tensor.empty() : tensor<2x12x12xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%21 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %26 = arith.divf %in, %in_2 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %23 = tensor.empty() : tensor<2x12x16xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %25 = linalg.batch_matmul ins(%22, %arg2 : tensor<2x12x12xf32>, tensor<2x12x16xf32>) outs(%24 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  return %25 : tensor<2x12x16xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @attention_masked(%arg0: tensor<2x12x16xf32>, %arg1: tensor<2x12x16xf32>, %arg2: tensor<2x12x16xf32>, %arg3: tensor<12x12xi1>) -> tensor<2x12x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant -1.000000e+04 : f32
  %cst_1 = arith.constant 2.500000e-01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x16x12xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x12x16xf32>) outs(%0 : tensor<2x16x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x16x12xf32>
  %2 = tensor.empty() : tensor<2x12x12xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %4 = linalg.batch_matmul ins(%arg0, %1 : tensor<2x12x16xf32>, tensor<2x16x12xf32>) outs(%3 : tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %5 = tensor.empty() : tensor<2x12x12xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x12x12xf32>) outs(%5 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.mulf %in, %cst_1 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %7 = tensor.empty() : tensor<2x12x12xf32>
  %8 = linalg.generic {indexing_maps = [#map2, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %6 : tensor<12x12xi1>, tensor<2x12x12xf32>) outs(%7 : tensor<2x12x12xf32>) {
  ^bb0(%in: i1, %in_3: f32, %out: f32):
    %26 = arith.select %in, %cst_0, %in_3 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %9 = tensor.empty() : tensor<2x12x1xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %11 = tensor.empty() : tensor<2x12x1xi64>
  %12 = linalg.fill ins(%c0_i64 : i64) outs(%11 : tensor<2x12x1xi64>) -> tensor<2x12x1xi64>
  %13:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x12x12xf32>) outs(%10, %12 : tensor<2x12x1xf32>, tensor<2x12x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_3: i64):
    %26 = linalg.index 2 : index
    %27 = arith.index_cast %26 : index to i64
    %28 = arith.maximumf %in, %out : f32
    %29 = arith.cmpf ogt, %in, %out : f32
    %30 = arith.select %29, %27, %out_3 : i64
    linalg.yield %28, %30 : f32, i64
  } -> (tensor<2x12x1xf32>, tensor<2x12x1xi64>)
  %14 = tensor.empty() : tensor<2x12x12xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %13#0 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%14 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %26 = arith.subf %in, %in_3 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %16 = tensor.empty() : tensor<2x12x12xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x12x12xf32>) outs(%16 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = math.exp %in : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %18 = tensor.empty() : tensor<2x12x1xf32>
  %19 = linalg.fill ins(%cst_2 : f32) outs(%18 : tensor<2x12x1xf32>) -> tensor<2x12x1xf32>
  %20 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<2x12x12xf32>) outs(%19 : tensor<2x12x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %26 = arith.addf %in, %out : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x1xf32>
  %21 = tensor.empty() : tensor<2x12x12xf32>
  %22 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x12x12xf32>, tensor<2x12x1xf32>) outs(%21 : tensor<2x12x12xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %26 = arith.divf %in, %in_3 : f32
    linalg.yield %26 : f32
  } -> tensor<2x12x12xf32>
  %23 = tensor.empty() : tensor<2x12x16xf32>
  %24 = linalg.fill ins(%cst_2 : f32) outs(%23 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %25 = linalg.batch_matmul ins(%22, %arg2 : tensor<2x12x12xf32>, tensor<2x12x16xf32>) outs(%24 : tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  return %25 : tensor<2x12x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
func.func @multi_head_attention(%arg0: tensor<2x8x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32xf32>) -> tensor<2x8x32xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 3.530000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %0 = tensor.empty() : tensor<32x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %2 = tensor.empty() : tensor<16x32xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %4 = linalg.matmul ins(%collapsed, %1 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%3 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  %expanded_2 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %5 = tensor.empty() : tensor<2x4x8x8xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_2 : tensor<2x8x4x8xf32>) outs(%5 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_3 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %collapsed_4 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %7 = tensor.empty() : tensor<32x32xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32x32xf32>) outs(%7 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %9 = tensor.empty() : tensor<16x32xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %11 = linalg.matmul ins(%collapsed_4, %8 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%10 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded_5 = tensor.expand_shape %11 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %12 = tensor.empty() : tensor<2x4x8x8xf32>
  %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x8x4x8xf32>) outs(%12 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_7 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %collapsed_8 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %14 = tensor.empty() : tensor<32x32xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x32xf32>) outs(%14 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %16 = tensor.empty() : tensor<16x32xf32>
  %17 = linalg.fill ins(%cst_1 : f32) outs(%16 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %18 = linalg.matmul ins(%collapsed_8, %15 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%17 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded_9 = tensor.expand_shape %18 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  %expanded_10 = tensor.expand_shape %expanded_9 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %19 = tensor.empty() : tensor<2x4x8x8xf32>
  %20 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x8x4x8xf32>) outs(%19 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_11 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %21 = tensor.empty() : tensor<8x8x8xf32>
  %22 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_7 : tensor<8x8x8xf32>) outs(%21 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8x8xf32>
  %23 = tensor.empty() : tensor<8x8x8xf32>
  %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %25 = linalg.batch_matmul ins(%collapsed_3, %22 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%24 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %26 = tensor.empty() : tensor<8x8x8xf32>
  %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<8x8x8xf32>) outs(%26 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %54 = arith.mulf %in, %cst_0 : f32
    linalg.yield %54 : f32
  } -> tensor<8x8x8xf32>
  %28 = tensor.empty() : tensor<8x8x1xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
  %30 = tensor.empty() : tensor<8x8x1xi64>
  %31 = linalg.fill ins(%c0_i64 : i64) outs(%30 : tensor<8x8x1xi64>) -> tensor<8x8x1xi64>
  %32:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%27 : tensor<8x8x8xf32>) outs(%29, %31 : tensor<8x8x1xf32>, tensor<8x8x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_16: i64):
    %54 = linalg.index 2 : index
    %55 = arith.index_cast %54 : index to i64
    %56 = arith.maximumf %in, %out : f32
    %57 = arith.cmpf ogt, %in, %out : f32
    %58 = arith.select %57, %55, %out_16 : i64
    linalg.yield %56, %58 : f32, i64
  } -> (tensor<8x8x1xf32>, tensor<8x8x1xi64>)
  %33 = tensor.empty() : tensor<8x8x8xf32>
  %34 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %32#0 : tensor<8x8x8xf32>, tensor<8x8x1xf32>) outs(%33 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %in_16: f32, %out: f32):
    %54 = arith.subf %in, %in_16 : f32
    linalg.yield %54 : f32
  } -> tensor<8x8x8xf32>
  %35 = tensor.empty() : tensor<8x8x8xf32>
  %36 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %54 = math.exp %in : f32
    linalg.yield %54 : f32
  } -> tensor<8x8x8xf32>
  %37 = tensor.empty() : tensor<8x8x1xf32>
  %38 = linalg.fill ins(%cst_1 : f32) outs(%37 : tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
  %39 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%36 : tensor<8x8x8xf32>) outs(%38 : tensor<8x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %54 = arith.addf %in, %out : f32
    linalg.yield %54 : f32
  } -> tensor<8x8x1xf32>
  %40 = tensor.empty() : tensor<8x8x8xf32>
  %41 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %39 : tensor<8x8x8xf32>, tensor<8x8x1xf32>) outs(%40 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %in_16: f32, %out: f32):
    %54 = arith.divf %in, %in_16 : f32
    linalg.yield %54 : f32
  } -> tensor<8x8x8xf32>
  %42 = tensor.empty() : tensor<8x8x8xf32>
  %43 = linalg.fill ins(%cst_1 : f32) outs(%42 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %44 = linalg.batch_matmul ins(%41, %collapsed_11 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%43 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %expanded_12 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
  %45 = tensor.empty() : tensor<2x8x4x8xf32>
  %46 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<2x4x8x8xf32>) outs(%45 : tensor<2x8x4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x4x8xf32>
  %collapsed_13 = tensor.collapse_shape %46 [[0], [1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<2x8x32xf32>
  %collapsed_14 = tensor.collapse_shape %collapsed_13 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %47 = tensor.empty() : tensor<32x32xf32>
  %48 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<32x32xf32>) outs(%47 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %49 = tensor.empty() : tensor<16x32xf32>
  %50 = linalg.fill ins(%cst_1 : f32) outs(%49 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %51 = linalg.matmul ins(%collapsed_14, %48 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%50 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded_15 = tensor.expand_shape %51 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  %52 = tensor.empty() : tensor<2x8x32xf32>
  %53 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_15, %arg5 : tensor<2x8x32xf32>, tensor<32xf32>) outs(%52 : tensor<2x8x32xf32>) {
  ^bb0(%in: f32, %in_16: f32, %out: f32):
    %54 = arith.addf %in, %in_16 : f32
    linalg.yield %54 : f32
  } -> tensor<2x8x32xf32>
  return %53 : tensor<2x8x32xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @fused_qkv_attention(%arg0: tensor<2x8x32xf32>, %arg1: tensor<96x32xf32>, %arg2: tensor<96xf32>, %arg3: tensor<32x32xf32>) -> tensor<2x8x32xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 3.530000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %0 = tensor.empty() : tensor<32x96xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x96xf32>
  %2 = tensor.empty() : tensor<16x96xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<16x96xf32>) -> tensor<16x96xf32>
  %4 = linalg.matmul ins(%collapsed, %1 : tensor<16x32xf32>, tensor<32x96xf32>) outs(%3 : tensor<16x96xf32>) -> tensor<16x96xf32>
  %expanded = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
  %5 = tensor.empty() : tensor<2x8x96xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<2x8x96xf32>, tensor<96xf32>) outs(%5 : tensor<2x8x96xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %44 = arith.addf %in, %in_14 : f32
    linalg.yield %44 : f32
  } -> tensor<2x8x96xf32>
  %extracted_slice = tensor.extract_slice %6[0, 0, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
  %extracted_slice_2 = tensor.extract_slice %6[0, 0, 32] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
  %extracted_slice_3 = tensor.extract_slice %6[0, 0, 64] [2, 8, 32] [1, 1, 1] : tensor<2x8x96xf32> to tensor<2x8x32xf32>
  %expanded_4 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %7 = tensor.empty() : tensor<2x4x8x8xf32>
  %8 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<2x8x4x8xf32>) outs(%7 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_5 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %expanded_6 = tensor.expand_shape %extracted_slice_2 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %9 = tensor.empty() : tensor<2x4x8x8xf32>
  %10 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x8x4x8xf32>) outs(%9 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_7 = tensor.collapse_shape %10 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %expanded_8 = tensor.expand_shape %extracted_slice_3 [[0], [1], [2, 3]] output_shape [2, 8, 4, 8] : tensor<2x8x32xf32> into tensor<2x8x4x8xf32>
  %11 = tensor.empty() : tensor<2x4x8x8xf32>
  %12 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<2x8x4x8xf32>) outs(%11 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x8x8xf32>
  %collapsed_9 = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %13 = tensor.empty() : tensor<8x8x8xf32>
  %14 = linalg.generic {indexing_maps = [#map6, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_7 : tensor<8x8x8xf32>) outs(%13 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8x8xf32>
  %15 = tensor.empty() : tensor<8x8x8xf32>
  %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %17 = linalg.batch_matmul ins(%collapsed_5, %14 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%16 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %18 = tensor.empty() : tensor<8x8x8xf32>
  %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<8x8x8xf32>) outs(%18 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.mulf %in, %cst_0 : f32
    linalg.yield %44 : f32
  } -> tensor<8x8x8xf32>
  %20 = tensor.empty() : tensor<8x8x1xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
  %22 = tensor.empty() : tensor<8x8x1xi64>
  %23 = linalg.fill ins(%c0_i64 : i64) outs(%22 : tensor<8x8x1xi64>) -> tensor<8x8x1xi64>
  %24:2 = linalg.generic {indexing_maps = [#map2, #map7, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<8x8x8xf32>) outs(%21, %23 : tensor<8x8x1xf32>, tensor<8x8x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_14: i64):
    %44 = linalg.index 2 : index
    %45 = arith.index_cast %44 : index to i64
    %46 = arith.maximumf %in, %out : f32
    %47 = arith.cmpf ogt, %in, %out : f32
    %48 = arith.select %47, %45, %out_14 : i64
    linalg.yield %46, %48 : f32, i64
  } -> (tensor<8x8x1xf32>, tensor<8x8x1xi64>)
  %25 = tensor.empty() : tensor<8x8x8xf32>
  %26 = linalg.generic {indexing_maps = [#map2, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %24#0 : tensor<8x8x8xf32>, tensor<8x8x1xf32>) outs(%25 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %44 = arith.subf %in, %in_14 : f32
    linalg.yield %44 : f32
  } -> tensor<8x8x8xf32>
  %27 = tensor.empty() : tensor<8x8x8xf32>
  %28 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<8x8x8xf32>) outs(%27 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = math.exp %in : f32
    linalg.yield %44 : f32
  } -> tensor<8x8x8xf32>
  %29 = tensor.empty() : tensor<8x8x1xf32>
  %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<8x8x1xf32>) -> tensor<8x8x1xf32>
  %31 = linalg.generic {indexing_maps = [#map2, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28 : tensor<8x8x8xf32>) outs(%30 : tensor<8x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %44 = arith.addf %in, %out : f32
    linalg.yield %44 : f32
  } -> tensor<8x8x1xf32>
  %32 = tensor.empty() : tensor<8x8x8xf32>
  %33 = linalg.generic {indexing_maps = [#map2, #map7, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %31 : tensor<8x8x8xf32>, tensor<8x8x1xf32>) outs(%32 : tensor<8x8x8xf32>) {
  ^bb0(%in: f32, %in_14: f32, %out: f32):
    %44 = arith.divf %in, %in_14 : f32
    linalg.yield %44 : f32
  } -> tensor<8x8x8xf32>
  %34 = tensor.empty() : tensor<8x8x8xf32>
  %35 = linalg.fill ins(%cst_1 : f32) outs(%34 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %36 = linalg.batch_matmul ins(%33, %collapsed_9 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%35 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %expanded_10 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
  %37 = tensor.empty() : tensor<2x8x4x8xf32>
  %38 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x4x8x8xf32>) outs(%37 : tensor<2x8x4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x4x8xf32>
  %collapsed_11 = tensor.collapse_shape %38 [[0], [1], [2, 3]] : tensor<2x8x4x8xf32> into tensor<2x8x32xf32>
  %collapsed_12 = tensor.collapse_shape %collapsed_11 [[0, 1], [2]] : tensor<2x8x32xf32> into tensor<16x32xf32>
  %39 = tensor.empty() : tensor<32x32xf32>
  %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x32xf32>) outs(%39 : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<32x32xf32>
  %41 = tensor.empty() : tensor<16x32xf32>
  %42 = linalg.fill ins(%cst_1 : f32) outs(%41 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %43 = linalg.matmul ins(%collapsed_12, %40 : tensor<16x32xf32>, tensor<32x32xf32>) outs(%42 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %expanded_13 = tensor.expand_shape %43 [[0, 1], [2]] output_shape [2, 8, 32] : tensor<16x32xf32> into tensor<2x8x32xf32>
  return %expanded_13 : tensor<2x8x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
func.func @grouped_query_attention(%arg0: tensor<1x4x8x16xf32>, %arg1: tensor<1x2x8x16xf32>, %arg2: tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 2.500000e-01 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x4x8x16xf32> into tensor<4x8x16xf32>
  %0 = tensor.empty() : tensor<1x2x2x8x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x8x16xf32>) outs(%0 : tensor<1x2x2x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x8x16xf32>
  %collapsed_2 = tensor.collapse_shape %1 [[0, 1, 2], [3], [4]] : tensor<1x2x2x8x16xf32> into tensor<4x8x16xf32>
  %2 = tensor.empty() : tensor<1x2x2x8x16xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x8x16xf32>) outs(%2 : tensor<1x2x2x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x8x16xf32>
  %collapsed_3 = tensor.collapse_shape %3 [[0, 1, 2], [3], [4]] : tensor<1x2x2x8x16xf32> into tensor<4x8x16xf32>
  %4 = tensor.empty() : tensor<4x16x8xf32>
  %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<4x8x16xf32>) outs(%4 : tensor<4x16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16x8xf32>
  %6 = tensor.empty() : tensor<4x8x8xf32>
  %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %8 = linalg.batch_matmul ins(%collapsed, %5 : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%7 : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %9 = tensor.empty() : tensor<4x8x8xf32>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<4x8x8xf32>) outs(%9 : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.mulf %in, %cst_0 : f32
    linalg.yield %28 : f32
  } -> tensor<4x8x8xf32>
  %11 = tensor.empty() : tensor<4x8x1xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
  %13 = tensor.empty() : tensor<4x8x1xi64>
  %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<4x8x1xi64>) -> tensor<4x8x1xi64>
  %15:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x8x8xf32>) outs(%12, %14 : tensor<4x8x1xf32>, tensor<4x8x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_4: i64):
    %28 = linalg.index 2 : index
    %29 = arith.index_cast %28 : index to i64
    %30 = arith.maximumf %in, %out : f32
    %31 = arith.cmpf ogt, %in, %out : f32
    %32 = arith.select %31, %29, %out_4 : i64
    linalg.yield %30, %32 : f32, i64
  } -> (tensor<4x8x1xf32>, tensor<4x8x1xi64>)
  %16 = tensor.empty() : tensor<4x8x8xf32>
  %17 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %15#0 : tensor<4x8x8xf32>, tensor<4x8x1xf32>) outs(%16 : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %28 = arith.subf %in, %in_4 : f32
    linalg.yield %28 : f32
  } -> tensor<4x8x8xf32>
  %18 = tensor.empty() : tensor<4x8x8xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<4x8x8xf32>) outs(%18 : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = math.exp %in : f32
    linalg.yield %28 : f32
  } -> tensor<4x8x8xf32>
  %20 = tensor.empty() : tensor<4x8x1xf32>
  %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19 : tensor<4x8x8xf32>) outs(%21 : tensor<4x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.addf %in, %out : f32
    linalg.yield %28 : f32
  } -> tensor<4x8x1xf32>
  %23 = tensor.empty() : tensor<4x8x8xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<4x8x8xf32>, tensor<4x8x1xf32>) outs(%23 : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %28 = arith.divf %in, %in_4 : f32
    linalg.yield %28 : f32
  } -> tensor<4x8x8xf32>
  %25 = tensor.empty() : tensor<4x8x16xf32>
  %26 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %27 = linalg.batch_matmul ins(%24, %collapsed_3 : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%26 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %expanded = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 4, 8, 16] : tensor<4x8x16xf32> into tensor<1x4x8x16xf32>
  return %expanded : tensor<1x4x8x16xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
func.func @rotary_scores(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %extracted_slice = tensor.extract_slice %arg0[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 8] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %0 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %2 = tensor.empty() : tensor<8x8xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %4 = tensor.empty() : tensor<8x8xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.subf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %6 = tensor.empty() : tensor<8x8xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%6 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %8 = tensor.empty() : tensor<8x8xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%8 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %10 = tensor.empty() : tensor<8x8xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %9 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%10 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.addf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %12 = tensor.empty() : tensor<8x16xf32>
  %inserted_slice = tensor.insert_slice %5 into %12[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
  %inserted_slice_1 = tensor.insert_slice %11 into %inserted_slice[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
  %extracted_slice_2 = tensor.extract_slice %arg1[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %extracted_slice_3 = tensor.extract_slice %arg1[0, 8] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %13 = tensor.empty() : tensor<8x8xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%13 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %15 = tensor.empty() : tensor<8x8xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%15 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %17 = tensor.empty() : tensor<8x8xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%17 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.subf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %19 = tensor.empty() : tensor<8x8xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3, %arg2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%19 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %21 = tensor.empty() : tensor<8x8xf32>
  %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %arg3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%21 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.mulf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %23 = tensor.empty() : tensor<8x8xf32>
  %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %22 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%23 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %31 = arith.addf %in, %in_6 : f32
    linalg.yield %31 : f32
  } -> tensor<8x8xf32>
  %25 = tensor.empty() : tensor<8x16xf32>
  %inserted_slice_4 = tensor.insert_slice %18 into %25[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
  %inserted_slice_5 = tensor.insert_slice %24 into %inserted_slice_4[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
  %26 = tensor.empty() : tensor<16x8xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%inserted_slice_5 : tensor<8x16xf32>) outs(%26 : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x8xf32>
  %28 = tensor.empty() : tensor<8x8xf32>
  %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %30 = linalg.matmul ins(%inserted_slice_1, %27 : tensor<8x16xf32>, tensor<16x8xf32>) outs(%29 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %30 : tensor<8x8xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
func.func @score_bias_dropout_free(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: tensor<4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
  %0 = tensor.empty() : tensor<8x8x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %2 = linalg.batch_matmul ins(%collapsed, %collapsed_0 : tensor<8x8x8xf32>, tensor<8x8x8xf32>) outs(%1 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %expanded = tensor.expand_shape %2 [[0, 1], [2], [3]] output_shape [2, 4, 8, 8] : tensor<8x8x8xf32> into tensor<2x4x8x8xf32>
  %3 = tensor.empty() : tensor<2x4x8x8xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<2x4x8x8xf32>, tensor<4x8x8xf32>) outs(%3 : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %5 = arith.addf %in, %in_1 : f32
    linalg.yield %5 : f32
  } -> tensor<2x4x8x8xf32>
  return %4 : tensor<2x4x8x8xf32>
}
