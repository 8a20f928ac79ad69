// A is transposed element by element (its lines lie along K, its copies are of 4 bytes), so that `swizzle = 1` moves the two
// numbers of a run. Which way is known where the loop of slices is written out: reads of a fragment are joined all the same.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s

// CHECK:     .visible .entry
// CHECK-NOT: ld.shared.{{[bfu]32}}
// CHECK:     ld.shared.v2.{{[bf]32}}
// CHECK-NOT: ld.shared.{{[bfu]32}}
// CHECK:     ret;
func.func @transposed(%a: memref<48x4097xf32>, %b: memref<4097x48xf32>, %c: memref<48x48xf32>) {
  blas.gemm ins(%a, %b : memref<48x4097xf32>, memref<4097x48xf32>) outs(%c : memref<48x48xf32>)
    plan(<macro = [48, 48, 64], micro = [12, 6], lanes = [4, 8], slicedK = 4, vector = 2,
          a = <via = shared, copy = async, pad = 4, swizzle = 1>, b = <via = shared, copy = async, vector = 4>,
          stages = 4, prefetch = 1>)
  return
}
