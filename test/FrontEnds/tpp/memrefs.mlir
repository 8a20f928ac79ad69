// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Products in loops over blocks of memrefs, in the manner of TPP.

func.func @blocked_loops(%arg0: memref<2x3x8x8xf32>, %arg1: memref<4x3x8x8xf32>, %arg2: memref<2x4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %arg3 = %c0 to %c2 step %c1 {
    scf.for %arg4 = %c0 to %c4 step %c1 {
      %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 3, 8, 8] [1, 1, 1, 1] : memref<2x3x8x8xf32> to memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 3, 8, 8] [1, 1, 1, 1] : memref<4x3x8x8xf32> to memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>
      %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 8, 8] [1, 1, 1, 1] : memref<2x4x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
      linalg.batch_reduce_matmul ins(%subview, %subview_0 : memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>, memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>) outs(%subview_1 : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    }
  }
  return
}

// -----

func.func @blocked_loops_zeroed(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<16x32xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  scf.for %arg3 = %c0 to %c16 step %c8 {
    scf.for %arg4 = %c0 to %c32 step %c16 {
      %subview = memref.subview %arg2[%arg3, %arg4] [8, 16] [1, 1] : memref<16x32xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
      linalg.fill ins(%cst : f32) outs(%subview : memref<8x16xf32, strided<[32, 1], offset: ?>>)
      scf.for %arg5 = %c0 to %c24 step %c8 {
        %subview_0 = memref.subview %arg0[%arg3, %arg5] [8, 8] [1, 1] : memref<16x24xf32> to memref<8x8xf32, strided<[24, 1], offset: ?>>
        %subview_1 = memref.subview %arg1[%arg5, %arg4] [8, 16] [1, 1] : memref<24x32xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
        linalg.matmul ins(%subview_0, %subview_1 : memref<8x8xf32, strided<[24, 1], offset: ?>>, memref<8x16xf32, strided<[32, 1], offset: ?>>) outs(%subview : memref<8x16xf32, strided<[32, 1], offset: ?>>)
      }
    }
  }
  return
}

// -----

func.func @parallel_blocks(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<16x32xf32>) {
  scf.forall (%arg3, %arg4) = (0, 0) to (16, 32) step (8, 8) {
    %subview = memref.subview %arg0[%arg3, 0] [8, 24] [1, 1] : memref<16x24xf32> to memref<8x24xf32, strided<[24, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[0, %arg4] [24, 8] [1, 1] : memref<24x32xf32> to memref<24x8xf32, strided<[32, 1], offset: ?>>
    %subview_1 = memref.subview %arg2[%arg3, %arg4] [8, 8] [1, 1] : memref<16x32xf32> to memref<8x8xf32, strided<[32, 1], offset: ?>>
    linalg.matmul ins(%subview, %subview_0 : memref<8x24xf32, strided<[24, 1], offset: ?>>, memref<24x8xf32, strided<[32, 1], offset: ?>>) outs(%subview_1 : memref<8x8xf32, strided<[32, 1], offset: ?>>)
  }
  return
}

// -----

func.func @parallel_loop_brgemm(%arg0: memref<2x3x8x8xf32>, %arg1: memref<4x3x8x8xf32>, %arg2: memref<2x4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c2, %c4) step (%c1, %c1) {
    %subview = memref.subview %arg0[%arg3, 0, 0, 0] [1, 3, 8, 8] [1, 1, 1, 1] : memref<2x3x8x8xf32> to memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[%arg4, 0, 0, 0] [1, 3, 8, 8] [1, 1, 1, 1] : memref<4x3x8x8xf32> to memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>
    %subview_1 = memref.subview %arg2[%arg3, %arg4, 0, 0] [1, 1, 8, 8] [1, 1, 1, 1] : memref<2x4x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.batch_reduce_matmul ins(%subview, %subview_0 : memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>, memref<3x8x8xf32, strided<[64, 8, 1], offset: ?>>) outs(%subview_1 : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    scf.reduce 
  }
  return
}

// -----

func.func @brgemm_memref(%arg0: memref<6x16x12xf32>, %arg1: memref<6x12x20xf32>, %arg2: memref<16x20xf32>) {
  linalg.batch_reduce_matmul ins(%arg0, %arg1 : memref<6x16x12xf32>, memref<6x12x20xf32>) outs(%arg2 : memref<16x20xf32>)
  return
}

// -----

#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>
func.func @blocked_generic_memref(%arg0: memref<2x3x8x8xf32>, %arg1: memref<4x3x8x8xf32>, %arg2: memref<2x4x8x8xf32>) {
  linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<2x3x8x8xf32>, memref<4x3x8x8xf32>) outs(%arg2 : memref<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

func.func @subview_columns(%arg0: memref<16x40xf32>, %arg1: memref<40x48xf32>, %arg2: memref<16x48xf32>) {
  %subview = memref.subview %arg0[0, 8] [16, 24] [1, 1] : memref<16x40xf32> to memref<16x24xf32, strided<[40, 1], offset: 8>>
  %subview_0 = memref.subview %arg1[8, 16] [24, 16] [1, 1] : memref<40x48xf32> to memref<24x16xf32, strided<[48, 1], offset: 400>>
  %subview_1 = memref.subview %arg2[0, 16] [16, 16] [1, 1] : memref<16x48xf32> to memref<16x16xf32, strided<[48, 1], offset: 16>>
  linalg.matmul ins(%subview, %subview_0 : memref<16x24xf32, strided<[40, 1], offset: 8>>, memref<24x16xf32, strided<[48, 1], offset: 400>>) outs(%subview_1 : memref<16x16xf32, strided<[48, 1], offset: 16>>)
  return
}

// -----

#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @bias_relu_in_place(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<32xf32>, %arg3: memref<16x32xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : memref<32xf32>) outs(%arg3 : memref<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x32xf32>) outs(%arg3 : memref<16x32xf32>)
  linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%arg3 : memref<16x32xf32>) {
  ^bb0(%out: f32):
    %0 = arith.maximumf %out, %cst : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func @two_layers_with_scratch(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<32x8xf32>, %arg3: memref<16x8xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() : memref<16x32xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<16x32xf32>)
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x32xf32>) outs(%alloc : memref<16x32xf32>)
  linalg.fill ins(%cst : f32) outs(%arg3 : memref<16x8xf32>)
  linalg.matmul ins(%alloc, %arg2 : memref<16x32xf32>, memref<32x8xf32>) outs(%arg3 : memref<16x8xf32>)
  memref.dealloc %alloc : memref<16x32xf32>
  return
}

// -----

func.func @copy_block_then_multiply(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %alloc = memref.alloc() : memref<16x8xf32>
  scf.for %arg3 = %c0 to %c24 step %c8 {
    %subview = memref.subview %arg0[0, %arg3] [16, 8] [1, 1] : memref<16x24xf32> to memref<16x8xf32, strided<[24, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[%arg3, 0] [8, 32] [1, 1] : memref<24x32xf32> to memref<8x32xf32, strided<[32, 1], offset: ?>>
    linalg.copy ins(%subview : memref<16x8xf32, strided<[24, 1], offset: ?>>) outs(%alloc : memref<16x8xf32>)
    linalg.matmul ins(%alloc, %subview_0 : memref<16x8xf32>, memref<8x32xf32, strided<[32, 1], offset: ?>>) outs(%arg2 : memref<16x32xf32>)
  }
  memref.dealloc %alloc : memref<16x8xf32>
  return
}

// -----

func.func @mmt4d_memref(%arg0: memref<3x5x8x4xf32>, %arg1: memref<2x5x8x4xf32>, %arg2: memref<3x2x8x8xf32>) {
  linalg.mmt4d ins(%arg0, %arg1 : memref<3x5x8x4xf32>, memref<2x5x8x4xf32>) outs(%arg2 : memref<3x2x8x8xf32>)
  return
}

// -----

func.func @dynamic_blocks(%arg0: memref<?x8x8xf32> {rooftile.sizes = array<i64: 5, 8, 8>}, %arg1: memref<?x8x8xf32> {rooftile.sizes = array<i64: 5, 8, 8>}, %arg2: memref<8x8xf32>) {
  linalg.batch_reduce_matmul ins(%arg0, %arg1 : memref<?x8x8xf32>, memref<?x8x8xf32>) outs(%arg2 : memref<8x8xf32>)
  return
}
