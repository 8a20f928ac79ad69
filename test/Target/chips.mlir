// One line per chip: its text parses, verifies, and plans a product.
// RUN: gemm-opt %s --tile-select=chip=h200 2>&1 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: gemm-opt %s --tile-select=chip=h100 2>&1 | FileCheck %s --check-prefixes=CHECK,H100
// RUN: gemm-opt %s --tile-select=chip=a100 2>&1 | FileCheck %s --check-prefixes=CHECK,A100
// RUN: gemm-opt %s --tile-select=chip=v100 2>&1 | FileCheck %s --check-prefixes=CHECK,V100
// RUN: gemm-opt %s --tile-select=chip=mi60 2>&1 | FileCheck %s --check-prefixes=CHECK,MI60
// RUN: gemm-opt %s --tile-select=chip=mi250x 2>&1 | FileCheck %s --check-prefixes=CHECK,MI250X
// RUN: gemm-opt %s --tile-select=chip=mi300x 2>&1 | FileCheck %s --check-prefixes=CHECK,MI300X
// RUN: gemm-opt %s --tile-select=chip=rx7900xtx 2>&1 | FileCheck %s --check-prefixes=CHECK,RX
// Architecture names mean the same chips.
// RUN: gemm-opt %s --tile-select=chip=SM_90a 2>&1 | FileCheck %s --check-prefixes=CHECK,H200
// RUN: gemm-opt %s --tile-select=chip=sm_80 2>&1 | FileCheck %s --check-prefixes=CHECK,A100
// RUN: gemm-opt %s --tile-select=chip=sm_70 2>&1 | FileCheck %s --check-prefixes=CHECK,V100
// RUN: gemm-opt %s --tile-select=chip=gfx906 2>&1 | FileCheck %s --check-prefixes=CHECK,MI60
// RUN: gemm-opt %s --tile-select=chip=gfx90a 2>&1 | FileCheck %s --check-prefixes=CHECK,MI250X
// RUN: gemm-opt %s --tile-select=chip=gfx942 2>&1 | FileCheck %s --check-prefixes=CHECK,MI300X
// RUN: gemm-opt %s --tile-select=chip=gfx1100 2>&1 | FileCheck %s --check-prefixes=CHECK,RX

// H200: chip = "h200", vendor = nvidia, arch = "sm_90a", units = 132
// H100: chip = "h100", vendor = nvidia, arch = "sm_90a", units = 132
// A100: chip = "a100", vendor = nvidia, arch = "sm_80", units = 108
// V100: chip = "v100", vendor = nvidia, arch = "sm_70", units = 80
// MI60: chip = "mi60", vendor = amd, arch = "gfx906", features = "+back-off-barrier", units = 64
// MI250X: chip = "mi250x", vendor = amd, arch = "gfx90a", units = 110
// MI300X: chip = "mi300x", vendor = amd, arch = "gfx942", units = 304
// RX: chip = "rx7900xtx", vendor = amd, arch = "gfx1100", features = "+wavefrontsize32,+cumode,+back-off-barrier", units = 96
// CHECK: blas.gemm {{.*}} plan(<
func.func @gemm(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>)
            outs(%c : memref<1024x1024xf64>)
  return
}
