// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s

// TSMTTSM (A^T B of block vectors): a tile of C, groups of few threads along K, K shared out over the chip;
// lines without gaps are copied as one.
// CHECK-LABEL: func.func @four
// CHECK:       plan(<macro = [4, 4, {{[0-9]+}}], {{.*}}, slicedK = {{[0-9]+}}, vector = 2, a = <via = shared, copy = async, vector = 2, flat = 4>, b = <via = shared, copy = async, vector = 2, flat = 4>, stages = 4, prefetch = 1, reduction = workspace, splits = {{[0-9][0-9][0-9]+}}
func.func @four(%a: memref<10000000x4xf64>, %b: memref<10000000x4xf64>, %c: memref<4x4xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<10000000x4xf64>, memref<10000000x4xf64>) outs(%c : memref<4x4xf64>)
  return
}

// Matrix instructions, wider than the lines: 31 of 32.
// CHECK-LABEL: func.func @odd
// CHECK:       plan(<macro = [32, 32, {{[0-9]+}}], {{.*}}mma = m16n8k8_f64, a = <via = shared, copy = async, vector = 2, flat = 31>, b = <via = shared, copy = async, vector = 2, flat = 31>
func.func @odd(%a: memref<10000000x31xf64>, %b: memref<10000000x31xf64>, %c: memref<31x31xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<10000000x31xf64>, memref<10000000x31xf64>) outs(%c : memref<31x31xf64>)
  return
}

// Gaps between the lines: these are copied by themselves.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT:   flat
// CHECK:       return
func.func @gaps(%a: memref<1000000x31xf64, strided<[40, 1]>>, %b: memref<1000000x31xf64, strided<[40, 1]>>, %c: memref<31x31xf64>) {
  blas.gemm opA<t> ins(%a, %b : memref<1000000x31xf64, strided<[40, 1]>>, memref<1000000x31xf64, strided<[40, 1]>>) outs(%c : memref<31x31xf64>)
  return
}

// Columns of column-major block vectors: lines along K, in slices of what an access has, copied to whole rows of
// banks.
// CHECK-LABEL: func.func @columns
// CHECK:       depth = 4, a = <via = shared, copy = async, vector = 4, swizzle = 4, major = k>, b = <via = shared, copy = async, vector = 4, swizzle = 4, major = k>
func.func @columns(%a: memref<7x10000000xf32>, %b: memref<7x10000000xf32>, %c: memref<7x7xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<7x10000000xf32>, memref<7x10000000xf32>) outs(%c : memref<7x7xf32>)
  return
}

// Numbers of 16 bytes have no wider runs along M or N: nothing is transposed.
// CHECK-LABEL: func.func @wide_columns
// CHECK-NOT:   mma
// CHECK:       a = <via = shared, copy = async, swizzle = 1, major = k>, b = <via = shared, copy = async, swizzle = 1, major = k>
func.func @wide_columns(%a: memref<4x8388608xcomplex<f64>>, %b: memref<4x8388608xcomplex<f64>>, %c: memref<4x4xcomplex<f64>>) {
  blas.gemm opB<t> ins(%a, %b : memref<4x8388608xcomplex<f64>>, memref<4x8388608xcomplex<f64>>) outs(%c : memref<4x4xcomplex<f64>>)
  return
}

// Columns beyond the last are not read: a tile that is wider than C costs nothing for it.
// CHECK-LABEL: func.func @spare_columns
// CHECK:       plan(<macro = [{{24, 32|32, 24}}, {{.*}}, mma = m{{8n16|16n8}}k8_f64
func.func @spare_columns(%a: memref<24x2796192xf64>, %b: memref<24x2796192xf64>, %c: memref<24x24xf64>) {
  blas.gemm opB<t> ins(%a, %b : memref<24x2796192xf64>, memref<24x2796192xf64>) outs(%c : memref<24x24xf64>)
  return
}

// 72 real numbers on a side of 72 or 80, which powers of two would make 96; by the shorter of two instructions, without registers
// for the next slice.
// CHECK-LABEL: func.func @thirds
// CHECK:       plan(<macro = [{{72|80}}, {{72|80}}, {{.*}}mma = m{{8n16|16n8}}k4_f64, complex = induced, {{.*}}flat = 72>, {{.*}}stages = 4, reduction
func.func @thirds(%a: memref<7456540x36xcomplex<f64>>, %b: memref<7456540x36xcomplex<f64>>, %c: memref<36x36xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<7456540x36xcomplex<f64>>, memref<7456540x36xcomplex<f64>>) outs(%c : memref<36x36xcomplex<f64>>)
  return
}

// So do 80 columns by two subgroups of 100 accumulators a thread, for which there were 96.
// CHECK-LABEL: func.func @singly
// CHECK:       plan(<macro = [80, 80, {{[0-9]+}}], micro = [10, 10], lanes = [8, 4], {{.*}}mma = m16n8k4_f64, complex = induced,
// CHECK-NOT:   prefetch
// CHECK-SAME:  reduction = workspace
func.func @singly(%a: memref<6710886x40xcomplex<f64>>, %b: memref<6710886x40xcomplex<f64>>, %c: memref<40x40xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<6710886x40xcomplex<f64>>, memref<6710886x40xcomplex<f64>>) outs(%c : memref<40x40xcomplex<f64>>)
  return
}

// 47 complex numbers: lines of them, or of their 94 real numbers, in a tile one longer, or two.
// CHECK-LABEL: func.func @longer
// CHECK:       plan(<macro = [{{96, 96|48, 48}}, {{.*}}_f64, {{.*}}flat = {{94|47}}>
func.func @longer(%a: memref<1427848x47xcomplex<f64>>, %b: memref<1427848x47xcomplex<f64>>, %c: memref<47x47xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<1427848x47xcomplex<f64>>, memref<1427848x47xcomplex<f64>>) outs(%c : memref<47x47xcomplex<f64>>)
  return
}

// Columns that begin anywhere in 16 bytes are copied two numbers at a time, of others four.
// CHECK-LABEL: func.func @anywhere
// CHECK:       plan(<macro = [48, 48, {{.*}}a = <via = shared, {{(copy = async, )?}}vector = 2,
// CHECK:       plan(<macro = [44, 48, {{.*}}copy = async
func.func @anywhere(%a: memref<48x5592406xf32>, %b: memref<48x5592406xf32>, %c: memref<48x48xf32>, %d: memref<44x6100800xf32>, %e: memref<44x6100800xf32>, %f: memref<44x44xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<48x5592406xf32>, memref<48x5592406xf32>) outs(%c : memref<48x48xf32>)
  blas.gemm opB<t> ins(%d, %e : memref<44x6100800xf32>, memref<44x6100800xf32>) outs(%f : memref<44x44xf32>)
  return
}
