// The factors of a positive definite matrix, by the residual: |A - L L^T| <= 2 (n + 1) u |L| |L^T|, element by element
// (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3). The upper triangle is NaN, and stays so.
// The function returns the number of wrong elements.
// RUN: cat %source/examples/cholesky.mlir %s > %t.in.mlir
// RUN: gemm-opt %t.in.mlir --blas-to-cpu=chip=h200 2>/dev/null | sed -E "1s/blas.target = #blas.target<[^>]*>,? ?//; s/blas.contract = #blas.contract<([^<>]|<[^<>]*>)*>,? ?//; s/blas.plan = #blas.plan<([^<>]|<[^<>]*>)*>,? ?//" > %t.mlir
// RUN: mlir-runner -O2 %t.mlir -e test -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s
// REQUIRES: runtime-library
// CHECK: {{^}}0{{$}}

func.func private @element(%i: index, %j: index) -> f64 {
  %c1 = arith.constant 1 : index
  %apart = arith.subi %i, %j : index
  %next = arith.addi %apart, %c1 : index
  %whole = arith.index_cast %next : index to i64
  %distance = arith.sitofp %whole : i64 to f64
  %one = arith.constant 1.0 : f64
  %near = arith.divf %one, %distance : f64
  %same = arith.cmpi eq, %i, %j : index
  %three = arith.constant 3.0 : f64
  %x = arith.select %same, %three, %near : f64
  return %x : f64
}

func.func @test() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 300 : index
  %nan = arith.constant 0x7FF8000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0 : i32
  %a = memref.alloc() : memref<300x300xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %nan, %a[%i, %j] : memref<300x300xf64>
    }
    %end = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %end step %c1 {
      %x = func.call @element(%i, %j) : (index, index) -> f64
      memref.store %x, %a[%i, %j] : memref<300x300xf64>
    }
  }
  %rows = memref.cast %a : memref<300x300xf64> to memref<?x?xf64, strided<[?, 1], offset: ?>>
  func.call @cholesky(%rows) : (memref<?x?xf64, strided<[?, 1], offset: ?>>) -> ()
  // 602 * 2^-53: the results here have errors of the same size
  %bound = arith.constant 6.6836e-14 : f64
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%count = %none) -> i32 {
    %row = scf.for %j = %c0 to %n step %c1 iter_args(%before = %count) -> i32 {
      %above = arith.cmpi ugt, %j, %i : index
      %bad = scf.if %above -> i1 {
        %x = memref.load %a[%i, %j] : memref<300x300xf64>
        %changed = arith.cmpf oeq, %x, %x : f64
        scf.yield %changed : i1
      } else {
        %end = arith.addi %j, %c1 : index
        %sums:2 = scf.for %k = %c0 to %end step %c1 iter_args(%sum = %zero, %size = %zero) -> (f64, f64) {
          %l = memref.load %a[%i, %k] : memref<300x300xf64>
          %r = memref.load %a[%j, %k] : memref<300x300xf64>
          %p = arith.mulf %l, %r : f64
          %q = math.absf %p : f64
          %s = arith.addf %sum, %p : f64
          %t = arith.addf %size, %q : f64
          scf.yield %s, %t : f64, f64
        }
        %x = func.call @element(%i, %j) : (index, index) -> f64
        %difference = arith.subf %sums#0, %x : f64
        %error = math.absf %difference : f64
        %most = arith.mulf %bound, %sums#1 : f64
        %within = arith.cmpf ole, %error, %most : f64
        %true = arith.constant true
        %beyond = arith.xori %within, %true : i1
        scf.yield %beyond : i1
      }
      %more = arith.extui %bad : i1 to i32
      %after = arith.addi %before, %more : i32
      scf.yield %after : i32
    }
    scf.yield %row : i32
  }
  memref.dealloc %a : memref<300x300xf64>
  return %wrong : i32
}
