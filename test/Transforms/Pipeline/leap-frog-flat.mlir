// RUN: gemm-opt %s --blas-attach-target=chip=h200 --macro-tile --leap-frog | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --macro-tile --leap-frog --canonicalize --tile-sync --unroll-slices --micro-tile --carry-counters --spread-copies | FileCheck %s --check-prefix=THREAD

// Eight rows of six elements are 24 accesses; 16 threads copy 32. What they hold beyond the rows of a step may lie after the
// matrix: only the first of both accesses of a thread needs no condition.
// CHECK: gpu.func @
// CHECK: tile.copy {{.*}} edges <zero, inside, of 48> vector 2
// CHECK: scf.for
// CHECK: tile.copy {{.*}} edges <step, inside, of 48> vector 2
// CHECK: tile.copy {{.*}} edges <inside, step, of 48> vector 2
// THREAD: gpu.func @
// THREAD: scf.for
// THREAD: lane.copy {{.*}} elements 2 : memref
// THREAD: %[[HELD:.*]] = arith.cmpi slt, %{{.*}}, %c48{{.*}} : index
// THREAD: lane.copy {{.*}} elements 2 inside(%[[HELD]])
func.func @rows(%a: memref<96x6xf64>, %b: memref<96x6xf64>, %c: memref<6x6xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<96x6xf64>, memref<96x6xf64>) outs(%c : memref<6x6xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared, copy = async, vector = 2, flat = 6>, b = <via = shared, copy = async, vector = 2, flat = 6>>)
  return
}

// Rows that threads copy without a rest need no edge.
// CHECK: gpu.func @
// CHECK: tile.copy {{.*}} edges <zero, inside> vector 2
// CHECK: scf.for
// CHECK: tile.copy {{.*}} edges <inside, inside> vector 2
// CHECK: tile.copy {{.*}} edges <inside, inside> vector 2
func.func @whole(%a: memref<96x8xf64>, %b: memref<96x8xf64>, %c: memref<8x8xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<96x8xf64>, memref<96x8xf64>) outs(%c : memref<8x8xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared, copy = async, vector = 2, flat = 8>, b = <via = shared, copy = async, vector = 2, flat = 8>>)
  return
}
