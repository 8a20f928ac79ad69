// RUN: gemm-opt --free-intermediates %s | FileCheck %s
// RUN: gemm-opt --free-intermediates --free-intermediates %s | FileCheck %s

// Used, also through a view: freed once, at the end of its block.
// CHECK-LABEL: func @between
// CHECK: %[[BETWEEN:.*]] = memref.alloc()
// CHECK: memref.copy %{{.*}}, %arg1
// CHECK-NEXT: memref.dealloc %[[BETWEEN]]
// CHECK-NEXT: return
func.func @between(%a: memref<4x4xf32>, %c: memref<4x2xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  %half = memref.subview %t[0, 2] [4, 2] [1, 1]
      : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %half, %c : memref<4x2xf32, strided<[4, 1], offset: 2>> to memref<4x2xf32>
  return
}

// What is returned belongs to the caller.
// CHECK-LABEL: func @returned
// CHECK-NOT: memref.dealloc
func.func @returned() -> memref<4x4xf32, strided<[4, 1]>> {
  %t = memref.alloc() : memref<4x4xf32>
  %view = memref.cast %t : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  return %view : memref<4x4xf32, strided<[4, 1]>>
}

// The user frees it.
// CHECK-LABEL: func @freed
// CHECK: memref.dealloc
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @freed(%a: memref<4x4xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  memref.dealloc %t : memref<4x4xf32>
  return
}

// One allocation an iteration is freed in that iteration; one that is carried on is not.
// CHECK-LABEL: func @in_loop
// CHECK: scf.for
// CHECK: %[[ITERATION:.*]] = memref.alloc()
// CHECK: memref.dealloc %[[ITERATION]]
// CHECK: scf.for
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @in_loop(%a: memref<4x4xf32>, %c: memref<4x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    blas.gemm ins(%t, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4x4xf32> {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    scf.yield %t : memref<4x4xf32>
  }
  memref.copy %last, %c : memref<4x4xf32> to memref<4x4xf32>
  return
}

// Used in another block of the function.
// CHECK-LABEL: func @blocks
// CHECK-NOT: memref.dealloc
func.func @blocks(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  cf.br ^next
^next:
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
  memref.copy %t, %c : memref<4x4xf32> to memref<4x4xf32>
  return
}
