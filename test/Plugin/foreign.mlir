// In MLIR's own mlir-opt, beside operations of other dialects, known and unknown: only products change.
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(tile-select{chip=h200})" %s 2>/dev/null | FileCheck %s
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(blas-to-cpu{chip=h200})" %s 2>/dev/null | FileCheck %s --check-prefix=CPU
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(transform-preload-library{transform-library-paths=%S/Inputs/plan.mlir},transform-interpreter)" %s 2>/dev/null | FileCheck %s --check-prefix=TRANSFORM
// REQUIRES: plugin
module attributes {transform.with_named_sequence} {

// CHECK: blas.target = #blas.target<chip = "h200"
// CHECK-LABEL: func.func @tensors
// CHECK-NOT: linalg.matmul
// CHECK: blas.gemm ins({{.*}}) plan(<macro
// CHECK: tensor.dim
// CHECK: "other.scale"(%{{.*}}) {factor = 3 : i64} : (index) -> index

// CPU-NOT: gpu.module
// CPU: llvm.func @tensors
// CPU: llvm.call @rooftileCpuLaunch
// CPU: "other.scale"(%{{.*}}) {factor = 3 : i64} : (index) -> index

// TRANSFORM-LABEL: func.func @tensors
// TRANSFORM: blas.gemm ins({{.*}}) plan(<macro
func.func @tensors(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %x: tensor<?xf32>)
    -> (tensor<64x48xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x48xf32>)
                     outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = "other.scale"(%d) {factor = 3 : i64} : (index) -> index
  return %c, %e : tensor<64x48xf32>, index
}

// CHECK-LABEL: func.func @vectors
// CHECK: vector.load
// CHECK-NEXT: arith.addf {{.*}} : vector<4xf32>
// CPU-LABEL: llvm.func @vectors
// CPU: llvm.fadd {{.*}} : vector<4xf32>
func.func @vectors(%m: memref<64xf32>, %v: vector<4xf32>, %i: index) -> vector<4xf32> {
  %r = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
  %s = arith.addf %r, %v : vector<4xf32>
  return %s : vector<4xf32>
}

// CHECK-LABEL: func.func @loops
// CHECK: affine.for
// CHECK: scf.while
// CPU-LABEL: llvm.func @loops
// CPU: llvm.cond_br
func.func @loops(%m: memref<64xf32>, %limit: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %m[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i] : memref<64xf32>
  }
  %last = scf.while (%x = %one) : (f32) -> f32 {
    %below = arith.cmpf olt, %x, %limit : f32
    scf.condition(%below) %x : f32
  } do {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    scf.yield %y : f32
  }
  return %last : f32
}

// CHECK: transform.named_sequence @tidy
// CPU: transform.named_sequence @tidy
transform.named_sequence @tidy(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
}
