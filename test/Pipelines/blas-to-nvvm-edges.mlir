// Edges of `tail = split` have kernels of their own that are small beside the one of the whole tiles, whatever
// way K is shared out.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>%t.txt
// RUN: %python %S/kernel_sizes.py %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.txt

// CHECK: gemm_f32_nn_64x128x16: {{[0-9]+}} instructions, 2048 multiply-adds
// CHECK-COUNT-2: {{[0-9]+}} instructions, {{[1-5]?[0-9]?[0-9]}} multiply-adds
// CHECK-NEXT: all others: {{[1-4]?[0-9]}} %
// REMARK-COUNT-2: edge: of 1023x1023: the shortest code of the plans that lose at most 3.9 us, about {{[0-9]+}} instructions
func.func @main(%a: memref<1023x1023xf32>, %b: memref<1023x1023xf32>, %c: memref<1023x1023xf32>) {
  blas.gemm ins(%a, %b : memref<1023x1023xf32>, memref<1023x1023xf32>) outs(%c : memref<1023x1023xf32>)
    plan(<macro = [64, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, pad = 4, swizzle = 2>,
          b = <via = shared>, prefetch = 1, reduction = cluster, splits = 2, raster = 16, residency = 2, tail = split>)
  return
}
