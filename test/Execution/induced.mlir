// Complex numbers as real ones where K, alpha and beta are known at run time only, and in memory of
// the user's.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// RUN: not gemm-run %s --device=cpu --repeat=0 --mutate=slice | FileCheck %s --check-prefix=SLICE
// RUN: not gemm-run %s --device=cpu --repeat=0 --mutate=split | FileCheck %s --check-prefix=SPLIT

#plan = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced,
                   mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>,
                   reduction = workspace, splits = 3>

// CHECK: PASS unknown#0 c128 gemm cn 7x5x
// SLICE: FAIL unknown#0
// SPLIT: FAIL unknown#0
func.func @unknown(%a: memref<?x7xcomplex<f64>>, %b: memref<?x5xcomplex<f64>>, %c: memref<7x5xcomplex<f64>>, %alpha: complex<f64>, %beta: complex<f64>) {
  blas.gemm opA<c> ins(%a, %b : memref<?x7xcomplex<f64>>, memref<?x5xcomplex<f64>>) outs(%c : memref<7x5xcomplex<f64>>) alpha(%alpha : complex<f64>) beta(%beta : complex<f64>) plan(#plan)
  return
}

// Bulk copies of whole steps, of which K is a multiple.
// CHECK: PASS bulk#0 c128 gemm tn 8x8x
func.func @bulk(%a: memref<?x8xcomplex<f64>>, %b: memref<?x8xcomplex<f64>>, %c: memref<8x8xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<?x8xcomplex<f64>>, memref<?x8xcomplex<f64>>) outs(%c : memref<8x8xcomplex<f64>>) given(<k = <multiple = 8>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced, mma = m16n8k4_f64, a = <via = shared, copy = bulk, vector = 2>, b = <via = shared, copy = bulk, vector = 2>,
          reduction = workspace, splits = 3>)
  return
}

// CHECK: PASS given#0 c128 gemm tn 7x5x65
func.func @given(%a: memref<65x7xcomplex<f64>, strided<[9, 1], offset: 2>>, %b: memref<65x5xcomplex<f64>>, %c: memref<7x5xcomplex<f64>, strided<[1, 8]>>, %w: memref<210xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<65x7xcomplex<f64>, strided<[9, 1], offset: 2>>, memref<65x5xcomplex<f64>>) outs(%c : memref<7x5xcomplex<f64>, strided<[1, 8]>>) workspace(%w : memref<210xcomplex<f64>>) plan(#plan)
  return
}

// Three subgroups along 80 columns, two groups of them: 192 threads.
// CHECK: PASS thirds#0 c128 gemm cn 36x34x
// SLICE: FAIL thirds#0
func.func @thirds(%a: memref<2081x36xcomplex<f64>>, %b: memref<2081x34xcomplex<f64>>, %c: memref<36x34xcomplex<f64>>) {
  blas.gemm opA<c> ins(%a, %b : memref<2081x36xcomplex<f64>>, memref<2081x34xcomplex<f64>>) outs(%c : memref<36x34xcomplex<f64>>)
    plan(<macro = [72, 80, 32], micro = [6, 10], lanes = [4, 8], slicedK = 2, mma = m8n16k8_f64, complex = induced,
          a = <via = shared, copy = async, vector = 2, flat = 72>, b = <via = shared, copy = async, vector = 2, flat = 68>,
          stages = 4, prefetch = 1, reduction = workspace, splits = 7>)
  return
}

// Fragments read as they are multiplied: four groups of two and of three subgroups, and a remainder of K.
// CHECK: PASS singly#0 c128 gemm tn 40x37x
// SLICE: FAIL singly#0
func.func @singly(%a: memref<2081x40xcomplex<f64>>, %b: memref<2081x37xcomplex<f64>>, %c: memref<40x37xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<2081x40xcomplex<f64>>, memref<2081x37xcomplex<f64>>) outs(%c : memref<40x37xcomplex<f64>>)
    plan(<macro = [80, 80, 32], micro = [10, 10], lanes = [8, 4], slicedK = 4, mma = m16n8k4_f64, complex = induced,
          a = <via = shared, copy = async, vector = 2, pad = 4>, b = <via = shared, copy = async, vector = 2, pad = 4>,
          stages = 4, reduction = workspace, splits = 5>)
  return
}

// CHECK: PASS twelve#0 c128 gemm tn 36x33x
// SLICE: FAIL twelve#0
func.func @twelve(%a: memref<2081x36xcomplex<f64>>, %b: memref<2081x33xcomplex<f64>>, %c: memref<36x33xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<2081x36xcomplex<f64>>, memref<2081x33xcomplex<f64>>) outs(%c : memref<36x33xcomplex<f64>>)
    plan(<macro = [72, 80, 32], micro = [6, 10], lanes = [4, 8], slicedK = 4, mma = m8n16k4_f64, complex = induced,
          a = <via = shared, copy = async, vector = 2, flat = 72>, b = <via = shared, copy = async, vector = 2, flat = 66>,
          stages = 4, reduction = workspace, splits = 5>)
  return
}
