// RUN: gemm-opt %s --macro-tile --canonicalize --cse --split-input-file | FileCheck %s

// A short line is in registers: all of B is read, then every element of the triangle once, column by
// column, then all of X is written. Nothing is a loop.
// CHECK-LABEL: func @short(
// CHECK:         gpu.func @trsm_f64_left_lower_n
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: memref.load %[[B:.*]][%{{.*}}]
// CHECK:         %[[T00:.*]] = memref.load
// CHECK:         %[[X0:.*]] = arith.divf %{{.*}}, %[[T00]]
// CHECK:         %[[N0:.*]] = arith.negf %[[X0]]
// CHECK:         %[[T10:.*]] = memref.load
// CHECK:         %[[B1:.*]] = math.fma %[[T10]], %[[N0]], %{{.*}}
// CHECK:         %[[T20:.*]] = memref.load
// CHECK:         %[[B2:.*]] = math.fma %[[T20]], %[[N0]], %{{.*}}
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

// One thread a column, of which 4 rows at a time are in registers: for those before them X is
// read again, 4 rows at once. Only the lower triangle and the diagonal are read.
// CHECK-LABEL: func @solve(
// CHECK-SAME:    %[[A:.*]]: memref<80x80xf32>, %[[B:.*]]: memref<80x100xf32>, %[[ALPHA:.*]]: f32)
// CHECK:         gpu.launch_func @trsm_f32_left_lower_n_module::@trsm_f32_left_lower_n blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) {{.*}} args({{.*}}, %[[ALPHA]] : f32)
// CHECK:         gpu.func @trsm_f32_left_lower_n(%{{.*}}: memref<f32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<f32> {llvm.align = 4 : i64, llvm.noalias}, %[[S:.*]]: f32) kernel
// CHECK-SAME:      blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer c align 4>, <scalar alpha>], tile = [9223372036854775807, 64], output = [{{[0-9?]+, [0-9?]+}}], workgroup = 64, sharedBytes = 0>
// CHECK:         %[[LINE:.*]] = arith.addi
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[LINE]], %c100
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           %[[COUNTS:.*]] = arith.cmpf une, %[[S]]
// CHECK:           scf.if %[[COUNTS]]
// CHECK:             scf.for %[[PART:.*]] = %c0 to %c20
// CHECK:               %[[FIRST:.*]] = arith.muli %[[PART]], %c4
// CHECK:               %[[ROW:.*]] = arith.muli %[[PART]], %c400
// CHECK:               %[[XI:.*]] = arith.addi %[[ROW]], %[[LINE]]
// CHECK:               memref.load %[[X:.*]][%[[XI]]]
// CHECK-COUNT-4:       arith.mulf %[[S]]
// CHECK:               %[[SUMS:.*]]:4 = scf.for %[[K:.*]] = %c0 to %[[FIRST]] step %c4 iter_args
// CHECK-COUNT-4:         memref.load %[[X]]
// CHECK-COUNT-16:        math.fma
// CHECK:               memref.load
// CHECK:               arith.divf %[[SUMS]]#0
// CHECK-COUNT-3:       math.fma
// CHECK:               memref.store %{{.*}}, %[[X]][%[[XI]]]
// CHECK:           } else {
// CHECK:             memref.store %cst
func.func @solve(%a: memref<80x80xf32>, %b: memref<80x100xf32>, %alpha: f32) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<80x80xf32>) outs(%b : memref<80x100xf32>) alpha(%alpha : f32) plan(<diagonal = 0, rows = 4>)
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
// CHECK:         scf.for %[[STEP:.*]] = %c0 to %c9
// CHECK:           %[[PART:.*]] = arith.subi %c8, %[[STEP]]
// CHECK:           arith.muli %[[PART]], %c8
// CHECK:           %[[ROW:.*]] = arith.muli %thread_id_x, %c70
// CHECK:           arith.addi %{{.*}}, %[[ROW]]
// CHECK-NOT:     arith.divf
func.func @multiply(%a: memref<70x70xf64>, %b: memref<2x3x20x70xf64>, %c: memref<2x3x20x70xf64>) {
  blas.trmm side<right> uplo<upper> opA<t> diag<unit> ins(%a, %b : memref<70x70xf64>, memref<2x3x20x70xf64>) outs(%c : memref<2x3x20x70xf64>) plan(<diagonal = 0, workgroup = 32>)
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

// -----

// Complex: a divisor is scaled by a power of 2 and inverted; the adjoint negates imaginary parts as they
// are read; alpha = 1 at run time multiplies by nothing.
// CHECK-LABEL: func @complex(
// CHECK:         gpu.func @trsm_c64_left_upper_c(%{{.*}}: memref<complex<f32>> {llvm.align = 8
// CHECK-DAG:     %[[RE:.*]] = complex.re %[[ALPHA:.*]] : complex<f32>
// CHECK-DAG:     %[[IM:.*]] = complex.im %[[ALPHA]]
// CHECK-DAG:     %[[RE1:.*]] = arith.cmpf oeq, %[[RE]], %cst
// CHECK-DAG:     %[[IM0:.*]] = arith.cmpf oeq, %[[IM]], %cst
// CHECK:         %[[ONE:.*]] = arith.andi %[[RE1]], %[[IM0]]
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 8 : i64} : memref<{{.*}}xf32, strided<[1]>>, vector<2xf32>
// CHECK-COUNT-4: arith.select %[[ONE]]
// CHECK:         vector.load
// CHECK:         arith.negf
// CHECK:         arith.maxnumf
// CHECK:         %[[BITS:.*]] = arith.subi %c2130706432
// CHECK:         arith.bitcast %[[BITS]] : i32 to f32
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         vector.load
// CHECK:         arith.negf
// CHECK-COUNT-4: math.fma
// CHECK:         arith.maxnumf
func.func @complex(%a: memref<2x2xcomplex<f32>>, %b: memref<2x100xcomplex<f32>>, %alpha: complex<f32>) {
  blas.trsm side<left> uplo<upper> opA<c> ins(%a : memref<2x2xcomplex<f32>>) outs(%b : memref<2x100xcomplex<f32>>) alpha(%alpha : complex<f32>) plan(<diagonal = 0>)
  return
}

// -----

// Numbers of 16 bits are multiplied and added as f32, and rounded when they are stored.
// CHECK-LABEL: func @half(
// CHECK:         gpu.func @trmm_f16_left_lower_n
// CHECK-COUNT-2: arith.extf
// CHECK:         math.fma {{.*}} : f32
// CHECK-NOT:     arith.truncf
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.truncf
// CHECK-NEXT:    memref.store
func.func @half(%a: memref<2x2xf16>, %b: memref<2x100xf16>) {
  blas.trmm side<left> uplo<lower> ins(%a : memref<2x2xf16>) outs(%b : memref<2x100xf16>) plan(<diagonal = 0>)
  return
}

// -----

// A batch of 2 x 2 triangles with 3 lines each: 10 matrices a workgroup, of a batch of any size. Both
// pass through shared memory; threads beyond the last line meet the others at the barriers. Elements
// of the diagonals are divided by once, by all threads. Above the diagonal the last element of a row
// is read again, which neighbouring threads have anyway.
// CHECK-LABEL: func @batch(
// CHECK:         %[[TEN:.*]] = arith.constant 10 : index
// CHECK:         %[[ALL:.*]] = memref.dim %arg1, %c0
// CHECK:         %[[GRID:.*]] = arith.ceildivui %[[ALL]], %[[TEN]]
// CHECK:         gpu.launch_func {{.*}} blocks in (%[[GRID]], %c1, %c1) threads in (%c32, %c1, %c1)
// CHECK:         gpu.func @trsm_f32_left_lower_n
// CHECK-SAME:      workgroup = 32, sharedBytes = {{[1-9][0-9]*}}, matrices = 10>
// CHECK:         gpu.dynamic_shared_memory
// CHECK:         %[[COLUMN:.*]] = arith.remui {{.*}} : i32
// CHECK:         arith.divui {{.*}} : i32
// CHECK:         %[[ROW:.*]] = arith.remui {{.*}} : i32
// CHECK:         arith.minui %[[COLUMN]], %[[ROW]] : i32
// CHECK-NOT:     arith.maxui
// CHECK:         memref.load {{.*}} : memref<9223372036854775807xf32
// CHECK:         memref.store {{.*}} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>
// CHECK:         arith.divf
// CHECK:         memref.store {{.*}} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK:           memref.load {{.*}} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:       arith.divf
// CHECK:           math.fma
// CHECK:           memref.store {{.*}} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK:         memref.load {{.*}} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>
// CHECK:         memref.store {{.*}} : memref<9223372036854775807xf32
func.func @batch(%a: memref<?x2x2xf32>, %b: memref<?x2x3xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<?x2x2xf32>) outs(%b : memref<?x2x3xf32>) plan(<diagonal = 0, workgroup = 32, matrices = 10, a = shared, b = shared>)
  return
}

// -----

// Where rows are neighbours in memory, the first element of a column is.
// CHECK-LABEL: func @batch_of_columns(
// CHECK:         %[[ROW:.*]] = arith.remui {{.*}} : i32
// CHECK:         arith.divui {{.*}} : i32
// CHECK:         %[[COLUMN:.*]] = arith.remui {{.*}} : i32
// CHECK:         arith.maxui %[[ROW]], %[[COLUMN]] : i32
// CHECK:         memref.load {{.*}} : memref<9223372036854775807xf32
func.func @batch_of_columns(%a: memref<?x2x2xf32, strided<[4, 1, 2]>>, %b: memref<?x2x3xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<?x2x2xf32, strided<[4, 1, 2]>>) outs(%b : memref<?x2x3xf32>) plan(<diagonal = 0, workgroup = 32, matrices = 10, a = shared, b = shared>)
  return
}

// -----

// Rows of B are lines: 64 of them, 16 elements each, are copied as they lie in memory, 8 at a time.
// CHECK-LABEL: func @rows(
// CHECK:         gpu.func @trmm_f64_right_lower_n
// CHECK:         scf.for %{{.*}} = %c0 to %c2
// CHECK-COUNT-8:   memref.load {{.*}} : memref<9223372036854775807xf64
// CHECK-COUNT-8:   memref.store {{.*}} : memref<{{[0-9]+}}xf64, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK:         scf.if
// CHECK-COUNT-16:  memref.load {{.*}} : memref<{{[0-9]+}}xf64, #gpu.address_space<workgroup>>
// CHECK-NOT:       memref.store {{.*}}9223372036854775807
// CHECK:         gpu.barrier
// CHECK:         scf.for %{{.*}} = %c0 to %c2
// CHECK-COUNT-8:   memref.load {{.*}} : memref<{{[0-9]+}}xf64, #gpu.address_space<workgroup>>
// CHECK-COUNT-8:   memref.store
func.func @rows(%a: memref<16x16xf64>, %b: memref<640x16xf64>) {
  blas.trmm side<right> uplo<lower> ins(%a : memref<16x16xf64>) outs(%b : memref<640x16xf64>) plan(<diagonal = 0, workgroup = 64, b = shared>)
  return
}

// -----

// Matrices by pointers: each thread's own, by its address.
// CHECK-LABEL: func @pointers(
// CHECK:         gpu.func @trsm_f32_left_lower_n
// CHECK-SAME:      <table a {{.*}}<table c {{.*}}matrices = 8>
// CHECK-DAG:     %[[OWN:.*]] = arith.divui %thread_id_x, %c4
// CHECK:         lane.pointer
func.func @pointers(%pa: memref<1000xi64>, %pb: memref<1000xi64>) {
  %a = blas.batch %pa : memref<1000xi64> to memref<1000x4x4xf32, #blas.pointers<strides = [4, 1]>>
  %b = blas.batch %pb : memref<1000xi64> to memref<1000x4x4xf32, #blas.pointers<strides = [4, 1]>>
  blas.trsm side<left> uplo<lower> ins(%a : memref<1000x4x4xf32, #blas.pointers<strides = [4, 1]>>) outs(%b : memref<1000x4x4xf32, #blas.pointers<strides = [4, 1]>>) plan(<diagonal = 0, workgroup = 32, matrices = 8>)
  return
}

// -----

// A triangle in shared memory is read 16 bytes at a time, but after its last row. What divides by
// its diagonal is prepared once.
// CHECK-LABEL: func @wide(
// CHECK:         arith.divf
// CHECK:         gpu.barrier
// CHECK-NOT:     arith.divf
// CHECK:         vector.load {{.*}} {alignment = 16 : i64} : memref<{{[0-9]+}}xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-COUNT-3: math.fma
// CHECK:         memref.load {{.*}}#gpu.address_space<workgroup>>
// CHECK-NEXT:    math.fma
func.func @wide(%a: memref<5x5xf32>, %b: memref<5x100xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<5x5xf32>) outs(%b : memref<5x100xf32>) plan(<diagonal = 0, a = shared>)
  return
}

// -----

// All threads of a workgroup solve 4 lines together, 16 rows at a time: these rows and columns of
// the triangle to shared memory, a thread a vector, the rows after it.
// CHECK-LABEL: func @swept(
// CHECK:         gpu.func @trsm_f32_left_lower_n_sweep
// CHECK-SAME:      tile = [{{[0-9]+}}, 4]
// CHECK:         scf.for {{.*}} iter_args(
// CHECK:           gpu.barrier
// CHECK:           scf.if
// CHECK-NOT:         arith.divf
// CHECK:             math.fma
// CHECK:           gpu.barrier
// CHECK:           vector.load {{.*}} vector<4xf32>
// CHECK:           math.fma
// CHECK:           gpu.barrier
// CHECK:           scf.yield
func.func @swept(%a: memref<32x32xf32>, %b: memref<32x100xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<32x32xf32>) outs(%b : memref<32x100xf32>) plan(<diagonal = 0, workgroup = 32, workgroupVectors = 4>)
  return
}

// -----

// Two lines a thread, as far apart as there are threads, share each element of T. Where there is no
// second one, the first is computed twice: no store has a condition.
// CHECK-LABEL: func @two_lines(
// CHECK-SAME:    memref<2x2xf32>
// CHECK:         gpu.launch_func {{.*}} blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
// CHECK:         %[[FIRST:.*]] = arith.addi %{{.*}}, %thread_id_x
// CHECK:         %[[NEXT:.*]] = arith.addi %thread_id_x, %c64
// CHECK:         %[[SECOND:.*]] = arith.addi %{{.*}}, %[[NEXT]]
// CHECK:         %[[EXISTS:.*]] = arith.cmpi slt, %[[SECOND]], %c200
// CHECK:         arith.select %[[EXISTS]], %[[SECOND]], %[[FIRST]]
// CHECK:         scf.if
// CHECK:           %[[T:.*]] = memref.load %[[A:reinterpret_cast.*]][%c2]
// CHECK-COUNT-2:   math.fma %[[T]]
// CHECK-NOT:       scf.if
// CHECK-COUNT-4:   memref.store
func.func @two_lines(%a: memref<2x2xf32>, %b: memref<2x200xf32>) {
  blas.trsm side<left> uplo<lower> diag<unit> ins(%a : memref<2x2xf32>) outs(%b : memref<2x200xf32>) plan(<diagonal = 0, threadVectors = 2>)
  return
}
