// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// dot_general and what surrounds it, as StableHLO is lowered to linalg.

func.func @dot_general_2d(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

func.func @dot_general_batch(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x16x12xf32>) -> tensor<4x8x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x8x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8x12xf32>) -> tensor<4x8x12xf32>
  %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<4x8x16xf32>, tensor<4x16x12xf32>) outs(%1 : tensor<4x8x12xf32>) -> tensor<4x8x12xf32>
  return %2 : tensor<4x8x12xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dot_general_transposed(%arg0: tensor<16x24xf32>, %arg1: tensor<32x24xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<32x24xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @dot_general_two_contractions(%arg0: tensor<8x6x4xf32>, %arg1: tensor<6x4x10xf32>) -> tensor<8x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x10xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<8x6x4xf32>, tensor<6x4x10xf32>) outs(%1 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @dot_general_two_contractions_swapped(%arg0: tensor<8x6x4xf32>, %arg1: tensor<4x6x10xf32>) -> tensor<8x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x10xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x10xf32>) -> tensor<8x10xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<8x6x4xf32>, tensor<4x6x10xf32>) outs(%1 : tensor<8x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
func.func @dot_general_heads(%arg0: tensor<2x8x4x6xf32>, %arg1: tensor<2x10x4x6xf32>) -> tensor<2x4x8x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x4x8x10xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x8x10xf32>) -> tensor<2x4x8x10xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x8x4x6xf32>, tensor<2x10x4x6xf32>) outs(%1 : tensor<2x4x8x10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x4x8x10xf32>
  return %2 : tensor<2x4x8x10xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
func.func @dot_general_weighted(%arg0: tensor<2x4x8x10xf32>, %arg1: tensor<2x10x4x6xf32>) -> tensor<2x8x4x6xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8x4x6xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8x4x6xf32>) -> tensor<2x8x4x6xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x4x8x10xf32>, tensor<2x10x4x6xf32>) outs(%1 : tensor<2x8x4x6xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x8x4x6xf32>
  return %2 : tensor<2x8x4x6xf32>
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
func.func @dot_general_projection(%arg0: tensor<2x8x4x6xf32>, %arg1: tensor<4x6x20xf32>) -> tensor<2x8x20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x8x20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8x20xf32>) -> tensor<2x8x20xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<2x8x4x6xf32>, tensor<4x6x20xf32>) outs(%1 : tensor<2x8x20xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.mulf %in, %in_0 : f32
    %4 = arith.addf %out, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x8x20xf32>
  return %2 : tensor<2x8x20xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @dot_general_outer(%arg0: tensor<12xf32>, %arg1: tensor<20xf32>) -> tensor<12x20xf32> {
  %0 = tensor.empty() : tensor<12x20xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<12xf32>, tensor<20xf32>) outs(%0 : tensor<12x20xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.mulf %in, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<12x20xf32>
  return %1 : tensor<12x20xf32>
}

// -----

func.func @dot_general_matvec(%arg0: tensor<20x30xf32>, %arg1: tensor<30xf32>) -> tensor<20xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<20xf32>) -> tensor<20xf32>
  %2 = linalg.matvec ins(%arg0, %arg1 : tensor<20x30xf32>, tensor<30xf32>) outs(%1 : tensor<20xf32>) -> tensor<20xf32>
  return %2 : tensor<20xf32>
}

// -----

func.func @dot_general_bf16_to_f32(%arg0: tensor<16x32xbf16>, %arg1: tensor<32x24xbf16>) -> tensor<16x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x32xbf16>, tensor<32x24xbf16>) outs(%1 : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %2 : tensor<16x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dot_general_f16_generic(%arg0: tensor<16x24xf16>, %arg1: tensor<32x24xf16>) -> tensor<16x32xf32> {
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

func.func @dot_general_f64(%arg0: tensor<12x20xf64>, %arg1: tensor<20x10xf64>) -> tensor<12x10xf64> {
  %cst = arith.constant 0.000000e+00 : f64
  %0 = tensor.empty() : tensor<12x10xf64>
  %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<12x10xf64>) -> tensor<12x10xf64>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<12x20xf64>, tensor<20x10xf64>) outs(%1 : tensor<12x10xf64>) -> tensor<12x10xf64>
  return %2 : tensor<12x10xf64>
}

// -----

func.func @dot_general_i32(%arg0: tensor<12x20xi32>, %arg1: tensor<20x10xi32>) -> tensor<12x10xi32> {
  %c0_i32 = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<12x10xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<12x10xi32>) -> tensor<12x10xi32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<12x20xi32>, tensor<20x10xi32>) outs(%1 : tensor<12x10xi32>) -> tensor<12x10xi32>
  return %2 : tensor<12x10xi32>
}

// -----

func.func @dot_general_complex(%arg0: tensor<8x12xcomplex<f32>>, %arg1: tensor<12x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>> {
  %cst = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  %0 = tensor.empty() : tensor<8x10xcomplex<f32>>
  %1 = linalg.fill ins(%cst : complex<f32>) outs(%0 : tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x12xcomplex<f32>>, tensor<12x10xcomplex<f32>>) outs(%1 : tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  return %2 : tensor<8x10xcomplex<f32>>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d2, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @dot_general_complex_conjugated(%arg0: tensor<12x8xcomplex<f32>>, %arg1: tensor<12x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>> {
  %cst = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  %0 = tensor.empty() : tensor<8x10xcomplex<f32>>
  %1 = linalg.fill ins(%cst : complex<f32>) outs(%0 : tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<12x8xcomplex<f32>>, tensor<12x10xcomplex<f32>>) outs(%1 : tensor<8x10xcomplex<f32>>) {
  ^bb0(%in: complex<f32>, %in_0: complex<f32>, %out: complex<f32>):
    %3 = complex.conj %in : complex<f32>
    %4 = complex.mul %3, %in_0 : complex<f32>
    %5 = complex.add %out, %4 : complex<f32>
    linalg.yield %5 : complex<f32>
  } -> tensor<8x10xcomplex<f32>>
  return %2 : tensor<8x10xcomplex<f32>>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @magnitude_of_complex_product(%arg0: tensor<8x12xcomplex<f32>>, %arg1: tensor<12x10xcomplex<f32>>) -> tensor<8x10xf32> {
  %cst = complex.constant [0.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  %0 = tensor.empty() : tensor<8x10xcomplex<f32>>
  %1 = linalg.fill ins(%cst : complex<f32>) outs(%0 : tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x12xcomplex<f32>>, tensor<12x10xcomplex<f32>>) outs(%1 : tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  %3 = tensor.empty() : tensor<8x10xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x10xcomplex<f32>>) outs(%3 : tensor<8x10xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %5 = complex.abs %in : complex<f32>
    linalg.yield %5 : f32
  } -> tensor<8x10xf32>
  return %4 : tensor<8x10xf32>
}
