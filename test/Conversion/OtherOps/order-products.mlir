// Parallel loops around products become sequential ones; others stay.
// RUN: gemm-opt %s --order-products | FileCheck %s
// RUN: gemm-opt %s --order-products --order-products | FileCheck %s

// CHECK-LABEL: func @around
// CHECK-NOT: scf.forall
// CHECK: scf.for %{{.*}} = %c0
// CHECK: scf.for %{{.*}} = %c0
// CHECK: blas.gemm
func.func @around(%a: memref<4x2x8x8xf32>, %b: memref<8x8xf32>, %c: memref<4x2x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%i) in (4) {
    scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
      %x = memref.subview %a[%i, %j, 0, 0] [1, 1, 8, 8] [1, 1, 1, 1]
          : memref<4x2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
      %y = memref.subview %c[%i, %j, 0, 0] [1, 1, 8, 8] [1, 1, 1, 1]
          : memref<4x2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
      blas.gemm ins(%x, %b : memref<8x8xf32, strided<[8, 1], offset: ?>>, memref<8x8xf32>)
                outs(%y : memref<8x8xf32, strided<[8, 1], offset: ?>>)
    }
  }
  return
}

// CHECK-LABEL: func @apart
// CHECK: scf.parallel
func.func @apart(%a: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}
