// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s

// Rows of 7 elements times a small matrix: all of K in one step, vectors along K and rows of C as one.
// CHECK-LABEL: func.func @seven
// CHECK:       plan(<macro = [{{[0-9]+}}, 8, {{8|16|32}}], {{.*}}a = <via = shared, {{.*}}vector = 2, major = k, flat = 7>, {{.*}}c = shared, flat = 7
func.func @seven(%a: memref<10000000x7xf64>, %b: memref<7x7xf64>, %c: memref<10000000x7xf64>) {
  blas.gemm ins(%a, %b : memref<10000000x7xf64>, memref<7x7xf64>) outs(%c : memref<10000000x7xf64>)
  return
}

// Multiply-adds read two numbers of a row at a time.
// CHECK-LABEL: func.func @single
// CHECK:       plan(<macro = [{{[0-9]+}}, {{20|24}}, 20], {{.*}}, depth = 2, vector = 2, a = <via = shared, {{.*}}vector = 4, major = k, flat = 20>, {{.*}}c = shared, flat = 20, stages = 1
func.func @single(%a: memref<10000000x20xf32>, %b: memref<20x20xf32>, %c: memref<10000000x20xf32>) {
  blas.gemm ins(%a, %b : memref<10000000x20xf32>, memref<20x20xf32>) outs(%c : memref<10000000x20xf32>)
  return
}

// 36 columns by six threads, two lanes of three subgroups each.
// CHECK-LABEL: func.func @six
// CHECK:       plan(<macro = [128, 36, 36], micro = [8, 6], lanes = [16, 2], depth = 2
func.func @six(%a: memref<3728270x36xf32>, %b: memref<36x36xf32>, %c: memref<3728270x36xf32>) {
  blas.gemm ins(%a, %b : memref<3728270x36xf32>, memref<36x36xf32>) outs(%c : memref<3728270x36xf32>)
  return
}

// The last of 27 slices has elements beyond K: it comes after a loop of whole groups of eight or six, not into one of three times nine.
// CHECK-LABEL: func.func @beyond
// CHECK:       plan(<macro = [{{[0-9]+}}, {{54|56}}, 54], {{.*}}depth = 2, {{.*}}unroll = {{6|8}}
func.func @beyond(%a: memref<2532409x53xf32>, %b: memref<53x53xf32>, %c: memref<2532409x53xf32>) {
  blas.gemm ins(%a, %b : memref<2532409x53xf32>, memref<53x53xf32>) outs(%c : memref<2532409x53xf32>)
  return
}

// Tiles of 32 columns, lines of 31: those of B are copied as one all the same, in accesses of 16 bytes. 16 slices: ten at a time,
// as eight would end with the last one, and nine begin at odd ones.
// CHECK-LABEL: func.func @wider
// CHECK:       b = <via = shared, copy = async, vector = 4, flat = 31>, {{.*}}unroll = 10
func.func @wider(%a: memref<4329604x31xf32>, %b: memref<31x31xf32>, %c: memref<4329604x31xf32>) {
  blas.gemm ins(%a, %b : memref<4329604x31xf32>, memref<31x31xf32>) outs(%c : memref<4329604x31xf32>)
  return
}

// The epilogue has a row of its own for each column: C is written row by row.
// CHECK-LABEL: func.func @bias
// CHECK:       plan(<{{.*}}flat = 20>, b = {{.*}}stages
// CHECK-NOT:   c = shared, flat
// CHECK:       return
func.func @bias(%a: memref<10000000x20xf32>, %b: memref<20x20xf32>, %c: memref<10000000x20xf32>, %bias: memref<20xf32>) {
  blas.gemm ins(%a, %b : memref<10000000x20xf32>, memref<20x20xf32>) outs(%c : memref<10000000x20xf32>)
    epilogue(%sum: f32, %x = %bias[1] : memref<20xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

// Gaps between the lines of A: these are copied by themselves.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT:   flat = 7
// CHECK:       return
func.func @gaps(%a: memref<10000000x7xf64, strided<[8, 1]>>, %b: memref<7x8xf64>, %c: memref<10000000x8xf64>) {
  blas.gemm ins(%a, %b : memref<10000000x7xf64, strided<[8, 1]>>, memref<7x8xf64>) outs(%c : memref<10000000x8xf64>)
  return
}

// Lines of whole rows of banks: no padding, elements of neighbouring lines change places.
// CHECK-LABEL: func.func @swizzled
// CHECK:       a = <via = shared, copy = async, vector = 2, swizzle = 4, major = k>, b = <via = shared, copy = async, vector = 2, swizzle = 4>
func.func @swizzled(%a: memref<2097152x48xf64>, %b: memref<48x48xf64>, %c: memref<2097152x48xf64>) {
  blas.gemm ins(%a, %b : memref<2097152x48xf64>, memref<48x48xf64>) outs(%c : memref<2097152x48xf64>)
  return
}

// Columns that begin anywhere in 16 bytes leave through shared memory: written two numbers at a time they are pieces of sectors.
// CHECK-LABEL: func.func @anywhere
// CHECK:       plan(<macro = [48, {{64|128|256}}, {{8|48}}], micro = [12, {{4|8}}], {{.*}}vector = 2>, c = shared
func.func @anywhere(%a: memref<48x48xf32>, %b: memref<48x2796202xf32>, %c: memref<48x2796202xf32>) {
  blas.gemm ins(%a, %b : memref<48x48xf32>, memref<48x2796202xf32>) outs(%c : memref<48x2796202xf32>)
  return
}

// A small matrix times column-major operands: 64 of them are 64 places of memory a tile, so that longer runs of
// several steps are faster than one step of short ones.
// CHECK-LABEL: func.func @columns
// CHECK:       plan(<macro = [64, {{128|256}}, 16], {{.*}}b = <via = shared, copy = async, vector = 4>, stages = 4
func.func @columns(%a: memref<64x64xf32>, %b: memref<64x2097152xf32>, %c: memref<64x2097152xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x2097152xf32>) outs(%c : memref<64x2097152xf32>)
  return
}
