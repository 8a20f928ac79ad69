// Operands that exceed the memory of the device are a warning; units scale with what they count.
// RUN: gemm-opt %s --tile-select=chip=h200 -o /dev/null 2>&1 | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=mi300x -o /dev/null 2>&1 | FileCheck %s --check-prefix=MI300X
// A target that does not state its memory has no limit.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 | sed 's/memoryBytes = [0-9]*, //' | gemm-opt --tile-select -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT

// SILENT-NOT: warning
// SILENT: remark: chose plan
// SILENT-NOT: warning

// CHECK: predicted: {{[0-9.]+}} s, {{[0-9.]+}} TFLOP/s
// CHECK: warning: operands of 192.0 GiB{{.*}} exceed the memory of h200, 141.0 GiB
// MI300X-NOT: warning: operands of 192.0 GiB exceed
func.func @large(%a: memref<131072x131072xf32>, %b: memref<131072x131072xf32>, %c: memref<131072x131072xf32>) {
  blas.gemm ins(%a, %b : memref<131072x131072xf32>, memref<131072x131072xf32>) outs(%c : memref<131072x131072xf32>)
  return
}
// One operand for both counts once, but each has a copy.
// CHECK: warning: operands of 128.0 GiB, with copies and partial sums of 128.0 GiB, exceed the memory of h200, 141.0 GiB
func.func @square(%a: memref<131072x131072xf32>, %c: memref<131072x131072xf32>) {
  blas.gemm opB<t> ins(%a, %a : memref<131072x131072xf32>, memref<131072x131072xf32>) outs(%c : memref<131072x131072xf32>)
  return
}
// A batch that shares a matrix holds it once.
// CHECK: remark: chose plan
// CHECK-NOT: warning
func.func @shared(%a: memref<1000000x64x64xf64>, %b: memref<1000000x64x64xf64, strided<[0, 64, 1]>>, %c: memref<1000000x64x64xf64>) {
  blas.gemm ins(%a, %b : memref<1000000x64x64xf64>, memref<1000000x64x64xf64, strided<[0, 64, 1]>>) outs(%c : memref<1000000x64x64xf64>)
  return
}
// A small product, in GFLOP/s.
// CHECK: remark: chose plan
// CHECK: predicted: {{[0-9.]+}} us, {{[0-9.]+}} GFLOP/s
// CHECK-NOT: warning
func.func @small(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
// CHECK: warning: operands of 256.0 GiB exceed the memory of h200, 141.0 GiB
func.func @solve(%a: memref<131072x131072xf64>, %b: memref<131072x131072xf64>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<131072x131072xf64>) outs(%b : memref<131072x131072xf64>)
  return
}
