// A matrix of 16 rows of which a product reads 17: on the CPU that ends the program, which first prints where.
// RUN: not --crash gemm-run %s --device=cpu 2>&1 | FileCheck %s
// CHECK: error: memory {{0|16|32|48}} bytes after the end of an operand was read or written
func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<17x16xf32>) {
  %long = memref.reinterpret_cast %a to offset: [0], sizes: [17, 16], strides: [16, 1] : memref<16x16xf32> to memref<17x16xf32>
  blas.gemm ins(%long, %b : memref<17x16xf32>, memref<16x16xf32>) outs(%c : memref<17x16xf32>)
  return
}
