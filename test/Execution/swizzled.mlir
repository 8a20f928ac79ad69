// Plans that spread turned tiles over the banks give right results: by swizzle, by lanes, in both
// ways to shared memory.
// RUN: gemm-run --device=cpu --repeat=0 %s | FileCheck %s

// CHECK: PASS through_registers#0
func.func @through_registers(%a: memref<70x50xf32>, %b: memref<90x50xf32>, %c: memref<70x90xf32>) {
  blas.gemm op_b<t> ins(%a, %b : memref<70x50xf32>, memref<90x50xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 2, pad = 4, swizzle = 8>,
          b = <via = shared, vector = 2, pad = 4, swizzle = 4>>)
  return
}

// CHECK: PASS asynchronous#0
func.func @asynchronous(%a: memref<70x50xf32>, %b: memref<90x50xf32>, %c: memref<70x90xf32>) {
  blas.gemm op_b<t> ins(%a, %b : memref<70x50xf32>, memref<90x50xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, copy = async, pad = 4, swizzle = 1>,
          b = <via = shared, copy = async, pad = 4, swizzle = 2, lanes = 16>, stages = 3, ahead = 1>)
  return
}

// CHECK: PASS doubles#0
func.func @doubles(%a: memref<70x50xf64>, %b: memref<50x90xf64>, %c: memref<70x90xf64>) {
  blas.gemm ins(%a, %b : memref<70x50xf64>, memref<50x90xf64>) outs(%c : memref<70x90xf64>)
    plan(<macro = [32, 64, 16], micro = [4, 4], lanes = [4, 8], vector = 2, a = <via = shared, copy = async, pad = 2, swizzle = 1>,
          b = <via = shared, vector = 2>, stages = 4>)
  return
}

// CHECK: PASS few_lanes#0
func.func @few_lanes(%a: memref<70x50xf32>, %b: memref<50x90xf32>, %c: memref<70x90xf32>) {
  blas.gemm ins(%a, %b : memref<70x50xf32>, memref<50x90xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 16], micro = [4, 4], lanes = [4, 8], vector = 2, a = <via = shared, copy = async, pad = 4, lanes = 8>,
          b = <via = shared, vector = 2, lanes = 16>, stages = 2, ahead = 1>)
  return
}
