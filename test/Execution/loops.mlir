// Products in loops, in called functions and among other operations.
// RUN: gemm-run --device=cpu --repeat=2 %s | FileCheck %s

// CHECK: PASS power#0
func.func @power(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> tensor<16x16xf32> {
    %empty = tensor.empty() : tensor<16x16xf32>
    %next = blas.gemm ins(%x, %b : tensor<16x16xf32>, tensor<16x16xf32>)
                      outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  return %last : tensor<16x16xf32>
}

// CHECK: PASS {{called#0|calls#0}}
func.func private @called(%a: tensor<8x8xf64>, %b: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %empty = tensor.empty() : tensor<8x8xf64>
  %c = blas.gemm ins(%a, %b : tensor<8x8xf64>, tensor<8x8xf64>)
                 outs(%empty : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %c : tensor<8x8xf64>
}
func.func @calls(%a: tensor<8x8xf64>, %b: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %0 = call @called(%a, %b) : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %1 = call @called(%0, %b) : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %1 : tensor<8x8xf64>
}

// Functions of the C library (gelu).
// CHECK: PASS gelu#0
func.func @gelu(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.707106769 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %c = blas.gemm ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                 outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %scaled = arith.mulf %x, %root : f32
    %erf = math.erf %scaled : f32
    %sum = arith.addf %erf, %one : f32
    %product = arith.mulf %sum, %x : f32
    %result = arith.mulf %product, %half : f32
    linalg.yield %result : f32
  } -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
