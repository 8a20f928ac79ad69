// Written by examples/frontends/export_transformer.py (torch 2.15.0, torch-mlir 20261001).
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @transformer_static(%arg0: tensor<2x128x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x256xf32>, %arg4: tensor<256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256xf32>, %arg7: tensor<256x256xf32>, %arg8: tensor<256xf32>, %arg9: tensor<256x256xf32>, %arg10: tensor<256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<256xf32>, %arg13: tensor<1024x256xf32>, %arg14: tensor<1024xf32>, %arg15: tensor<256x1024xf32>, %arg16: tensor<256xf32>) -> tensor<2x128x256xf32> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 2.560000e+02 : f64
    %cst_6 = arith.constant 2.560000e+02 : f32
    %cst_7 = arith.constant 8.000000e+00 : f32
    %cst_8 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<2x128x256xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x128x256xf32>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %2 = tensor.empty() : tensor<2x128x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<2x128x1xf64>) -> tensor<2x128x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x128x256xf64>) outs(%3 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x128x1xf64>) outs(%2 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_5 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<2x128x256xf64>, tensor<2x128x1xf64>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %87 = arith.subf %in, %in_33 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<2x128x256xf64>, tensor<2x128x256xf64>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %87 = arith.mulf %in, %in_33 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x128x256xf64>) outs(%3 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x128x1xf64>) outs(%2 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_5 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %10 = tensor.empty() : tensor<2x128x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x128x1xf64>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x128x1xf32>) -> tensor<2x128x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x128x256xf32>) outs(%12 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_6 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_4 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<2x128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %17 = tensor.empty() : tensor<2x128x256xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<2x128x256xf32>, tensor<2x128x1xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.subf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x128x256xf32>, tensor<2x128x1xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.mulf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg1 : tensor<2x128x256xf32>, tensor<256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.mulf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<2x128x256xf32>, tensor<256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %collapsed = tensor.collapse_shape %21 [[0, 1], [2]] : tensor<2x128x256xf32> into tensor<256x256xf32>
    %22 = tensor.empty() : tensor<256x256xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) permutation = [1, 0] 
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %24 = linalg.matmul ins(%collapsed, %transposed : tensor<256x256xf32>, tensor<256x256xf32>) outs(%23 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x256xf32>
    %expanded = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<256x256xf32> into tensor<2x128x4x64xf32>
    %27 = tensor.empty() : tensor<2x4x128x64xf32>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<2x128x4x64xf32>) outs(%27 : tensor<2x4x128x64xf32>) permutation = [0, 2, 1, 3] 
    %transposed_10 = linalg.transpose ins(%arg5 : tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) permutation = [1, 0] 
    %28 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%23 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%28, %29 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x256xf32>
    %expanded_11 = tensor.expand_shape %30 [[0, 1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<256x256xf32> into tensor<2x128x4x64xf32>
    %transposed_12 = linalg.transpose ins(%arg7 : tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) permutation = [1, 0] 
    %31 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%23 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%31, %32 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x256xf32>
    %expanded_13 = tensor.expand_shape %33 [[0, 1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<256x256xf32> into tensor<2x128x4x64xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x128x4x64xf32>) outs(%27 : tensor<2x4x128x64xf32>) permutation = [0, 2, 1, 3] 
    %34 = tensor.empty() : tensor<2x4x64x128xf32>
    %transposed_15 = linalg.transpose ins(%expanded_11 : tensor<2x128x4x64xf32>) outs(%34 : tensor<2x4x64x128xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_16 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x4x128x64xf32> into tensor<8x128x64xf32>
    %collapsed_17 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x4x64x128xf32> into tensor<8x64x128xf32>
    %35 = tensor.empty() : tensor<8x128x128xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %37 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<8x128x64xf32>, tensor<8x64x128xf32>) outs(%36 : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %expanded_18 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 128, 128] : tensor<8x128x128xf32> into tensor<2x4x128x128xf32>
    %38 = tensor.empty() : tensor<2x4x128x128xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x4x128x128xf32>) outs(%38 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_7 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x128xf32>
    %40 = tensor.empty() : tensor<2x4x128xi64>
    %41 = linalg.fill ins(%c0_i64 : i64) outs(%40 : tensor<2x4x128xi64>) -> tensor<2x4x128xi64>
    %42 = tensor.empty() : tensor<2x4x128xf32>
    %43 = linalg.fill ins(%cst_1 : f32) outs(%42 : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
    %44:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x4x128x128xf32>) outs(%43, %41 : tensor<2x4x128xf32>, tensor<2x4x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %87 = linalg.index 3 : index
      %88 = arith.index_cast %87 : index to i64
      %89 = arith.maximumf %in, %out : f32
      %90 = arith.cmpf ogt, %in, %out : f32
      %91 = arith.select %90, %88, %out_33 : i64
      linalg.yield %89, %91 : f32, i64
    } -> (tensor<2x4x128xf32>, tensor<2x4x128xi64>)
    %expanded_19 = tensor.expand_shape %44#0 [[0], [1], [2, 3]] output_shape [2, 4, 128, 1] : tensor<2x4x128xf32> into tensor<2x4x128x1xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %expanded_19 : tensor<2x4x128x128xf32>, tensor<2x4x128x1xf32>) outs(%38 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.subf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x128xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x4x128x128xf32>) outs(%38 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.exp %in : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x128xf32>
    %47 = tensor.empty() : tensor<2x4x128x1xf32>
    %48 = linalg.fill ins(%cst_0 : f32) outs(%47 : tensor<2x4x128x1xf32>) -> tensor<2x4x128x1xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x4x128x128xf32>) outs(%48 : tensor<2x4x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x1xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<2x4x128x128xf32>, tensor<2x4x128x1xf32>) outs(%38 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.divf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x128xf32>
    %collapsed_20 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<2x4x128x128xf32> into tensor<8x128x128xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x128x64xf32> into tensor<8x128x64xf32>
    %51 = tensor.empty() : tensor<8x128x64xf32>
    %52 = linalg.fill ins(%cst_0 : f32) outs(%51 : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
    %53 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x128x128xf32>, tensor<8x128x64xf32>) outs(%52 : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
    %expanded_22 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [2, 4, 128, 64] : tensor<8x128x64xf32> into tensor<2x4x128x64xf32>
    %54 = tensor.empty() : tensor<2x128x4x64xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<2x4x128x64xf32>) outs(%54 : tensor<2x128x4x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2, 3]] : tensor<2x128x4x64xf32> into tensor<256x256xf32>
    %transposed_25 = linalg.transpose ins(%arg9 : tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) permutation = [1, 0] 
    %55 = linalg.matmul ins(%collapsed_24, %transposed_25 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%23 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x256xf32>
    %expanded_26 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [2, 128, 256] : tensor<256x256xf32> into tensor<2x128x256xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_26 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x128x256xf32>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %60 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<2x128x256xf64>) outs(%3 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<2x128x1xf64>) outs(%2 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_5 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %62 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %61 : tensor<2x128x256xf64>, tensor<2x128x1xf64>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %87 = arith.subf %in, %in_33 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %62 : tensor<2x128x256xf64>, tensor<2x128x256xf64>) outs(%0 : tensor<2x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %87 = arith.mulf %in, %in_33 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x256xf64>
    %64 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<2x128x256xf64>) outs(%3 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x128x1xf64>) outs(%2 : tensor<2x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_5 : f64
      linalg.yield %87 : f64
    } -> tensor<2x128x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x128x1xf64>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<2x128x256xf32>) outs(%12 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_6 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_4 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<2x128x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x128x1xf32>) outs(%10 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %68 : tensor<2x128x256xf32>, tensor<2x128x1xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.subf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %70 : tensor<2x128x256xf32>, tensor<2x128x1xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.mulf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %arg11 : tensor<2x128x256xf32>, tensor<256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.mulf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %arg12 : tensor<2x128x256xf32>, tensor<256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    %collapsed_27 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<2x128x256xf32> into tensor<256x256xf32>
    %75 = tensor.empty() : tensor<256x1024xf32>
    %transposed_28 = linalg.transpose ins(%arg13 : tensor<1024x256xf32>) outs(%75 : tensor<256x1024xf32>) permutation = [1, 0] 
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %77 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<256x256xf32>, tensor<256x1024xf32>) outs(%76 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<1024xf32>) outs(%75 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x1024xf32>
    %79 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%77, %78 : tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%75 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x1024xf32>
    %expanded_29 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [2, 128, 1024] : tensor<256x1024xf32> into tensor<2x128x1024xf32>
    %80 = tensor.empty() : tensor<2x128x1024xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x128x1024xf32>) outs(%80 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_8 : f32
      %88 = math.erf %87 : f32
      %89 = arith.addf %88, %cst_2 : f32
      %90 = arith.mulf %89, %cst_3 : f32
      %91 = arith.mulf %in, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<2x128x1024xf32>
    %collapsed_30 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<2x128x1024xf32> into tensor<256x1024xf32>
    %82 = tensor.empty() : tensor<1024x256xf32>
    %transposed_31 = linalg.transpose ins(%arg15 : tensor<256x1024xf32>) outs(%82 : tensor<1024x256xf32>) permutation = [1, 0] 
    %83 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<256x1024xf32>, tensor<1024x256xf32>) outs(%23 : tensor<256x256xf32>) -> tensor<256x256xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %85 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%83, %84 : tensor<256x256xf32>, tensor<256x256xf32>) outs(%22 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<256x256xf32>
    %expanded_32 = tensor.expand_shape %85 [[0, 1], [2]] output_shape [2, 128, 256] : tensor<256x256xf32> into tensor<2x128x256xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %expanded_32 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%17 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %87 = arith.addf %in, %in_33 : f32
      linalg.yield %87 : f32
    } -> tensor<2x128x256xf32>
    return %86 : tensor<2x128x256xf32>
  }
}
