// RUN: gemm-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{instruction: there is no 'm16n8k5_f64'; there are m8n8k4_f64, m16n8k4_f64, m16n8k8_f64, m16n8k16_f64}}
#i = #tile.instruction<name = "m16n8k5_f64", shape = [16, 8, 5], types = [f64, f64, f64],
  a = <threads = [], values = []>, b = <threads = [], values = []>, c = <threads = [], values = []>>

// -----

// expected-error @below {{instruction: m8n8k4_f64 is 8x8x4, unlike shape}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8], types = [f64, f64, f64],
  a = <threads = [], values = []>, b = <threads = [], values = []>, c = <threads = [], values = []>>

// -----

// expected-error @below {{instruction: m8n8k4_f64 multiplies f64 and gives f64: types names them for a, b and c}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f32, f64],
  a = <threads = [], values = []>, b = <threads = [], values = []>, c = <threads = [], values = []>>

// -----

// expected-error @below {{instruction: lanes of a do not hold what m8n8k4_f64 gives them, nor under other names of rows, columns and K}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 4:(1, 0)], values = []>, b = <threads = [], values = []>, c = <threads = [], values = []>>

// -----

// Two rows under one name.
// expected-error @below {{instruction: lanes of a do not hold what m8n8k4_f64}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(0, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>

// -----

// K of A is not K of B.
// expected-error @below {{instruction: lanes of b do not hold what m8n8k4_f64}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 2), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>

// -----

// Columns of C are not columns of B.
// expected-error @below {{instruction: lanes of c do not hold what m8n8k4_f64}}
#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 4), 8:(1, 0)], values = [2:(0, 2)]>>

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xf32, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x8xf64, <threads = [4:(1, 0), 8:(0, 1)], values = []>>
!c = !tile.matrix<8x8xf64, <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @type(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{instruction m8n8k4_f64 reads 'f64', or complex elements of it, but a is of 'f32'}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xf64, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x8xf64, <threads = [8:(0, 1), 4:(1, 0)], values = []>>
!c = !tile.matrix<8x8xf64, <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @lanes(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{lanes of b do not hold it as instruction m8n8k4_f64 specifies}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xf64, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x24xf64, <threads = [4:(1, 0), 8:(0, 1)], values = [3:(0, 8)]>>
!c = !tile.matrix<8x24xf64, <threads = [4:(0, 2), 8:(1, 0)], values = [3:(0, 1)]>>
func.func @registers(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{registers of c are no repetitions of instruction m8n8k4_f64}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<16x4xf64, <threads = [4:(0, 1), 8:(1, 0), 2:(0, 0)], values = []>>
!b = !tile.matrix<4x8xf64, <threads = [4:(1, 0), 8:(0, 1), 2:(0, 0)], values = []>>
!c = !tile.matrix<16x8xf64, <threads = [4:(0, 2), 8:(1, 0), 2:(8, 0)], values = [2:(0, 1)]>>
func.func @subgroups(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{threads of a do not hold the rows that they hold of c}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xcomplex<f64>, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x8xcomplex<f32>, <threads = [4:(1, 0), 8:(0, 1)], values = []>>
!c = !tile.matrix<8x8xcomplex<f64>, <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @parts(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{instruction m8n8k4_f64 reads 'f64', or complex elements of it, but b is of 'complex<f32>'}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xf64, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x8xcomplex<f64>, <threads = [4:(1, 0), 8:(0, 1)], values = []>>
!c = !tile.matrix<8x8xcomplex<f64>, <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @real(%a: !a, %b: !b, %c: !c) {
  // A real operand beside a complex one is no error.
  %sum = tile.mma %a, %b, %c conjugateB instruction(#i) : !a, !b, !c
  // expected-error @below {{conjugates 'f64', which is real}}
  %same = tile.mma %a, %b, %c conjugateA instruction(#i) : !a, !b, !c
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!a = !tile.matrix<8x4xf64, <threads = [4:(0, 1), 8:(1, 0)], values = []>>
!b = !tile.matrix<4x8xcomplex<f64>, <threads = [4:(1, 0), 8:(0, 1)], values = []>>
!c = !tile.matrix<8x8xf64, <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
func.func @sums(%a: !a, %b: !b, %c: !c) {
  // expected-error @below {{multiplies 'f64' by 'complex<f64>' into 'f64', which does not hold the products}}
  %sum = tile.mma %a, %b, %c instruction(#i) : !a, !b, !c
  return
}
