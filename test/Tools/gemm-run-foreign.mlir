// Operations around products in users' files run too: loops of any length, constants, scalars
// that are no numbers, empty results, functions that call each other.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s --strict-whitespace

// Verification of an operation in a loop needs no stack.
// CHECK: PASS many#0
func.func @many(%a: memref<1x1xf32>, %b: memref<1x1xf32>, %c: memref<1x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 50000 : index
  scf.for %i = %c0 to %n step %c1 {
    blas.gemm ins(%a, %b : memref<1x1xf32>, memref<1x1xf32>) outs(%c : memref<1x1xf32>)
  }
  return
}

// CHECK: PASS weights#0
func.func @weights(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %b = arith.constant dense<2.0> : tensor<16x16xf32>
  %empty = tensor.empty() : tensor<16x16xf32>
  %c = blas.gemm ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>)
                 outs(%empty : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// CHECK: PASS on_stack#0
func.func @on_stack(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %odd = memref.alloca() : memref<3xi8>
  %c = memref.alloca() : memref<16x16xf32>
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// CHECK: PASS not_a_number#0
func.func @not_a_number(%a: memref<5x5xf32>, %b: memref<5x5xf32>, %c: memref<5x5xf32>) {
  %nan = arith.constant 0x7FC00000 : f32
  blas.gemm ins(%a, %b : memref<5x5xf32>, memref<5x5xf32>) outs(%c : memref<5x5xf32>)
      alpha(%nan : f32)
  return
}

// CHECK: PASS empty#0 f32 gemm nn 0x8x8  folded  cpu  no elements{{$}}
func.func @empty(%a: memref<0x8xf32>, %b: memref<8x8xf32>, %c: memref<0x8xf32>) {
  blas.gemm ins(%a, %b : memref<0x8xf32>, memref<8x8xf32>) outs(%c : memref<0x8xf32>)
  return
}

// An i1 argument is true.
// CHECK: PASS again#0
func.func @again(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>, %again: i1) {
  scf.if %again {
    blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
    %false = arith.constant false
    func.call @again(%a, %b, %c, %false)
        : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>, i1) -> ()
  }
  return
}
