// The examples, and what surrounds an operation: a chain on one buffer, a loop, batches in part.
// RUN: gemm-run --device=cpu --repeat=1 %S/../../examples/solve.mlir | FileCheck %s --check-prefix=EXAMPLE
// RUN: gemm-run --device=cpu --repeat=1 %s | FileCheck %s

// EXAMPLE: PASS forward#0 f64 trsm left lower n 300x40x300  plan one block + 
// EXAMPLE: PASS backward#0 f64 trsm left lower t 300x40x300  plan one block
// EXAMPLE: PASS right#0 f32 trsm right upper n unit 70x45x45  plan one block
// EXAMPLE: PASS multiply#0 f32 trmm left lower n 6 x 33x10x33  plan

// CHECK: PASS chain#0 f64 trmm
// CHECK: PASS chain#1 f64 trsm
// CHECK: PASS chain#2 f64 gemm
func.func @chain(%a: memref<20x20xf64>, %b: memref<20x9xf64>, %c: memref<20x9xf64>) {
  blas.trmm side<left> uplo<upper> ins(%a : memref<20x20xf64>) outs(%b : memref<20x9xf64>) plan(<diagonal = 8>)
  blas.trsm side<left> uplo<upper> ins(%a, %b : memref<20x20xf64>, memref<20x9xf64>) outs(%c : memref<20x9xf64>) plan(<diagonal = 8>)
  blas.gemm ins(%a, %c : memref<20x20xf64>, memref<20x9xf64>) outs(%b : memref<20x9xf64>)
  return
}

// CHECK: PASS loop#0 f32 trsm
func.func @loop(%a: tensor<12x12xf32>, %b: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %b) -> tensor<12x5xf32> {
    %next = blas.trsm side<left> uplo<lower> ins(%a : tensor<12x12xf32>) outs(%x : tensor<12x5xf32>) plan(<diagonal = 5>) -> tensor<12x5xf32>
    scf.yield %next : tensor<12x5xf32>
  }
  return %last : tensor<12x5xf32>
}

// Two batch dimensions, neither contiguous with the other; A for all of them, or one for each.
// CHECK: PASS batches#0 f32 trsm {{.*}} 6 x 10x7x7
// CHECK: PASS batches#1 f32 gemm nn 6 x 10x7x10
func.func @batches(%a: memref<2x3x7x7xf32>, %b: memref<2x3x10x7xf32, strided<[400, 110, 9, 1], offset: 2>>,
                   %c: memref<10x10xf32>, %d: memref<2x3x10x7xf32, strided<[1, 200, 20, 2]>>) {
  blas.trsm side<right> uplo<lower> opA<t> ins(%a : memref<2x3x7x7xf32>) outs(%b : memref<2x3x10x7xf32, strided<[400, 110, 9, 1], offset: 2>>) plan(<diagonal = 3>)
  blas.gemm ins(%c, %b : memref<10x10xf32>, memref<2x3x10x7xf32, strided<[400, 110, 9, 1], offset: 2>>) outs(%d : memref<2x3x10x7xf32, strided<[1, 200, 20, 2]>>)
  return
}

// Three batch dimensions of any size.
// CHECK: PASS dynamic_batches#0 f64 gemm nn 12 x 5x7x6
func.func @dynamic_batches(%a: memref<?x?x?x5x6xf64> {rooftile.sizes = array<i64: 2, 3, 2, 5, 6>},
                           %b: memref<?x?x?x6x7xf64> {rooftile.sizes = array<i64: 2, 3, 2, 6, 7>},
                           %c: memref<?x?x?x5x7xf64> {rooftile.sizes = array<i64: 2, 3, 2, 5, 7>}) {
  blas.gemm ins(%a, %b : memref<?x?x?x5x6xf64>, memref<?x?x?x6x7xf64>) outs(%c : memref<?x?x?x5x7xf64>)
  return
}
