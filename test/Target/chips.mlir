// One line per chip: its text parses, verifies, and plans a product.
// RUN: gemm-opt %s --tile-select=chip=h200 2>&1 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: gemm-opt %s --tile-select=chip=mi60 2>&1 | FileCheck %s --check-prefixes=CHECK,MI60
// Architecture names mean the same chips.
// RUN: gemm-opt %s --tile-select=chip=SM_90a 2>&1 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: gemm-opt %s --tile-select=chip=gfx906 2>&1 | FileCheck %s --check-prefixes=CHECK,MI60

// H200: chip = "h200", vendor = nvidia, arch = "sm_90a", units = 132
// MI60: chip = "mi60", vendor = amd, arch = "gfx906", units = 64
// CHECK: blas.gemm {{.*}} plan(<
func.func @gemm(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>)
            outs(%c : memref<1024x1024xf64>)
  return
}
