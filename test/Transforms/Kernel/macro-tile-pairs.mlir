// Elements of 16 bits share a register with their neighbour along K.
// RUN: gemm-opt %s --macro-tile | FileCheck %s

// Lanes hold pairs along K of elements that share a register. Vectors of A run along K: rows follow lane by lane. Of B
// runs of four columns are read.
// CHECK-DAG: #[[PAIRS_A:.*]] = #tile.map<threads = [4:(0, 2), 8:(1, 0), 2:(0, 0), 2:(8, 0)], values = [2:(0, 1), 2:(0, 8), 4:(16, 0)]>
// CHECK-DAG: #[[PAIRS_B:.*]] = #tile.map<threads = [4:(2, 0), 8:(0, 4), 2:(0, 32), 2:(0, 0)], values = [4:(0, 1), 2:(1, 0), 2:(8, 0)]>
#pairs = #blas.plan<macro = [64, 64, 32], micro = [4, 8], lanes = [8, 4], vector = 4, mma = m16n8k16_f16,
                    a = <via = shared, vector = 8, pad = 8, major = k>, b = <via = shared, vector = 8, pad = 8>>
func.func @pairs(%a: memref<64x64xf16>, %c: memref<64x64xf32>) {
  // CHECK: tile.load {{.*}} -> !tile.matrix<64x16xf16, #[[PAIRS_A]]>
  // CHECK: tile.load {{.*}} -> !tile.matrix<16x64xf16, #[[PAIRS_B]]>
  // CHECK: tile.mma {{.*}} instruction(#{{.*}}) : !tile.matrix<64x16xf16, #[[PAIRS_A]]>, !tile.matrix<16x64xf16, #[[PAIRS_B]]>, !tile.matrix<64x64xf32, {{.*}}>
  blas.gemm ins(%a, %a : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>) plan(#pairs)
  return
}
