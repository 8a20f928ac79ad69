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

// Complex elements: part by part; a is negated where a product is subtracted.
#plain = #tile.instruction<name = "m16n8k4_f64", shape = [16, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>,
  c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>
#a1 = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>
#b1 = #tile.map<threads = [4:(1, 0), 8:(0, 1)], values = []>
#c1 = #tile.map<threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>
!ring_a = !tile.buffer<1 x 16x4xcomplex<f64>, strides = [1, 17]>
!ring_b = !tile.buffer<1 x 4x8xcomplex<f64>, strides = [9, 1]>
!ring_real = !tile.buffer<1 x 16x4xf64, strides = [1, 18]>
!a = !tile.matrix<16x4xcomplex<f64>, #a1>
!real = !tile.matrix<16x4xf64, #a1>
!b = !tile.matrix<4x8xcomplex<f64>, #b1>
!sum = !tile.matrix<16x8xcomplex<f64>, #c1>
!C = memref<16x8xcomplex<f64>, strided<[8, 1]>>

gpu.module @complex {
// CHECK-LABEL: gpu.func @parts
gpu.func @parts(%out: memref<complex<f64>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %ring_a = tile.alloc : !ring_a
  %ring_b = tile.alloc : !ring_b
  // An element is one access of 16 bytes.
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[A:.*]]:2 = vector.to_elements %[[PAIR]]
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[A1:.*]]:2 = vector.to_elements %[[PAIR]]
  %a = tile.load %ring_a : !ring_a -> !a
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[B:.*]]:2 = vector.to_elements %[[PAIR]]
  %b = tile.load %ring_b : !ring_b -> !b
  %none = tile.fill %zero : complex<f64> -> !sum
  // CHECK: %[[RE:.*]]:4 = lane.mma(%[[A]]#0, %[[A1]]#0), (%[[B]]#0), (%[[ZERO:.*]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
  // CHECK: %[[IM:.*]]:4 = lane.mma(%[[A]]#0, %[[A1]]#0), (%[[B]]#1), (%[[ZERO1:.*]], %[[ZERO1]], %[[ZERO1]], %[[ZERO1]])
  // CHECK: %[[MINUS:.*]] = arith.negf %[[A]]#1
  // CHECK: %[[MINUS1:.*]] = arith.negf %[[A1]]#1
  // CHECK: %[[RE2:.*]]:4 = lane.mma(%[[MINUS]], %[[MINUS1]]), (%[[B]]#1), (%[[RE]]#0, %[[RE]]#1, %[[RE]]#2, %[[RE]]#3)
  // CHECK: %[[IM2:.*]]:4 = lane.mma(%[[A]]#1, %[[A1]]#1), (%[[B]]#0), (%[[IM]]#0, %[[IM]]#1, %[[IM]]#2, %[[IM]]#3)
  %next = tile.mma %a, %b, %none instruction(#plain) : !a, !b, !sum
  // With the conjugate of a, the other product with a.im is subtracted.
  // CHECK-COUNT-2: lane.mma(%[[A]]#0, %[[A1]]#0)
  // CHECK: lane.mma(%[[A]]#1, %[[A1]]#1), (%[[B]]#1)
  // CHECK: %[[MINUS:.*]] = arith.negf %[[A]]#1
  // CHECK: %[[MINUS1:.*]] = arith.negf %[[A1]]#1
  // CHECK: lane.mma(%[[MINUS]], %[[MINUS1]]), (%[[B]]#0)
  // CHECK-NOT: arith.negf
  %sum = tile.mma %a, %b, %next conjugateA instruction(#plain) : !a, !b, !sum
  %C = memref.reinterpret_cast %out to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f64>> to !C
  tile.update %sum, %C[%c0, %c0] : !sum, !C
  gpu.return
}

// A real operand: two instructions.
// CHECK-LABEL: gpu.func @real
gpu.func @real(%out: memref<complex<f64>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %ring_a = tile.alloc : !ring_real
  %ring_b = tile.alloc : !ring_b
  %a = tile.load %ring_a : !ring_real -> !real
  // CHECK: %[[PAIR:.*]] = vector.load {{.*}} vector<2xf64>
  // CHECK-NEXT: %[[B:.*]]:2 = vector.to_elements %[[PAIR]]
  %b = tile.load %ring_b : !ring_b -> !b
  %none = tile.fill %zero : complex<f64> -> !sum
  // CHECK: lane.mma(%[[A:.*]], %[[A1:.*]]), (%[[B]]#0)
  // CHECK: %[[MINUS:.*]] = arith.negf %[[A]]
  // CHECK: %[[MINUS1:.*]] = arith.negf %[[A1]]
  // CHECK: lane.mma(%[[MINUS]], %[[MINUS1]]), (%[[B]]#1)
  // CHECK-NOT: lane.mma
  %sum = tile.mma %a, %b, %none conjugateB instruction(#plain) : !real, !b, !sum
  %C = memref.reinterpret_cast %out to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f64>> to !C
  tile.update %sum, %C[%c0, %c0] : !sum, !C
  gpu.return
}
}

// With A and B exchanged the instruction keeps its registers: one of A, two of B.
#exchanged = #tile.instruction<name = "m8n16k4_f64", shape = [8, 16, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = [2:(0, 8)]>,
  c = <threads = [4:(2, 0), 8:(0, 1)], values = [2:(1, 0), 2:(0, 8)]>>
#a2 = #tile.map<threads = [4:(0, 1), 8:(1, 0)], values = []>
#b2 = #tile.map<threads = [4:(1, 0), 8:(0, 1)], values = [2:(0, 8)]>
#c2 = #tile.map<threads = [4:(2, 0), 8:(0, 1)], values = [2:(1, 0), 2:(0, 8)]>
!ring_a2 = !tile.buffer<1 x 8x4xf64, strides = [4, 1]>
!ring_b2 = !tile.buffer<1 x 4x16xf64, strides = [20, 1]>

gpu.module @narrow {
// CHECK-LABEL: gpu.func @exchanged
gpu.func @exchanged(%out: memref<f64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %ring_a = tile.alloc : !ring_a2
  %ring_b = tile.alloc : !ring_b2
  // CHECK: %[[A:.*]] = memref.load
  %a = tile.load %ring_a : !ring_a2 -> !tile.matrix<8x4xf64, #a2>
  // CHECK: %[[B0:.*]] = memref.load
  // CHECK: %[[B1:.*]] = memref.load
  %b = tile.load %ring_b : !ring_b2 -> !tile.matrix<4x16xf64, #b2>
  %none = tile.fill %zero : f64 -> !tile.matrix<8x16xf64, #c2>
  // CHECK: lane.mma(%[[A]]), (%[[B0]], %[[B1]]), (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) instruction(#{{.*}})
  %sum = tile.mma %a, %b, %none instruction(#exchanged)
    : !tile.matrix<8x4xf64, #a2>, !tile.matrix<4x16xf64, #b2>, !tile.matrix<8x16xf64, #c2>
  %C = memref.reinterpret_cast %out to offset: [0], sizes: [8, 16], strides: [16, 1]
    : memref<f64> to memref<8x16xf64, strided<[16, 1]>>
  tile.update %sum, %C[%c0, %c0] : !tile.matrix<8x16xf64, #c2>, memref<8x16xf64, strided<[16, 1]>>
  gpu.return
}
}
