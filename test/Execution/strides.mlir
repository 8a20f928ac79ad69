// Strides below 0 and elements before the base pointer, in every operand; sizes of 0. Nothing is
// written outside of C.
// RUN: gemm-run %s --device=cpu | FileCheck %s
// CHECK-COUNT-5: PASS
// CHECK-NOT: FAIL

func.func @rows_of_a(%a: memref<33x17xf32, strided<[-17, 1]>>, %b: memref<17x20xf32>, %c: memref<33x20xf32>) {
  blas.gemm ins(%a, %b : memref<33x17xf32, strided<[-17, 1]>>, memref<17x20xf32>) outs(%c : memref<33x20xf32>)
  return
}

func.func @columns_of_b_and_all_of_c(%a: memref<33x17xf64>, %b: memref<17x20xf64, strided<[20, -1], offset: 19>>, %c: memref<33x20xf64, strided<[-20, -1]>>) {
  blas.gemm ins(%a, %b : memref<33x17xf64>, memref<17x20xf64, strided<[20, -1], offset: 19>>) outs(%c : memref<33x20xf64, strided<[-20, -1]>>)
  return
}

// Rows -20 apart are aligned to accesses of 4 like any others.
func.func @wide(%a: memref<8x20xf32, strided<[-20, 1]>>, %b: memref<20x16xf32, strided<[-16, 1]>>, %c: memref<8x16xf32, strided<[-16, 1]>>) {
  blas.gemm ins(%a, %b : memref<8x20xf32, strided<[-20, 1]>>, memref<20x16xf32, strided<[-16, 1]>>) outs(%c : memref<8x16xf32, strided<[-16, 1]>>)
    plan(<macro = [8, 16, 4], micro = [1, 4], lanes = [8, 4], a = <via = shared>, b = <via = shared, vector = 2>, tail = guard>)
  return
}

func.func @no_sum(%a: memref<8x0xf32>, %b: memref<0x16xf32>, %c: memref<8x16xf32, strided<[-16, 1]>>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<8x0xf32>, memref<0x16xf32>) outs(%c : memref<8x16xf32, strided<[-16, 1]>>) beta(%beta : f32)
  return
}

func.func @nothing(%a: memref<0x4xf32>, %b: memref<4x16xf32>, %c: memref<0x16xf32>) {
  blas.gemm ins(%a, %b : memref<0x4xf32>, memref<4x16xf32>) outs(%c : memref<0x16xf32>)
  return
}
