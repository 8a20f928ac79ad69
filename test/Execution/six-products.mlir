// Six products of bf16 for one of f32, of infinities, NaN, the largest numbers and the
// smallest ones, wherever they meet what.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=special | FileCheck %s
// CHECK: PASS

#path = #blas.path<via = shared, vector = 8, pack = 1>
func.func @special(%a: memref<40x70xf32>, %b: memref<70x40xf32>, %c: memref<40x40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c69 = arith.constant 69 : index
  %infinity = arith.constant 0x7F800000 : f32
  %minus = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7F800001 : f32
  %large = arith.constant 0x7F7FFFFF : f32
  %half = arith.constant 0.25 : f32
  %small = arith.constant 1.0e-40 : f32
  %zero = arith.constant 0.0 : f32
  memref.store %infinity, %a[%c0, %c1] : memref<40x70xf32>
  memref.store %minus, %a[%c1, %c69] : memref<40x70xf32>
  memref.store %nan, %a[%c2, %c0] : memref<40x70xf32>
  memref.store %large, %a[%c3, %c7] : memref<40x70xf32>
  memref.store %half, %b[%c7, %c0] : memref<70x40xf32>
  memref.store %small, %a[%c9, %c9] : memref<40x70xf32>
  memref.store %infinity, %b[%c3, %c9] : memref<70x40xf32>
  memref.store %zero, %b[%c1, %c3] : memref<70x40xf32>
  blas.gemm math<emulated> ins(%a, %b : memref<40x70xf32>, memref<70x40xf32>) outs(%c : memref<40x40xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], vector = 2, mma = m16n8k16_bf16, products = 6, promote = 12,
          a = #path, b = #path>)
  return
}
