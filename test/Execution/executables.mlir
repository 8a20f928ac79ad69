// Operations whose host code has views that are transposed, and numbers that it computes, in both forms.
// RUN: gemm-run %s --device=cpu --repeat=0 --form=executable | FileCheck %s
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// CHECK-COUNT-4: PASS
// CHECK-NOT: FAIL

// A column-major B, of an order that is cut into blocks or masked.
func.func @column(%a: memref<80x80xf32>, %b: memref<80x20xf32, strided<[1, 80]>>) {
  blas.trmm side<left> uplo<lower> ins(%a : memref<80x80xf32>)
            outs(%b : memref<80x20xf32, strided<[1, 80]>>)
  return
}

// Products of a batch that share A: one product of a transposed view.
func.func @shared(%a: memref<5x4xf32>, %b: memref<3x4x1xf32>, %c: memref<3x5x1xf32>) {
  blas.gemm ins(%a, %b : memref<5x4xf32>, memref<3x4x1xf32>) outs(%c : memref<3x5x1xf32>)
  return
}

// alpha is computed, in a function of the module.
func.func @scaled(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>, %s: f32, %n: i32) {
  %alpha = call @scale(%s, %n) : (f32, i32) -> f32
  blas.gemm ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
            alpha(%alpha : f32)
  return
}
func.func private @scale(%s: f32, %n: i32) -> f32 {
  %wide = arith.sitofp %n : i32 to f32
  %root = math.sqrt %wide : f32
  %alpha = arith.divf %s, %root : f32
  return %alpha : f32
}

// alpha needs a function that a device has.
func.func @exponential(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>, %s: f32) {
  %alpha = math.exp %s : f32
  blas.gemm ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
            alpha(%alpha : f32)
  return
}
