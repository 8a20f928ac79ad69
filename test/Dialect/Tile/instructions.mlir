// Matrix instructions, as they are and with rows, columns and K elsewhere, read and printed again.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s

// Rows 2 g + h of the tile are rows g + 8 h of the instruction; columns step by 2; K is 2 t + d for t + 4 d.
#placed = #tile.instruction<name = "m16n8k8_f64", shape = [16, 8, 8], types = [f64, f64, f64],
  a = <threads = [4:(0, 2), 8:(2, 0)], values = [2:(1, 0), 2:(0, 1)]>,
  b = <threads = [4:(2, 0), 8:(0, 2)], values = [2:(1, 0)]>,
  c = <threads = [4:(0, 4), 8:(2, 0)], values = [2:(0, 2), 2:(1, 0)]>>
// CHECK-DAG: #[[A_1:.*]] = #tile.map<threads = [4:(0, 2), 8:(2, 0)], values = [2:(1, 0), 2:(0, 1)]>
// CHECK-DAG: #[[B_1:.*]] = #tile.map<threads = [4:(2, 0), 8:(0, 2)], values = [2:(1, 0)]>
// CHECK-DAG: #[[C_1:.*]] = #tile.map<threads = [4:(0, 4), 8:(2, 0)], values = [2:(0, 2), 2:(1, 0)]>
// CHECK-DAG: #[[PLACED:.*]] = #tile.instruction<name = "m16n8k8_f64", shape = [16, 8, 8], types = [f64, f64, f64], a = #[[A_1]], b = #[[B_1]], c = #[[C_1]]>
#a = #tile.map<threads = [4:(0, 2), 8:(2, 0), 2:(0, 0), 2:(16, 0)], values = [2:(1, 0), 2:(0, 1)]>
#b = #tile.map<threads = [4:(2, 0), 8:(0, 2), 2:(0, 16), 2:(0, 0)], values = [2:(0, 1), 2:(1, 0)]>
#c = #tile.map<threads = [4:(0, 4), 8:(2, 0), 2:(0, 16), 2:(16, 0)], values = [2:(0, 1), 2:(0, 2), 2:(1, 0)]>
!a = !tile.matrix<32x8xf64, #a>
!b = !tile.matrix<8x32xf64, #b>
!c = !tile.matrix<32x32xf64, #c>

// CHECK-LABEL: @multiply
func.func @multiply(%a: !a, %b: !b, %c: !c) -> !c {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} instruction(#[[PLACED]]) : !tile.matrix<32x8xf64, #{{.*}}>, !tile.matrix<8x32xf64, #{{.*}}>, !tile.matrix<32x32xf64, #{{.*}}>
  %sum = tile.mma %a, %b, %c instruction(#placed) : !a, !b, !c
  return %sum : !c
}
