// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s

// CHECK-LABEL: func @tensors
func.func @tensors(%a: tensor<64x128xf32>, %b: tensor<64x256xf32>, %c: tensor<128x256xf32>, %alpha: f32) -> tensor<128x256xf32> {
  // CHECK: blas.gemm opA<t> ins(%{{.*}}, %{{.*}} : tensor<64x128xf32>, tensor<64x256xf32>) outs(%{{.*}} : tensor<128x256xf32>) alpha(%{{.*}} : f32) -> tensor<128x256xf32>
  %d = blas.gemm opA<t> ins(%a, %b : tensor<64x128xf32>, tensor<64x256xf32>) outs(%c : tensor<128x256xf32>) alpha(%alpha : f32) -> tensor<128x256xf32>
  return %d : tensor<128x256xf32>
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%a: memref<4x8xf64>, %b: memref<8x6xf64>, %c: memref<4x6xf64>, %alpha: f64, %beta: f64) {
  // CHECK: blas.gemm ins(%{{.*}}, %{{.*}} : memref<4x8xf64>, memref<8x6xf64>) outs(%{{.*}} : memref<4x6xf64>) alpha(%{{.*}} : f64) beta(%{{.*}} : f64)
  blas.gemm ins(%a, %b : memref<4x8xf64>, memref<8x6xf64>) outs(%c : memref<4x6xf64>) alpha(%alpha : f64) beta(%beta : f64)
  // CHECK: blas.gemm ins(%{{.*}}) outs(%{{.*}}) beta(%{{.*}} : f64)
  blas.gemm ins(%a, %b : memref<4x8xf64>, memref<8x6xf64>) outs(%c : memref<4x6xf64>) beta(%beta : f64)
  return
}

// CHECK-LABEL: func @transposes
func.func @transposes(%a: memref<4x4xcomplex<f32>>, %c: memref<4x4xcomplex<f32>>) {
  // CHECK: blas.gemm ins
  blas.gemm opA<n> opB<n> ins(%a, %a : memref<4x4xcomplex<f32>>, memref<4x4xcomplex<f32>>) outs(%c : memref<4x4xcomplex<f32>>)
  // CHECK: blas.gemm opA<t> opB<c> ins
  blas.gemm opA<t> opB<c> ins(%a, %a : memref<4x4xcomplex<f32>>, memref<4x4xcomplex<f32>>) outs(%c : memref<4x4xcomplex<f32>>)
  // CHECK: blas.gemm opB<j> ins
  blas.gemm opB<j> ins(%a, %a : memref<4x4xcomplex<f32>>, memref<4x4xcomplex<f32>>) outs(%c : memref<4x4xcomplex<f32>>)
  return
}

// CHECK-LABEL: func @layouts
func.func @layouts(%a: memref<4x8xf32, strided<[1, 4]>>, %b: memref<8x6xf32, strided<[?, ?], offset: ?>, 1>, %c: memref<4x6xf32, strided<[12, 2], offset: 3>>) {
  // CHECK: blas.gemm ins(%{{.*}} : memref<4x8xf32, strided<[1, 4]>>, memref<8x6xf32, strided<[?, ?], offset: ?>, 1>) outs(%{{.*}} : memref<4x6xf32, strided<[12, 2], offset: 3>>)
  blas.gemm ins(%a, %b : memref<4x8xf32, strided<[1, 4]>>, memref<8x6xf32, strided<[?, ?], offset: ?>, 1>) outs(%c : memref<4x6xf32, strided<[12, 2], offset: 3>>)
  return
}

// A batch of two dimensions; A is the same for all of it. Any size may be dynamic.
// CHECK-LABEL: func @batches
func.func @batches(%a: tensor<?x8xf32>, %b: tensor<2x?x8x?xf32>, %c: tensor<2x3x4x?xf32>) -> tensor<2x3x4x?xf32> {
  // CHECK: blas.gemm ins(%{{.*}} : tensor<?x8xf32>, tensor<2x?x8x?xf32>) outs(%{{.*}} : tensor<2x3x4x?xf32>) -> tensor<2x3x4x?xf32>
  %d = blas.gemm ins(%a, %b : tensor<?x8xf32>, tensor<2x?x8x?xf32>) outs(%c : tensor<2x3x4x?xf32>) -> tensor<2x3x4x?xf32>
  return %d : tensor<2x3x4x?xf32>
}

// Mixed operands, and the type of the sum.

// CHECK-LABEL: func @mixed
func.func @mixed(%f16: memref<4x4xf16>, %bf16: memref<4x4xbf16>, %f32: memref<4x4xf32>, %f64: memref<4x4xf64>,
                 %c64: memref<4x4xcomplex<f32>>, %out: memref<4x4xcomplex<f32>>, %half: memref<4x4xf16>) {
  // CHECK: ins(%{{.*}} : memref<4x4xf16>, memref<4x4xbf16>) outs(%{{.*}} : memref<4x4xf32>)
  blas.gemm ins(%f16, %bf16 : memref<4x4xf16>, memref<4x4xbf16>) outs(%f32 : memref<4x4xf32>)
  // CHECK: acc(f64) ins
  blas.gemm acc(f64) ins(%f32, %f64 : memref<4x4xf32>, memref<4x4xf64>) outs(%half : memref<4x4xf16>)
  // CHECK: ins(%{{.*}} : memref<4x4xf32>, memref<4x4xcomplex<f32>>) outs(%{{.*}} : memref<4x4xcomplex<f32>>)
  blas.gemm ins(%f32, %c64 : memref<4x4xf32>, memref<4x4xcomplex<f32>>) outs(%out : memref<4x4xcomplex<f32>>)
  return
}

// CHECK-LABEL: func @freedom
func.func @freedom(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // CHECK: blas.gemm math<emulated> anyOrder ins
  blas.gemm math<emulated> anyOrder ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // CHECK: blas.gemm ins
  blas.gemm math<strict> ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// CHECK-LABEL: func @planned
func.func @planned(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // CHECK: blas.gemm ins({{.*}}) outs({{.*}}) plan(<macro = [64, 64, 8], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>, b = <via = shared, copy = async>>)
  blas.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 8], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>, b = <via = shared, copy = async>>)
  return
}

// Sizes may be 0.
// CHECK-LABEL: func @empty
func.func @empty(%a: memref<4x0xf32>, %b: memref<0x6xf32>, %c: memref<4x6xf32>) {
  // CHECK: blas.gemm ins(%{{.*}} : memref<4x0xf32>, memref<0x6xf32>)
  blas.gemm ins(%a, %b : memref<4x0xf32>, memref<0x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// CHECK-LABEL: func @facts_and_cases
func.func @facts_and_cases(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: blas.gemm ins({{.*}}) outs({{.*}}) given(<m = <least = 64>, a = 4>) plans([#blas.case<when = <n = <multiple = 8>>, plan = {{.*}}>, #blas.case<plan = {{.*}}>])
  blas.gemm ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    given(<m = <least = 64>, a = 4>)
    plans([#blas.case<when = <n = <multiple = 8>>, plan = <macro = [64, 64, 8], micro = [8, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>,
           #blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}
