// RUN: gemm-opt %s --macro-tile --canonicalize --cse --split-input-file | FileCheck %s

// A short line is in registers: all of B is read, then every element of the triangle once, column by
// column, then all of X is written. Nothing is a loop.
// CHECK-LABEL: func @short(
// CHECK:         gpu.func @trsm_f64_left_lower_n
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: memref.load %[[B:.*]][%{{.*}}]
// CHECK:         %[[T00:.*]] = memref.load
// CHECK:         %[[X0:.*]] = arith.divf %{{.*}}, %[[T00]]
// CHECK:         %[[T10:.*]] = memref.load
// CHECK:         %[[N10:.*]] = arith.negf %[[T10]]
// CHECK:         %[[B1:.*]] = math.fma %[[N10]], %[[X0]], %{{.*}}
// CHECK:         %[[T20:.*]] = memref.load
// CHECK:         %[[N20:.*]] = arith.negf %[[T20]]
// CHECK:         %[[B2:.*]] = math.fma %[[N20]], %[[X0]], %{{.*}}
// CHECK:         arith.divf %[[B1]]
// CHECK:         math.fma
// CHECK:         arith.divf
// CHECK-COUNT-3: memref.store
// CHECK-NOT:     memref.store
func.func @short(%a: memref<3x3xf64>, %b: memref<3x100xf64>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<3x3xf64>) outs(%b : memref<3x100xf64>) plan(<diagonal = 0>)
  return
}

// -----

// Multiplied from the last column on, from the other end of an upper triangle; a unit diagonal is not
// read.
// CHECK-LABEL: func @short_product(
// CHECK:         gpu.func @trmm_f32_left_upper_n_unit
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: memref.load
// CHECK-COUNT-3: math.fma
// CHECK-NOT:     math.fma
// CHECK-COUNT-3: memref.store
func.func @short_product(%a: memref<3x3xf32>, %b: memref<3x100xf32>) {
  blas.trmm side<left> uplo<upper> diag<unit> ins(%a : memref<3x3xf32>) outs(%b : memref<3x100xf32>) plan(<diagonal = 0>)
  return
}

// -----

// One thread a column, too long for registers; only the lower triangle and the diagonal are read.
// CHECK-LABEL: func @solve(
// CHECK-SAME:    %[[A:.*]]: memref<80x80xf32>, %[[B:.*]]: memref<80x100xf32>, %[[ALPHA:.*]]: f32)
// CHECK:         gpu.launch_func @trsm_f32_left_lower_n_module::@trsm_f32_left_lower_n blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) {{.*}} args({{.*}}, %[[ALPHA]] : f32)
// CHECK:         gpu.func @trsm_f32_left_lower_n(%{{.*}}: memref<f32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<f32> {llvm.align = 4 : i64, llvm.noalias}, %[[S:.*]]: f32) kernel
// CHECK-SAME:      blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer c align 4>, <scalar alpha>], tile = [9223372036854775807, 64], output = [{{[0-9?]+, [0-9?]+}}], workgroup = 64, sharedBytes = 0>
// CHECK:         %[[LINE:.*]] = arith.addi
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[LINE]], %c100
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           %[[ZERO:.*]] = arith.cmpf oeq, %[[S]]
// CHECK:           scf.if %[[ZERO]]
// CHECK:             memref.store %cst
// CHECK:           } else {
// CHECK:             scf.for %[[I:.*]] = %c0 to %c80
// CHECK:               %[[X:.*]] = memref.reinterpret_cast %[[PX:.*]] to offset: [0], sizes: [9223372036854775807], strides: [1]
// CHECK:               %[[ROW:.*]] = arith.muli %[[I]], %c100
// CHECK:               %[[XI:.*]] = arith.addi %[[ROW]], %[[LINE]]
// CHECK:               memref.load %[[X]][%[[XI]]]
// CHECK:               scf.for %[[K:.*]] = %c0 to %[[I]]
// CHECK:                 %[[T:.*]] = memref.reinterpret_cast %[[PT:.*]] to offset: [0], sizes: [9223372036854775807], strides: [1]
// CHECK:                 %[[TI:.*]] = arith.muli %[[I]], %c80
// CHECK:                 %[[TIK:.*]] = arith.addi %[[TI]], %[[K]]
// CHECK:                 memref.load %[[T]][%[[TIK]]]
// CHECK:                 %[[XK:.*]] = arith.muli %[[K]], %c100
// CHECK:                 %[[XKJ:.*]] = arith.addi %[[XK]], %[[LINE]]
// CHECK:                 memref.load %[[X]][%[[XKJ]]]
// CHECK:                 math.fma
// CHECK:               %[[DIAGONAL:.*]] = memref.reinterpret_cast %[[PT]]
// CHECK:               %[[TII:.*]] = arith.addi %{{.*}}, %[[I]]
// CHECK:               memref.load %[[DIAGONAL]][%[[TII]]]
// CHECK:               arith.divf
// CHECK:               memref.store %{{.*}}, %[[X]][%[[XI]]]
func.func @solve(%a: memref<80x80xf32>, %b: memref<80x100xf32>, %alpha: f32) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<80x80xf32>) outs(%b : memref<80x100xf32>) alpha(%alpha : f32) plan(<diagonal = 0>)
  return
}

// -----

// A on the right: one thread a row, seen as a column; from B to C; a unit diagonal is not read; a
// batch of two dimensions.
// CHECK-LABEL: func @multiply(
// CHECK:         gpu.launch_func @trmm_f64_right_upper_t_unit_module::@trmm_f64_right_upper_t_unit blocks in (%c6, %c1, %c1) threads in (%c32, %c1, %c1)
// CHECK:         gpu.func @trmm_f64_right_upper_t_unit(%{{.*}}: memref<f64> {{.*}}llvm.readonly}, %{{.*}}: memref<f64> {{.*}}llvm.readonly}, %{{.*}}: memref<f64> {llvm.align = 8 : i64, llvm.noalias}) kernel
// CHECK-SAME:      tile = [32, 9223372036854775807]
// CHECK:         arith.remui %{{.*}}, %c3
// CHECK:         arith.divui %{{.*}}, %c3
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = arith.muli %thread_id_x, %c70
// CHECK:           arith.addi %{{.*}}, %[[ROW]]
// CHECK-NOT:     arith.divf
func.func @multiply(%a: memref<70x70xf64>, %b: memref<2x3x20x70xf64>, %c: memref<2x3x20x70xf64>) {
  blas.trmm side<right> uplo<upper> op_a<t> diag<unit> ins(%a, %b : memref<70x70xf64>, memref<2x3x20x70xf64>) outs(%c : memref<2x3x20x70xf64>) plan(<diagonal = 0, workgroup = 32>)
  return
}

// -----

// Rows in reverse order: products and sums without flags that a negative stride breaks.
// CHECK-LABEL: func @reversed(
// CHECK:         gpu.func
// CHECK:           %[[ROW:.*]] = arith.muli %{{.*}}, %c-20
// CHECK:           %[[OFFSET:.*]] = arith.addi %[[ROW]], %c1580
// CHECK:           arith.addi %[[OFFSET]], %thread_id_x
func.func @reversed(%a: memref<80x80xf32>, %b: memref<80x20xf32, strided<[-20, 1], offset: 1580>>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<80x80xf32>) outs(%b : memref<80x20xf32, strided<[-20, 1], offset: 1580>>) plan(<diagonal = 0>)
  return
}
