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

// A result belongs to the caller.
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

// One allocation an iteration is freed in that iteration; one that is carried on, in the next, which does not
// free what came from outside; the last one at the end.
// CHECK-LABEL: func @in_loop
// CHECK: scf.for
// CHECK: %[[ITERATION:.*]] = memref.alloc()
// CHECK: memref.dealloc %[[ITERATION]]
// CHECK: %[[LAST:.*]] = scf.for %[[I:.*]] = %[[FIRST:.*]] to %[[END:.*]] step {{.*}} iter_args(%[[CARRIED:.*]] = %arg0)
// CHECK: %[[LATER:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
// CHECK-NEXT: scf.if %[[LATER]] {
// CHECK-NEXT: memref.dealloc %[[CARRIED]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield
// CHECK: memref.copy %[[LAST]]
// CHECK-NEXT: %[[RAN:.*]] = arith.cmpi slt, %[[FIRST]], %[[END]]
// CHECK-NEXT: scf.if %[[RAN]] {
// CHECK-NEXT: memref.dealloc %[[LAST]]
// CHECK-NEXT: }
// CHECK-NEXT: return
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

// A start of one's own is freed once, whether the loop runs or not; what comes out of the loop and is returned
// belongs to the caller; two loops may hand over.
// CHECK-LABEL: func @handed_over
// CHECK: %[[START:.*]] = memref.alloc()
// CHECK: scf.for
// CHECK: memref.dealloc
// CHECK: scf.for
// CHECK: memref.dealloc
// CHECK: scf.yield
// CHECK: memref.dealloc %[[START]]
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @handed_over(%a: memref<4x4xf32>, %n: index) -> memref<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.alloc() : memref<4x4xf32>
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%start : memref<4x4xf32>)
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> memref<4x4xf32> {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    scf.yield %t : memref<4x4xf32>
  }
  %second = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> memref<4x4xf32> {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    scf.yield %t : memref<4x4xf32>
  }
  %out = memref.alloc() : memref<4x4xf32>
  memref.copy %second, %out : memref<4x4xf32> to memref<4x4xf32>
  return %out : memref<4x4xf32>
}

// A loop that yields what it got, or keeps a view of it, is left alone.
// CHECK-LABEL: func @rotating
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @rotating(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4x4xf32>, memref<4x4xf32>) {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    scf.yield %t, %x : memref<4x4xf32>, memref<4x4xf32>
  }
  return
}

// Where the last one is returned, the first may be it: it is not freed.
// CHECK-LABEL: func @returned_from_loop
// CHECK: %[[START:.*]] = memref.alloc()
// CHECK-NOT: memref.dealloc %[[START]]
// CHECK: return
func.func @returned_from_loop(%a: memref<4x4xf32>, %n: index) -> memref<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.alloc() : memref<4x4xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %start) -> memref<4x4xf32> {
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%x, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    scf.yield %t : memref<4x4xf32>
  }
  return %last : memref<4x4xf32>
}

// The memory of the program is not the caller's.
// CHECK-LABEL: func @constant
// CHECK: %[[GLOBAL:.*]] = memref.get_global
// CHECK: %[[OWN:.*]] = memref.alloc()
// CHECK: memref.copy %[[GLOBAL]], %[[OWN]]
// CHECK: return %[[OWN]]
memref.global "private" constant @weights : memref<4xf32> = dense<1.0>
func.func @constant() -> memref<4xf32> {
  %w = memref.get_global @weights : memref<4xf32>
  return %w : memref<4xf32>
}
