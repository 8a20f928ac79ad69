// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Slices and loops around products, as IREE tiles dispatches.

func.func @slices_dispatch(%arg0: tensor<20x30xf32>, %arg1: tensor<20x30xf32>, %arg2: tensor<16x10xf32>) -> tensor<16x10xf32> {
  %extracted_slice = tensor.extract_slice %arg0[2, 4] [16, 12] [1, 1] : tensor<20x30xf32> to tensor<16x12xf32>
  %extracted_slice_0 = tensor.extract_slice %arg1[0, 1] [12, 10] [1, 1] : tensor<20x30xf32> to tensor<12x10xf32>
  %0 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<16x12xf32>, tensor<12x10xf32>) outs(%arg2 : tensor<16x10xf32>) -> tensor<16x10xf32>
  return %0 : tensor<16x10xf32>
}

// -----

func.func @insert_slice_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x8xf32>, %arg2: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x8xf32>) outs(%1 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %inserted_slice = tensor.insert_slice %2 into %arg2[0, 16] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<16x32xf32>
  return %inserted_slice : tensor<16x32xf32>
}

// -----

func.func @forall_tiles_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<16x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = scf.forall (%arg2, %arg3) = (0, 0) to (16, 32) step (8, 16) shared_outs(%arg4 = %0) -> (tensor<16x32xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [8, 24] [1, 1] : tensor<16x24xf32> to tensor<8x24xf32>
    %extracted_slice_0 = tensor.extract_slice %arg1[0, %arg3] [24, 16] [1, 1] : tensor<24x32xf32> to tensor<24x16xf32>
    %extracted_slice_1 = tensor.extract_slice %arg4[%arg2, %arg3] [8, 16] [1, 1] : tensor<16x32xf32> to tensor<8x16xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%extracted_slice_1 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<8x24xf32>, tensor<24x16xf32>) outs(%2 : tensor<8x16xf32>) -> tensor<8x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %arg4[%arg2, %arg3] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<16x32xf32>
    }
  }
  return %1 : tensor<16x32xf32>
}

// -----

func.func @forall_heads_dispatch(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x16x8xf32>) -> tensor<4x8x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<4x8x8xf32>
  %1 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %0) -> (tensor<4x8x8xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[%arg2, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<4x8x16xf32> to tensor<8x16xf32>
    %extracted_slice_0 = tensor.extract_slice %arg1[%arg2, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<16x8xf32>
    %extracted_slice_1 = tensor.extract_slice %arg3[%arg2, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<4x8x8xf32> to tensor<8x8xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%extracted_slice_1 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<8x16xf32>, tensor<16x8xf32>) outs(%2 : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %arg3[%arg2, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<8x8xf32> into tensor<4x8x8xf32>
    }
  }
  return %1 : tensor<4x8x8xf32>
}

// -----

func.func @k_loop_dispatch(%arg0: tensor<16x32xf32>, %arg1: tensor<32x24xf32>) -> tensor<16x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %0 = tensor.empty() : tensor<16x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x24xf32>) -> tensor<16x24xf32>
  %2 = scf.for %arg2 = %c0 to %c32 step %c8 iter_args(%arg3 = %1) -> (tensor<16x24xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [16, 8] [1, 1] : tensor<16x32xf32> to tensor<16x8xf32>
    %extracted_slice_0 = tensor.extract_slice %arg1[%arg2, 0] [8, 24] [1, 1] : tensor<32x24xf32> to tensor<8x24xf32>
    %3 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<16x8xf32>, tensor<8x24xf32>) outs(%arg3 : tensor<16x24xf32>) -> tensor<16x24xf32>
    scf.yield %3 : tensor<16x24xf32>
  }
  return %2 : tensor<16x24xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
func.func @forall_fused_dispatch(%arg0: tensor<16x24xf16>, %arg1: tensor<24x32xf16>, %arg2: tensor<32xf32>) -> tensor<16x32xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf16>
  %1 = scf.forall (%arg3) = (0) to (16) step (8) shared_outs(%arg4 = %0) -> (tensor<16x32xf16>) {
    %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [8, 24] [1, 1] : tensor<16x24xf16> to tensor<8x24xf16>
    %2 = tensor.empty() : tensor<8x32xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %4 = linalg.matmul ins(%extracted_slice, %arg1 : tensor<8x24xf16>, tensor<24x32xf16>) outs(%3 : tensor<8x32xf32>) -> tensor<8x32xf32>
    %extracted_slice_0 = tensor.extract_slice %arg4[%arg3, 0] [8, 32] [1, 1] : tensor<16x32xf16> to tensor<8x32xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg2 : tensor<8x32xf32>, tensor<32xf32>) outs(%extracted_slice_0 : tensor<8x32xf16>) {
    ^bb0(%in: f32, %in_1: f32, %out: f16):
      %6 = arith.addf %in, %in_1 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.truncf %7 : f32 to f16
      linalg.yield %8 : f16
    } -> tensor<8x32xf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %5 into %arg4[%arg3, 0] [8, 32] [1, 1] : tensor<8x32xf16> into tensor<16x32xf16>
    }
  }
  return %1 : tensor<16x32xf16>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
func.func @dynamic_rows_dispatch(%arg0: tensor<?x24xf32> {rooftile.sizes = array<i64: 12, 24>}, %arg1: tensor<24x32xf32>, %arg2: tensor<32xf32>) -> tensor<?x32xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?x24xf32>
  %0 = tensor.empty(%dim) : tensor<?x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<?x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<?x32xf32>
  %3 = tensor.empty(%dim) : tensor<?x32xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<?x32xf32>, tensor<32xf32>) outs(%3 : tensor<?x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.addf %in, %in_0 : f32
    linalg.yield %5 : f32
  } -> tensor<?x32xf32>
  return %4 : tensor<?x32xf32>
}

// -----

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @expanded_heads_dispatch(%arg0: tensor<16x24xf32>, %arg1: tensor<24x32xf32>) -> tensor<4x16x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x32xf32>) outs(%1 : tensor<16x32xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %5 = arith.mulf %in, %in_0 : f32
    %6 = arith.addf %out, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<16x32xf32>
  %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [16, 4, 8] : tensor<16x32xf32> into tensor<16x4x8xf32>
  %3 = tensor.empty() : tensor<4x16x8xf32>
  %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<16x4x8xf32>) outs(%3 : tensor<4x16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16x8xf32>
  return %4 : tensor<4x16x8xf32>
}
