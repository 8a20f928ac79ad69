// RUN: gemm-opt %s --tile-select=chip=h200 --split-input-file --verify-diagnostics

// A plan that spills.
func.func @spill(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  // expected-error @below {{'blas.gemm' op plan does not fit: micro: 294 registers per thread would spill, h200 has 255}}
  blas.gemm ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    plan(<macro = [256, 256, 16], micro = [16, 16], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>)
  return
}

// -----

// Too much shared memory.
func.func @shared(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  // expected-error @below {{plan does not fit: macro, stages: 266240 bytes of shared memory, but a workgroup of h200 has at most 232448}}
  blas.gemm ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    plan(<macro = [128, 128, 128], micro = [8, 8], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>)
  return
}

// -----

// Wide accesses that the strides do not allow.
func.func @vector(%a: memref<512x511xf32>, %b: memref<511x512xf32>, %c: memref<512x512xf32>) {
  // expected-error @below {{plan does not fit: a: vector = 4, but strides, offset and sizes of the operand allow 1}}
  blas.gemm ins(%a, %b : memref<512x511xf32>, memref<511x512xf32>) outs(%c : memref<512x512xf32>)
    plan(<macro = [128, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>)
  return
}

// -----

// Every operation without a kernel is reported, not only the first.
func.func @types(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %c: memref<8x8xf16>) {
  // expected-error @below {{no kernel accumulates products in 'f16'; supported: f32, f64, complex<f32>, complex<f64>}}
  blas.gemm acc(f16) ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>) outs(%c : memref<8x8xf16>)
  // expected-error @below {{no kernel rounds accumulators in 'f64' to operand C of 'f16'}}
  blas.gemm acc(f64) ins(%a, %b : memref<8x8xf16>, memref<8x8xf16>) outs(%c : memref<8x8xf16>)
  return
}

// -----

func.func @flat(%a: memref<100x7xf64>, %b: memref<100x8xf64>, %c: memref<7x8xf64>) {
  // expected-error @+1 {{plan does not fit: a: flat = 8, but the operand has vectors of 7 elements without gaps (0: none) in that direction, and a tile holds whole ones}}
  blas.gemm opA<t> ins(%a, %b : memref<100x7xf64>, memref<100x8xf64>) outs(%c : memref<7x8xf64>)
    plan(<macro = [8, 8, 8], micro = [1, 2], lanes = [8, 4], a = <via = shared, flat = 8>, b = <via = shared>>)
  return
}
