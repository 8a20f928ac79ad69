// Written by examples/frontends/export_transformer.py (torch 2.15.0, torch-mlir 20261001).
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<()[s0] -> (s0 * 128)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<()[s0] -> (s0 * 4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @transformer_dynamic(%arg0: tensor<?x128x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x256xf32>, %arg4: tensor<256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256xf32>, %arg7: tensor<256x256xf32>, %arg8: tensor<256xf32>, %arg9: tensor<256x256xf32>, %arg10: tensor<256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<256xf32>, %arg13: tensor<1024x256xf32>, %arg14: tensor<1024xf32>, %arg15: tensor<256x1024xf32>, %arg16: tensor<256xf32>) -> tensor<?x128x256xf32> {
    %c128_i64 = arith.constant 128 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c4 = arith.constant 4 : index
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 2.560000e+02 : f64
    %cst_6 = arith.constant 2.560000e+02 : f32
    %cst_7 = arith.constant 8.000000e+00 : f32
    %cst_8 = arith.constant 1.41421354 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x128x256xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?x128x256xf64>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x128x256xf32>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %120 = arith.extf %in : f32 to f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %3 = tensor.empty(%dim) : tensor<?x128x1xf64>
    %4 = linalg.fill ins(%cst : f64) outs(%3 : tensor<?x128x1xf64>) -> tensor<?x128x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<?x128x256xf64>) outs(%4 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.addf %in, %out : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?x128x1xf64>) outs(%3 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.divf %in, %cst_5 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %6 : tensor<?x128x256xf64>, tensor<?x128x1xf64>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %120 = arith.subf %in, %in_33 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<?x128x256xf64>, tensor<?x128x256xf64>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %120 = arith.mulf %in, %in_33 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<?x128x256xf64>) outs(%4 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.addf %in, %out : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<?x128x1xf64>) outs(%3 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.divf %in, %cst_5 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %11 = tensor.empty(%dim) : tensor<?x128x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<?x128x1xf64>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %120 = arith.truncf %in : f64 to f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<?x128x1xf32>) -> tensor<?x128x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x128x256xf32>) outs(%13 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.divf %in, %cst_6 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_4 : f64 to f32
      %121 = arith.addf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<?x128x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.rsqrt %in : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %18 = tensor.empty(%dim) : tensor<?x128x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %15 : tensor<?x128x256xf32>, tensor<?x128x1xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.subf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %17 : tensor<?x128x256xf32>, tensor<?x128x1xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.mulf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<?x128x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.mulf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<?x128x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %23 = arith.muli %0, %c128_i64 : i64
    %collapsed = tensor.collapse_shape %22 [[0, 1], [2]] : tensor<?x128x256xf32> into tensor<?x256xf32>
    %24 = tensor.empty() : tensor<256x256xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<256x256xf32>) outs(%24 : tensor<256x256xf32>) permutation = [1, 0] 
    %25 = affine.apply #map3()[%dim]
    %26 = tensor.empty(%25) : tensor<?x256xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %28 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xf32>, tensor<256x256xf32>) outs(%27 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %29 = arith.cmpi sge, %23, %c0_i64 : i64
    cf.assert %29, "negative values not allowed in new dimensions"
    %30 = arith.index_cast %23 : i64 to index
    %31 = tensor.empty(%30) : tensor<?x256xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%31 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    %33 = arith.cmpi eq, %25, %30 : index
    cf.assert %33, "mismatched size for broadcast"
    %34 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%28, %32 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%26 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x256xf32>
    %35 = arith.divsi %25, %c128 : index
    %expanded = tensor.expand_shape %34 [[0, 1], [2, 3]] output_shape [%35, 128, 4, 64] : tensor<?x256xf32> into tensor<?x128x4x64xf32>
    %36 = tensor.empty(%35) : tensor<?x4x128x64xf32>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<?x128x4x64xf32>) outs(%36 : tensor<?x4x128x64xf32>) permutation = [0, 2, 1, 3] 
    %transposed_10 = linalg.transpose ins(%arg5 : tensor<256x256xf32>) outs(%24 : tensor<256x256xf32>) permutation = [1, 0] 
    %37 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<?x256xf32>, tensor<256x256xf32>) outs(%27 : tensor<?x256xf32>) -> tensor<?x256xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %38 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<256xf32>) outs(%31 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    cf.assert %33, "mismatched size for broadcast"
    %39 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%37, %38 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%26 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x256xf32>
    %expanded_11 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [%35, 128, 4, 64] : tensor<?x256xf32> into tensor<?x128x4x64xf32>
    %transposed_12 = linalg.transpose ins(%arg7 : tensor<256x256xf32>) outs(%24 : tensor<256x256xf32>) permutation = [1, 0] 
    %40 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<?x256xf32>, tensor<256x256xf32>) outs(%27 : tensor<?x256xf32>) -> tensor<?x256xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %41 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%31 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    cf.assert %33, "mismatched size for broadcast"
    %42 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%40, %41 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%26 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x256xf32>
    %expanded_13 = tensor.expand_shape %42 [[0, 1], [2, 3]] output_shape [%35, 128, 4, 64] : tensor<?x256xf32> into tensor<?x128x4x64xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<?x128x4x64xf32>) outs(%36 : tensor<?x4x128x64xf32>) permutation = [0, 2, 1, 3] 
    %43 = tensor.empty(%35) : tensor<?x4x64x128xf32>
    %transposed_15 = linalg.transpose ins(%expanded_11 : tensor<?x128x4x64xf32>) outs(%43 : tensor<?x4x64x128xf32>) permutation = [0, 2, 3, 1] 
    %44 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %45 = tensor.empty(%dim) : tensor<?x4x128x64xf32>
    %46 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%45 : tensor<?x4x128x64xf32>) {
    ^bb0(%out: f32):
      %120 = linalg.index 0 : index
      %121 = linalg.index 1 : index
      %122 = linalg.index 2 : index
      %123 = linalg.index 3 : index
      %124 = arith.cmpi eq, %35, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %transposed_9[%125, %121, %122, %123] : tensor<?x4x128x64xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x128x64xf32>
    %collapsed_16 = tensor.collapse_shape %46 [[0, 1], [2], [3]] : tensor<?x4x128x64xf32> into tensor<?x128x64xf32>
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %47 = tensor.empty(%dim) : tensor<?x4x64x128xf32>
    %48 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%47 : tensor<?x4x64x128xf32>) {
    ^bb0(%out: f32):
      %120 = linalg.index 0 : index
      %121 = linalg.index 1 : index
      %122 = linalg.index 2 : index
      %123 = linalg.index 3 : index
      %124 = arith.cmpi eq, %35, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %transposed_15[%125, %121, %122, %123] : tensor<?x4x64x128xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x64x128xf32>
    %collapsed_17 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<?x4x64x128xf32> into tensor<?x64x128xf32>
    %49 = affine.apply #map7()[%dim]
    %50 = tensor.empty(%49) : tensor<?x128x128xf32>
    %51 = linalg.fill ins(%cst_0 : f32) outs(%50 : tensor<?x128x128xf32>) -> tensor<?x128x128xf32>
    %52 = linalg.batch_matmul ins(%collapsed_16, %collapsed_17 : tensor<?x128x64xf32>, tensor<?x64x128xf32>) outs(%51 : tensor<?x128x128xf32>) -> tensor<?x128x128xf32>
    %53 = arith.divsi %49, %c4 : index
    %expanded_18 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [%53, 4, 128, 128] : tensor<?x128x128xf32> into tensor<?x4x128x128xf32>
    %54 = tensor.empty(%53) : tensor<?x4x128x128xf32>
    %55 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<?x4x128x128xf32>) outs(%54 : tensor<?x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.divf %in, %cst_7 : f32
      linalg.yield %120 : f32
    } -> tensor<?x4x128x128xf32>
    %56 = tensor.empty(%53) : tensor<?x4x128xi64>
    %57 = linalg.fill ins(%c0_i64 : i64) outs(%56 : tensor<?x4x128xi64>) -> tensor<?x4x128xi64>
    %58 = tensor.empty(%53) : tensor<?x4x128xf32>
    %59 = linalg.fill ins(%cst_1 : f32) outs(%58 : tensor<?x4x128xf32>) -> tensor<?x4x128xf32>
    %60:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<?x4x128x128xf32>) outs(%59, %57 : tensor<?x4x128xf32>, tensor<?x4x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_33: i64):
      %120 = linalg.index 3 : index
      %121 = arith.index_cast %120 : index to i64
      %122 = arith.maximumf %in, %out : f32
      %123 = arith.cmpf ogt, %in, %out : f32
      %124 = arith.select %123, %121, %out_33 : i64
      linalg.yield %122, %124 : f32, i64
    } -> (tensor<?x4x128xf32>, tensor<?x4x128xi64>)
    %expanded_19 = tensor.expand_shape %60#0 [[0], [1], [2, 3]] output_shape [%53, 4, 128, 1] : tensor<?x4x128xf32> into tensor<?x4x128x1xf32>
    %61 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %expanded_19 : tensor<?x4x128x128xf32>, tensor<?x4x128x1xf32>) outs(%54 : tensor<?x4x128x128xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.subf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x4x128x128xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<?x4x128x128xf32>) outs(%54 : tensor<?x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.exp %in : f32
      linalg.yield %120 : f32
    } -> tensor<?x4x128x128xf32>
    %63 = tensor.empty(%53) : tensor<?x4x128x1xf32>
    %64 = linalg.fill ins(%cst_0 : f32) outs(%63 : tensor<?x4x128x1xf32>) -> tensor<?x4x128x1xf32>
    %65 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<?x4x128x128xf32>) outs(%64 : tensor<?x4x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<?x4x128x1xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %65 : tensor<?x4x128x128xf32>, tensor<?x4x128x1xf32>) outs(%54 : tensor<?x4x128x128xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.divf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x4x128x128xf32>
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %67 = tensor.empty(%dim) : tensor<?x4x128x128xf32>
    %68 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%67 : tensor<?x4x128x128xf32>) {
    ^bb0(%out: f32):
      %120 = linalg.index 0 : index
      %121 = linalg.index 1 : index
      %122 = linalg.index 2 : index
      %123 = linalg.index 3 : index
      %124 = arith.cmpi eq, %53, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %66[%125, %121, %122, %123] : tensor<?x4x128x128xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x128x128xf32>
    %collapsed_20 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<?x4x128x128xf32> into tensor<?x128x128xf32>
    cf.assert %44, "unimplemented: dynamic negative broadcast sizes"
    %69 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%45 : tensor<?x4x128x64xf32>) {
    ^bb0(%out: f32):
      %120 = linalg.index 0 : index
      %121 = linalg.index 1 : index
      %122 = linalg.index 2 : index
      %123 = linalg.index 3 : index
      %124 = arith.cmpi eq, %35, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %transposed_14[%125, %121, %122, %123] : tensor<?x4x128x64xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x128x64xf32>
    %collapsed_21 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<?x4x128x64xf32> into tensor<?x128x64xf32>
    %70 = tensor.empty(%49) : tensor<?x128x64xf32>
    %71 = linalg.fill ins(%cst_0 : f32) outs(%70 : tensor<?x128x64xf32>) -> tensor<?x128x64xf32>
    %72 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<?x128x128xf32>, tensor<?x128x64xf32>) outs(%71 : tensor<?x128x64xf32>) -> tensor<?x128x64xf32>
    %expanded_22 = tensor.expand_shape %72 [[0, 1], [2], [3]] output_shape [%53, 4, 128, 64] : tensor<?x128x64xf32> into tensor<?x4x128x64xf32>
    %73 = tensor.empty(%53) : tensor<?x128x4x64xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<?x4x128x64xf32>) outs(%73 : tensor<?x128x4x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_24 = tensor.collapse_shape %transposed_23 [[0, 1], [2, 3]] : tensor<?x128x4x64xf32> into tensor<?x256xf32>
    %transposed_25 = linalg.transpose ins(%arg9 : tensor<256x256xf32>) outs(%24 : tensor<256x256xf32>) permutation = [1, 0] 
    %74 = affine.apply #map3()[%53]
    %75 = tensor.empty(%74) : tensor<?x256xf32>
    %76 = linalg.fill ins(%cst_0 : f32) outs(%75 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %77 = linalg.matmul ins(%collapsed_24, %transposed_25 : tensor<?x256xf32>, tensor<256x256xf32>) outs(%76 : tensor<?x256xf32>) -> tensor<?x256xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %78 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<256xf32>) outs(%31 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    %79 = arith.cmpi eq, %74, %30 : index
    cf.assert %79, "mismatched size for broadcast"
    %80 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%77, %78 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%75 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x256xf32>
    %81 = arith.divsi %74, %c128 : index
    %expanded_26 = tensor.expand_shape %80 [[0, 1], [2]] output_shape [%81, 128, 256] : tensor<?x256xf32> into tensor<?x128x256xf32>
    %82 = arith.cmpi eq, %dim, %81 : index
    cf.assert %82, "mismatched size for broadcast"
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_26 : tensor<?x128x256xf32>, tensor<?x128x256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<?x128x256xf32>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f32, %out: f64):
      %120 = arith.extf %in : f32 to f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %85 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<?x128x256xf64>) outs(%4 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.addf %in, %out : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<?x128x1xf64>) outs(%3 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.divf %in, %cst_5 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %87 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %86 : tensor<?x128x256xf64>, tensor<?x128x1xf64>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %120 = arith.subf %in, %in_33 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %87 : tensor<?x128x256xf64>, tensor<?x128x256xf64>) outs(%1 : tensor<?x128x256xf64>) {
    ^bb0(%in: f64, %in_33: f64, %out: f64):
      %120 = arith.mulf %in, %in_33 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x256xf64>
    %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%88 : tensor<?x128x256xf64>) outs(%4 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.addf %in, %out : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<?x128x1xf64>) outs(%3 : tensor<?x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %120 = arith.divf %in, %cst_5 : f64
      linalg.yield %120 : f64
    } -> tensor<?x128x1xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<?x128x1xf64>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %120 = arith.truncf %in : f64 to f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%83 : tensor<?x128x256xf32>) outs(%13 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.divf %in, %cst_6 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_4 : f64 to f32
      %121 = arith.addf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<?x128x1xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<?x128x1xf32>) outs(%11 : tensor<?x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.rsqrt %in : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %93 : tensor<?x128x256xf32>, tensor<?x128x1xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.subf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96, %95 : tensor<?x128x256xf32>, tensor<?x128x1xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.mulf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %arg11 : tensor<?x128x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.mulf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %arg12 : tensor<?x128x256xf32>, tensor<256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    %collapsed_27 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<?x128x256xf32> into tensor<?x256xf32>
    %100 = tensor.empty() : tensor<256x1024xf32>
    %transposed_28 = linalg.transpose ins(%arg13 : tensor<1024x256xf32>) outs(%100 : tensor<256x1024xf32>) permutation = [1, 0] 
    %101 = tensor.empty(%25) : tensor<?x1024xf32>
    %102 = linalg.fill ins(%cst_0 : f32) outs(%101 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    %103 = linalg.matmul ins(%collapsed_27, %transposed_28 : tensor<?x256xf32>, tensor<256x1024xf32>) outs(%102 : tensor<?x1024xf32>) -> tensor<?x1024xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %104 = tensor.empty(%30) : tensor<?x1024xf32>
    %105 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<1024xf32>) outs(%104 : tensor<?x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1024xf32>
    cf.assert %33, "mismatched size for broadcast"
    %106 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%103, %105 : tensor<?x1024xf32>, tensor<?x1024xf32>) outs(%101 : tensor<?x1024xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x1024xf32>
    %expanded_29 = tensor.expand_shape %106 [[0, 1], [2]] output_shape [%35, 128, 1024] : tensor<?x1024xf32> into tensor<?x128x1024xf32>
    %107 = tensor.empty(%35) : tensor<?x128x1024xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<?x128x1024xf32>) outs(%107 : tensor<?x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.divf %in, %cst_8 : f32
      %121 = math.erf %120 : f32
      %122 = arith.addf %121, %cst_2 : f32
      %123 = arith.mulf %122, %cst_3 : f32
      %124 = arith.mulf %in, %123 : f32
      linalg.yield %124 : f32
    } -> tensor<?x128x1024xf32>
    %collapsed_30 = tensor.collapse_shape %108 [[0, 1], [2]] : tensor<?x128x1024xf32> into tensor<?x1024xf32>
    %109 = tensor.empty() : tensor<1024x256xf32>
    %transposed_31 = linalg.transpose ins(%arg15 : tensor<256x1024xf32>) outs(%109 : tensor<1024x256xf32>) permutation = [1, 0] 
    %110 = affine.apply #map3()[%35]
    %111 = tensor.empty(%110) : tensor<?x256xf32>
    %112 = linalg.fill ins(%cst_0 : f32) outs(%111 : tensor<?x256xf32>) -> tensor<?x256xf32>
    %113 = linalg.matmul ins(%collapsed_30, %transposed_31 : tensor<?x1024xf32>, tensor<1024x256xf32>) outs(%112 : tensor<?x256xf32>) -> tensor<?x256xf32>
    cf.assert %29, "negative values not allowed in new dimensions"
    %114 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<256xf32>) outs(%31 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x256xf32>
    %115 = arith.cmpi eq, %110, %30 : index
    cf.assert %115, "mismatched size for broadcast"
    %116 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%113, %114 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%111 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x256xf32>
    %117 = arith.divsi %110, %c128 : index
    %expanded_32 = tensor.expand_shape %116 [[0, 1], [2]] output_shape [%117, 128, 256] : tensor<?x256xf32> into tensor<?x128x256xf32>
    %118 = arith.cmpi eq, %dim, %117 : index
    cf.assert %118, "mismatched size for broadcast"
    %119 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %expanded_32 : tensor<?x128x256xf32>, tensor<?x128x256xf32>) outs(%18 : tensor<?x128x256xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %120 = arith.addf %in, %in_33 : f32
      linalg.yield %120 : f32
    } -> tensor<?x128x256xf32>
    return %119 : tensor<?x128x256xf32>
  }
}
