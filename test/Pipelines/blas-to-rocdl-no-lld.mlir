// Without ld.lld, format=bin is an error that names what is missing; format=auto gives ISA.
// RUN: %bare %not gemm-opt %s --blas-to-rocdl="chip=mi60 format=bin" 2>&1 | FileCheck %s --check-prefix=BIN
// RUN: %bare gemm-opt %s --blas-to-rocdl="chip=mi60 format=auto" 2>&1 | FileCheck %s --check-prefix=AUTO
// BIN: error: a code object needs ld.lld, which is not found: install the package lld-
// AUTO-NOT: error:
// AUTO: gpu.binary {{.*}} assembly = "
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
