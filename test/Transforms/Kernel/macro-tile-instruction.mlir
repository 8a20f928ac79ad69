// A plan that names a matrix instruction: its lanes, over the subgroups, repeated. Without one, of the same
// sizes, each thread holds the same elements of C.
// RUN: gemm-opt %s --macro-tile | FileCheck %s

// Lanes of K hold neighbours; runs of two rows and columns; 2 x 2 subgroups.
// CHECK-DAG: #[[C:.*]] = #tile.map<threads = [4:(0, 4), 8:(2, 0), 2:(0, 16), 2:(16, 0)], values = [4:(0, 1), 2:(1, 0), 2:(32, 0)]>
// CHECK-DAG: #[[A:.*]] = #tile.map<threads = [4:(0, 1), 8:(2, 0), 2:(0, 0), 2:(16, 0)], values = [2:(1, 0), 2:(32, 0), 2:(0, 4)]>
// CHECK-DAG: #[[B:.*]] = #tile.map<threads = [4:(1, 0), 8:(0, 2), 2:(0, 16), 2:(0, 0)], values = [2:(0, 1), 2:(4, 0)]>
// CHECK-DAG: #[[A_1:.*]] = #tile.map<threads = [4:(0, 1), 8:(2, 0)], values = [2:(1, 0), 2:(0, 4)]>
// CHECK-DAG: #[[B_1:.*]] = #tile.map<threads = [4:(1, 0), 8:(0, 2)], values = [2:(4, 0)]>
// CHECK-DAG: #[[C_1:.*]] = #tile.map<threads = [4:(0, 4), 8:(2, 0)], values = [2:(0, 2), 2:(1, 0)]>
// CHECK-DAG: #[[MMA:.*]] = #tile.instruction<name = "m16n8k8_f64", shape = [16, 8, 8], types = [f64, f64, f64], a = #[[A_1]], b = #[[B_1]], c = #[[C_1]]>
// A lane of m8n8k4 has one K; two of them make a slice of 8.
// CHECK-DAG: #[[A_2:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = []>
// CHECK-DAG: #[[B_2:.*]] = #tile.map<threads = [4:(1, 0), 8:(0, 1)], values = []>
// CHECK-DAG: #[[C_2:.*]] = #tile.map<threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>
// CHECK-DAG: #[[SMALL:.*]] = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64], a = #[[A_2]], b = #[[B_2]], c = #[[C_2]]>
// CHECK-DAG: #[[FRAGMENT:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0), 2:(0, 4)]>

#wide = #blas.plan<macro = [64, 32, 16], micro = [4, 4], lanes = [8, 4], vector = 2, mma = m16n8k8_f64,
                   a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2, pad = 2>>
#small = #blas.plan<macro = [16, 8, 8], micro = [2, 2], lanes = [8, 4], mma = m8n8k4_f64,
                    a = <via = shared>, b = <via = shared>>
func.func @gemm(%a: memref<64x64xf64>, %c: memref<64x64xf64>) {
  // CHECK: %[[STEP:.*]] = arith.constant 8 : index
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]]
  // CHECK: %[[FA:.*]] = tile.load {{.*}} : !tile.buffer<1 x 64x8xf64, strides = [1, 66]> -> !tile.matrix<64x8xf64, #[[A]]>
  // CHECK: %[[FB:.*]] = tile.load {{.*}} : !tile.buffer<1 x 8x32xf64, strides = [34, 1]> -> !tile.matrix<8x32xf64, #[[B]]>
  // CHECK: tile.mma %[[FA]], %[[FB]], %{{.*}} instruction(#[[MMA]]) : {{.*}}, !tile.matrix<64x32xf64, #[[C]]>
  blas.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>) plan(#wide)
  // CHECK: tile.load {{.*}} -> !tile.matrix<16x8xf64, #[[FRAGMENT]]>
  // CHECK: tile.mma {{.*}} instruction(#[[SMALL]])
  blas.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>) plan(#small)
  return
}
