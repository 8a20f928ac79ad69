// Reductions to few results by many threads, in steps that depend on the sizes alone.
// RUN: gemm-opt %s --spread-reductions --canonicalize --cse | FileCheck %s

// A million elements to one: 4096 shares, 64, then one thread.
// CHECK-LABEL: func @sum
// CHECK: %[[FIRST:.*]] = memref.alloc() : memref<4096xf32>
// CHECK: scf.parallel (%[[T:.*]]) = (%c0) to (%c4096) step (%c1)
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %[[T]] to %c1000000 step %c4096 iter_args(%{{.*}} = %cst)
// CHECK: memref.load %arg0[%[[I]]]
// CHECK: memref.store %[[SUM]], %[[FIRST]][%[[T]]]
// CHECK: %[[SECOND:.*]] = memref.alloc() : memref<64xf32>
// CHECK: scf.parallel {{.*}} to (%c64)
// CHECK: scf.for {{.*}} to %c4096 step %c64
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
// CHECK-SAME: ins(%[[SECOND]] : memref<64xf32>) outs(%arg1 : memref<f32>)
func.func @sum(%x: memref<1000000xf32>, %s: memref<f32>) {
  linalg.reduce { arith.addf } ins(%x : memref<1000000xf32>) outs(%s : memref<f32>)
      dimensions = [0]
  return
}

// Four rows of unknown length, the body does more than add, and reads where it is.
// CHECK-LABEL: func @rows
// CHECK: memref.alloc() : memref<1024x4xf32>
// CHECK: scf.parallel (%[[T:.*]], %[[ROW:.*]]) = (%c0, %c0) to (%c1024, %c4)
// CHECK: scf.for %[[I:.*]] = %[[T]] to %{{.*}} step %c1024
// CHECK: memref.load %arg0[%[[ROW]], %[[I]]]
// CHECK: arith.index_cast %[[I]]
// CHECK: arith.mulf
// CHECK: arith.maximumf
func.func @rows(%x: memref<4x?xf32>, %s: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x?xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %in, %f : f32
    %m = arith.maximumf %p, %out : f32
    linalg.yield %m : f32
  }
  return
}

// Rows enough, or short ones: nothing to spread.
// CHECK-LABEL: func @many_rows
// CHECK-NOT: scf.parallel
// CHECK: linalg.reduce
// CHECK: linalg.reduce
func.func @many_rows(%x: memref<4096x512xf32>, %s: memref<4096xf32>, %y: memref<8x16xf32>,
                     %t: memref<8xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<4096x512xf32>) outs(%s : memref<4096xf32>)
      dimensions = [1]
  linalg.reduce { arith.addf } ins(%y : memref<8x16xf32>) outs(%t : memref<8xf32>)
      dimensions = [1]
  return
}
