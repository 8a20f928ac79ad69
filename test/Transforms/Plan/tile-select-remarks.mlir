// The reasons are visible without any flag, and obey the flags of MLIR's remarks.
// RUN: gemm-opt %s --tile-select=chip=h200 -o /dev/null 2>&1 | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 --remarks-filter=tile-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENGINE
// RUN: gemm-opt %s --tile-select=chip=mi60 -o /dev/null 2>&1 | FileCheck %s --check-prefix=MI60

// CHECK: tile-select-remarks.mlir:[[#@LINE+15]]:3: remark: chose plan {{128|256}}x{{128|256}}x{{.*}}, micro
// CHECK-NEXT: roofline: compute bound: 682.7 flops per byte; FMA units 2.13 ms, DRAM 48.6 us
// CHECK-NEXT: occupancy: {{1 workgroup|2 workgroups}} of {{[0-9]+}} threads per unit ({{[0-9]+}} % of the threads), limited by {{registers|shared memory}}
// CHECK-NEXT: waves: {{512|1024}} workgroups in 3.88 waves of {{132|264}} (97 % of the workgroup slots filled)
// CHECK-NEXT: predicted: {{.*}} TFLOP/s, {{[0-9]+}} % of the roofline
// CHECK-NEXT: limit:
// CHECK-NEXT: pack: A is copied first, in {{.*}} us: 64.0 MiB, allocated
// CHECK-NEXT: runner-up: {{.*}} plans, {{[0-9]+}} do not fit)

// ENGINE: remark: [Passed] chose plan | Category:tile-select | Function=square
// ENGINE-SAME: roofline="compute bound

// MI60: predicted: {{.*}} 1{{[0-9.]+}} TFLOP/s
func.func @square(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {

  blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}
