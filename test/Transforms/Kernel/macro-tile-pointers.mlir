// RUN: gemm-opt %s --macro-tile --canonicalize --cse -split-input-file | FileCheck %s

// A and C by pointers, B by a stride: a workgroup reads the addresses of its matrices, once.
// CHECK-LABEL: func @some(
// CHECK-SAME:    %[[PA:.*]]: memref<100xi64>, %[[B:.*]]: memref<100x8x8xf32>, %[[PC:.*]]: memref<100xi64>)
// CHECK-NOT:     blas.
// CHECK-DAG:     %[[TABLE_A:[a-z0-9_]*]], %{{.*}} = memref.extract_strided_metadata %[[PA]]
// CHECK-DAG:     %[[TABLE_C:[a-z0-9_]*]], %{{.*}} = memref.extract_strided_metadata %[[PC]]
// CHECK:         gpu.launch_func {{.*}} args(%[[TABLE_A]] : memref<i64>, %{{.*}} : memref<f32>, %[[TABLE_C]] : memref<i64>)
// CHECK:       gpu.func @{{.*}}(%[[A:.*]]: memref<i64> {llvm.align = 8 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<f32> {{{.*}}}, %[[C:.*]]: memref<i64> {llvm.align = 8 : i64, llvm.noalias, llvm.readonly}) kernel
// CHECK-SAME:    args = [<table a align 16>, <pointer b align 16>, <table c align 4>]
// CHECK:         %[[BATCH:.*]], %{{.*}}, %{{.*}} = tile.coord %{{.*}}, %{{.*}} tile [8, 8]
// CHECK:         %[[ADDRESSES:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [100], strides: [1]
// CHECK:         %[[ADDRESS:.*]] = memref.load %[[ADDRESSES]][%[[BATCH]]]
// CHECK:         %[[BASE:.*]] = lane.pointer %[[ADDRESS]] : memref<f32>
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [8, 8], strides: [8, 1]
// CHECK:         lane.pointer
// CHECK:         tile.update
func.func @some(%pa: memref<100xi64>, %b: memref<100x8x8xf32>, %pc: memref<100xi64>) {
  %a = blas.batch %pa : memref<100xi64> to memref<100x8x8xf32, #blas.pointers<strides = [8, 1], align = 16>>
  %c = blas.batch %pc : memref<100xi64> to memref<100x8x8xf32, #blas.pointers<strides = [8, 1]>>
  blas.gemm ins(%a, %b : memref<100x8x8xf32, #blas.pointers<strides = [8, 1], align = 16>>, memref<100x8x8xf32>) outs(%c : memref<100x8x8xf32, #blas.pointers<strides = [8, 1]>>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>)
  return
}

// -----

// Dynamic sizes and strides are passed, after each array.
// CHECK-LABEL: func @open(
// CHECK-SAME:    %[[PC:.*]]: memref<?xi64>, %[[M:.*]]: index, %[[N:.*]]: index, %[[LDC:.*]]: index
// CHECK-NOT:     blas.
// CHECK-DAG:     %[[ROWS:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-DAG:     %[[LEADING:.*]] = arith.index_cast %[[LDC]] : index to i64
// CHECK:         gpu.launch_func {{.*}} args({{.*}} %{{.*}} : memref<i64>, %{{.*}} : i64, %[[ROWS]] : i64, %[[COLUMNS]] : i64, %[[LEADING]] : i64)
// CHECK:         <table c align 4>, <size c>, <size c[1]>, <size c[2]>, <stride c[1]>]
func.func @open(%a: memref<?x?x8xf32>, %b: memref<?x8x?xf32>, %pc: memref<?xi64>, %m: index, %n: index, %ldc: index) {
  %c = blas.batch %pc sizes [%m, %n] strides [%ldc] : memref<?xi64> to memref<?x?x?xf32, #blas.pointers<strides = [?, 1]>>
  blas.gemm ins(%a, %b : memref<?x?x8xf32>, memref<?x8x?xf32>) outs(%c : memref<?x?x?xf32, #blas.pointers<strides = [?, 1]>>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// A matrix that a batch shares, of several tiles: those of all matrices are walked as one.
// CHECK-LABEL: func @shared_a(
// CHECK:         %[[COUNT:.*]] = arith.constant 100 : index
// CHECK:         tile.coord %{{.*}}, %{{.*}} batches %[[COUNT]] tile [8, 8] raster 2
func.func @shared_a(%a: memref<64x8xf32>, %b: memref<100x8x8xf32>, %c: memref<100x64x8xf32>) {
  blas.gemm ins(%a, %b : memref<64x8xf32>, memref<100x8x8xf32>) outs(%c : memref<100x64x8xf32>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], a = <via = shared>, b = <via = shared>, raster = 2>)
  return
}

// -----

// CHECK-LABEL: func @shared_b(
// CHECK:         tile.coord %{{.*}}, %{{.*}} batches %{{.*}} byRows tile [8, 8]
func.func @shared_b(%a: memref<?x?x8xf32, strided<[?, ?, 1]>>, %b: memref<8x?xf32>, %c: memref<?x?x?xf32, strided<[?, ?, 1]>>) {
  blas.gemm ins(%a, %b : memref<?x?x8xf32, strided<[?, ?, 1]>>, memref<8x?xf32>) outs(%c : memref<?x?x?xf32, strided<[?, ?, 1]>>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// One tile of A: one matrix after the other is that already.
// CHECK-LABEL: func @one_tile(
// CHECK:         tile.coord %{{.*}}, %{{.*}} tile [8, 8]
func.func @one_tile(%a: memref<8x8xf32>, %b: memref<100x8x64xf32>, %c: memref<100x8x64xf32>) {
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<100x8x64xf32>) outs(%c : memref<100x8x64xf32>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}
