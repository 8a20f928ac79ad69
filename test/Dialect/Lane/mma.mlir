// A matrix instruction of the lanes of a subgroup, read and printed again; what its registers must be.
// RUN: split-file %s %t
// RUN: gemm-opt %t/right.mlir | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/right.mlir --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/invalid.mlir --split-input-file --verify-diagnostics

//--- right.mlir
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
// CHECK-LABEL: @multiply
func.func @multiply(%a: f64, %b: f64, %c: f64) -> (f64, f64) {
  // CHECK: %[[SUMS:.*]]:2 = lane.mma(%{{.*}}), (%{{.*}}), (%{{.*}}, %{{.*}}) instruction(#tile_instruction) : (f64), (f64), (f64, f64)
  %d:2 = lane.mma (%a), (%b), (%c, %c) instruction(#i) : (f64), (f64), (f64, f64)
  return %d#0, %d#1 : f64, f64
}

//--- invalid.mlir
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @count(%a: f64) {
  // expected-error @below {{'lane.mma' op has 1 registers of c; a lane of m8n8k4_f64 has 2}}
  %d = lane.mma (%a), (%a), (%a) instruction(#i) : (f64), (f64), (f64)
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @type(%a: f64, %b: f32) {
  // expected-error @below {{'lane.mma' op register of b is 'f32'; m8n8k4_f64 reads 'f64'}}
  %d:2 = lane.mma (%a), (%b), (%a, %a) instruction(#i) : (f64), (f32), (f64, f64)
  return
}
