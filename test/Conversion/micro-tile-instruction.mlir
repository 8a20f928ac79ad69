// A matrix instruction is repeated over the registers of a lane: here twice along N, in neighbouring
// columns, and twice along K. Runs of two registers are read in one access.
// RUN: gemm-opt %s --micro-tile | FileCheck %s

#placed = #tile.instruction<name = "m16n8k4_f64", shape = [16, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 2), 8:(2, 0)], values = [2:(1, 0)]>,
  b = <threads = [4:(2, 0), 8:(0, 2)], values = []>,
  c = <threads = [4:(0, 4), 8:(2, 0)], values = [2:(0, 2), 2:(1, 0)]>>
#a = #tile.map<threads = [4:(0, 2), 8:(2, 0)], values = [2:(1, 0), 2:(0, 1)]>
#b = #tile.map<threads = [4:(2, 0), 8:(0, 2)], values = [2:(0, 1), 2:(1, 0)]>
#c = #tile.map<threads = [4:(0, 4), 8:(2, 0)], values = [2:(0, 1), 2:(0, 2), 2:(1, 0)]>
!slice_a = !tile.buffer<1 x 16x8xf64, strides = [1, 18]>
!slice_b = !tile.buffer<1 x 8x16xf64, strides = [18, 1]>

// CHECK-DAG: #[[A_1:.*]] = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>
// CHECK-DAG: #[[B_1:.*]] = #tile.map<threads = [4:(1, 0), 8:(0, 1)], values = []>
// CHECK-DAG: #[[C_1:.*]] = #tile.map<threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>
// CHECK-DAG: #[[PLAIN:.*]] = #tile.instruction<name = "m16n8k4_f64", shape = [16, 8, 4], types = [f64, f64, f64], a = #[[A_1]], b = #[[B_1]], c = #[[C_1]]>
// CHECK-LABEL: gpu.func @multiply
gpu.module @m {
gpu.func @multiply(%out: memref<f64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f64
  %zero = arith.constant 0.0 : f64
  %slice_a = tile.alloc : !slice_a
  %slice_b = tile.alloc : !slice_b
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[A:.*]]:2 = vector.to_elements %[[PAIR]]
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[A1:.*]]:2 = vector.to_elements %[[PAIR]]
  %a = tile.load %slice_a : !slice_a -> !tile.matrix<16x8xf64, #a>
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[B:.*]]:2 = vector.to_elements %[[PAIR]]
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[B1:.*]]:2 = vector.to_elements %[[PAIR]]
  %b = tile.load %slice_b : !slice_b -> !tile.matrix<8x16xf64, #b>
  %none = tile.fill %zero : f64 -> !tile.matrix<16x16xf64, #c>
  // CHECK: %[[LEFT:.*]]:4 = lane.mma(%[[A]]#0, %[[A]]#1), (%[[B]]#0), (%[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]) instruction(#[[PLAIN]])
  // CHECK: %[[RIGHT:.*]]:4 = lane.mma(%[[A]]#0, %[[A]]#1), (%[[B]]#1), (%[[ZERO]], %[[ZERO]], %[[ZERO]], %[[ZERO]]) instruction(#[[PLAIN]])
  // CHECK: %[[LEFT1:.*]]:4 = lane.mma(%[[A1]]#0, %[[A1]]#1), (%[[B1]]#0), (%[[LEFT]]#0, %[[LEFT]]#1, %[[LEFT]]#2, %[[LEFT]]#3)
  // CHECK: %[[RIGHT1:.*]]:4 = lane.mma(%[[A1]]#0, %[[A1]]#1), (%[[B1]]#1), (%[[RIGHT]]#0, %[[RIGHT]]#1, %[[RIGHT]]#2, %[[RIGHT]]#3)
  %sum = tile.mma %a, %b, %none instruction(#placed)
    : !tile.matrix<16x8xf64, #a>, !tile.matrix<8x16xf64, #b>, !tile.matrix<16x16xf64, #c>
  // Columns 4 t .. 4 t + 3 of a row: of the two repetitions in turn.
  // CHECK: vector.from_elements %[[LEFT1]]#0, %[[RIGHT1]]#0 : vector<2xf64>
  // CHECK: vector.from_elements %[[LEFT1]]#1, %[[RIGHT1]]#1 : vector<2xf64>
  // CHECK: vector.from_elements %[[LEFT1]]#2, %[[RIGHT1]]#2 : vector<2xf64>
  %C = memref.reinterpret_cast %out to offset: [0], sizes: [16, 16], strides: [16, 1]
    : memref<f64> to memref<16x16xf64, strided<[16, 1]>>
  tile.update %sum, %C[%c0, %c0] vector 2 : !tile.matrix<16x16xf64, #c>, memref<16x16xf64, strided<[16, 1]>>
  gpu.return
}
}
