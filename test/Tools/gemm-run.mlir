// One line, or one JSON object, per operation; sizes of dynamic arguments by option or attribute.
// RUN: gemm-run %s --device=cpu --repeat=2 | FileCheck %s
// RUN: gemm-run %s --device=cpu --json --entry=static | FileCheck %s --check-prefix=JSON
// RUN: gemm-run %s --device=cpu --entry=dynamic --repeat=0 --sizes=3x4,5x4,3x5 | FileCheck %s --check-prefix=SIZES
// RUN: gemm-run %s --device=cpu --seed=7 | FileCheck %s

// CHECK: PASS static#0 f32 gemm nn 40x24x32  plan {{.*}}, micro {{.*}}, accesses of {{[0-9]}} and {{[0-9]}}  cpu {{.*}} ms {{.*}} TFLOP/s  error 0.{{[0-9]+}} of the bound
// JSON: {"batch":1,"chip":"h200","device":"cpu","error_ratio":0.{{[0-9]+}},"exact_test":true,"failure":"","function":"static","index":0,"k":32,"label":"","layouts":"row-major, row-major, row-major","location":"{{.*}}gemm-run.mlir:[[@LINE+3]]:3","m":40,"ms":{{.*}},"n":24,"op":"nn","operation":"gemm","pass":true,"plan":"{{.*}}","sampled":false,"tflops":{{.*}},"type":"f32","ulps":{{[0-9]+}}}
// JSON-NOT: dynamic
func.func @static(%a: memref<40x32xf32>, %b: memref<32x24xf32>, %c: memref<40x24xf32>) {
  blas.gemm ins(%a, %b : memref<40x32xf32>, memref<32x24xf32>) outs(%c : memref<40x24xf32>)
  return
}

// CHECK: PASS dynamic#0 f64 gemm nt 17x9x8
// SIZES-NOT: static
// SIZES: PASS dynamic#0 f64 gemm nt 3x5x4
func.func @dynamic(%a: memref<?x?xf64> {rooftile.sizes = array<i64: 17, 8>},
                   %b: memref<?x?xf64> {rooftile.sizes = array<i64: 9, 8>},
                   %c: memref<?x?xf64> {rooftile.sizes = array<i64: 17, 9>},
                   %alpha: f64 {rooftile.value = -1.5 : f64}, %beta: f64) {
  blas.gemm opB<t> ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>) outs(%c : memref<?x?xf64>)
      alpha(%alpha : f64) beta(%beta : f64)
  return
}

// Two products of one function, an output in one buffer with an input (interleaved columns).
// CHECK: PASS chain#0 f32 gemm nn 8x8x8
// CHECK: PASS chain#1 f32 gemm nn 8x8x8
func.func @chain(%buffer: memref<8x16xf32>, %b: memref<8x8xf32>, %d: memref<8x8xf32>) {
  %even = memref.subview %buffer[0, 0] [8, 8] [1, 2]
      : memref<8x16xf32> to memref<8x8xf32, strided<[16, 2]>>
  %odd = memref.subview %buffer[0, 1] [8, 8] [1, 2]
      : memref<8x16xf32> to memref<8x8xf32, strided<[16, 2], offset: 1>>
  blas.gemm ins(%even, %b : memref<8x8xf32, strided<[16, 2]>>, memref<8x8xf32>)
      outs(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>)
  blas.gemm ins(%odd, %b : memref<8x8xf32, strided<[16, 2], offset: 1>>, memref<8x8xf32>)
      outs(%d : memref<8x8xf32>)
  return
}

// Tensors, and a result that the function returns.
// CHECK: PASS tensors#0 f32 gemm nn 8x8x8
func.func @tensors(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
      outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
