// Written by examples/frontends/export_transformer_jax.py (jax 0.10.2, torch-mlir 20261001).
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map6 = affine_map<(d0, d1) -> (d1, d0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> ()>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @jit_block attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x256xf32>, %arg4: tensor<256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256xf32>, %arg7: tensor<256x256xf32>, %arg8: tensor<256xf32>, %arg9: tensor<256x256xf32>, %arg10: tensor<256xf32>, %arg11: tensor<256xf32>, %arg12: tensor<256xf32>, %arg13: tensor<1024x256xf32>, %arg14: tensor<1024xf32>, %arg15: tensor<256x1024xf32>, %arg16: tensor<256xf32>) -> (tensor<2x128x256xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 1.12837911 : f32
    %cst_0 = arith.constant -0.37612626 : f32
    %cst_1 = arith.constant 0.112835854 : f32
    %cst_2 = arith.constant -0.0268538129 : f32
    %cst_3 = arith.constant 0.00518832775 : f32
    %cst_4 = arith.constant -8.0101937E-4 : f32
    %cst_5 = arith.constant 7.85386146E-5 : f32
    %cst_6 = arith.constant -88.7228394 : f32
    %cst_7 = arith.constant 0.564189494 : f32
    %cst_8 = arith.constant -0.282076746 : f32
    %cst_9 = arith.constant 0.42184633 : f32
    %cst_10 = arith.constant -1.01526523 : f32
    %cst_11 = arith.constant 2.92101908 : f32
    %cst_12 = arith.constant -7.49551868 : f32
    %cst_13 = arith.constant 1.297720e+01 : f32
    %cst_14 = arith.constant -10.477664 : f32
    %cst_15 = arith.constant 0.563825965 : f32
    %cst_16 = arith.constant -0.274112701 : f32
    %cst_17 = arith.constant 3.404880e-01 : f32
    %cst_18 = arith.constant -0.494451523 : f32
    %cst_19 = arith.constant 0.621000468 : f32
    %cst_20 = arith.constant -0.582473278 : f32
    %cst_21 = arith.constant 0.368742466 : f32
    %cst_22 = arith.constant -0.138703942 : f32
    %cst_23 = arith.constant 2.326820e-02 : f32
    %cst_24 = arith.constant 2.000000e+00 : f32
    %cst_25 = arith.constant 1.000000e+00 : f32
    %cst_26 = arith.constant 0xFF800000 : f32
    %cst_27 = arith.constant dense<0.707106769> : tensor<f32>
    %cst_28 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_29 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_30 = arith.constant dense<8.000000e+00> : tensor<f32>
    %cst_31 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_32 = arith.constant dense<2.560000e+02> : tensor<f32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x128xf32>
    %1 = linalg.fill ins(%cst_33 : f32) outs(%0 : tensor<2x128xf32>) -> tensor<2x128xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128xf32>
    %3 = tensor.empty() : tensor<2x128x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x128xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_32 : tensor<f32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %7 = tensor.empty() : tensor<2x128x256xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x128x1xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %8 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.subf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x128xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %5 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_31 : tensor<f32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x128x1xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %17 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %19 = tensor.empty() : tensor<1x1x256xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %26 = tensor.empty() : tensor<256x256xf32>
    %27 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<256x256xf32>) outs(%26 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %28 = linalg.fill ins(%cst_33 : f32) outs(%7 : tensor<2x128x256xf32>) -> tensor<2x128x256xf32>
    %29 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %27 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%28 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x256xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %expanded = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<256x256xf32>) outs(%26 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %34 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %33 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%28 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x256xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %36 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %expanded_34 = tensor.expand_shape %37 [[0], [1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<256x256xf32>) outs(%26 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %38 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%28 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x256xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %41 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %expanded_35 = tensor.expand_shape %42 [[0], [1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %43 = tensor.empty() : tensor<2x4x128x128xf32>
    %44 = linalg.fill ins(%cst_33 : f32) outs(%43 : tensor<2x4x128x128xf32>) -> tensor<2x4x128x128xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_34 : tensor<2x128x4x64xf32>, tensor<2x128x4x64xf32>) outs(%44 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x4x128x128xf32>
    %46 = linalg.generic {indexing_maps = [#map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_30 : tensor<f32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128x128xf32>
    %47 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %46 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128x128xf32>
    %48 = tensor.empty() : tensor<2x4x128xf32>
    %49 = linalg.fill ins(%cst_26 : f32) outs(%48 : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
    %50 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47 : tensor<2x4x128x128xf32>) outs(%49 : tensor<2x4x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.maximumf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_29 : tensor<f32>) outs(%48 : tensor<2x4x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %50 : tensor<2x4x128xf32>, tensor<2x4x128xf32>) outs(%48 : tensor<2x4x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.maximumf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128xf32>
    %53 = tensor.empty() : tensor<2x4x128x1xf32>
    %54 = linalg.generic {indexing_maps = [#map10, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x4x128xf32>) outs(%53 : tensor<2x4x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128x1xf32>
    %55 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x4x128x1xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128x128xf32>
    %56 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %55 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.subf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128x128xf32>
    %57 = linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x4x128x128xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.exp %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128x128xf32>
    %58 = linalg.fill ins(%cst_33 : f32) outs(%48 : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
    %59 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<2x4x128x128xf32>) outs(%58 : tensor<2x4x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128xf32>
    %60 = linalg.generic {indexing_maps = [#map10, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<2x4x128xf32>) outs(%53 : tensor<2x4x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128x1xf32>
    %61 = linalg.generic {indexing_maps = [#map16, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<2x4x128x1xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x128x128xf32>
    %62 = linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%43 : tensor<2x4x128x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x4x128x128xf32>
    %63 = tensor.empty() : tensor<2x4x64x128xf32>
    %64 = linalg.fill ins(%cst_33 : f32) outs(%63 : tensor<2x4x64x128xf32>) -> tensor<2x4x64x128xf32>
    %65 = linalg.generic {indexing_maps = [#map17, #map18, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_35, %62 : tensor<2x128x4x64xf32>, tensor<2x4x128x128xf32>) outs(%64 : tensor<2x4x64x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x4x64x128xf32>
    %66 = tensor.empty() : tensor<2x128x4x64xf32>
    %67 = linalg.generic {indexing_maps = [#map19, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<2x4x64x128xf32>) outs(%66 : tensor<2x128x4x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x4x64xf32>
    %collapsed = tensor.collapse_shape %67 [[0], [1], [2, 3]] : tensor<2x128x4x64xf32> into tensor<2x128x256xf32>
    %68 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<256x256xf32>) outs(%26 : tensor<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x256xf32>
    %69 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %68 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%28 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x256xf32>
    %70 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %71 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %72 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x128xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %5 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x128x1xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %77 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.subf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %78 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %out, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x128xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %5 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.divf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82, %14 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x128x1xf32>) outs(%3 : tensor<2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.rsqrt %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x128x1xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %85 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %87 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %88 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %91 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %91 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %93 = tensor.empty() : tensor<256x1024xf32>
    %94 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<1024x256xf32>) outs(%93 : tensor<256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<256x1024xf32>
    %95 = tensor.empty() : tensor<2x128x1024xf32>
    %96 = linalg.fill ins(%cst_33 : f32) outs(%95 : tensor<2x128x1024xf32>) -> tensor<2x128x1024xf32>
    %97 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92, %94 : tensor<2x128x256xf32>, tensor<256x1024xf32>) outs(%96 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x1024xf32>
    %98 = tensor.empty() : tensor<1x1x1024xf32>
    %99 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14 : tensor<1024xf32>) outs(%98 : tensor<1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024xf32>
    %100 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x1x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1024xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %100 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %102 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_28 : tensor<f32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1024xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %101 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.negf %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<f32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x1024xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %105 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %106 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.negf %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.absf %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %cst_25, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = math.exp %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.divf %cst_25, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %112 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %114 = tensor.empty() : tensor<2x128x1024xi1>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x128x1024xf32>) outs(%114 : tensor<2x128x1024xi1>) {
    ^bb0(%in: f32, %out: i1):
      %177 = arith.cmpf olt, %in, %cst_24 : f32
      linalg.yield %177 : i1
    } -> tensor<2x128x1024xi1>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_23 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_22 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_21 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_20 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_19 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_18 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_17 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_16 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %130 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_15 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_14 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_13 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_12 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_11 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_10 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_9 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_8 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %110 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_7 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %131, %145 : tensor<2x128x1024xi1>, tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %177 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %146 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<2x128x1024xf32>) outs(%114 : tensor<2x128x1024xi1>) {
    ^bb0(%in: f32, %out: i1):
      %177 = arith.cmpf olt, %in, %cst_6 : f32
      linalg.yield %177 : i1
    } -> tensor<2x128x1024xi1>
    %149 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148, %147 : tensor<2x128x1024xi1>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: i1, %in_36: f32, %out: f32):
      %177 = arith.select %in, %cst_33, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<2x128x1024xf32>) outs(%114 : tensor<2x128x1024xi1>) {
    ^bb0(%in: f32, %out: i1):
      %177 = arith.cmpf olt, %in, %cst_33 : f32
      linalg.yield %177 : i1
    } -> tensor<2x128x1024xi1>
    %151 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.subf %cst_24, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %151, %149 : tensor<2x128x1024xi1>, tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %177 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.mulf %in, %cst_5 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_4 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %107 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_3 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156, %107 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_2 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %107 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_1 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %161 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %107 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst_0 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %107 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.addf %in, %cst : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106, %164 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %166 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %177 = arith.subf %cst_25, %in : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %167 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x128x1024xf32>) outs(%114 : tensor<2x128x1024xi1>) {
    ^bb0(%in: f32, %out: i1):
      %177 = arith.cmpf olt, %in, %cst_25 : f32
      linalg.yield %177 : i1
    } -> tensor<2x128x1024xi1>
    %168 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %166, %152 : tensor<2x128x1024xi1>, tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %177 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %169 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %168 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%95 : tensor<2x128x1024xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x1024xf32>
    %170 = tensor.empty() : tensor<1024x256xf32>
    %171 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<256x1024xf32>) outs(%170 : tensor<1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1024x256xf32>
    %172 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%169, %171 : tensor<2x128x1024xf32>, tensor<1024x256xf32>) outs(%28 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.mulf %in, %in_36 : f32
      %178 = arith.addf %out, %177 : f32
      linalg.yield %178 : f32
    } -> tensor<2x128x256xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %172 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    %174 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg16 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256xf32>
    %175 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<1x1x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x128x256xf32>
    %176 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173, %175 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%7 : tensor<2x128x256xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %177 = arith.addf %in, %in_36 : f32
      linalg.yield %177 : f32
    } -> tensor<2x128x256xf32>
    return %176 : tensor<2x128x256xf32>
  }
}

