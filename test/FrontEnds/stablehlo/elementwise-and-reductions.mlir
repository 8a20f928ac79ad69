// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Elementwise chains, broadcasts and reductions around dots, as StableHLO is lowered to linalg.

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @dense_relu(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xf32>
  %broadcasted = linalg.broadcast ins(%arg2 : tensor<24xf32>) outs(%3 : tensor<8x24xf32>) dimensions = [0] 
  %4 = tensor.empty() : tensor<8x24xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %broadcasted : tensor<8x24xf32>, tensor<8x24xf32>) outs(%4 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.addf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<8x24xf32>
  %6 = tensor.empty() : tensor<8x24xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %8 = tensor.empty() : tensor<8x24xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%8 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.maximumf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<8x24xf32>
  return %9 : tensor<8x24xf32>
}

// -----

func.func @dense_relu_map(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xf32>
  %broadcasted = linalg.broadcast ins(%arg2 : tensor<24xf32>) outs(%3 : tensor<8x24xf32>) dimensions = [0] 
  %4 = tensor.empty() : tensor<8x24xf32>
  %mapped = linalg.map { arith.addf } ins(%2, %broadcasted : tensor<8x24xf32>, tensor<8x24xf32>) outs(%4 : tensor<8x24xf32>)
  return %mapped : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @relu6_clamp(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 6.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x24xf32>) outs(%3 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.maximumf %in, %cst_0 : f32
    %6 = arith.minimumf %5, %cst : f32
    linalg.yield %6 : f32
  } -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @compare_select(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xi1>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%3 : tensor<8x24xi1>) {
  ^bb0(%in: f32, %in_0: f32, %out: i1):
    %7 = arith.cmpf olt, %in, %in_0 : f32
    linalg.yield %7 : i1
  } -> tensor<8x24xi1>
  %5 = tensor.empty() : tensor<8x24xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %2, %arg2 : tensor<8x24xi1>, tensor<8x24xf32>, tensor<8x24xf32>) outs(%5 : tensor<8x24xf32>) {
  ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
    %7 = arith.select %in, %in_0, %in_1 : f32
    linalg.yield %7 : f32
  } -> tensor<8x24xf32>
  return %6 : tensor<8x24xf32>
}

// -----

func.func @transpose_dot_transpose(%arg0: tensor<16x12xf32>, %arg1: tensor<20x16xf32>) -> tensor<20x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<12x16xf32>
  %transposed = linalg.transpose ins(%arg0 : tensor<16x12xf32>) outs(%0 : tensor<12x16xf32>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<16x20xf32>
  %transposed_0 = linalg.transpose ins(%arg1 : tensor<20x16xf32>) outs(%1 : tensor<16x20xf32>) permutation = [1, 0] 
  %2 = tensor.empty() : tensor<12x20xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %4 = linalg.matmul ins(%transposed, %transposed_0 : tensor<12x16xf32>, tensor<16x20xf32>) outs(%3 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %5 = tensor.empty() : tensor<20x12xf32>
  %transposed_1 = linalg.transpose ins(%4 : tensor<12x20xf32>) outs(%5 : tensor<20x12xf32>) permutation = [1, 0] 
  return %transposed_1 : tensor<20x12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @softmax_of_dot(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
  %reduced = linalg.reduce { arith.maximumf } ins(%2 : tensor<8x24xf32>) outs(%4 : tensor<8xf32>) dimensions = [1] 
  %5 = tensor.empty() : tensor<8x24xf32>
  %broadcasted = linalg.broadcast ins(%reduced : tensor<8xf32>) outs(%5 : tensor<8x24xf32>) dimensions = [1] 
  %6 = tensor.empty() : tensor<8x24xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %broadcasted : tensor<8x24xf32>, tensor<8x24xf32>) outs(%6 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %15 = arith.subf %in, %in_3 : f32
    linalg.yield %15 : f32
  } -> tensor<8x24xf32>
  %8 = tensor.empty() : tensor<8x24xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x24xf32>) outs(%8 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = math.exp %in : f32
    linalg.yield %15 : f32
  } -> tensor<8x24xf32>
  %10 = tensor.empty() : tensor<8xf32>
  %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<8xf32>) -> tensor<8xf32>
  %reduced_1 = linalg.reduce { arith.addf } ins(%9 : tensor<8x24xf32>) outs(%11 : tensor<8xf32>) dimensions = [1] 
  %12 = tensor.empty() : tensor<8x24xf32>
  %broadcasted_2 = linalg.broadcast ins(%reduced_1 : tensor<8xf32>) outs(%12 : tensor<8x24xf32>) dimensions = [1] 
  %13 = tensor.empty() : tensor<8x24xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %broadcasted_2 : tensor<8x24xf32>, tensor<8x24xf32>) outs(%13 : tensor<8x24xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %15 = arith.divf %in, %in_3 : f32
    linalg.yield %15 : f32
  } -> tensor<8x24xf32>
  return %14 : tensor<8x24xf32>
}

// -----

func.func @column_sums(%arg0: tensor<16x24xf32>, %arg1: tensor<24x12xf32>) -> tensor<12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x12xf32>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %3 = tensor.empty() : tensor<12xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<12xf32>) -> tensor<12xf32>
  %reduced = linalg.reduce { arith.addf } ins(%2 : tensor<16x12xf32>) outs(%4 : tensor<12xf32>) dimensions = [0] 
  return %reduced : tensor<12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @scalar_loss(%arg0: tensor<16x24xf32>, %arg1: tensor<24x12xf32>, %arg2: tensor<16x12xf32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x12xf32>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %3 = tensor.empty() : tensor<16x12xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<16x12xf32>, tensor<16x12xf32>) outs(%3 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.subf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<16x12xf32>
  %5 = tensor.empty() : tensor<16x12xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %4 : tensor<16x12xf32>, tensor<16x12xf32>) outs(%5 : tensor<16x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %9 = arith.mulf %in, %in_0 : f32
    linalg.yield %9 : f32
  } -> tensor<16x12xf32>
  %7 = tensor.empty() : tensor<f32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<f32>) -> tensor<f32>
  %reduced = linalg.reduce { arith.addf } ins(%6 : tensor<16x12xf32>) outs(%8 : tensor<f32>) dimensions = [0, 1] 
  return %reduced : tensor<f32>
}

// -----

func.func @gradients_of_dense(%arg0: tensor<16x8xf32>, %arg1: tensor<8x12xf32>, %arg2: tensor<16x12xf32>) -> (tensor<8x12xf32>, tensor<16x8xf32>, tensor<12xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x16xf32>
  %transposed = linalg.transpose ins(%arg0 : tensor<16x8xf32>) outs(%0 : tensor<8x16xf32>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<8x12xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %3 = linalg.matmul ins(%transposed, %arg2 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%2 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %4 = tensor.empty() : tensor<12x8xf32>
  %transposed_0 = linalg.transpose ins(%arg1 : tensor<8x12xf32>) outs(%4 : tensor<12x8xf32>) permutation = [1, 0] 
  %5 = tensor.empty() : tensor<16x8xf32>
  %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %7 = linalg.matmul ins(%arg2, %transposed_0 : tensor<16x12xf32>, tensor<12x8xf32>) outs(%6 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %8 = tensor.empty() : tensor<12xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<12xf32>) -> tensor<12xf32>
  %reduced = linalg.reduce { arith.addf } ins(%arg2 : tensor<16x12xf32>) outs(%9 : tensor<12xf32>) dimensions = [0] 
  return %3, %7, %reduced : tensor<8x12xf32>, tensor<16x8xf32>, tensor<12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @causal_by_iota(%arg0: tensor<12x16xf32>, %arg1: tensor<12x16xf32>) -> tensor<12x12xf32> {
  %cst = arith.constant -1.000000e+09 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %transposed = linalg.transpose ins(%arg1 : tensor<12x16xf32>) outs(%0 : tensor<16x12xf32>) permutation = [1, 0] 
  %1 = tensor.empty() : tensor<12x12xf32>
  %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<12x12xf32>) -> tensor<12x12xf32>
  %3 = linalg.matmul ins(%arg0, %transposed : tensor<12x16xf32>, tensor<16x12xf32>) outs(%2 : tensor<12x12xf32>) -> tensor<12x12xf32>
  %4 = tensor.empty() : tensor<12x12xi32>
  %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%4 : tensor<12x12xi32>) {
  ^bb0(%out: i32):
    %14 = linalg.index 0 : index
    %15 = arith.index_cast %14 : index to i32
    linalg.yield %15 : i32
  } -> tensor<12x12xi32>
  %6 = tensor.empty() : tensor<12x12xi32>
  %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%6 : tensor<12x12xi32>) {
  ^bb0(%out: i32):
    %14 = linalg.index 1 : index
    %15 = arith.index_cast %14 : index to i32
    linalg.yield %15 : i32
  } -> tensor<12x12xi32>
  %8 = tensor.empty() : tensor<12x12xi1>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<12x12xi32>, tensor<12x12xi32>) outs(%8 : tensor<12x12xi1>) {
  ^bb0(%in: i32, %in_1: i32, %out: i1):
    %14 = arith.cmpi sge, %in, %in_1 : i32
    linalg.yield %14 : i1
  } -> tensor<12x12xi1>
  %10 = tensor.empty() : tensor<12x12xf32>
  %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<12x12xf32>) -> tensor<12x12xf32>
  %12 = tensor.empty() : tensor<12x12xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %3, %11 : tensor<12x12xi1>, tensor<12x12xf32>, tensor<12x12xf32>) outs(%12 : tensor<12x12xf32>) {
  ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
    %14 = arith.select %in, %in_1, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<12x12xf32>
  return %13 : tensor<12x12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @one_hot_lookup(%arg0: tensor<8xi32> {rooftile.range = array<i64: 0, 11>}, %arg1: tensor<12x16xf32>) -> tensor<8x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x12xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8xi32>) outs(%0 : tensor<8x12xf32>) {
  ^bb0(%in: i32, %out: f32):
    %5 = linalg.index 1 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.cmpi eq, %in, %6 : i32
    %8 = arith.uitofp %7 : i1 to f32
    linalg.yield %8 : f32
  } -> tensor<8x12xf32>
  %2 = tensor.empty() : tensor<8x16xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = linalg.matmul ins(%1, %arg1 : tensor<8x12xf32>, tensor<12x16xf32>) outs(%3 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// -----

func.func @tensor_level_arithmetic(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>, %arg2: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %cst_0 = arith.constant dense<5.000000e-01> : tensor<8x24xf32>
  %3 = arith.mulf %2, %cst_0 : tensor<8x24xf32>
  %4 = arith.addf %3, %arg2 : tensor<8x24xf32>
  %5 = math.tanh %4 : tensor<8x24xf32>
  return %5 : tensor<8x24xf32>
}

// -----

func.func @tensor_level_scalar_chain(%arg0: tensor<16x24xf32>, %arg1: tensor<24x12xf32>, %arg2: tensor<f32>) -> tensor<f32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x12xf32>) outs(%1 : tensor<16x12xf32>) -> tensor<16x12xf32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<f32>) -> tensor<f32>
  %reduced = linalg.reduce { arith.addf } ins(%2 : tensor<16x12xf32>) outs(%4 : tensor<f32>) dimensions = [0, 1] 
  %5 = arith.addf %reduced, %arg2 : tensor<f32>
  return %5 : tensor<f32>
}

// -----

func.func @logistic_elementwise(%arg0: tensor<8x16xf32>, %arg1: tensor<16x24xf32>) -> tensor<8x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x24xf32>) outs(%1 : tensor<8x24xf32>) -> tensor<8x24xf32>
  %3 = tensor.empty() : tensor<8x24xf32>
  %4 = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%2 : tensor<8x24xf32>) outs(%3 : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %4 : tensor<8x24xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @contract_named(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

func.func @concatenate_dot(%arg0: tensor<8x10xf32>, %arg1: tensor<8x6xf32>, %arg2: tensor<16x12xf32>) -> tensor<8x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %concat = tensor.concat dim(1) %arg0, %arg1 : (tensor<8x10xf32>, tensor<8x6xf32>) -> tensor<8x16xf32>
  %0 = tensor.empty() : tensor<8x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %2 = linalg.matmul ins(%concat, %arg2 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%1 : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %2 : tensor<8x12xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @reverse_rows(%arg0: tensor<8x16xf32>, %arg1: tensor<16x12xf32>) -> tensor<8x12xf32> {
  %c7 = arith.constant 7 : index
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%1 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %3 = tensor.empty() : tensor<8x12xf32>
  %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%3 : tensor<8x12xf32>) {
  ^bb0(%out: f32):
    %5 = linalg.index 0 : index
    %6 = linalg.index 1 : index
    %7 = arith.subi %c7, %5 : index
    %extracted = tensor.extract %2[%7, %6] : tensor<8x12xf32>
    linalg.yield %extracted : f32
  } -> tensor<8x12xf32>
  return %4 : tensor<8x12xf32>
}

// -----

func.func @dot_of_slices(%arg0: tensor<20x30xf32>, %arg1: tensor<20x30xf32>) -> tensor<16x10xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %extracted_slice = tensor.extract_slice %arg0[2, 4] [16, 12] [1, 1] : tensor<20x30xf32> to tensor<16x12xf32>
  %extracted_slice_0 = tensor.extract_slice %arg1[0, 1] [12, 10] [1, 2] : tensor<20x30xf32> to tensor<12x10xf32>
  %0 = tensor.empty() : tensor<16x10xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x10xf32>) -> tensor<16x10xf32>
  %2 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<16x12xf32>, tensor<12x10xf32>) outs(%1 : tensor<16x10xf32>) -> tensor<16x10xf32>
  return %2 : tensor<16x10xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @two_results(%arg0: tensor<8x16xf32>, %arg1: tensor<16x12xf32>, %arg2: tensor<16x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<8x12xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%1 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %3 = tensor.empty() : tensor<8x12xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %5 = linalg.matmul ins(%arg0, %arg2 : tensor<8x16xf32>, tensor<16x12xf32>) outs(%4 : tensor<8x12xf32>) -> tensor<8x12xf32>
  %6 = tensor.empty() : tensor<8x12xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<8x12xf32>, tensor<8x12xf32>) outs(%6 : tensor<8x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.addf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<8x12xf32>
  %8 = tensor.empty() : tensor<8x12xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<8x12xf32>, tensor<8x12xf32>) outs(%8 : tensor<8x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %10 = arith.subf %in, %in_0 : f32
    linalg.yield %10 : f32
  } -> tensor<8x12xf32>
  return %7, %9 : tensor<8x12xf32>, tensor<8x12xf32>
}
