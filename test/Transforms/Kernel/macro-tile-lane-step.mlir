// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --macro-tile --tile-sync --unroll-slices --micro-tile --carry-counters --spread-copies | FileCheck %s --check-prefix=MICRO

// Lanes of a matrix instruction that hold neighbours along K read every fourth line where lines
// without gaps have an odd number of elements: two registers and two groups have those between, and
// two groups more the next 16 lines. All three operands agree, so that only the order of K differs.
// CHECK-DAG:   #[[A:.*]] = #tile.map<threads = [4:(0, 4), 8:(1, 0), 2:(0, 2), 2:(0, 16)], values = [2:(8, 0), 2:(0, 1)]>
// CHECK-DAG:   #[[B:.*]] = #tile.map<threads = [4:(4, 0), 8:(0, 1), 2:(2, 0), 2:(16, 0)], values = [2:(0, 8), 2:(1, 0)]>
// CHECK-DAG:   #[[C:.*]] = #tile.map<threads = [4:(0, 2), 8:(1, 0), 2:(16, 0), 2:(32, 0)],
// CHECK-DAG:   #[[EVEN:.*]] = #tile.map<threads = [4:(0, 2), 8:(1, 0), 2:(0, 1)], values = [2:(8, 0)]>
// CHECK-DAG:   #[[NEXT:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>
// CHECK-DAG:   #[[PADDED:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0), 4:(0, 4)], values = [2:(8, 0)]>
// CHECK-LABEL: gpu.func @gemm_f64_tn_16x16x64(
// CHECK:         tile.mma {{.*}} : !tile.matrix<16x32xf64, #[[A]]>, !tile.matrix<32x16xf64, #[[B]]>, !tile.matrix<64x16xf64, #[[C]]>
// MICRO-LABEL: gpu.func @gemm_f64_tn_16x16x64(
// MICRO:         lane.mma
func.func @odd(%a: memref<128x13xf64>, %b: memref<128x15xf64>, %c: memref<13x15xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<128x13xf64>, memref<128x15xf64>) outs(%c : memref<13x15xf64>)
    plan(<macro = [16, 16, 64], micro = [2, 4], lanes = [8, 4], slicedK = 4, mma = m16n8k8_f64,
          a = <via = shared, copy = async, flat = 13>, b = <via = shared, copy = async, flat = 15>,
          stages = 3, tail = guard>)
  return
}

// Every second one where they have twice an odd number: one group of two.
// CHECK-LABEL: gpu.func @gemm_f64_tn_16x16x32(
// CHECK:         tile.load {{.*}} -> !tile.matrix<16x8xf64, #[[EVEN]]>
func.func @twice_odd(%a: memref<128x14xf64>, %b: memref<128x10xf64>, %c: memref<14x10xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<128x14xf64>, memref<128x10xf64>) outs(%c : memref<14x10xf64>)
    plan(<macro = [16, 16, 32], micro = [2, 4], lanes = [8, 4], slicedK = 2, mma = m16n8k4_f64,
          a = <via = shared, copy = async, flat = 14>, b = <via = shared, copy = async, flat = 10>,
          stages = 3, tail = guard>)
  return
}

// One line after the other where padding keeps them apart, or nothing can lie between.
// CHECK-LABEL: gpu.func @gemm_f64_tn_16x16x16(
// CHECK:         tile.load {{.*}} -> !tile.matrix<16x4xf64, #[[NEXT]]>
func.func @alone(%a: memref<128x13xf64>, %b: memref<128x15xf64>, %c: memref<13x15xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<128x13xf64>, memref<128x15xf64>) outs(%c : memref<13x15xf64>)
    plan(<macro = [16, 16, 16], micro = [2, 4], lanes = [8, 4], mma = m16n8k4_f64,
          a = <via = shared, copy = async, flat = 13>, b = <via = shared, copy = async, flat = 15>,
          stages = 3, tail = guard>)
  return
}
// CHECK-LABEL: gpu.func @gemm_f64_tn_16x16x64(
// CHECK:         tile.load {{.*}} : !tile.buffer<1 x 16x16xf64, strides = [1, 20]> -> !tile.matrix<16x16xf64, #[[PADDED]]>
func.func @padded(%a: memref<128x16xf64>, %b: memref<128x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<128x16xf64>, memref<128x16xf64>) outs(%c : memref<16x16xf64>)
    plan(<macro = [16, 16, 64], micro = [2, 4], lanes = [8, 4], slicedK = 4, mma = m16n8k4_f64,
          a = <via = shared, copy = async, pad = 4>, b = <via = shared, copy = async, pad = 4>,
          stages = 3, tail = guard>)
  return
}
