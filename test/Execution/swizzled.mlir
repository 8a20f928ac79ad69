// Plans that spread transposed tiles over the banks give right results: by swizzle, by lanes, in both
// ways to shared memory.
// RUN: gemm-run --device=cpu --repeat=0 %s | FileCheck %s

// CHECK: PASS through_registers#0
func.func @through_registers(%a: memref<70x50xf32>, %b: memref<90x50xf32>, %c: memref<70x90xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<70x50xf32>, memref<90x50xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 2, pad = 4, swizzle = 8>,
          b = <via = shared, vector = 2, pad = 4, swizzle = 4>>)
  return
}

// CHECK: PASS asynchronous#0
func.func @asynchronous(%a: memref<70x50xf32>, %b: memref<90x50xf32>, %c: memref<70x90xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<70x50xf32>, memref<90x50xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, copy = async, pad = 4, swizzle = 1>,
          b = <via = shared, copy = async, pad = 4, swizzle = 2, lanes = 16>, stages = 3, prefetch = 1>)
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
          b = <via = shared, vector = 2, lanes = 16>, stages = 2, prefetch = 1>)
  return
}

// Lines that begin at multiples of 128 bytes: each is changed by itself.
// CHECK: PASS whole_rows#0
func.func @whole_rows(%a: memref<130x32xf64>, %b: memref<32x40xf64>, %c: memref<130x40xf64>) {
  blas.gemm ins(%a, %b : memref<130x32xf64>, memref<32x40xf64>) outs(%c : memref<130x40xf64>)
    plan(<macro = [64, 32, 32], micro = [4, 8], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared, copy = async, vector = 2, swizzle = 4, major = k>,
          b = <via = shared, copy = async, vector = 2, swizzle = 4>, c = shared, stages = 1>)
  return
}

// Several steps, slices that are a loop, lines turned on their way.
// CHECK: PASS loop#0
func.func @loop(%a: memref<70x100xf32>, %b: memref<100x90xf32>, %c: memref<70x90xf32>) {
  blas.gemm ins(%a, %b : memref<70x100xf32>, memref<100x90xf32>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], depth = 4, vector = 4, a = <via = shared, vector = 4, swizzle = 4, major = k>,
          b = <via = shared, copy = async, vector = 2, swizzle = 8>, stages = 3, prefetch = 1, unroll = 2>)
  return
}

// Real and imaginary components planar, and interleaved.
// CHECK: PASS parts#0
func.func @parts(%a: memref<70x50xcomplex<f64>>, %b: memref<50x40xcomplex<f64>>, %c: memref<70x40xcomplex<f64>>) {
  blas.gemm ins(%a, %b : memref<70x50xcomplex<f64>>, memref<50x40xcomplex<f64>>) outs(%c : memref<70x40xcomplex<f64>>)
    plan(<macro = [32, 32, 16], micro = [4, 4], lanes = [8, 4], mma = m16n8k4_f64, a = <via = shared, copy = async, swizzle = 4, major = k, layout = planar>,
          b = <via = shared, copy = async, swizzle = 2>, stages = 2>)
  return
}

// CHECK: PASS narrow#0
func.func @narrow(%a: memref<100x70xf16>, %b: memref<100x90xf16>, %c: memref<70x90xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<100x70xf16>, memref<100x90xf16>) outs(%c : memref<70x90xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [8, 4], vector = 4, a = <via = shared, vector = 2, swizzle = 16>,
          b = <via = shared, copy = async, vector = 2, swizzle = 8>, stages = 2>)
  return
}
