// A plan that cannot copy in bulk is an error with the values.
// RUN: gemm-opt %s --tile-select=chip=h200 --split-input-file --verify-diagnostics
// RUN: not gemm-opt %s --tile-select=chip=a100 --split-input-file 2>&1 | FileCheck %s
// CHECK: 'blas.gemm' op plan does not fit: a: copied in bulk, but a100 has no bulk copies

func.func @transposed(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk with major = mn, but the operand runs along K: pack = 1 transposes it first}}
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @narrow(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: b: copied in bulk in accesses of 8 bytes, but rows must begin at multiples of 16}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 2>, stages = 2>)
  return
}

// -----

func.func @depth(%a: memref<40x64xf32>, %b: memref<40x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk, but K = 40 (0: unknown) is no multiple of macro K = 16}}
  blas.gemm opA<t> ins(%a, %b : memref<40x64xf32>, memref<40x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @edge(%a: memref<32x100xf32>, %b: memref<32x64xf32>, %c: memref<100x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk, but tiles of 64 cross the edge of the matrix, 100 (0: unknown), or begin anywhere}}
  blas.gemm opA<t> ins(%a, %b : memref<32x100xf32>, memref<32x64xf32>) outs(%c : memref<100x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2, tail = guard>)
  return
}

// -----

func.func @padding(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk of rows of 264 bytes with their padding: no multiples of 16}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 2, a = <via = shared, copy = bulk, vector = 4, pad = 2>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @tile(%a: memref<4096x64xf32>, %b: memref<4096x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk of a tile of 1048576 bytes, but at most 1048560 are counted}}
  blas.gemm opA<t> ins(%a, %b : memref<4096x64xf32>, memref<4096x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 4096], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 1>)
  return
}

// -----

func.func @share(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copied in bulk of 16 rows, which do not divide among 4 subgroups, or those of the workgroup do not}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4, lanes = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @batch(%a: memref<3x32x64xf32>, %b: memref<3x32x64xf32>, %c: memref<3x64x64xf32>) {
  // expected-error @+1 {{plan does not fit: a: copy = tensor, but the operand is a batch, or rows may not follow each other upward}}
  blas.gemm opA<t> ins(%a, %b : memref<3x32x64xf32>, memref<3x32x64xf32>) outs(%c : memref<3x64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>)
  return
}

// -----

func.func @box(%a: memref<32x256xcomplex<f32>>, %b: memref<32x64xcomplex<f32>>, %c: memref<256x64xcomplex<f32>>) {
  // expected-error @+1 {{plan does not fit: a: copy = tensor of 512 real elements along a side of the tile, but at most 256 are moved}}
  blas.gemm opA<t> ins(%a, %b : memref<32x256xcomplex<f32>>, memref<32x64xcomplex<f32>>) outs(%c : memref<256x64xcomplex<f32>>)
    plan(<macro = [256, 32, 4], micro = [8, 4], lanes = [4, 8], vector = 2, a = <via = shared, copy = tensor, vector = 2>, b = <via = shared, copy = bulk, vector = 2>, stages = 2>)
  return
}
