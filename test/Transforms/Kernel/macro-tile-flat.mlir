// RUN: split-file %s %t
// RUN: gemm-opt %t/flat.mlir --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %t/flat.mlir --macro-tile --leap-frog --canonicalize --cse --tile-sync --unroll-slices --micro-tile --carry-counters --spread-copies | FileCheck %s --check-prefix=MICRO
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics

// Rows of 7 and of 5 elements without gaps: steps of 56 and of 40 elements, in pieces of two. The ring
// has lines enough for what 16 threads move at once: 64 = 10 lines of 7, 9 of 5 would be 45 < 64.
//--- flat.mlir
// CHECK:         #[[LINE:.*]] = #tile.map<threads = [16:(2, 0)], values = [2:(1, 0), 2:(32, 0)]>
// CHECK-LABEL: gpu.func @gemm_f64_tn_8x8x8(
// CHECK-DAG:     %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [700, 1], strides: [1, 7]
// CHECK-DAG:     %[[B:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 500], strides: [5, 1]
// CHECK-DAG:     %[[RING_A:.*]] = tile.alloc : !tile.buffer<3 x 7x10xf64, strides = [1, 7]>
// CHECK-DAG:     %[[RING_B:.*]] = tile.alloc : !tile.buffer<3 x 13x5xf64, strides = [5, 1]>
// The remainder, four lines of 56 bytes, is no multiple of 64 as steps of 448 bytes are: the first
// step begins at 0, the last one has the remainder.
// CHECK:         scf.for %[[STEP:.*]] = %c0 to %c13
// CHECK:           %[[FIRST:.*]] = arith.muli %[[STEP]], %c56
// CHECK:           %[[SLOT:.*]] = tile.view %[[RING_A]]{{.*}} -> !tile.buffer<1 x 64x1xf64, strides = [1, 7]>
// CHECK:           tile.copy %[[A]][%[[FIRST]], %c0], %[[SLOT]] map #[[LINE]] edges <zero, inside, of 56> vector 2
// CHECK:           tile.view %[[RING_B]]{{.*}} -> !tile.buffer<1 x 1x64xf64, strides = [5, 1]>
// CHECK:           tile.copy %[[B]][%c0, %{{.*}}], %{{.*}} edges <inside, zero, of 40> vector 2
// CHECK:             tile.load %{{.*}} edges <clamp, inside> : !tile.buffer<1 x 7x1xf64, strides = [1, 7]> -> !tile.matrix<8x1xf64
// CHECK:             tile.load %{{.*}} edges <inside, clamp> : !tile.buffer<1 x 1x5xf64, strides = [5, 1]> -> !tile.matrix<1x8xf64
// CHECK:         tile.remainder_last
// MICRO-LABEL: gpu.func @gemm_f64_tn_8x8x8(
// MICRO:         lane.copy %{{.*}} elements 2 inside(%{{.*}})
// MICRO:         arith.minsi %{{.*}}, %c6
func.func @flat(%a: memref<100x7xf64>, %b: memref<100x5xf64>, %c: memref<7x5xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<100x7xf64>, memref<100x5xf64>) outs(%c : memref<7x5xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4],
          a = <via = shared, copy = async, vector = 2, flat = 7>,
          b = <via = shared, copy = async, vector = 2, flat = 5>, stages = 3, tail = guard>)
  return
}

// 16 lines of 56 bytes are 7 lines of memory: the remainder comes first, and the others lie inside.
// CHECK-LABEL: gpu.func @gemm_f64_tn_8x8x32(
// CHECK:         scf.for %[[STEP:.*]] = %c0 to %c4
// CHECK:           %[[ALONG_K:.*]] = arith.addi %{{.*}}, %c-16
// CHECK:           arith.muli %[[ALONG_K]], %c7
// CHECK-NOT:     remainder_last
func.func @whole_lines(%a: memref<112x7xf64>, %b: memref<112x8xf64>, %c: memref<7x8xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<112x7xf64>, memref<112x8xf64>) outs(%c : memref<7x8xf64>)
    plan(<macro = [8, 8, 32], micro = [2, 2], lanes = [4, 4],
          a = <via = shared, copy = async, vector = 2, flat = 7>,
          b = <via = shared, copy = async, vector = 2, flat = 8>, stages = 3, tail = guard>)
  return
}

// Vectors along K: 16 rows of 7 elements are one run of 112, of which a step has all; what fragments
// have beyond K is 0. Rows of C are one line, too: what lies beyond 5 columns is not stored, and
// what threads hold beyond 16 rows (or the matrix) is not written.
// CHECK-LABEL: gpu.func @gemm_f64_nn_16x8x8(
// CHECK-DAG:     %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 280], strides: [7, 1]
// CHECK-DAG:     %[[RING:.*]] = tile.alloc : !tile.buffer<1 x 19x7xf64, strides = [7, 1]>
// CHECK:         tile.copy %[[A]][%c0, %{{.*}}], %{{.*}} edges <inside, zero> vector 2
// CHECK:           tile.load %{{.*}} edges <inside, zero> : !tile.buffer<1 x 16x2xf64, strides = [7, 1]> -> !tile.matrix<16x2xf64
// CHECK:         %[[ROWS:.*]] = tile.alloc over : !tile.buffer<1 x 16x5xf64, strides = [5, 1]>
// CHECK:         %[[SUMS:.*]] = tile.view %[[ROWS]]{{.*}} -> !tile.buffer<1 x 16x5xf64, strides = [5, 1]>
// CHECK:         tile.store %{{.*}}, %[[SUMS]] edges <inside, guard> : !tile.matrix<16x8xf64
// CHECK:         %[[LINE:.*]] = tile.view %[[ROWS]]{{.*}} -> !tile.buffer<1 x 1x80xf64, strides = [5, 1]>
// CHECK:         %[[ALONG:.*]] = tile.load %[[LINE]] edges <inside, clamp> : !tile.buffer<1 x 1x80xf64, strides = [5, 1]> -> !tile.matrix<1x128xf64
// CHECK:         %[[END:.*]] = arith.minsi %{{.*}}, %c200
// CHECK:         %[[C:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, %[[END]]], strides: [5, 1]
// CHECK:         tile.update %[[ALONG]], %[[C]][%c0, %{{.*}}] edges <inside, guard> vector 2
// MICRO-LABEL: gpu.func @gemm_f64_nn_16x8x8(
// MICRO:         lane.copy %{{.*}} elements 2 inside(%{{.*}})
// MICRO:         arith.select %{{.*}}, %{{.*}}, %cst
func.func @along_k(%a: memref<40x7xf64>, %b: memref<7x5xf64>, %c: memref<40x5xf64>) {
  blas.gemm ins(%a, %b : memref<40x7xf64>, memref<7x5xf64>) outs(%c : memref<40x5xf64>)
    plan(<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], depth = 2,
          a = <via = shared, copy = async, vector = 2, major = k, flat = 7>,
          b = <via = shared>, c = shared, flat = 5, stages = 1, tail = guard>)
  return
}

// 41 rows of 5 elements, 205, end inside an access of two: tiles of 80 that end before it, up to the one
// from row 25 on, are written by such accesses all the same, the last one number by number.
// CHECK-LABEL: gpu.func @gemm_f64_nn_16x8x8(
// CHECK:         tile.load %{{.*}} edges <inside, clamp> : !tile.buffer<1 x 1x80xf64
// CHECK:         %[[WHOLE:.*]] = arith.cmpi ule, %{{.*}}, %c25
// CHECK:         scf.if %[[WHOLE]]
// CHECK:           tile.update %[[ALONG:.*]], %{{.*}} edges <inside, guard> vector 2
// CHECK:         } else {
// CHECK:           arith.minsi %{{.*}}, %c205
// CHECK:           tile.update %[[ALONG]], %{{.*}} edges <inside, guard> :
func.func @cut(%a: memref<41x7xf64>, %b: memref<7x5xf64>, %c: memref<41x5xf64>) {
  blas.gemm ins(%a, %b : memref<41x7xf64>, memref<7x5xf64>) outs(%c : memref<41x5xf64>)
    plan(<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], depth = 2,
          a = <via = shared, copy = async, vector = 2, major = k, flat = 7>,
          b = <via = shared>, c = shared, flat = 5, stages = 1, tail = guard>)
  return
}

//--- invalid.mlir
func.func @gaps(%a: memref<100x7xf64, strided<[8, 1]>>, %b: memref<100x8xf64>, %c: memref<7x8xf64>) {
  // expected-error @+1 {{plan: a: flat = 7, but the operand has vectors of 0 elements without gaps (0: none) in that direction, and a tile holds whole ones; operand A is 'memref<100x7xf64, strided<[8, 1]>>'}}
  blas.gemm opA<t> ins(%a, %b : memref<100x7xf64, strided<[8, 1]>>, memref<100x8xf64>) outs(%c : memref<7x8xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared, flat = 7>, b = <via = shared>>)
  return
}

// -----

func.func @wide(%a: memref<100x9xf64>, %b: memref<100x8xf64>, %c: memref<9x8xf64>) {
  // expected-error @+1 {{plan: a: flat = 9, but the operand has vectors of 9 elements without gaps}}
  blas.gemm opA<t> ins(%a, %b : memref<100x9xf64>, memref<100x8xf64>) outs(%c : memref<9x8xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared, flat = 9>, b = <via = shared>>)
  return
}

// -----

func.func @odd(%a: memref<101x7xf64>, %b: memref<101x8xf64>, %c: memref<7x8xf64>) {
  // expected-error @+1 {{plan: a: vector = 2, but strides, offset and sizes of the operand allow 1; operand A is 'memref<101x7xf64>'}}
  blas.gemm opA<t> ins(%a, %b : memref<101x7xf64>, memref<101x8xf64>) outs(%c : memref<7x8xf64>)
    plan(<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared, vector = 2, flat = 7>, b = <via = shared>>)
  return
}

// -----

func.func @rows(%a: memref<40x7xf64>, %b: memref<7x5xf64>, %c: memref<40x5xf64, strided<[6, 1]>>) {
  // expected-error @+1 {{plan: flat = 5: C has rows of 0 elements without gaps (0: none), which tiles hold whole, and c = shared, no reduction and no matrix of an epilogue}}
  blas.gemm ins(%a, %b : memref<40x7xf64>, memref<7x5xf64>) outs(%c : memref<40x5xf64, strided<[6, 1]>>)
    plan(<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>, c = shared, flat = 5>)
  return
}

// -----

func.func @bias(%a: memref<40x7xf64>, %b: memref<7x5xf64>, %c: memref<40x5xf64>, %bias: memref<5xf64>) {
  // expected-error @+1 {{plan: flat = 5: C has rows of 5 elements without gaps (0: none), which tiles hold whole, and c = shared, no reduction and no matrix of an epilogue}}
  blas.gemm ins(%a, %b : memref<40x7xf64>, memref<7x5xf64>) outs(%c : memref<40x5xf64>)
    plan(<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>, c = shared, flat = 5>)
    epilogue(%sum: f64, %x = %bias[1] : memref<5xf64>) {
      %0 = arith.addf %sum, %x : f64
      blas.yield %0 : f64
    }
  return
}

// -----

func.func @short(%a: memref<40x9xf64>, %b: memref<9x5xf64>, %c: memref<40x5xf64>) {
  // expected-error @+1 {{plan: a: flat = 9, but the operand has vectors of 9 elements without gaps}}
  blas.gemm ins(%a, %b : memref<40x9xf64>, memref<9x5xf64>) outs(%c : memref<40x5xf64>)
    plan(<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared, major = k, flat = 9>, b = <via = shared>>)
  return
}
