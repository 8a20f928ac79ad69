// Scalar registers: those of a chip that has none which multiply-adds read, and loads that do not fill any.
// RUN: gemm-opt %s --tile-select=chip=mi60 --split-input-file --verify-diagnostics
// RUN: sed -n -e 's/lanes = .1, 64./lanes = [1, 32]/' -e '/NVIDIA/,/^}/p' %s | not gemm-opt --tile-select=chip=h200 2>&1 | FileCheck %s
// CHECK: error: 'blas.gemm' op plan does not fit: a: via = scalar, but multiply-adds of h200 read no scalar registers that loads fill

// NVIDIA
func.func @chip(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-remark @+1 {{kept plan 16x64x8, micro 16x1}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [16, 64, 8], micro = [16, 1], lanes = [1, 64], a = <via = scalar>, b = <via = register>>)
  return
}

// -----

func.func @narrow(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>) {
  // expected-error @+1 {{plan does not fit: a: via = scalar, but loads of 2 bytes, of one matrix, fill no scalar registers of 4}}
  blas.gemm ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf16>)
    plan(<macro = [16, 64, 8], micro = [16, 1], lanes = [1, 64], a = <via = scalar>, b = <via = register>>)
  return
}
