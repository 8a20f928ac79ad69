// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Embeddings, recurrent cells and dynamic batches, as the linalg backend of torch-mlir prints
// them.

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
func.func @embedding_linear(%arg0: tensor<20x16xf32>, %arg1: tensor<8xi64> {rooftile.range = array<i64: 0, 19>}, %arg2: tensor<24x16xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8xi64>) outs(%0 : tensor<8x16xf32>) {
  ^bb0(%in: i64, %out: f32):
    %7 = arith.index_cast %in : i64 to index
    %8 = linalg.index 1 : index
    %extracted = tensor.extract %arg0[%7, %8] : tensor<20x16xf32>
    linalg.yield %extracted : f32
  } -> tensor<8x16xf32>
  %2 = tensor.empty() : tensor<16x24xf32>
  %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<24x16xf32>) outs(%2 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %4 = tensor.empty() : tensor<8x24xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %6 = linalg.matmul ins(%1, %3 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%5 : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %6 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
func.func @embedding_checked(%arg0: tensor<20x16xf32>, %arg1: tensor<2x8xi64> {rooftile.range = array<i64: 0, 19>}, %arg2: tensor<24x16xf32>) -> tensor<2x8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0_i64 = arith.constant 0 : i64
  %0 = tensor.empty() : tensor<2x8x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x8xi64>) outs(%0 : tensor<2x8x16xf32>) {
  ^bb0(%in: i64, %out: f32):
    %7 = arith.cmpi sge, %in, %c0_i64 : i64
    cf.assert %7, "index must be larger or equal to 0"
    %8 = arith.index_cast %in : i64 to index
    %9 = linalg.index 2 : index
    %extracted = tensor.extract %arg0[%8, %9] : tensor<20x16xf32>
    linalg.yield %extracted : f32
  } -> tensor<2x8x16xf32>
  %collapsed = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
  %2 = tensor.empty() : tensor<16x24xf32>
  %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<24x16xf32>) outs(%2 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %4 = tensor.empty() : tensor<16x24xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %6 = linalg.matmul ins(%collapsed, %3 : tensor<16x16xf32>, tensor<16x24xf32>) outs(%5 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %expanded = tensor.expand_shape %6 [[0, 1], [2]] output_shape [2, 8, 24] : tensor<16x24xf32> into tensor<2x8x24xf32>
  return %expanded : tensor<2x8x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
func.func @token_and_position(%arg0: tensor<20x16xf32>, %arg1: tensor<2x8xi64> {rooftile.range = array<i64: 0, 19>}, %arg2: tensor<8x16xf32>, %arg3: tensor<20x16xf32>) -> tensor<2x8x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8x16xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x8xi64>) outs(%0 : tensor<2x8x16xf32>) {
  ^bb0(%in: i64, %out: f32):
    %9 = arith.index_cast %in : i64 to index
    %10 = linalg.index 2 : index
    %extracted = tensor.extract %arg0[%9, %10] : tensor<20x16xf32>
    linalg.yield %extracted : f32
  } -> tensor<2x8x16xf32>
  %2 = tensor.empty() : tensor<2x8x16xf32>
  %3 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg2 : tensor<2x8x16xf32>, tensor<8x16xf32>) outs(%2 : tensor<2x8x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.addf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<2x8x16xf32>
  %collapsed = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x8x16xf32> into tensor<16x16xf32>
  %4 = tensor.empty() : tensor<16x20xf32>
  %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<20x16xf32>) outs(%4 : tensor<16x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x20xf32>
  %6 = tensor.empty() : tensor<16x20xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %8 = linalg.matmul ins(%collapsed, %5 : tensor<16x16xf32>, tensor<16x20xf32>) outs(%7 : tensor<16x20xf32>) -> tensor<16x20xf32>
  %expanded = tensor.expand_shape %8 [[0, 1], [2]] output_shape [2, 8, 20] : tensor<16x20xf32> into tensor<2x8x20xf32>
  return %expanded : tensor<2x8x20xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @lstm_cell(%arg0: tensor<4x16xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<32x16xf32>, %arg4: tensor<32x8xf32>, %arg5: tensor<32xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x16xf32>) outs(%0 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x32xf32>
  %2 = tensor.empty() : tensor<4x32xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<4x16xf32>, tensor<16x32xf32>) outs(%3 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %5 = tensor.empty() : tensor<4x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg5 : tensor<4x32xf32>, tensor<32xf32>) outs(%5 : tensor<4x32xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.addf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x32xf32>
  %7 = tensor.empty() : tensor<8x32xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<32x8xf32>) outs(%7 : tensor<8x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x32xf32>
  %9 = tensor.empty() : tensor<4x32xf32>
  %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %11 = linalg.matmul ins(%arg1, %8 : tensor<4x8xf32>, tensor<8x32xf32>) outs(%10 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %12 = tensor.empty() : tensor<4x32xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %11 : tensor<4x32xf32>, tensor<4x32xf32>) outs(%12 : tensor<4x32xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.addf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x32xf32>
  %extracted_slice = tensor.extract_slice %13[0, 0] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %extracted_slice_1 = tensor.extract_slice %13[0, 8] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %extracted_slice_2 = tensor.extract_slice %13[0, 16] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %extracted_slice_3 = tensor.extract_slice %13[0, 24] [4, 8] [1, 1] : tensor<4x32xf32> to tensor<4x8xf32>
  %14 = tensor.empty() : tensor<4x8xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1 : tensor<4x8xf32>) outs(%14 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.negf %in : f32
    %33 = math.exp %32 : f32
    %34 = arith.addf %33, %cst : f32
    %35 = arith.divf %cst, %34 : f32
    linalg.yield %35 : f32
  } -> tensor<4x8xf32>
  %16 = tensor.empty() : tensor<4x8xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%16 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.mulf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %18 = tensor.empty() : tensor<4x8xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<4x8xf32>) outs(%18 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.negf %in : f32
    %33 = math.exp %32 : f32
    %34 = arith.addf %33, %cst : f32
    %35 = arith.divf %cst, %34 : f32
    linalg.yield %35 : f32
  } -> tensor<4x8xf32>
  %20 = tensor.empty() : tensor<4x8xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2 : tensor<4x8xf32>) outs(%20 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = math.tanh %in : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %22 = tensor.empty() : tensor<4x8xf32>
  %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19, %21 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%22 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.mulf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %24 = tensor.empty() : tensor<4x8xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %23 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%24 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.addf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %26 = tensor.empty() : tensor<4x8xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<4x8xf32>) outs(%26 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.negf %in : f32
    %33 = math.exp %32 : f32
    %34 = arith.addf %33, %cst : f32
    %35 = arith.divf %cst, %34 : f32
    linalg.yield %35 : f32
  } -> tensor<4x8xf32>
  %28 = tensor.empty() : tensor<4x8xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<4x8xf32>) outs(%28 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = math.tanh %in : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  %30 = tensor.empty() : tensor<4x8xf32>
  %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27, %29 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%30 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.mulf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<4x8xf32>
  return %31, %25 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @gru_cell(%arg0: tensor<4x16xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<24x16xf32>, %arg3: tensor<24x8xf32>) -> tensor<4x8xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<24x16xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty() : tensor<4x24xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<4x16xf32>, tensor<16x24xf32>) outs(%3 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %5 = tensor.empty() : tensor<8x24xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<24x8xf32>) outs(%5 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x24xf32>
  %7 = tensor.empty() : tensor<4x24xf32>
  %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %9 = linalg.matmul ins(%arg1, %6 : tensor<4x8xf32>, tensor<8x24xf32>) outs(%8 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %extracted_slice = tensor.extract_slice %4[0, 0] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %extracted_slice_1 = tensor.extract_slice %9[0, 0] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %10 = tensor.empty() : tensor<4x8xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%10 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.addf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %12 = tensor.empty() : tensor<4x8xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<4x8xf32>) outs(%12 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = arith.negf %in : f32
    %31 = math.exp %30 : f32
    %32 = arith.addf %31, %cst : f32
    %33 = arith.divf %cst, %32 : f32
    linalg.yield %33 : f32
  } -> tensor<4x8xf32>
  %extracted_slice_2 = tensor.extract_slice %4[0, 8] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %extracted_slice_3 = tensor.extract_slice %9[0, 8] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %14 = tensor.empty() : tensor<4x8xf32>
  %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %extracted_slice_3 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%14 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.addf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %16 = tensor.empty() : tensor<4x8xf32>
  %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<4x8xf32>) outs(%16 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = arith.negf %in : f32
    %31 = math.exp %30 : f32
    %32 = arith.addf %31, %cst : f32
    %33 = arith.divf %cst, %32 : f32
    linalg.yield %33 : f32
  } -> tensor<4x8xf32>
  %extracted_slice_4 = tensor.extract_slice %4[0, 16] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %extracted_slice_5 = tensor.extract_slice %9[0, 16] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %18 = tensor.empty() : tensor<4x8xf32>
  %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %extracted_slice_5 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%18 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.mulf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %20 = tensor.empty() : tensor<4x8xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_4, %19 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%20 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.addf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %22 = tensor.empty() : tensor<4x8xf32>
  %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<4x8xf32>) outs(%22 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %30 = math.tanh %in : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %24 = tensor.empty() : tensor<4x8xf32>
  %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1, %23 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%24 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.subf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %26 = tensor.empty() : tensor<4x8xf32>
  %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %25 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%26 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.mulf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  %28 = tensor.empty() : tensor<4x8xf32>
  %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27, %23 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%28 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %30 = arith.addf %in, %in_6 : f32
    linalg.yield %30 : f32
  } -> tensor<4x8xf32>
  return %29 : tensor<4x8xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @concatenated(%arg0: tensor<4x16xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<12x24xf32>) -> tensor<4x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x24xf32>
  %inserted_slice = tensor.insert_slice %arg0 into %0[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<4x24xf32>
  %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[0, 16] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x24xf32>
  %1 = tensor.empty() : tensor<24x12xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<12x24xf32>) outs(%1 : tensor<24x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x12xf32>
  %3 = tensor.empty() : tensor<4x12xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x12xf32>) -> tensor<4x12xf32>
  %5 = linalg.matmul ins(%inserted_slice_0, %2 : tensor<4x24xf32>, tensor<24x12xf32>) outs(%4 : tensor<4x12xf32>) -> tensor<4x12xf32>
  return %5 : tensor<4x12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @linear_dynamic_batch(%arg0: tensor<?x16xf32> {rooftile.sizes = array<i64: 6, 16>}, %arg1: tensor<24x16xf32>, %arg2: tensor<24xf32>) -> tensor<?x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x16xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty(%dim) : tensor<?x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%3 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %5 = tensor.empty(%dim) : tensor<?x24xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<?x24xf32>, tensor<24xf32>) outs(%5 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.addf %in, %in_0 : f32
    linalg.yield %7 : f32
  } -> tensor<?x24xf32>
  return %6 : tensor<?x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
func.func @mlp_dynamic_batch(%arg0: tensor<?x16xf32> {rooftile.sizes = array<i64: 6, 16>}, %arg1: tensor<24x16xf32>, %arg2: tensor<24xf32>, %arg3: tensor<8x24xf32>) -> tensor<?x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x16xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty(%dim) : tensor<?x24xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%3 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %5 = tensor.empty(%dim) : tensor<?x24xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<?x24xf32>, tensor<24xf32>) outs(%5 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %14 = arith.addf %in, %in_0 : f32
    linalg.yield %14 : f32
  } -> tensor<?x24xf32>
  %7 = tensor.empty(%dim) : tensor<?x24xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x24xf32>) outs(%7 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.cmpf ugt, %in, %cst : f32
    %15 = arith.select %14, %in, %cst : f32
    linalg.yield %15 : f32
  } -> tensor<?x24xf32>
  %9 = tensor.empty() : tensor<24x8xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x24xf32>) outs(%9 : tensor<24x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<24x8xf32>
  %11 = tensor.empty(%dim) : tensor<?x8xf32>
  %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %13 = linalg.matmul ins(%8, %10 : tensor<?x24xf32>, tensor<24x8xf32>) outs(%12 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %13 : tensor<?x8xf32>
}

// -----

func.func @matmul_checked(%arg0: tensor<?x?xf32> {rooftile.sizes = array<i64: 12, 20>}, %arg1: tensor<?x?xf32> {rooftile.sizes = array<i64: 20, 9>}) -> tensor<?x?xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
  %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
  %dim_1 = tensor.dim %arg1, %c0 : tensor<?x?xf32>
  %dim_2 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
  %0 = arith.cmpi eq, %dim_0, %dim_1 : index
  cf.assert %0, "mismatching contracting dimension"
  %1 = tensor.empty(%dim, %dim_2) : tensor<?x?xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = linalg.matmul ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%2 : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// -----

func.func @bmm_dynamic(%arg0: tensor<?x8x16xf32> {rooftile.sizes = array<i64: 3, 8, 16>}, %arg1: tensor<?x16x8xf32> {rooftile.sizes = array<i64: 3, 16, 8>}) -> tensor<?x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x8x16xf32>
  %dim_0 = tensor.dim %arg1, %c0 : tensor<?x16x8xf32>
  %0 = arith.index_cast %dim : index to i64
  %1 = arith.index_cast %dim_0 : index to i64
  %2 = arith.cmpi eq, %0, %1 : i64
  cf.assert %2, "mismatching contracting dimension"
  %3 = tensor.empty(%dim) : tensor<?x8x8xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %5 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<?x8x16xf32>, tensor<?x16x8xf32>) outs(%4 : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  return %5 : tensor<?x8x8xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @linear_3d_dynamic(%arg0: tensor<?x8x16xf32> {rooftile.sizes = array<i64: 3, 8, 16>}, %arg1: tensor<24x16xf32>) -> tensor<?x8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x8x16xf32>
  %0 = arith.muli %dim, %c8 : index
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x8x16xf32> into tensor<?x16xf32>
  %1 = tensor.empty() : tensor<16x24xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x16xf32>) outs(%1 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %3 = tensor.empty(%0) : tensor<?x24xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %5 = linalg.matmul ins(%collapsed, %2 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%4 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [%dim, 8, 24] : tensor<?x24xf32> into tensor<?x8x24xf32>
  return %expanded : tensor<?x8x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
func.func @softmax_dynamic(%arg0: tensor<?x16xf32> {rooftile.sizes = array<i64: 6, 16>}, %arg1: tensor<24x16xf32>) -> tensor<?x24xf32> {
  %c0_i64 = arith.constant 0 : i64
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<24x16xf32>) outs(%0 : tensor<16x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x24xf32>
  %2 = tensor.empty(%dim) : tensor<?x24xf32>
  %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<?x16xf32>, tensor<16x24xf32>) outs(%3 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %5 = tensor.empty(%dim) : tensor<?x1xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %7 = tensor.empty(%dim) : tensor<?x1xi64>
  %8 = linalg.fill ins(%c0_i64 : i64) outs(%7 : tensor<?x1xi64>) -> tensor<?x1xi64>
  %9:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<?x24xf32>) outs(%6, %8 : tensor<?x1xf32>, tensor<?x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_1: i64):
    %19 = linalg.index 1 : index
    %20 = arith.index_cast %19 : index to i64
    %21 = arith.maximumf %in, %out : f32
    %22 = arith.cmpf ogt, %in, %out : f32
    %23 = arith.select %22, %20, %out_1 : i64
    linalg.yield %21, %23 : f32, i64
  } -> (tensor<?x1xf32>, tensor<?x1xi64>)
  %10 = tensor.empty(%dim) : tensor<?x24xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %9#0 : tensor<?x24xf32>, tensor<?x1xf32>) outs(%10 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.subf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<?x24xf32>
  %12 = tensor.empty(%dim) : tensor<?x24xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x24xf32>) outs(%12 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = math.exp %in : f32
    linalg.yield %19 : f32
  } -> tensor<?x24xf32>
  %14 = tensor.empty(%dim) : tensor<?x1xf32>
  %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %16 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<?x24xf32>) outs(%15 : tensor<?x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<?x1xf32>
  %17 = tensor.empty(%dim) : tensor<?x24xf32>
  %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %16 : tensor<?x24xf32>, tensor<?x1xf32>) outs(%17 : tensor<?x24xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %19 = arith.divf %in, %in_1 : f32
    linalg.yield %19 : f32
  } -> tensor<?x24xf32>
  return %18 : tensor<?x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @seeded_linear(%arg0: tensor<4x16xf32>, %arg1: tensor<8x16xf32>) -> tensor<4x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c6364136223846793005_i64 = arith.constant 6364136223846793005 : i64
  %global_seed = ml_program.global_load @global_seed : tensor<i64>
  %extracted = tensor.extract %global_seed[] : tensor<i64>
  %0 = arith.muli %extracted, %c6364136223846793005_i64 : i64
  %from_elements = tensor.from_elements %0 : tensor<i64>
  ml_program.global_store @global_seed = %from_elements : tensor<i64>
  %1 = tensor.empty() : tensor<16x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x16xf32>) outs(%1 : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x8xf32>
  %3 = tensor.empty() : tensor<4x8xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = linalg.matmul ins(%arg0, %2 : tensor<4x16xf32>, tensor<16x8xf32>) outs(%4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
func.func @step_mask(%arg0: tensor<4x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i64> {rooftile.range = array<i64: 2, 6>}) -> tensor<4x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x16xf32>) outs(%0 : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x8xf32>
  %2 = tensor.empty() : tensor<4x8xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = linalg.matmul ins(%arg0, %1 : tensor<4x16xf32>, tensor<16x8xf32>) outs(%3 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tensor.empty() : tensor<4x8xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<4x8xf32>, tensor<i64>) outs(%5 : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_0: i64, %out: f32):
    %7 = linalg.index 1 : index
    %8 = arith.index_cast %7 : index to i64
    %9 = arith.cmpi slt, %8, %in_0 : i64
    %10 = arith.select %9, %in, %cst : f32
    linalg.yield %10 : f32
  } -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}
