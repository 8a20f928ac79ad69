// Plans with groups: each multiplies its part of every K step, and their sums are added up through shared memory.
// RUN: split-file %s %t
// RUN: gemm-opt %t/plain.mlir --macro-tile | FileCheck %s
// RUN: gemm-opt %t/plain.mlir --macro-tile --leap-frog --canonicalize --cse --tile-sync --unroll-slices --micro-tile --carry-counters --spread-copies | FileCheck %s --check-prefix=MICRO
// RUN: gemm-opt %t/units.mlir --macro-tile | FileCheck %s --check-prefix=UNITS
// RUN: gemm-opt %t/cluster.mlir --macro-tile | FileCheck %s --check-prefix=CLUSTER
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics

// 64 threads for the tile of 16 x 16, two groups of them; a slice has one K of each.
// CHECK-DAG: #[[SUMS:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0), 2:(0, 4), 2:(16, 0)], values = [2:(0, 8), 2:(8, 0)]>
// CHECK-DAG: #[[ROWS:.*]] = #tile.map<threads = [4:(0, 0), 8:(1, 0), 2:(0, 0), 2:(0, 1)], values = [2:(8, 0)]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile.map<threads = [4:(0, 1), 8:(0, 0), 2:(0, 4), 2:(1, 0)], values = [2:(0, 8)]>
// CHECK: gpu.func {{.*}} known_block_size = array<i32: 128, 1, 1>
// CHECK: tile.fill %{{.*}} : f32 -> !tile.matrix<32x16xf32, #[[SUMS]]>
// CHECK: tile.load {{.*}} -> !tile.matrix<16x2xf32, #[[ROWS]]>
// CHECK: tile.load {{.*}} -> !tile.matrix<2x16xf32, #[[COLUMNS]]>
// CHECK: tile.mma {{.*}} : !tile.matrix<16x2xf32, #[[ROWS]]>, !tile.matrix<2x16xf32, #[[COLUMNS]]>, !tile.matrix<32x16xf32, #[[SUMS]]>
// CHECK: %[[BUFFER:.*]] = tile.alloc over : !tile.buffer<1 x 32x16xf32, strides = [20, 1]>
// CHECK: tile.store %{{.*}} : !tile.matrix<32x16xf32, #[[SUMS]]>
// CHECK: %[[FIRST:.*]] = tile.view %[[BUFFER]]
// CHECK: %[[A:.*]] = tile.load %[[FIRST]]
// CHECK: arith.constant 16 : index
// CHECK: %[[SECOND:.*]] = tile.view %[[BUFFER]]
// CHECK: %[[B:.*]] = tile.load %[[SECOND]]
// CHECK: %[[SUM:.*]] = tile.add %[[A]], %[[B]]
// CHECK: tile.update %[[SUM]]

// A thread multiplies 4 x 4 of the 8 x 4 products of a step, with a barrier before the accumulators meet.
// MICRO: scf.for
// MICRO-COUNT-16: math.fma
// MICRO-NOT: math.fma
// MICRO: scf.yield
// MICRO: gpu.barrier
// MICRO: gpu.barrier
// MICRO: arith.addf

// UNITS-DAG: #[[A:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0), 4:(0, 4)], values = [2:(8, 0)]>
// UNITS-DAG: #[[B:.*]] = #tile.map<threads = [4:(1, 0), 8:(0, 1), 4:(4, 0)], values = []>
// UNITS: tile.mma {{.*}} instruction({{.*}}) : !tile.matrix<16x16xf64, #[[A]]>, !tile.matrix<16x8xf64, #[[B]]>, !tile.matrix<64x8xf64

// Two workgroups with two groups each: four parts.
// CLUSTER-COUNT-4: peer
// CLUSTER-NOT: peer
// CLUSTER-COUNT-3: tile.add
// CLUSTER-NOT: tile.add
// CLUSTER: tile.update

//--- plain.mlir
func.func @plain(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  blas.gemm ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [8, 4], slicedK = 2, a = <via = shared>, b = <via = shared>>)
  return
}

//--- units.mlir
func.func @units(%a: memref<16x32xf64>, %b: memref<32x8xf64>, %c: memref<16x8xf64>) {
  blas.gemm ins(%a, %b : memref<16x32xf64>, memref<32x8xf64>) outs(%c : memref<16x8xf64>)
    plan(<macro = [16, 8, 16], micro = [2, 2], lanes = [8, 4], slicedK = 4, mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>>)
  return
}

//--- cluster.mlir
func.func @cluster(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  blas.gemm ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], slicedK = 2, a = <via = shared>, b = <via = shared>, reduction = cluster, splits = 2>)
  return
}

//--- invalid.mlir
func.func @share(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @+1 {{plan: a: 128 accesses of one macro tile do not divide among 1024 threads}}
  blas.gemm ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [1, 1], lanes = [8, 4], slicedK = 4, a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @threads(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: 2048 threads, but a workgroup has at most 1024}}
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], slicedK = 8, a = <via = shared>, b = <via = shared>>)
  return
}
