// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null

// Vector transfers, scalar loops and control flow around products, in the manner of TPP.

func.func @vector_bias(%arg0: memref<16x24xf32>, %arg1: memref<24x16xf32>, %arg2: memref<16xf32>, %arg3: memref<16x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  linalg.fill ins(%cst : f32) outs(%arg3 : memref<16x16xf32>)
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg3 : memref<16x16xf32>)
  %0 = vector.transfer_read %arg2[%c0], %cst {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
  scf.for %arg4 = %c0 to %c16 step %c1 {
    %1 = vector.transfer_read %arg3[%arg4, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<16xf32>
    %2 = arith.addf %1, %0 : vector<16xf32>
    vector.transfer_write %2, %arg3[%arg4, %c0] {in_bounds = [true]} : vector<16xf32>, memref<16x16xf32>
  }
  return
}

// -----

func.func @vector_relu_blocks(%arg0: memref<16x24xf32>, %arg1: memref<24x16xf32>, %arg2: memref<16x16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant dense<0.000000e+00> : vector<8x8xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg2 : memref<16x16xf32>)
  scf.for %arg3 = %c0 to %c16 step %c8 {
    scf.for %arg4 = %c0 to %c16 step %c8 {
      %0 = vector.transfer_read %arg2[%arg3, %arg4], %cst {in_bounds = [true, true]} : memref<16x16xf32>, vector<8x8xf32>
      %1 = arith.maximumf %0, %cst_0 : vector<8x8xf32>
      vector.transfer_write %1, %arg2[%arg3, %arg4] {in_bounds = [true, true]} : vector<8x8xf32>, memref<16x16xf32>
    }
  }
  return
}

// -----

func.func @vector_edges(%arg0: memref<13x24xf32>, %arg1: memref<24x13xf32>, %arg2: memref<13x13xf32>, %arg3: memref<13x13xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  linalg.matmul ins(%arg0, %arg1 : memref<13x24xf32>, memref<24x13xf32>) outs(%arg2 : memref<13x13xf32>)
  scf.for %arg4 = %c0 to %c13 step %c1 {
    scf.for %arg5 = %c0 to %c13 step %c8 {
      %0 = vector.transfer_read %arg2[%arg4, %arg5], %cst : memref<13x13xf32>, vector<8xf32>
      %1 = vector.transfer_read %arg3[%arg4, %arg5], %cst : memref<13x13xf32>, vector<8xf32>
      %2 = arith.mulf %0, %1 : vector<8xf32>
      vector.transfer_write %2, %arg3[%arg4, %arg5] : vector<8xf32>, memref<13x13xf32>
    }
  }
  return
}

// -----

func.func @vector_on_tensors(%arg0: tensor<16x24xf32>, %arg1: tensor<24x16xf32>, %arg2: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf32>, tensor<24x16xf32>) outs(%arg2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = scf.for %arg3 = %c0 to %c16 step %c4 iter_args(%arg4 = %0) -> (tensor<16x16xf32>) {
    %2 = vector.transfer_read %arg4[%arg3, %c0], %cst {in_bounds = [true, true]} : tensor<16x16xf32>, vector<4x16xf32>
    %3 = arith.mulf %2, %2 : vector<4x16xf32>
    %4 = vector.transfer_write %3, %arg4[%arg3, %c0] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<16x16xf32>
    scf.yield %4 : tensor<16x16xf32>
  }
  return %1 : tensor<16x16xf32>
}

// -----

func.func @vector_row_sums(%arg0: memref<16x24xf32>, %arg1: memref<24x16xf32>, %arg2: memref<16x16xf32>, %arg3: memref<16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg2 : memref<16x16xf32>)
  scf.for %arg4 = %c0 to %c16 step %c1 {
    %0 = vector.transfer_read %arg2[%arg4, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<16xf32>
    %1 = vector.reduction <add>, %0, %cst : vector<16xf32> into f32
    memref.store %1, %arg3[%arg4] : memref<16xf32>
  }
  return
}

// -----

func.func @scalar_loop_around(%arg0: memref<16x24xf32>, %arg1: memref<24x16xf32>, %arg2: memref<16x16xf32>, %arg3: memref<16xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<16x16xf32>)
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg2 : memref<16x16xf32>)
  scf.for %arg4 = %c0 to %c16 step %c1 {
    %0 = memref.load %arg2[%arg4, %arg4] : memref<16x16xf32>
    memref.store %0, %arg3[%arg4] : memref<16xf32>
  }
  return
}

// -----

func.func @trace_result(%arg0: memref<16x24xf32>, %arg1: memref<24x16xf32>, %arg2: memref<16x16xf32>) -> f32 {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  linalg.matmul ins(%arg0, %arg1 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg2 : memref<16x16xf32>)
  %0 = scf.for %arg3 = %c0 to %c16 step %c1 iter_args(%arg4 = %cst) -> (f32) {
    %1 = memref.load %arg2[%arg3, %arg3] : memref<16x16xf32>
    %2 = arith.addf %arg4, %1 : f32
    scf.yield %2 : f32
  }
  return %0 : f32
}

// -----

func.func @product_if_asked(%arg0: i1, %arg1: memref<16x24xf32>, %arg2: memref<24x16xf32>, %arg3: memref<16x16xf32>) {
  scf.if %arg0 {
    linalg.matmul ins(%arg1, %arg2 : memref<16x24xf32>, memref<24x16xf32>) outs(%arg3 : memref<16x16xf32>)
  } else {
    %cst = arith.constant 0.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg3 : memref<16x16xf32>)
  }
  return
}

// -----

func.func @power_by_loop(%arg0: tensor<12x12xf32>, %arg1: tensor<12x12xf32>) -> tensor<12x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %arg2 = %c0 to %c3 step %c1 iter_args(%arg3 = %arg1) -> (tensor<12x12xf32>) {
    %1 = tensor.empty() : tensor<12x12xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<12x12xf32>) -> tensor<12x12xf32>
    %3 = linalg.matmul ins(%arg0, %arg3 : tensor<12x12xf32>, tensor<12x12xf32>) outs(%2 : tensor<12x12xf32>) -> tensor<12x12xf32>
    scf.yield %3 : tensor<12x12xf32>
  }
  return %0 : tensor<12x12xf32>
}
