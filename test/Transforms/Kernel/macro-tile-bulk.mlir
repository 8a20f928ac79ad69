// Plans with copy = bulk: whole rows of the tile, one thread of each subgroup starts its share of them.
// RUN: split-file %s %t
// RUN: gemm-opt %t/tn.mlir --macro-tile | FileCheck %s
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics

// 64 x 64 x 16 in 64 threads: 2 subgroups of 32 copy 8 of 16 rows each. Two counters for each ring of two.
// CHECK-DAG: #[[A:.*]] = #tile.map<threads = [32:(0, 0), 2:(0, 8)], values = [64:(1, 0), 8:(0, 1)]>
// CHECK-DAG: #[[B:.*]] = #tile.map<threads = [32:(0, 0), 2:(8, 0)], values = [64:(0, 1), 8:(1, 0)]>
// CHECK-DAG: #[[ALONE:.*]] = #tile.map<threads = [32:(0, 0), 2:(0, 0)], values = [64:(0, 1), 16:(1, 0)]>
// CHECK-DAG: sharedBytes = 16416
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[A]] vector 4 bulk
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[B]] vector 4 bulk
// The last tile of M is moved back inside; of B one subgroup copies.
// CHECK: %[[ROW:.*]] = arith.minsi
// CHECK: tile.copy %{{.*}}[%[[ROW]], %{{.*}}], %{{.*}} map #[[A]] vector 4 bulk
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[ALONE]] vector 4 bulk
//--- tn.mlir
#plan = #blas.plan<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4,
  a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>
#alone = #blas.plan<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4,
  a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4, lanes = 1>, stages = 2>
func.func @product(%a: memref<32x128xf32>, %b: memref<32x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<32x128xf32>, memref<32x64xf32>) outs(%c : memref<128x64xf32>) plan(#plan)
  return
}
func.func @overlap(%a: memref<32x100xf32>, %b: memref<32x64xf32>, %c: memref<100x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<32x100xf32>, memref<32x64xf32>) outs(%c : memref<100x64xf32>) plan(#alone)
  return
}

//--- invalid.mlir
func.func @transposed(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: a: copied in bulk with major = mn, but the operand runs along K: pack = 1 transposes it first; operand A is 'memref<64x32xf32>'}}
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @narrow(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: b: copied in bulk in accesses of 8 bytes, but rows must begin at multiples of 16}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 2>, stages = 2>)
  return
}

// -----

func.func @depth(%a: memref<40x64xf32>, %b: memref<40x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: a: copied in bulk, but K = 40 (0: unknown) is no multiple of macro K = 16}}
  blas.gemm opA<t> ins(%a, %b : memref<40x64xf32>, memref<40x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @edge(%a: memref<32x100xf32>, %b: memref<32x64xf32>, %c: memref<100x64xf32>) {
  // expected-error @+1 {{plan: a: copied in bulk, but tiles of 64 cross the edge of the matrix, 100 (0: unknown), or begin anywhere}}
  blas.gemm opA<t> ins(%a, %b : memref<32x100xf32>, memref<32x64xf32>) outs(%c : memref<100x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 2, tail = guard>)
  return
}

// -----

func.func @padding(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: a: copied in bulk of rows of 264 bytes with their padding: no multiples of 16}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 2, a = <via = shared, copy = bulk, vector = 4, pad = 2>, b = <via = shared, copy = bulk, vector = 4>, stages = 2>)
  return
}

// -----

func.func @tile(%a: memref<4096x64xf32>, %b: memref<4096x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: a: copied in bulk of a tile of 1048576 bytes, but at most 1048560 are counted}}
  blas.gemm opA<t> ins(%a, %b : memref<4096x64xf32>, memref<4096x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 4096], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared, copy = bulk, vector = 4>, b = <via = shared, copy = bulk, vector = 4>, stages = 1>)
  return
}
